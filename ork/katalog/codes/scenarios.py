"""Simulate and E2E files: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error

CODES: tuple[Code, ...] = (
    error(
        "ORK0901",
        "a simulation that tests nothing",
        "A Simulate document without any expectation and without `imports` can never fail, so it proves nothing.",
        "katalog: ./katalog.yaml\ncr: ./cr.yaml",
        "katalog: ./katalog.yaml\ncr: ./cr.yaml\nexpect:\n  steady: true",
    ),
    error(
        "ORK0902",
        "a cycle that does not run",
        "An expectation, response or change names a cycle after the last one.",
        "cycles: 3\nexpect:\n  ops:\n    - cycle: 5\n      verb: create",
        "cycles: 5\nexpect:\n  ops:\n    - cycle: 5\n      verb: create",
    ),
    error(
        "ORK0903",
        "a change without one action",
        "An entry of `changes` says one thing that happens: `patch`, `apply`, `delete`, `advance`, `restart` or "
        "`fail`.",
        "changes:\n  - cycle: 3",
        "changes:\n  - cycle: 3\n    restart: true",
    ),
    error(
        "ORK0904",
        "an unknown entry in an expectation",
        "`expect.crds` names entries of the katalog by the names that they have under `spec.crds`.",
        "expect:\n  crds:\n    ap: {steady: true}",
        "expect:\n  crds:\n    app: {steady: true}",
    ),
    error(
        "ORK0905",
        "an object that is given twice",
        "Two objects of one kind, namespace and name are given to a simulation, and only one of them could be there.",
        "crFiles: [./cr.yaml, ./cr.yaml]",
        "crFiles: [./cr.yaml]",
    ),
)
