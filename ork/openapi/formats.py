"""The string formats that an API server enforces in a custom resource; every other format is ignored.

The names are those of the CustomResourceDefinition documentation; a hyphen in a format's name has no meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from ork.base.patterns import pattern

_HOSTNAME = pattern(
    r"(?:[^\W_](?:-?[^\W_]{0,62})?|(?:[^\W_](?:(?:[^\W_]|-){0,61}[^\W_])?\.)+(?:[^\W\d_]){2,63})", re.UNICODE
)
_TIME = pattern(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})")
_DATE = pattern(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_EMAIL_WORD = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-]+"
_EMAIL_WORDS = rf"{_EMAIL_WORD}(?:\.{_EMAIL_WORD})*"
_ADDRESS = rf"(?:{_EMAIL_WORDS}|\"(?:[^\"\\\r\n]|\\.)+\")@(?:{_EMAIL_WORDS}|\[[^\]\s]+\])"
_EMAIL = pattern(rf"\s*(?:{_ADDRESS}|[^<>@,;:\\()\[\]]*<{_ADDRESS}>)\s*")
_MAC = pattern(
    r"(?:[0-9a-f]{2}(?:([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}|(?:\1[0-9a-f]{2}){14})?)"
    r"|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?:\.[0-9a-f]{4}(?:(?:\.[0-9a-f]{4}){6})?)?)",
    re.IGNORECASE,
)
_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BAD_ESCAPE = pattern(r"%(?![0-9A-Fa-f]{2})")
_HOST = r"(?:\[[0-9A-Fa-f:.%a-z]*\]|[^/?#\s:<>\"\\^`{|}\[\]]*)"
_AUTHORITY = pattern(rf"//(?:[^/@?#\s]*@)?{_HOST}(?::[0-9]*)?(?=[/?#]|\Z)")
_DURATION = pattern(r"[+-]?(?:0|(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)")
_LONG_DURATION = pattern(r"[0-9]+\s*([A-Za-zµ]+)")
_DURATION_UNITS = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")
_SHORT_UNITS = {"ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"}
_CARD = pattern(
    r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}"
)
_BYTE = r"(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"


def is_valid(name: str, text: str) -> bool:
    """Tell whether a text is of that format."""
    return _CHECKS[_plain(name)](text)


def is_known(name: str) -> bool:
    """Tell whether an API server looks at that format of a string at all."""
    return _plain(name) in _CHECKS


def _plain(name: str) -> str:
    return name.replace("-", "")


def _matches(shape: str, flags: int = 0) -> Callable[[str], bool]:
    compiled = pattern(shape, flags)
    return lambda text: compiled.fullmatch(text) is not None


def _date(text: str) -> bool:
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    try:
        date(year or 2000, month, day)
    except ValueError:
        return False
    return True


def _date_time(text: str) -> bool:
    day, _, rest = text.lower().partition("t")
    found = _TIME.fullmatch(rest.partition("t")[0])
    return _date(day) and found is not None and found[1] <= "23" and found[2] <= "59" and found[3] <= "59"


def _duration(text: str) -> bool:
    units = [unit.lower() for unit in _LONG_DURATION.findall(text)]
    long = any(unit in _SHORT_UNITS or unit.startswith(_DURATION_UNITS) for unit in units)
    return long or _DURATION.fullmatch(text) is not None


def _hostname(text: str) -> bool:
    fits = len(text.encode()) <= 255 and all(len(part.encode()) <= 63 for part in text.split("."))
    return fits and _HOSTNAME.fullmatch(text) is not None


def _address(text: str) -> bool:
    """Tell whether Go's lenient parser takes the IP address: it allows leading zeros, and no zone."""
    import ipaddress

    head, dot, tail = text.rpartition(":") if ":" in text else ("", "", text)
    if "." in tail:
        tail = re.sub(r"(?<![0-9])0+(?=[0-9])", "", tail)
    try:
        ipaddress.ip_address(head + dot + tail)
    except ValueError:
        return False
    return "%" not in text


def _cidr(text: str) -> bool:
    address, slash, length = text.partition("/")
    size = 128 if ":" in address else 32
    return bool(slash) and _address(address) and length.isascii() and length.isdigit() and int(length) <= size


def _uri(text: str) -> bool:
    """Tell whether it is an absolute URI or an absolute path, as in a request line."""
    if not text or any(ord(char) < 0x20 or char == "\x7f" for char in text):
        return False
    scheme = _SCHEME.match(text)
    rest = text[scheme.end() :] if scheme else text
    if not rest.startswith("/"):
        return text == "*" or scheme is not None
    if rest.startswith("//") and not rest.startswith("///") and not _AUTHORITY.match(rest):
        return False
    return _BAD_ESCAPE.search(rest.partition("?")[0]) is None


def _isbn10(text: str) -> bool:
    digits = re.sub(r"[\s-]+", "", text)
    if not re.fullmatch(r"[0-9]{9}[0-9X]", digits):
        return False
    return sum((10 - place) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits)) % 11 == 0


def _isbn13(text: str) -> bool:
    digits = re.sub(r"[\s-]+", "", text)
    if not re.fullmatch(r"[0-9]{13}", digits):
        return False
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0


def _credit_card(text: str) -> bool:
    digits = re.sub(r"[^0-9]+", "", text)
    if not _CARD.fullmatch(digits):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number // 10 + number % 10 for number in doubled) % 10 == 0


def _uuid(third: str = "[0-9a-f]{4}", fourth: str = "[0-9a-f]{4}") -> Callable[[str], bool]:
    return _matches(f"[0-9a-f]{{8}}-?[0-9a-f]{{4}}-?{third}-?{fourth}-?[0-9a-f]{{12}}", re.IGNORECASE | re.ASCII)


_CHECKS: dict[str, Callable[[str], bool]] = {
    "bsonobjectid": _matches("[0-9a-fA-F]{24}"),
    "byte": _matches(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"),
    "cidr": _cidr,
    "creditcard": _credit_card,
    "date": _date,
    "datetime": _date_time,
    "duration": _duration,
    "email": lambda text: _EMAIL.fullmatch(text) is not None,
    "hexcolor": _matches("#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "hostname": _hostname,
    "ipv4": lambda text: "." in text and _address(text),
    "ipv6": lambda text: ":" in text and _address(text),
    "isbn": lambda text: _isbn10(text) or _isbn13(text),
    "isbn10": _isbn10,
    "isbn13": _isbn13,
    "k8slongname": lambda text: len(text) <= 253 and re.fullmatch(rf"{_LABEL}(?:\.{_LABEL})*", text) is not None,
    "k8sshortname": lambda text: len(text) <= 63 and re.fullmatch(_LABEL, text) is not None,
    "mac": lambda text: _MAC.fullmatch(text) is not None,
    "password": lambda _text: True,
    "rgbcolor": _matches(rf"rgb\(\s*{_BYTE}\s*,\s*{_BYTE}\s*,\s*{_BYTE}\s*\)", re.ASCII),
    "ssn": _matches("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}"),
    "uri": _uri,
    "uuid": _uuid(),
    "uuid3": _uuid("3[0-9a-f]{3}"),
    "uuid4": _uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
    "uuid5": _uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
}
