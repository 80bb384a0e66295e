"""What objects may be called, by resource, and what a `generateName` may be."""

from __future__ import annotations

from collections.abc import Mapping

from ork.openapi.names import NameRule, dns_label, path_segment

RULES: Mapping[str, NameRule] = {
    "namespaces": dns_label,
    "services": dns_label,
    "statefulsets.apps": dns_label,
    "events": path_segment,
    "poddisruptionbudgets.policy": path_segment,
    "roles.rbac.authorization.k8s.io": path_segment,
    "rolebindings.rbac.authorization.k8s.io": path_segment,
    "clusterroles.rbac.authorization.k8s.io": path_segment,
    "clusterrolebindings.rbac.authorization.k8s.io": path_segment,
}
"""The resources whose names are not subdomains."""


def prefix(rule: NameRule) -> NameRule:
    """Return the rule for a `generateName`: what follows a trailing dash is not known yet."""

    def checked(name: str) -> tuple[str, ...]:
        ends_open = rule is not path_segment and len(name) > 1 and name.endswith("-")
        return rule(name[:-2] + "a" if ends_open else name)

    return checked
