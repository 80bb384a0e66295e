"""Schema and unknown keys: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, info

CODES: tuple[Code, ...] = (
    error(
        "ORK0101",
        "unknown key",
        "No block of this kind has such a key, so nothing would read it. The hint names the key that was probably "
        "meant; `ork explain` with the block's path lists all keys.",
        "operatorBox:\n  preReconcle: {}",
        "operatorBox:\n  preReconcile: {}",
    ),
    error(
        "ORK0102",
        "a value of another form",
        "A map, list, text, number or boolean is meant here, and something else stands there.",
        'when:\n  field: spec.enabled\n  equals: "true"',
        'when:\n  - field: spec.enabled\n    equals: "true"',
    ),
    error(
        "ORK0103",
        "YAML reads no text here",
        "Without quotes YAML takes `yes`, `on`, `3` and `null` for a boolean, a number or nothing. Where a text is "
        "meant, Kubernetes refuses those. Quote it.",
        "labels:\n  active: yes",
        'labels:\n  active: "yes"',
    ),
    error(
        "ORK0104",
        "a key is missing",
        "The block means nothing without this key.",
        "external:\n  - name: health",
        "external:\n  - name: health\n    url: http://shop.example.com/health",
    ),
    error(
        "ORK0105",
        "not one of its values",
        "The value comes out of a closed list.",
        "failPolicy: closd",
        "failPolicy: closed",
    ),
    error(
        "ORK0106",
        "a value that is not well-formed",
        "A duration, name, time or number is not written as it must be, or is out of its range.",
        "timeout: 5 seconds",
        "timeout: 5s",
    ),
    error(
        "ORK0107",
        "a name that is not allowed",
        "Names of CRD entries and targets are used in URLs and labels, so their letters are limited.",
        "crds:\n  My_App: {}",
        "crds:\n  my-app: {}",
    ),
    error(
        "ORK0108",
        "keys that exclude each other",
        "Two keys say the same thing, or a key stands beside an `include` that takes the place of the whole item.",
        "external:\n  - include: ./calls.yaml\n    name: health",
        "external:\n  - include: ./calls.yaml\n  - name: health\n    url: http://shop.example.com/health",
    ),
    error(
        "ORK0109",
        "no such kind of document",
        "A document of `ork` is a Katalog, a Simulate or an E2E.",
        "apiVersion: orkestra.orkspace.io/v1\nkind: Katalogue",
        "apiVersion: orkestra.orkspace.io/v1\nkind: Katalog",
    ),
    info(
        "ORK0110",
        "an older spelling",
        "The key or value works, and is written differently today. The hint says how.",
        "anyOf:\n  - field: spec.tier\n    equals: gold",
        "or:\n  - field: spec.tier\n    equals: gold",
    ),
    error(
        "ORK0111",
        "known, not supported yet",
        "The original system carries this out and `ork` does not yet. It is refused, since leaving it out silently "
        "would change what the operator does.",
        "operatorBox:\n  requeue:\n    - after: 5m",
        "operatorBox:\n  reconciler:\n    resync: 5m",
    ),
    info(
        "ORK0112",
        "a key without effect",
        "The key speaks to a program written in Go. It is accepted so that files can be shared, and does nothing here.",
        "apiTypes:\n  kind: App\n  version: v1\n  object: App",
        "apiTypes:\n  kind: App\n  version: v1",
    ),
)
