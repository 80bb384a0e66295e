"""What objects of a kind may be called, wherever they may go: each rule with the words in which `ork` says it."""

from __future__ import annotations

from collections.abc import Mapping

from ork.base.records import NamedTuple
from ork.openapi import names


class Rule(NamedTuple):
    """How names look."""

    fits: names.NameRule
    """Complains, in Kubernetes' words, about a name that is none."""
    words: str


LABEL = Rule(names.dns_label, "at most 63 lower-case letters, digits and `-`, a letter or digit first and last")
_SUBDOMAIN = Rule(names.subdomain, "lower-case letters, digits, `-` and `.`, a letter or digit first and last")
_SERVICE = Rule(names.dns_label_1035, "at most 63 lower-case letters, digits and `-`, a letter first")
_SEGMENT = Rule(names.path_segment, "no `/` and no `%`, and is not `.` or `..`")

_RBAC = "rbac.authorization.k8s.io"
_RULES: Mapping[tuple[str, str], Rule] = {
    ("", "Namespace"): LABEL,
    # The newest API servers take a digit first; a katalog is for older ones as well.
    ("", "Service"): _SERVICE,
    **{(_RBAC, kind): _SEGMENT for kind in ("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding")},
}


def rule_of(group: str, kind: str) -> Rule:
    """Return the rule for the names of a kind's objects."""
    return _RULES.get((group, kind), _SUBDOMAIN)
