"""The labels, annotations and names that `ork` puts on objects (language, sections 6 and 12)."""

from __future__ import annotations

PREFIX = "orkestra.orkspace.io/"
SERVE_ALIAS = PREFIX + "serve-alias"
SERVE_TARGET = PREFIX + "serve-target"
LAST_SURFACE = PREFIX + "last-surface"
INVENTORY = PREFIX + "inventory"
SKIP_TEARDOWN = PREFIX + "skip-teardown"
REQUEST = PREFIX + "request"
DIGEST = PREFIX + "digest"
ADOPTED = PREFIX + "adopted"
KEEP = PREFIX + "keep"
GENERATION = PREFIX + "generation"
KATALOG_LABEL = PREFIX + "katalog"
OWNER_UID_LABEL = PREFIX + "owner-uid"
ENTRY_LABEL = PREFIX + "entry"
OWNER_LABEL = "orkestra-owner"
MANAGED_BY_LABEL = "app.kubernetes.io/managed-by"
FIELD_MANAGER = "orkestra"
DEFAULT_FINALIZER = PREFIX + "finalizer"


def owner_label(name: str, surface: str = "") -> str:
    """Return the value of the label `orkestra-owner`: `<cr>` or `<cr>.<target>`, shortened with a hash past the 63
    characters that a label value may have."""
    value = f"{name}.{surface}" if surface else name
    if len(value) <= 63:
        return value
    import hashlib

    digest = hashlib.sha256(value.encode()).hexdigest()[:10]
    return f"{value[:52].rstrip('-._')}-{digest}"


def pod_labels(name: str, owner: str) -> dict[str, str]:
    """Return the labels by which a workload selects its pods: its own name and its CR's.

    Neither target nor uid, since a selector can never change while a surface switch and a restore relabel children.
    """
    return {"app": owner_label(name), OWNER_LABEL: owner_label(owner)}
