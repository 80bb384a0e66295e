"""Expressions: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, info, warning

CODES: tuple[Code, ...] = (
    error(
        "ORK0301",
        "not an expression",
        "The text between `{{` and `}}` is no Go template, calls a function that does not exist, or calls one with "
        "too few or too many arguments. The finding points at the piece.",
        'name: "{{ .metadata.name | uper }}"',
        'name: "{{ .metadata.name | upper }}"',
    ),
    error(
        "ORK0302",
        "an unknown name",
        "An expression begins with a part of the CR (`.spec`, `.metadata`, `.status`) or with one of the names that "
        "`ork` adds, such as `.external`.",
        'image: "{{ .image }}"',
        'image: "{{ .spec.image }}"',
    ),
    error(
        "ORK0303",
        "a name where it is not known",
        "The name exists, but not here: `.item` only inside `forEach`, `.children` only where resources and status "
        "are, a sentinel only in a gate.",
        'onReconcile:\n  configMaps:\n    - data: {region: "{{ .item }}"}',
        'onReconcile:\n  configMaps:\n    - forEach: {field: spec.regions}\n      data: {region: "{{ .item }}"}',
    ),
    error(
        "ORK0304",
        "a field that the CRD does not have",
        "The CRD's schema has no such field, so it is never set. The hint names the field that was probably meant.",
        'image: "{{ .spec.imge }}"',
        'image: "{{ .spec.image }}"',
    ),
    error(
        "ORK0305",
        "a step into a plain value",
        "By the CRD's schema this is a text, a number, a boolean or a list: no field is below it.",
        'tag: "{{ .spec.image.tag }}"',
        'tag: "{{ .spec.image }}"',
    ),
    error(
        "ORK0306",
        "a child that the box does not declare",
        "`.children` holds what this box creates, by kind or plural. No resource of the box has that kind.",
        'value: "{{ .children.job.status.succeeded }}"',
        "onReconcile:\n  jobs:\n    - image: migrate\nstatus:\n  fields:\n    - path: done\n"
        '      value: "{{ .children.job.status.succeeded }}"',
    ),
    warning(
        "ORK0307",
        "one child of several",
        "The box declares several objects of that kind, and the singular means the first declared. Say which one is "
        "meant.",
        'value: "{{ .children.deployment.status.readyReplicas }}"',
        'value: "{{ (index .children.deployments `web`).status.readyReplicas }}"',
    ),
    error(
        "ORK0308",
        "a field that a child does not have",
        "The Kubernetes schema of that kind has no such field.",
        'value: "{{ .children.deployment.status.readyReplica }}"',
        'value: "{{ .children.deployment.status.readyReplicas }}"',
    ),
    error(
        "ORK0309",
        "a faulty note",
        "A user note has a name that is none or that another has, an expression that does not parse, or calls itself "
        "through others. The message prints the cycle.",
        'notes:\n  - {name: first, expression: "{{ second }}"}\n  - {name: second, expression: "{{ first }}"}',
        'notes:\n  - {name: first, expression: "{{ second }}"}\n  - {name: second, expression: "{{ now }}"}',
    ),
    info(
        "ORK0310",
        "a note over a built-in one",
        "A user note has the name of a built-in note and takes its place everywhere in this katalog.",
        'notes:\n  - {name: inBusinessHours, expression: "true"}',
        'notes:\n  - {name: open, expression: "true"}',
    ),
    error(
        "ORK0311",
        "a random value that would change each cycle",
        "What is corrected in every cycle would get a new value in every cycle. Random notes work where an object is "
        "created once and left alone.",
        'onReconcile:\n  secrets:\n    - data: {key: "{{ randomHex 16 }}"}',
        'onCreate:\n  secrets:\n    - data: {key: "{{ randomHex 16 }}"}',
    ),
)
