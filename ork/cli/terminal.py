"""Where a command's words go: results to stdout, notices and complaints to stderr, in colour where a person looks."""

from __future__ import annotations

import os
import sys
from typing import TextIO

_STYLES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}


class Palette:
    """Colours, or none: text from CRs and responses can never bring its own."""

    def __init__(self, coloured: bool) -> None:
        self.coloured = coloured

    def __call__(self, style: str, text: str) -> str:
        """Return the text in a style: `bold dim red green yellow blue magenta cyan`."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.coloured else text


PLAIN = Palette(coloured=False)


def palette(stream: TextIO | None = None) -> Palette:
    """Return the colours of a stream (stdout): none without a terminal, under `NO_COLOR`, `CI` or `TERM=dumb`."""
    stream = stream or sys.stdout
    quiet = os.environ.get("NO_COLOR") or os.environ.get("CI") or os.environ.get("TERM") == "dumb"
    return Palette(coloured=stream.isatty() and not quiet)


def visible(text: str) -> str:
    """Return text from outside with control and direction marks spelled out: it steers no terminal and fits XML."""
    return text if text.isprintable() else "".join(map(_spelled, text))


def _spelled(char: str) -> str:
    return char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()


def say(text: str) -> None:
    """Print a result."""
    _write(sys.stdout, text)


def notice(text: str) -> None:
    """Print something beside the result, such as progress."""
    _write(sys.stderr, text)


def complain(message: str, hint: str = "") -> None:
    """Print what keeps the command from doing its work, and what to do."""
    paint = palette(sys.stderr)
    notice(f"{paint('red', 'error')}: {message}" + (f"\n{paint('cyan', 'help')}: {hint}" if hint else ""))


def _write(stream: TextIO, text: str) -> None:
    """A reader that went away (`| head`) is no failure, and a character that the encoding lacks is escaped."""
    data = text if text.endswith("\n") or not text else text + "\n"
    try:
        stream.write(data.encode(stream.encoding or "utf-8", "backslashreplace").decode(stream.encoding or "utf-8"))
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
