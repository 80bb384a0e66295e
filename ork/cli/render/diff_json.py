"""What would happen to a cluster as JSON, version 1: what tools read."""

from __future__ import annotations

import json
from typing import Any

from ork.runtime.rehearsed import Change, Plan


def render(plan: Plan) -> str:
    """Return one JSON document."""
    document = {
        "version": 1,
        "changed": not plan.empty,
        "changes": [_change(change) for change in plan.changes],
        "gated": [gated._asdict() for gated in plan.gated],
        "errors": [{**failed._asdict(), "span": str(failed.span) if failed.span else None} for failed in plan.failed],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _change(change: Change) -> dict[str, Any]:
    ref = change.ref
    return {
        "verb": change.verb,
        "apiVersion": ref.kind.api_version,
        "kind": ref.kind.kind,
        "namespace": ref.namespace,
        "name": ref.name,
        "part": change.part,
        "crd": change.crd,
        "object": change.object,
        "before": change.before,
        "after": change.after,
    }
