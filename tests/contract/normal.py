"""Answers without what differs from run to run: uids, versions, times, names that the server makes up.

A uid becomes `<uid Kind/name>`, a resourceVersion says how it stands to those of that object that were seen before,
`fieldsV1` becomes a sorted list of paths. What remains is equal on every server that behaves alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from tests.contract.lookup import look

_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_SECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_MICROS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_ANY_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_SUFFIX = re.compile(r"[bcdfghjklmnpqrstvwxz2456789]{5}")
_AGE = re.compile(r"(\d+[smhdy])+")
_TIME_KEYS = frozenset(
    {
        *("creationTimestamp", "deletionTimestamp", "lastTransitionTime", "lastUpdateTime", "lastProbeTime"),
        *("lastHeartbeatTime", "startTime", "completionTime", "expirationTimestamp"),
    }
)
_OWN_TIMES = ("2001-01-01", "2024-01-02")
"""Times that scenarios send are shown as they are."""
_NUMBERS = re.compile(
    r'(resource version: |resourceVersion: |resourceVersion\\*":\\*"|current: |, requested: |revision '
    r"|in precondition: |object meta: |in the precondition \(|in record \()(\d+)"
)


class Memory:
    """What one scenario has seen."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._uids: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._versions: dict[str, list[str]] = {}
        self._times: dict[tuple[Any, ...], Any] = {}
        self._made_names: dict[str, str] = {}

    def normal(self, data: Any, times: bool = False) -> Any:
        """Return a body in its normal form; with `times`, managers' times say whether they moved."""
        self._learn(data, None)
        return self._walk(data, None, times)

    def picked(self, path: str, value: Any) -> Any:
        """Return the normal form of the value that was found at a path."""
        key = path.rsplit(".", 1)[-1]
        if key == "continue":
            return "<token>" if value else value
        return self.normal({key: value})[self.text(key)]

    def text(self, text: str) -> str:
        """Return a text without the names of this run."""
        for name, shown in self._made_names.items():
            text = text.replace(name, shown)
        text = text.replace(self._run, "{id}")
        return _UUID.sub(lambda found: self._uid(found[0]), text)

    def _uid(self, uid: str) -> str:
        return f"<uid {self._uids[uid]}>" if uid in self._uids else "<uuid>"

    # ── learning names before they are used ─────────────────────────────────────────────────────
    def _learn(self, data: Any, kind: str | None) -> None:
        if isinstance(data, list):
            for item in data:
                self._learn(item, kind)
        if not isinstance(data, dict):
            return
        if isinstance(data.get("kind"), str):
            kind = data["kind"].removesuffix("List") if "items" in data else data["kind"]
        if isinstance(meta := data.get("metadata"), dict):
            self._learn_made_name(meta)
            self._learn_uid(meta, kind)
        for key, value in data.items():
            if key != "metadata":
                self._learn(value, kind if key in ("items", "rows", "object") else None)

    def _learn_made_name(self, meta: dict[str, Any]) -> None:
        name, prefix = meta.get("name"), meta.get("generateName")
        if not isinstance(name, str) or not isinstance(prefix, str):
            return
        for head in (prefix, prefix[:58]):
            if name.startswith(head) and _SUFFIX.fullmatch(name[len(head) :]):
                self._made_names.setdefault(name, f"{head}<5>")
                return

    def _learn_uid(self, meta: dict[str, Any], kind: str | None) -> None:
        uid, name = meta.get("uid"), meta.get("name")
        if not isinstance(uid, str) or not isinstance(name, str) or uid in self._uids:
            return
        known = "" if kind in (None, "PartialObjectMetadata") else kind
        label = f"{known}/{self._made_names.get(name, name)}"
        count = self._counts[label] = self._counts.get(label, 0) + 1
        self._uids[uid] = self.text(label) + (f" #{count}" if count > 1 else "")

    # ── showing ─────────────────────────────────────────────────────────────────────────────────
    def _walk(self, data: Any, key: str | None, times: bool) -> Any:
        if isinstance(data, list):
            return self._list(data, key, times)
        if isinstance(data, dict):
            return {self.text(name): self._below(name, value, data, times) for name, value in data.items()}
        if isinstance(data, str):
            return self._text_at(data, key)
        return "<port>" if key == "nodePort" and data else data

    def _below(self, name: str, value: Any, holder: dict[str, Any], times: bool) -> Any:
        is_meta = name == "metadata" and isinstance(value, dict)
        return self._metadata(value, holder, times) if is_meta else self._walk(value, name, times)

    def _list(self, items: list[Any], key: str | None, times: bool) -> list[Any]:
        if key == "cells":
            return ["<age>" if isinstance(x, str) and _AGE.fullmatch(x) else self._walk(x, None, times) for x in items]
        if key == "clusterIPs":
            return [item if item == "None" else "<ip>" for item in items]
        return [self._walk(item, key if isinstance(item, str) else None, times) for item in items]

    def _text_at(self, text: str, key: str | None) -> str:
        if key in _TIME_KEYS:
            return str(_shown_time(text))
        if key in ("storageVersionHash", "hash") and text:
            return "<hash>"
        if key == "clusterIP" and text not in ("", "None"):
            return "<ip>"
        return "<token>" if key == "token" else str(re.sub(r"hash=[0-9A-F]+", "hash=<hash>", self.text(text)))

    def _metadata(self, meta: dict[str, Any], holder: dict[str, Any], times: bool) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in meta.items():
            if key == "resourceVersion":
                out[key] = self._version_of(value, meta, holder)
            elif key == "uid" and isinstance(value, str):
                out[key] = self._uid(value) if value in self._uids else self.text(value)
            elif key == "continue" and value:
                out[key] = "<token>"
            elif key == "managedFields" and isinstance(value, list):
                out[key] = self._managers(value, meta.get("uid"), times)
            else:
                out[key] = self._walk(value, key, times)
        return out

    def _version_of(self, version: Any, meta: dict[str, Any], holder: dict[str, Any]) -> Any:
        if "uid" in meta:
            return self._version(meta["uid"], version)
        if isinstance(holder.get("items"), list):
            return _list_version(version, holder["items"])
        return "<set>" if version else version

    def _version(self, uid: str | None, version: Any) -> str:
        if not isinstance(version, str) or not version:
            return f"<{version!r}>"
        if uid is None:
            return "<set>"
        seen = self._versions.setdefault(uid, [])
        word = _standing(version, seen)
        if word != "same":
            if version in seen:
                seen.remove(version)
            seen.append(version)
        return f"<{word}>"

    def _managers(self, entries: list[Any], uid: str | None, times: bool) -> list[Any]:
        out = [self._manager(entry, uid, times) if isinstance(entry, dict) else entry for entry in entries]
        return sorted(out, key=lambda entry: json.dumps(entry, sort_keys=True))

    def _manager(self, entry: dict[str, Any], uid: str | None, times: bool) -> dict[str, Any]:
        rest = {key: value for key, value in entry.items() if key not in ("fieldsV1", "time")}
        shown: dict[str, Any] = {key: self._walk(value, key, times) for key, value in rest.items()}
        shown["fields"] = sorted(self.text(path) for path in _field_paths(entry.get("fieldsV1") or {}))
        stamp = entry.get("time")
        shown["time"] = _shown_time(stamp)
        key = (uid, entry.get("manager"), entry.get("operation"), entry.get("subresource"))
        if times:
            before = self._times.get(key)
            shown["time"] = "<first>" if before is None else "<same>" if before == stamp else "<changed>"
        self._times[key] = stamp
        return shown


def _standing(version: str, seen: list[str]) -> str:
    if not seen:
        return "first"
    if version == seen[-1]:
        return "same"
    if version in seen:
        return "seen before"
    if version.isdigit() and seen[-1].isdigit():
        return "higher" if int(version) > int(seen[-1]) else "lower"
    return "changed"


def _list_version(version: Any, items: list[Any]) -> str:
    if not isinstance(version, str) or not version:
        return f"<{version!r}>"
    found = [look(item, "metadata.resourceVersion") for item in items]
    numbers = [int(one) for one in found if isinstance(one, str) and one.isdigit()]
    return "<older than its items>" if version.isdigit() and max(numbers, default=0) > int(version) else "<set>"


def _shown_time(value: Any) -> Any:
    if not isinstance(value, str) or value.startswith(_OWN_TIMES):
        return value
    if _SECONDS.fullmatch(value):
        return "<time>"
    return "<microtime>" if _MICROS.fullmatch(value) else value


def _field_paths(fields: Any, at: str = "") -> Iterable[str]:
    if not isinstance(fields, dict):
        return [f"{at}<{fields!r}>"]
    if not fields:
        return [at or "<empty>"]
    return [path for key, below in fields.items() for path in _field_paths(below, f"{at}/{key}" if at else key)]


def free_text(text: str) -> str:
    """Return a message without times and versions."""
    return _NUMBERS.sub(r"\1<n>", _ANY_TIME.sub("<time>", text))


def split_status(body: dict[str, Any]) -> tuple[str | None, list[str]]:
    """Take the free text out of a Status; returns its message and those of its causes."""
    message, causes = body.pop("message", None), []
    details = body.get("details")
    if isinstance(details, dict) and isinstance(details.get("causes"), list):
        rows = [row for row in details["causes"] if isinstance(row, dict)]
        rows.sort(key=lambda row: (str(row.get("field")), str(row.get("reason")), str(row.get("message"))))
        causes = [free_text(row.pop("message", None) or "") for row in rows]
        details["causes"] = rows
    return free_text(message) if isinstance(message, str) else message, causes
