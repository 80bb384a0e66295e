"""Reading the files that documents name: each once, remembered, and with a reason where it cannot be read."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping
from enum import Enum

from ork.base.errors import OrkError
from ork.base.findings import Finding, Severity, Span
from ork.katalog.yaml.loader import load
from ork.katalog.yaml.nodes import AnyNode
from ork.katalog.yaml.source import Source

MAX_BYTES = 16 * 2**20
STDIN = "-"

Read = Callable[[str], bytes]
"""Returns the content of a file; raises OSError."""


class Reason(Enum):
    """Why a file gives no text."""

    MISSING = "there is no such file"
    DIRECTORY = "it is a directory"
    FORBIDDEN = "it may not be read"
    SIZE = "it is larger than 16 MiB"
    ENCODING = "it is not UTF-8"
    BROKEN = "reading it failed"


class ReadError(OrkError):
    """A file cannot be read. `span` is the place of the first wrong byte where its encoding is at fault."""

    def __init__(self, path: str, reason: Reason, detail: str = "", span: Span | None = None) -> None:
        super().__init__(f"{path} cannot be read: {detail or reason.value}")
        self.path, self.reason, self.detail = path, reason, detail or reason.value
        self.span = span or Span(path, 1, 1, 1, 1)

    @property
    def finding(self) -> Finding:
        """What to say where the file itself was asked for: its text is at fault, not the call."""
        code = "ORK0002" if self.reason is Reason.ENCODING else "ORK0005"
        return Finding(code, Severity.ERROR, self.span, f"this file is not read: {self.detail}", _REMEDIES[self.reason])


_REMEDIES = {
    Reason.MISSING: "check the path",
    Reason.DIRECTORY: "name a file in it",
    Reason.FORBIDDEN: "check its permissions",
    Reason.SIZE: "split it",
    Reason.ENCODING: "save it as UTF-8",
    Reason.BROKEN: "",
}


def read_file(path: str) -> bytes:
    """Return what a file, or `-` for standard input, holds; at most one byte more than is allowed."""
    if path == STDIN:
        import sys

        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def in_memory(files: Mapping[str, str | bytes]) -> Read:
    """Return a reader of files that are given by name, for tests and callers that have the texts already."""

    def read(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(path)
        found = files[path]
        return found.encode() if isinstance(found, str) else found

    return read


def beside(file: str, path: str) -> str:
    """Return the path that a document in `file` means by `path`: relative to the directory of `file`."""
    directory = "" if file == STDIN else os.path.dirname(file)
    return os.path.normpath(os.path.join(directory, path))


class Sources:
    """Every file that one check reads."""

    def __init__(self, read: Read = read_file) -> None:
        self._read = read
        self._sources: dict[str, Source] = {}
        self._documents: dict[str, list[AnyNode]] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were read, in the order in which they were asked for."""
        return tuple(self._sources)

    def source(self, path: str) -> Source:
        """Return a file's text. Raises ReadError."""
        if path not in self._sources:
            self._sources[path] = Source(path, _decoded(path, self._bytes(path)))
        return self._sources[path]

    def documents(self, path: str, findings: list[Finding]) -> list[AnyNode]:
        """Return a file's documents; what is wrong with its YAML is reported at the first call. Raises ReadError."""
        if path not in self._documents:
            self._documents[path] = load(self.source(path), findings)
        return self._documents[path]

    def line(self, span: Span) -> str:
        """Return the line at which a span begins, for a caret under it; empty where the file was not read."""
        source = self._sources.get(span.file)
        return source.line(span.line) if source else ""

    def silences(self, finding: Finding) -> bool:
        """Tell whether a comment on the finding's line says `ork: ignore` and its code."""
        source = self._sources.get(finding.span.file)
        return source is not None and source.silences(finding)

    def _bytes(self, path: str) -> bytes:
        try:
            content = self._read(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ReadError(path, Reason.MISSING) from error
        except IsADirectoryError as error:
            raise ReadError(path, Reason.DIRECTORY) from error
        except PermissionError as error:
            raise ReadError(path, Reason.FORBIDDEN) from error
        except (OSError, ValueError) as error:
            raise ReadError(path, Reason.BROKEN, getattr(error, "strerror", None) or str(error)) from error
        if len(content) > MAX_BYTES:
            raise ReadError(path, Reason.SIZE)
        return content


def _decoded(path: str, content: bytes) -> str:
    try:
        return content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        span = Span(path, line, column, line, column + 1)
        raise ReadError(path, Reason.ENCODING, f"it is not UTF-8 (line {line})", span) from error
