"""The entries of a Katalog as their author wrote them, for people to look at: without what may be a secret."""

from __future__ import annotations

from typing import Any

from ork.base.findings import Finding
from ork.base.objects import Object
from ork.base.requests import REDACTED
from ork.katalog.sources import Sources
from ork.katalog.yaml.nodes import Mapping, to_data

_SECRET_KEYS = ("token", "headers")
"""Keys of external calls whose literal values may be credentials; what stands for an environment variable is none."""
_SECRET_FIELDS = ("data", "stringData")
"""What a Secret keeps."""


def declared(path: str, sources: Sources) -> dict[str, Object]:
    """Return `spec.crds` of the Katalog in a file, by entry name; values of tokens, headers and Secrets are blotted
    out."""
    findings: list[Finding] = []
    for root in sources.documents(path, findings):
        spec = root.mapping("spec") if isinstance(root, Mapping) and root.value("kind") == "Katalog" else None
        if spec is not None and (crds := spec.get("crds")) is not None:
            return {name: _shown(entry) for name, entry in _by_name(to_data(crds)).items()}
    return {}


def _by_name(crds: Any) -> dict[str, Any]:
    """Return the entries by name, also where they are written as a list."""
    if isinstance(crds, list):
        return {entry["name"]: entry for entry in crds if isinstance(entry, dict) and "name" in entry}
    return crds if isinstance(crds, dict) else {}


def _shown(value: Any, hidden: tuple[str, ...] = _SECRET_KEYS) -> Any:
    """Return a value in which what stands under `hidden` keys is blotted out, and what Secrets keep."""
    if isinstance(value, list):
        return [_shown(item, hidden) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("kind") == "Secret":
        hidden = (*hidden, *_SECRET_FIELDS)
    return {key: _blotted(item) if key in hidden else _shown(item, _within(key, hidden)) for key, item in value.items()}


def _within(key: str, hidden: tuple[str, ...]) -> tuple[str, ...]:
    return (*hidden, *_SECRET_FIELDS) if key.lower() == "secrets" else hidden


def _blotted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _blotted(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_blotted(item) for item in value]
    return value if isinstance(value, str) and value.startswith("$") and "{{" not in value else REDACTED
