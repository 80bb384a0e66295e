"""External calls as data: what to send, and the record of what came back (seed external.md; language, section 7)."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object
from ork.base.requests import CallRequest, CallResult, names_secret
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.program import Backoff, Call, Parts, SecretRef, Variable

BODY_LIMIT = 4096
"""How many bytes of a response `.body` shows."""

RESERVED = frozenset(("status", "body", "error", "called", "json"))
"""What a response can never overwrite in its record."""

SKIPPED = CallResult(None, {}, b"", "", called=False)
"""What came of a call whose conditions do not hold, or whose turn it is not."""

_ONE_ATTEMPT = Backoff(initial=timedelta(), attempts=1)


# ── before ──────────────────────────────────────────────────────────────────────────────────────
def request(call: Call, scope: Scope, env: Env, token: str = "") -> CallRequest:
    """Render what to send. `token` is the text of the Secret that `auth.secretRef` names.

    Raises EvaluationError where url, body, headers or token cannot be rendered: that is a failure of this call.
    """
    url = call.url(scope, env)
    body = (call.body(scope, env) if call.body else "").encode("utf-8", "replace")
    hidden = [*_variables(call, env), *_password(url)]
    headers = _headers(call, scope, env, hidden)
    if body:
        headers = _defaults(headers, "Content-Type", "application/json")
    if token := _token(call, scope, env, token):
        headers = _defaults(headers, "Authorization", f"Bearer {token}")
        hidden.append(token)
    retry = call.retry or _ONE_ATTEMPT
    return CallRequest(
        name=call.name,
        method=call.method,
        url=url,
        headers=headers,
        body=body,
        timeout=call.timeout,
        expect=call.expect,
        delay=call.delay,
        attempts=retry.attempts,
        backoff=retry.initial,
        backoff_limit=retry.maximum,
        multiplier=retry.multiplier,
        host_from_cr=call.host_from_cr,
        allowed_hosts=call.allowed_hosts,
        hidden=tuple(dict.fromkeys(hidden)),
    )


def _headers(call: Call, scope: Scope, env: Env, hidden: list[str]) -> dict[str, str]:
    headers = {}
    for name, parts in call.headers.items():
        value = headers[name] = _one_line(name, _join(parts, scope, env))
        if names_secret(name) or any(isinstance(part, Variable) for part in parts):
            hidden.append(value)
    return headers


def _token(call: Call, scope: Scope, env: Env, found: str) -> str:
    """Return the bearer token. A token file or a token endpoint's answer usually ends with a line break."""
    if call.token is None:
        return ""
    text = found if isinstance(call.token, SecretRef) else _join(call.token, scope, env)
    return _one_line("token", text.strip())


def _join(parts: Parts, scope: Scope, env: Env) -> str:
    """Join what the author wrote. A variable is looked up by the name in the katalog only; what a template renders is
    never looked at again, so that a CR cannot read the operator's environment."""
    return "".join(env.environ.get(part.name, "") if isinstance(part, Variable) else part(scope, env) for part in parts)


def _one_line(name: str, value: str) -> str:
    if "\n" in value or "\r" in value or "\0" in value:
        raise EvaluationError(f"the value of {name} has a line break in it, which no header can carry")
    return value


def _defaults(headers: Mapping[str, str], name: str, value: str) -> dict[str, str]:
    present = name.lower() in (known.lower() for known in headers)
    return dict(headers) if present else {**headers, name: value}


def _variables(call: Call, env: Env) -> Iterable[str]:
    token = () if isinstance(call.token, SecretRef) or call.token is None else call.token
    for parts in (token, *call.headers.values()):
        for part in parts:
            if isinstance(part, Variable) and (value := env.environ.get(part.name)):
                yield value


def _password(url: str) -> Iterable[str]:
    if "@" in url:
        found = re.match(r"[a-z]+://([^/?#]*)@", url)
        if found:
            yield found[1].partition(":")[2]


# ── after ───────────────────────────────────────────────────────────────────────────────────────
def record(result: CallResult) -> Object:
    """Return what `.external.<name>` is: a JSON object's keys beside `status body error called json`."""
    found: Object = {
        "status": "" if result.status is None else str(result.status),
        "body": _first(result.body),
        "error": result.error,
        "called": "true" if result.called else "false",
    }
    answer = _parse(result.body)
    return found if answer is None else {**answer, **found, "json": answer}


def shadowed(found: Object) -> list[str]:
    """Return the keys of a response that its record's own keys hide; `.json.<key>` reaches them."""
    return sorted(RESERVED.intersection(found.get("json", ())))


def answered(found: Object) -> bool:
    """Tell whether a record holds a successful answer: only such a one may shrink a list."""
    return bool(found["called"] == "true" and not found["error"])


def failure(call: Call, result: CallResult) -> str:
    """Return why a call failed in a way that its author does not tolerate; empty where it did not."""
    return f'external call "{call.name}" failed: {result.error}' if result.error and not call.go_on else ""


def fault(call: Call, text: str, after: timedelta | None) -> Fault:
    """Return the fault of a failed call; `after` is how long its endpoint asks to be left in peace."""
    return Fault(FaultKind.CALL, text, call.span, after)


def _first(body: bytes) -> str:
    """Return the first bytes as text, cut on a character boundary; what is no UTF-8 becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return decoder.decode(body[:BODY_LIMIT], final=len(body) <= BODY_LIMIT)


def _parse(body: bytes) -> dict[str, Any] | None:
    if body.lstrip()[:1] != b"{":
        return None
    try:
        found = json.loads(body.decode("utf-8", "replace"), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return None
    # A lone surrogate is legal in JSON text, and in nothing that is written later.
    sound: dict[str, Any] = _sound(found) if b"\\u" in body else found
    return sound


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no JSON number")
    return number


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_sound(key): _sound(item) for key, item in value.items()}
    return [_sound(item) for item in value] if isinstance(value, list) else value
