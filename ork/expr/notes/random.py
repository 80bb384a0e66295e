"""Notes that give a new value each time: only for what is created once and then left alone, such as a password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ork.expr.compare import shown
from ork.expr.env import Env
from ork.expr.notes.note import RANDOM, Example, note, whole

if TYPE_CHECKING:
    from random import Random

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_LONGEST = 4096


def _source(env: Env) -> Random:
    if env.random is None:
        raise ValueError("random notes work only where an object is created once and not corrected afterwards")
    return env.random


def _count(value: Any) -> int:
    found = whole(value)
    if not 0 < found <= _LONGEST:
        raise ValueError(f"the length must be 1 to {_LONGEST}, not {shown(value)}")
    return found


def _alphanumeric(env: Env, length: Any) -> str:
    source = _source(env)
    return "".join(source.choice(_LETTERS) for _ in range(_count(length)))


def _hex(env: Env, count: Any) -> str:
    return _source(env).randbytes(_count(count)).hex()


def _base64(env: Env, count: Any) -> str:
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(_source(env).randbytes(_count(count))).decode().rstrip("=")


NOTES = (
    note(
        "randomAlphanumeric LENGTH",
        _alphanumeric,
        "That many random letters and digits.",
        Example("{{ len (randomAlphanumeric 32) }}", {}, 32),
        mark=RANDOM,
    ),
    note(
        "randomHex BYTES",
        _hex,
        "That many random bytes as hexadecimal digits, two for each.",
        Example("{{ len (randomHex 16) }}", {}, 32),
        mark=RANDOM,
    ),
    note(
        "randomBase64 BYTES",
        _base64,
        "That many random bytes in the base64 of URLs, without padding.",
        Example("{{ len (randomBase64 32) }}", {}, 43),
        mark=RANDOM,
    ),
)
