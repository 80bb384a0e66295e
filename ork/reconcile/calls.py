"""External calls around pure evaluation: render, send, record, in order."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from ork.base.objects import Kind, Object, Ref
from ork.base.records import NamedTuple
from ork.base.requests import CallResult, WriteError, retry_after
from ork.engine import calls
from ork.engine import scope as scopes
from ork.engine.faults import Stop
from ork.expr.conditions import holds
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.program import Box, Call, Rules, SecretRef, turn_calls
from ork.reconcile.ports import Ports

_SKIPPED = calls.record(calls.SKIPPED)
SECRET = Kind("", "v1", "Secret", "secrets", True)


class Called(NamedTuple):
    """The scope after a list of calls, and why one of them failed (empty: none did)."""

    scope: Scope
    failure: str = ""
    call: Call | None = None
    after: timedelta | None = None
    """What that call's endpoint asks for by `Retry-After`."""

    def or_stop(self) -> Scope:
        """Return the scope; raises Stop where a call failed that its author does not tolerate."""
        if self.call is not None:
            raise Stop(self.scope, calls.fault(self.call, self.failure, self.after))
        return self.scope


async def with_calls(todo: Iterable[Call], scope: Scope, env: Env, ports: Ports) -> Called:
    """Make calls in order, each seeing the results of those before it; the first that fails ends the list."""
    for call in todo:
        result = await _result(call, scope, env, ports)
        scope = scopes.with_record(scope, call.name, calls.record(result))
        if failure := calls.failure(call, result):
            return Called(scope, failure, call, retry_after(result))
    return Called(scope)


def skipped(box: Box, rules: Rules) -> dict[str, Any]:
    """Return the record of every call that a turn may make, as long as it did not run."""
    return {call.name: _SKIPPED for call in turn_calls(box, rules)}


def notices(scope: Scope) -> tuple[str, ...]:
    """Say which keys of responses are hidden by their record's own."""
    return tuple(
        f'the response of the external call "{name}" has its own "{key}": read that as .external.{name}.json.{key}'
        for name, record in scope["external"].items()
        for key in calls.shadowed(record)
    )


async def _result(call: Call, scope: Scope, env: Env, ports: Ports) -> CallResult:
    try:
        if not holds(call.guard, scope, env):
            return calls.SKIPPED
        token = await _secret(call.token, scope, env, ports) if isinstance(call.token, SecretRef) else ""
        request = calls.request(call, scope, env, token)
    except (EvaluationError, _NoToken) as error:
        return calls.SKIPPED._replace(error=str(error))
    return await ports.call(request)


class _NoToken(Exception):
    """The Secret that holds a token cannot be read."""


async def _secret(source: SecretRef, scope: Scope, env: Env, ports: Ports) -> str:
    namespace = source.namespace(scope, env) if source.namespace else scope["metadata"].get("namespace", "")
    ref = Ref(SECRET, namespace, source.name(scope, env))
    try:
        secret = await ports.cluster.read(ref)
    except WriteError as error:
        raise _NoToken(f"the token's {ref} cannot be read: {error}") from error
    if secret is None:
        raise _NoToken(f"the token's {ref} does not exist")
    return _decoded(secret, ref, source.key)


def _decoded(secret: Object, ref: Ref, key: str) -> str:
    try:
        return base64.b64decode((secret.get("data") or {})[key], validate=True).decode()
    except KeyError:
        raise _NoToken(f'the token\'s {ref} has no key "{key}"') from None
    except (binascii.Error, ValueError, TypeError):
        raise _NoToken(f'the key "{key}" of the token\'s {ref} is no text in base64') from None
