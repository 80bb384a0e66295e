"""Gates and sentinels: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, warning

CODES: tuple[Code, ...] = (
    error(
        "ORK0501",
        "an undeclared sentinel",
        "A sentinel is computed when an event arrives, so a box declares those that its gates read.",
        'preReconcile:\n  enqueueGate:\n    when:\n      - field: "{{ generationChanged }}"\n        equals: "true"',
        "preReconcile:\n  sentinels: [generationChanged]\n  enqueueGate:\n    when:\n"
        '      - field: "{{ generationChanged }}"\n        equals: "true"',
    ),
    warning(
        "ORK0502",
        "external calls in a gate without failPolicy",
        "A call can fail. Without `failPolicy` the gate then lets the object pass, which is seldom meant for a "
        "reconcileGate.",
        "reconcileGate:\n  external:\n    - name: health\n      url: http://shop.example.com/health",
        "reconcileGate:\n  failPolicy: closed\n  external:\n    - name: health\n"
        "      url: http://shop.example.com/health",
    ),
    warning(
        "ORK0503",
        "a gate that can never open",
        "The condition reads nothing but constants and sentinels and holds for none of their values, so no object "
        "ever passes.",
        'enqueueGate:\n  when:\n    - field: "{{ generationChanged }}"\n      equals: "yes"',
        'enqueueGate:\n  when:\n    - field: "{{ generationChanged }}"\n      equals: "true"',
    ),
    error(
        "ORK0504",
        "queue behaviour without a limit",
        "`behaviour` says what happens at `maxDepth` or at a share of it, so it needs one.",
        "queue:\n  behaviour:\n    onLimit: {drop: true}",
        "queue:\n  maxDepth: 100\n  behaviour:\n    onLimit: {drop: true}",
    ),
    error(
        "ORK0505",
        "a resync that never rests",
        "`resync` says how often every CR is looked at again; it must be longer than nothing.",
        "reconciler: {resync: 0s}",
        "reconciler: {resync: 30s}",
    ),
)
