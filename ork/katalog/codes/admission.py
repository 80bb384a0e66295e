"""Admission, serve and gateway: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, warning

CODES: tuple[Code, ...] = (
    error(
        "ORK0801",
        "a field that no mutation can change",
        "A mutation changes something in `spec`, a label or an annotation, by a path that the CRD has.",
        "mutation:\n  rules:\n    - {field: metadata.name, default: web}",
        "mutation:\n  rules:\n    - {field: metadata.labels.team, default: web}",
    ),
    error(
        "ORK0802",
        "not exactly one of default and override",
        "A mutation says `default`, for a field that is missing or empty, or `override`, for any value.",
        "mutation:\n  rules:\n    - {field: spec.tier}",
        "mutation:\n  rules:\n    - {field: spec.tier, default: silver}",
    ),
    error(
        "ORK0803",
        "not exactly one primary target",
        "One of the targets is the one that a request to the gateway means where it names none.",
        "target:\n  blue: {}\n  green: {}",
        "target:\n  blue: {primary: true}\n  green: {}",
    ),
    error(
        "ORK0804",
        "two targets of one name",
        "A target is found by its name over the whole katalog.",
        "crds:\n  app: {serve: {target: web}}\n  site: {serve: {target: web}}",
        "crds:\n  app: {serve: {target: app}}\n  site: {serve: {target: site}}",
    ),
    error(
        "ORK0805",
        "a served field that leads nowhere",
        "A field of the form fills in `spec.<field>` unless it says another `path`, and the CRD has no such field.",
        "fields:\n  imge: {label: Image}",
        "fields:\n  image: {label: Image}",
    ),
    warning(
        "ORK0806",
        "a setting that a target cannot change",
        "`workers`, `resync`, `queue` and `autoscale` are always those of the CRD level.",
        "target:\n  blue:\n    primary: true\n    operatorBox: {reconciler: {workers: 4}}",
        "operatorBox: {reconciler: {workers: 4}}\nserve:\n  target:\n    blue: {primary: true}",
    ),
    warning(
        "ORK0807",
        "targets that do not count",
        "Targets count only while `serve.enabled` holds, and its default is false: every CR gets the CRD's own box.",
        "serve:\n  target:\n    blue: {primary: true}",
        "serve:\n  enabled: true\n  target:\n    blue: {primary: true}",
    ),
)
