"""Plays a scenario against a server, step by step, and gives the normal form of each answer.

A step says what to `send` and has the `answer` of a real kube-apiserver. `do` is a method, or `WATCH` (opened and read
at once), `OPEN` and `READ` (read after further steps), `PARALLEL`. `{ns}` and `{id}` stand for this run's namespace and
name, `${name}` for what an earlier step captured, `${pad:N}` for N letters.
"""

from __future__ import annotations

import json
import random
import re
import time
import urllib.parse
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import yaml

from tests.contract.lookup import drop, look
from tests.contract.normal import Memory, split_status
from tests.contract.transports import TOKEN, Events, Got, Sent, Stop, Transport, Watching

AGENT = "contract/1.0 (suite)"
"""The server takes the field manager `contract` from it."""
_POLL = 0.15
Answer = dict[str, Any]


class Player:
    """One run of one scenario, in a namespace of its own."""

    def __init__(self, transport: Transport, patience: float = 120.0) -> None:
        """`patience` bounds, in seconds, the waits for what is to come."""
        self._transport, self._patience = transport, patience
        self._id = "q" + "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=7))
        self._memory = Memory(self._id)
        self._captured: dict[str, str] = {}
        self._kept: dict[str, Any] = {}
        self._streams: dict[str, Watching] = {}

    def play(self, steps: list[dict[str, Any]]) -> Iterator[Answer]:
        """Yield the answer to each step."""
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ct-{id}"}}
        self.step({"do": "POST", "path": "/api/v1/namespaces", "body": namespace})
        for step in steps:
            yield self.step(step["send"])
        for stream in self._streams.values():
            stream.collect(lambda events: True, 0.0)

    def step(self, step: dict[str, Any]) -> Answer:
        """Carry out one step."""
        if step.get("wait"):
            self._transport.wait(step["wait"])
        if step["do"] == "READ":
            return self._gather(self._streams.pop(step["stream"]), step)
        if step["do"] == "PARALLEL":
            codes = self._transport.together([self._prepared(one) for one in step["steps"]])
            return {"codes": {str(code): codes.count(code) for code in sorted(codes)}}
        request = self._prepared(step)
        if step["do"] in ("WATCH", "OPEN"):
            return self._watch(step, request)
        return self._plain(step, request)

    # ── what is sent ────────────────────────────────────────────────────────────────────────────
    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            value = value.replace("{ns}", f"ct-{self._id}").replace("{id}", self._id)
            return re.sub(r"\$\{([a-z]+:)?([A-Za-z0-9_]+)\}", self._capture, value)
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        if isinstance(value, dict):
            return {self._filled(key): self._filled(item) for key, item in value.items()}
        return value

    def _capture(self, found: re.Match[str]) -> str:
        return "x" * int(found[2]) if found[1] == "pad:" else self._captured[found[2]]

    def _prepared(self, step: dict[str, Any]) -> Sent:
        target = urllib.parse.quote(self._filled(step["path"]), safe="/%:=()'@!$&*+,;~")
        if query := self._filled(step.get("query") or {}):
            target += "?" + urllib.parse.urlencode(query, doseq=True)
        body = self._body(step)
        headers = {"User-Agent": AGENT, "Accept": step.get("accept", "application/json")}
        auth = step.get("auth", "admin")
        if auth != "none":
            headers["Authorization"] = f"Bearer {TOKEN}" if auth == "admin" else self._filled(auth)
        if step.get("type") or (body is not None and "type" not in step):
            headers["Content-Type"] = step.get("type") or "application/json"
        headers |= self._filled(step.get("headers") or {})
        method = "GET" if step["do"] in ("WATCH", "OPEN") else step["do"]
        return Sent(method, target, {key: value for key, value in headers.items() if value is not None}, body)

    def _body(self, step: dict[str, Any]) -> bytes | None:
        if "raw" in step:
            return str(self._filled(step["raw"])).encode()
        if "body" in step:
            return json.dumps(self._filled(step["body"])).encode()
        if "echo" not in step:
            return None
        body = json.loads(json.dumps(self._kept[step["echo"]]))
        for path, value in self._filled(step.get("set") or {}).items():
            *heads, last = path.split(".")
            holder = body
            for head in heads:
                holder = holder.setdefault(head, {})
            holder[last] = value
        return json.dumps(body).encode()

    # ── what comes back ─────────────────────────────────────────────────────────────────────────
    def _plain(self, step: dict[str, Any], request: Sent) -> Answer:
        until = self._filled(step.get("until") or {})
        deadline = time.monotonic() + min(step.get("max", 60), self._patience)
        while True:
            got = self._transport.send(request)
            body = parsed(got)
            if not until or _reached(until, got.code, body):
                break
            if time.monotonic() > deadline:
                return {"code": got.code, "error": f"never reached {step['until']}"}
            time.sleep(_POLL)
        self._remember(step, body)
        if "keep" in step and isinstance(body, dict):
            self._kept[step["keep"]] = body
        return self._shown(step, got, body)

    def _remember(self, step: dict[str, Any], body: Any) -> None:
        for name, path in (step.get("capture") or {}).items():
            if (value := look(body, path)) is not None:
                self._captured[name] = str(value)

    def _head(self, got: Got) -> Answer:
        out: Answer = {"code": got.code, "contentType": None}
        if got.content_type:
            out["contentType"] = ";".join(part.strip() for part in got.content_type.split(";"))
        if warnings := [text for header in got.warnings for text in _warning_texts(header)]:
            out["warnings"] = sorted(self._memory.text(text) for text in warnings)
        if got.retry_after:
            out["retryAfter"] = got.retry_after
        return out

    def _shown(self, step: dict[str, Any], got: Got, body: Any) -> Answer:
        out = self._head(got)
        if isinstance(body, bytes):
            return out | {"text": self._memory.text(body.decode("utf-8", "replace"))}
        if step.get("keys") and isinstance(body, dict):
            return out | {"keys": sorted(body)}
        if "pick" in step and got.code < 400:
            found = {path: look(body, self._filled(path)) for path in step["pick"]}
            return out | {"pick": {path: self._memory.picked(path, value) for path, value in found.items()}}
        shown = self._memory.normal(body, step.get("times", False))
        for path in step.get("mask") or []:
            drop(shown, path)
        if isinstance(shown, dict) and shown.get("kind") == "Status":
            message, causes = split_status(shown)
            out["reason"] = shown.get("reason")
            out |= {"message": message} if message is not None else {}
            out |= {"causeMessages": causes} if causes else {}
        return out | {"body": shown}

    # ── watches ─────────────────────────────────────────────────────────────────────────────────
    def _watch(self, step: dict[str, Any], request: Sent) -> Answer:
        stream = self._transport.watch(request)
        if stream.head.code != 200:
            return self._shown(step, stream.head, parsed(stream.head))
        head = self._head(stream.head)
        if step["do"] == "OPEN":
            self._streams[step["as"]] = stream
            return head
        return head | self._gather(stream, step)

    def _gather(self, stream: Watching, step: dict[str, Any]) -> Answer:
        found = stream.collect(_stop(self._filled(step.get("stop") or {})), step.get("max", 15))
        for event in found.events:
            self._remember(step, event)
        out: Answer = {"events": self._events(found, step), "endedByServer": found.ended}
        if step.get("sort"):
            versions = [int(look(event, "object.metadata.resourceVersion")) for event in found.events]
            out["versionsRise"] = all(a < b for a, b in pairwise(versions))
        return out

    def _events(self, found: Events, step: dict[str, Any]) -> list[Answer]:
        rows = found.events
        if step.get("sort"):
            rows = sorted(rows, key=lambda row: (str(look(row, "object.metadata.name")), str(row.get("type"))))
        out: list[Answer] = []
        for row in rows:
            shown = {"type": row.get("type"), "object": self._memory.normal(row.get("object"))}
            if shown["type"] == "ERROR":
                split_status(shown["object"])
            for path in step.get("mask") or []:
                drop(shown, path)
            if not (shown["type"] == "BOOKMARK" and out and out[-1] == shown):
                out.append(shown)
        return out


def parsed(got: Got) -> Any:
    """Return a body's data; bytes where it is no JSON or YAML."""
    kind = (got.content_type or "").split(";")[0].strip()
    try:
        if kind.endswith("json") or (kind == "text/plain" and got.content.startswith(b"{")):
            return json.loads(got.content)
        if kind.endswith("yaml"):
            return yaml.load(got.content, _PlainLoader)
    except (ValueError, yaml.YAMLError):
        pass
    return got.content


class _PlainLoader(yaml.SafeLoader):
    """YAML without timestamps, so that a body in YAML reads as its twin in JSON."""


_PlainLoader.yaml_implicit_resolvers = {
    first: [row for row in rows if row[0] != "tag:yaml.org,2002:timestamp"]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _warning_texts(header: str) -> list[str]:
    """Return the texts in a Warning header; one that was handed over bare is itself."""
    if not header.startswith("299 "):
        return [header]
    return [text.replace('\\"', '"') for text in re.findall(r'"((?:[^"\\]|\\.)*)"', header)]


def _reached(until: dict[str, Any], code: int, body: Any) -> bool:
    if until.get("code", code) != code:
        return False
    return all(look(body, path) == wanted for path, wanted in (until.get("is") or {}).items())


def _stop(wanted: dict[str, Any]) -> Stop:
    def enough(events: list[dict[str, Any]]) -> bool:
        if "count" in wanted:
            return len(events) >= int(wanted["count"])
        last = events[-1].get("object")
        if wanted.get("type") and events[-1].get("type") != wanted["type"]:
            return False
        names = (look(last, "metadata.name"), look(last, "rows[0].object.metadata.name"))
        return bool(not wanted.get("name") or wanted["name"] in names)

    return enough if wanted else lambda events: False
