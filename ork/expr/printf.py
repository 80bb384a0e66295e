"""Go's `fmt`: `Sprint`, `Sprintln` and `Sprintf`. What Go would print as `%!d(…)` or `<nil>` is an error here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ork.base.records import NamedTuple
from ork.expr import floats
from ork.expr.errors import MissingError
from ork.expr.formats import Directive, Format, limited, parse
from ork.expr.values import bounded, counted, kind, named, shape

_TYPES = {
    "string": "string",
    "int": "int",
    "float": "float64",
    "bool": "bool",
    "list": "[]interface {}",
    "map": "map[string]interface {}",
    "complex": "complex128",
    "null": "<nil>",
}


class Style(NamedTuple):
    """How one value is to be printed."""

    verb: str = "v"
    flags: str = ""
    width: int = 0
    precision: int | None = None

    @property
    def syntax(self) -> bool:
        """`%#v`: as Go writes the value in its source."""
        return self.verb == "v" and "#" in self.flags

    def has(self, flag: str) -> bool:
        """Tell whether a flag is set; `+` and `#` mean something else with `%v`."""
        return flag in self.flags and not (self.verb == "v" and flag in "#+")

    def padded(self, text: str, zeros: bool = True) -> str:
        """Return the text, filled up to the width."""
        if "-" in self.flags:
            return text.ljust(self.width)
        return text.rjust(self.width, "0" if zeros and "0" in self.flags else " ")


_PLAIN = Style()


def sprint(*args: Any) -> str:
    """Join the arguments, with a space between two that are both no strings."""
    out, before = "", ""
    for arg in args:
        kind_of = kind(arg)
        out += f" {_show(arg, _PLAIN)}" if before and "string" not in (before, kind_of) else _show(arg, _PLAIN)
        before = kind_of
    return bounded(out)


def sprintln(*args: Any) -> str:
    """Join the arguments with spaces and end the line."""
    return bounded(" ".join([_show(arg, _PLAIN) for arg in args]) + "\n")


def sprintf(format_text: Any, *args: Any) -> str:
    """Format as Go's `Sprintf`. Raises ValueError for a bad verb, a missing or an extra argument."""
    if format_text.__class__ is not str:
        raise ValueError(f"the format of printf is {named(format_text)}, not a string")
    parsed = parse(format_text)
    _check_count(parsed, len(args))
    shown = [_directive(piece, args) if isinstance(piece, Directive) else piece for piece in parsed.pieces]
    return bounded("".join(shown))


def check(args: Sequence[Any]) -> None:
    """Look at a `printf` whose format is known. Raises ValueError."""
    if isinstance(args[0], str):
        _check_count(parse(args[0]), len(args) - 1)
    elif args[0] is not None:
        raise ValueError(f"the format of printf is {named(args[0])}, not a string")


def _check_count(parsed: Format, given: int) -> None:
    if given < parsed.takes or (given > parsed.takes and not parsed.reordered):
        raise ValueError(f"the format takes {counted(parsed.takes, 'argument')}, not {given}")


def _directive(directive: Directive, args: Sequence[Any]) -> str:
    width, flags = directive.width or 0, directive.flags
    if directive.width_arg is not None:
        width = _integer(args[directive.width_arg])
        if width < 0:
            width, flags = -width, flags.replace("0", "") + "-"
    precision = directive.precision
    if directive.precision_arg is not None:
        precision = _integer(args[directive.precision_arg])
        if precision < 0:
            raise ValueError("a precision cannot be negative")
    return _show(args[directive.arg], Style(directive.verb, flags, width, precision))


def _integer(value: Any) -> int:
    if value.__class__ is not int:
        raise ValueError(f'"*" takes its number from {named(value)}')
    return limited(value)


# ── values ──────────────────────────────────────────────────────────────────────────────────────
def _show(value: Any, style: Style) -> str:
    if style.verb == "T":
        return style.padded(_cut(_TYPES[kind(value)], style))
    if value.__class__ is str and style == _PLAIN:
        return value
    show = _KINDS.get((shape(value), style.verb))
    if show is None:
        if value is None:
            raise MissingError(message="a value to print is not set")
        raise ValueError(f"%{style.verb} of {named(value)}{_HINTS.get(kind(value), '')}")
    return show(value, style)


def _string(value: str, style: Style) -> str:
    return _quoted_string(value, style) if style.syntax else style.padded(_cut(value, style))


def _quoted_string(value: str, style: Style) -> str:
    value = _cut(value, style)
    if style.has("#") and _can_backquote(value):
        return style.padded(f"`{value}`")
    return style.padded(quote(value, '"', ascii_only=style.has("+")))


def _hex_string(value: str, style: Style) -> str:
    data = value.encode("utf-8", "surrogateescape")[: style.precision]
    prefix = "0x" if "#" in style.flags and data else ""
    text = " ".join([f"{prefix}{byte:02x}" for byte in data]) if " " in style.flags else prefix + data.hex()
    return style.padded(text.upper() if style.verb == "X" else text)


def _cut(value: str, style: Style) -> str:
    return value if style.precision is None else value[: style.precision]


def _boolean(value: bool, style: Style) -> str:
    return style.padded("true" if value else "false")


_BASES = {"v": "d", "d": "d", "b": "b", "o": "o", "O": "o", "x": "x", "X": "X"}
_PREFIXES = {"b": "0b", "x": "0x", "X": "0X"}


def _whole(value: int, style: Style) -> str:
    sign = "-" if value < 0 else "+" if style.has("+") else " " if " " in style.flags else ""
    digits = format(abs(value), _BASES[style.verb])
    if style.precision is not None:
        if style.precision == 0 and value == 0:
            return " " * style.width
        digits = digits.rjust(style.precision, "0")
    elif "0" in style.flags and "-" not in style.flags:
        digits = digits.rjust(style.width - len(sign), "0")
    if style.has("#"):
        octal = "0" if style.verb in "oO" and digits[0] != "0" else ""
        digits = _PREFIXES.get(style.verb, octal) + digits
    return style.padded(sign + ("0o" if style.verb == "O" else "") + digits, zeros=False)


def _character(value: int, style: Style) -> str:
    return style.padded(_letter(value))


def _quoted_character(value: int, style: Style) -> str:
    return style.padded(quote(_letter(value), "'", ascii_only=style.has("+")))


def _letter(code: int) -> str:
    return chr(code) if 0 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"


def _code_point(value: int, style: Style) -> str:
    code = f"{value % 2**64:X}".rjust(max(style.precision or 0, 4), "0")
    shown = f" '{chr(value)}'" if "#" in style.flags and 0 <= value <= 0x10FFFF and chr(value).isprintable() else ""
    return style.padded(f"U+{code}{shown}", zeros=False)


_DEFAULT_PRECISION = {"e": 6, "E": 6, "f": 6, "F": 6}


def _float(value: float, style: Style) -> str:
    verb = {"v": "g", "F": "f"}.get(style.verb, style.verb)
    precision = _DEFAULT_PRECISION.get(style.verb, -1) if style.precision is None else style.precision
    text = floats.format_float(value, verb, precision)
    sign, number = (text[0], text[1:]) if text[0] in "+-" else ("+", text)
    if number in ("Inf", "NaN"):
        return style.padded(_signed(sign, number, style), zeros=False)
    if style.has("#") and verb != "b":
        number = _with_point(number, verb, precision)
    text = _signed(sign, number, style)
    if text[0] in "+- " and "0" in style.flags and "-" not in style.flags:
        return text[0] + text[1:].rjust(style.width - 1, "0")
    return style.padded(text)


def _signed(sign: str, number: str, style: Style) -> str:
    if style.has("+"):
        return sign + number
    if " " in style.flags and sign == "+":
        return " " + number
    return number if sign == "+" or number == "NaN" else sign + number


def _with_point(number: str, verb: str, precision: int) -> str:
    """Return a number as `#` wants it: with a decimal point, `%g` with its trailing zeros."""
    wanted = (6 if precision < 0 else precision) if verb in "gGx" else 0
    marks = "pP" if verb in "xX" else "eE"
    mantissa, tail = next(
        ((number[:at], number[at:]) for at, letter in enumerate(number) if letter in marks), (number, "")
    )
    significant = len(mantissa.replace(".", "").lstrip("0"))
    if "." not in mantissa:
        significant += mantissa == "0"
        mantissa += "."
    return mantissa + "0" * (wanted - significant) + tail


def _complex(value: complex, style: Style) -> str:
    if style.verb == "v":
        style = style._replace(verb="g", flags=style.flags.replace("#", "").replace("+", ""))
    imaginary = _float(value.imag, style._replace(flags=style.flags + "+"))
    return f"({_float(value.real, style)}{imaginary}i)"


def _list(value: Sequence[Any], style: Style) -> str:
    if style.syntax:
        return f"[]interface {{}}{{{', '.join([_show(item, style) for item in value])}}}"
    return f"[{' '.join([_show(item, style) for item in value])}]"


def _map(value: dict[str, Any], style: Style) -> str:
    pairs = [f"{_show(key, style)}:{_show(value[key], style)}" for key in sorted(value)]
    return f"map[string]interface {{}}{{{', '.join(pairs)}}}" if style.syntax else f"map[{' '.join(pairs)}]"


_ESCAPES = {
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
    "\\": r"\\",
}


def quote(text: str, mark: str, ascii_only: bool = False) -> str:
    """Return the text between quotation marks, escaped as in Go's source."""
    return mark + "".join([_escaped(letter, mark, ascii_only) for letter in text]) + mark


def _escaped(letter: str, mark: str, ascii_only: bool) -> str:
    if letter == mark:
        return "\\" + letter
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    code = ord(letter)
    if letter.isprintable() and (code < 0x80 or not ascii_only):
        return letter
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _can_backquote(text: str) -> bool:
    return all(letter == "\t" or (letter >= " " and letter not in "`\x7f\ufeff") for letter in text) and not any(
        "\udc80" <= letter <= "\udcff" for letter in text
    )


_Show = Callable[[Any, Style], str]
_KINDS: dict[tuple[type, str], _Show] = {
    **{(str, verb): _string for verb in "vs"},
    **{(str, verb): _hex_string for verb in "xX"},
    (str, "q"): _quoted_string,
    **{(bool, verb): _boolean for verb in "vt"},
    **{(int, verb): _whole for verb in "vdboOxX"},
    (int, "c"): _character,
    (int, "q"): _quoted_character,
    (int, "U"): _code_point,
    **{(float, verb): _float for verb in "vbgGxXfFeE"},
    **{(complex, verb): _complex for verb in "vbgGxXfFeE"},
    **{(sequence, verb): _list for sequence in (list, tuple) for verb in "vsdqxXtboOcUeEfFgG"},
    **{(dict, verb): _map for verb in "vsdqxXtboOcUeEfFgG"},
}
_HINTS = {
    "int": "; write %d or %v",
    "float": "; write %f or %v",
    "bool": "; write %t or %v",
    "string": "; write %s or %v",
}
