"""External calls: from nodes to `Call`s (seed external.md; language, section 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from datetime import timedelta
from typing import Any

from ork.base import durations
from ork.base.patterns import pattern
from ork.base.requests import names_secret
from ork.expr.conditions import ALWAYS, guard_reads
from ork.expr.env import Place
from ork.expr.template import Reads, Template
from ork.katalog import conditions, scope, variables
from ork.katalog.collect import Findings
from ork.katalog.expressions import Expressions, Site
from ork.katalog.scope import Moment, Stage
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Mapping, Scalar, Sequence
from ork.program import Backoff, Call, Parts, SecretRef, Variable

_TIMEOUT = timedelta(seconds=10)
_REPEATED = frozenset(("POST", "PATCH", "DELETE"))
_HOST = pattern(r"(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?|\[?[0-9A-Fa-f:.]+\]?")
_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*://")
_CALLED = pattern(r"https?://", re.IGNORECASE)


class Calls:
    """Compiles the calls of one list: `stage` says when its calls run."""

    def __init__(self, expressions: Expressions, place: scope.Place, stage: Stage, allowed: tuple[str, ...]) -> None:
        self.expressions, self.place, self.stage, self.allowed = expressions, place, stage, allowed
        self.findings = expressions.findings

    def compile(
        self, nodes: Sequence | None, trail: Trail, sentinels: frozenset[str] = frozenset()
    ) -> tuple[Call, ...]:
        """Return the calls of a list in order; wrong ones are reported and left out."""
        if nodes is None:
            return ()
        found = []
        for index, node in enumerate(nodes.elements):
            if isinstance(node, Mapping):
                site = Site(self.place, Moment(self.stage, index), sentinels=sentinels)
                found.append(self._call(node, site, (trail, index)))
        return tuple(call for call in found if call is not None)

    def _call(self, node: Mapping, site: Site, trail: Trail) -> Call | None:
        name, url_node = node.scalar("name"), node.scalar("url")
        url = self._text(node, "url", site, trail)
        guard = conditions.guard(self.expressions, node, site, trail)
        token, headers = self._token(node, site, trail), self._headers(node.mapping("headers"), site, trail)
        body = self._text(node, "body", site, trail)
        if name is None or url is None or url_node is None:
            return None
        self._check_scheme(url_node, trail)
        host = _host(url_node.text)
        call = Call(
            name=name.text,
            span=name.span,
            url=url,
            method=str(node.value("method", "GET")).upper(),
            headers=headers,
            body=body,
            token=token,
            timeout=length(node, "timeout", _TIMEOUT),
            expect=_whole(node.value("expectedStatus", 0)),
            go_on=node.value("continueOnError") is True,
            guard=guard,
            delay=length(node, "sleep", timedelta()),
            retry=backoff(node),
            at_reconcile=self._at_reconcile(node),
            host_from_cr="{{" in host,
            allowed_hosts=self._hosts(node, trail) or self.allowed,
            reads=guard_reads(guard) | _reads(url, body, token, headers),
        )
        self._advise(call, node, host, trail)
        return call

    def _text(self, node: Mapping, key: str, site: Site, trail: Trail) -> Template | None:
        found = node.scalar(key)
        if found is None or (key == "body" and not found.text):
            return None
        return self.expressions.template(found, Place.TEXT, site, (trail, key))

    def _at_reconcile(self, node: Mapping) -> bool:
        """`fires.reconcile` means something under `validation` and `mutation` only."""
        fires = node.mapping("fires")
        return self.stage not in (Stage.MUTATION, Stage.VALIDATION) or fires is None or fires.value("reconcile", True)

    def _hosts(self, node: Mapping, trail: Trail) -> tuple[str, ...]:
        return allowed_hosts(node.sequence("allowedHosts"), (trail, "allowedHosts"), self.findings)

    def _token(self, node: Mapping, site: Site, trail: Trail) -> Parts | SecretRef | None:
        auth = node.mapping("auth")
        secret = auth.mapping("secretRef") if auth else None
        if secret is not None:
            return self._secret(secret, site, ((trail, "auth"), "secretRef"))
        token = node.scalar("token")
        if token is None or not token.text:
            return None
        found = variables.parts(self.expressions, token, site, (trail, "token"), bare=True)
        if found and all(isinstance(part, Template) and part.literal for part in found):
            hint = "write `token: $NAME`, with NAME in the operator's environment, or name a Secret by `auth.secretRef`"
            message = "this `token` stands in the file, for everybody who reads it"
            self.findings.warning("ORK0707", node.key_span("token"), message, hint, path=path_text((trail, "token")))
        return found

    def _check_scheme(self, url: Scalar, trail: Trail) -> None:
        scheme = _SCHEME.match(url.text)
        if _CALLED.match(url.text) or (scheme is None and "{{" in url.text):
            return
        what = f"the scheme {scheme[0].removesuffix('://')} is not called" if scheme else "this URL has no scheme"
        hint = "write http:// or https://"
        self.findings.error("ORK0708", url.span, f"`url`: {what}", hint, path=path_text((trail, "url")))

    def _secret(self, node: Mapping, site: Site, trail: Trail) -> SecretRef | None:
        names = {
            key: self.expressions.template(found, Place.IDENTITY, site, (trail, key))
            for key in ("namespace", "name")
            if (found := node.scalar(key)) is not None
        }
        name = names.get("name")
        return None if name is None else SecretRef(names.get("namespace"), name, str(node.value("key", "token")))

    def _headers(self, node: Mapping | None, site: Site, trail: Trail) -> MappingType[str, Parts]:
        return {
            key: variables.parts(self.expressions, value, site, ((trail, "headers"), key), bare=False)
            for key, value in (node.entries if node else {}).items()
            if isinstance(value, Scalar)
        }

    def _advise(self, call: Call, node: Mapping, host: str, trail: Trail) -> None:
        """Warn of what is written correctly and still seldom meant."""
        if self.stage is Stage.MAIN and call.method in _REPEATED and call.guard is ALWAYS:
            span = node.entries["method"].span
            message = f"`{call.name}` is a {call.method} without `when`: it is sent again on every cycle"
            hint = "add a condition, such as one on a status field that its result sets"
            self.findings.warning("ORK0704", span, message, hint, path=path_text((trail, "method")))
        if not call.allowed_hosts and _carries_secret(call) and self._chosen_by_cr(call, host):
            span = node.entries["url"].span
            message = f"`{call.name}` sends a credential to a host that the CR chooses"
            hint = "list the hosts that may receive it: `allowedHosts: [api.example.com]`"
            self.findings.warning("ORK0705", span, message, hint, path=path_text((trail, "url")))

    def _chosen_by_cr(self, call: Call, host: str) -> bool:
        return any(use.path[0] in ("spec", "request") for use in call.url.uses if use.start < len(host))


def _carries_secret(call: Call) -> bool:
    headers = any(
        names_secret(name) or any(isinstance(part, Variable) for part in value) for name, value in call.headers.items()
    )
    return call.token is not None or headers


def _host(url: str) -> str:
    """Return the text up to the end of the URL's host."""
    scheme = _SCHEME.match(url)
    position = scheme.end() if scheme else 0
    for action in variables.ACTION.finditer(url, position):
        slash = url.find("/", position, action.start())
        if slash >= 0:
            return url[:slash]
        position = action.end()
    slash = url.find("/", position)
    return url if slash < 0 else url[:slash]


def _reads(
    url: Template, body: Template | None, token: Parts | SecretRef | None, headers: MappingType[str, Parts]
) -> Reads:
    found = url.reads | (body.reads if body else frozenset())
    if isinstance(token, SecretRef):
        found |= token.name.reads | (token.namespace.reads if token.namespace else frozenset())
    for parts in (*headers.values(), token if isinstance(token, tuple) and not isinstance(token, SecretRef) else ()):
        for part in parts:
            if isinstance(part, Template):
                found |= part.reads
    return found


def length(node: Mapping, key: str, default: timedelta) -> timedelta:
    """Return a duration that the decoder has checked; `default` where it is absent or wrong."""
    found = node.value(key)
    try:
        return durations.parse(str(found)) if found not in (None, "") else default
    except ValueError:
        return default


def backoff(node: Mapping) -> Backoff | None:
    """Return `retryBackoff`: a duration, or `{initial, max, multiplier, maxAttempts}`."""
    full = node.mapping("retryBackoff")
    if full is None:
        return Backoff(length(node, "retryBackoff", timedelta(seconds=1))) if node.value("retryBackoff") else None
    made = Backoff(length(full, "initial", timedelta(seconds=1)))
    return made._replace(
        maximum=length(full, "max", made.maximum),
        multiplier=_number(full.value("multiplier"), made.multiplier),
        attempts=_whole(full.value("maxAttempts"), made.attempts),
    )


def allowed_hosts(node: Sequence | None, trail: Trail, findings: Findings) -> tuple[str, ...]:
    """Return `allowedHosts`; what is neither a host nor `*.suffix` would never match, and is reported."""
    for index, one in enumerate(node.elements if node else ()):
        if isinstance(one, Scalar) and not _HOST.fullmatch(one.text):
            message = f"`{one.text}` is neither a host nor a suffix such as `*.example.com`"
            hint = "write the host alone, without scheme, port and path"
            findings.error("ORK0706", one.span, message, hint, path=path_text((trail, index)))
    return texts(node)


def texts(node: Sequence | None) -> tuple[str, ...]:
    """Return the texts of a list."""
    return tuple(str(one.value) for one in (node.elements if node else ()) if isinstance(one, Scalar))


def _whole(value: Any, default: int = 0) -> int:
    try:
        return default if value is None else int(value)
    except (TypeError, ValueError):
        return default


def _number(value: Any, default: float) -> float:
    try:
        return default if value is None else float(value)
    except (TypeError, ValueError):
        return default
