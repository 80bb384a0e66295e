"""What a turn asks of the cluster, counted: a new CR, a settled one, a change of one field, a restart."""

from __future__ import annotations

from typing import Any

from ork.reconcile.ports import OutcomeKind

TWO_CHILDREN = """
operatorBox:
  onReconcile:
    deployments:
      - name: "{{ .metadata.name }}"
        image: "{{ .spec.image }}"
        replicas: "{{ .spec.replicas }}"
        port: 8080
        resources: {requests: {cpu: 1000m, memory: 1024Mi}}
        env: [{name: MODE, value: "{{ .spec.mode }}"}]
    configMaps:
      - name: "{{ .metadata.name }}"
        data: {mode: "{{ .spec.mode }}"}
  status:
    fields:
      - {path: phase, value: Ready}
      - {path: image, value: "{{ .children.deployment.spec.template.spec.containers | len }}"}
"""
SPEC = {"image": "nginx:1.25", "replicas": 2, "mode": "fast"}


def test_a_new_cr_with_two_children_costs_three_writes_and_no_read(world: Any) -> None:
    w = world(TWO_CHILDREN)
    w.cr(spec=SPEC)
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.requests == ["apply configmaps/default/web", "apply deployments/default/web", "status"]


def test_a_settled_cr_costs_no_request(world: Any) -> None:
    w = world(TWO_CHILDREN)
    w.cr(spec=SPEC)
    w.turn()
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.requests == []


def test_time_alone_changes_nothing(world: Any) -> None:
    w = world(TWO_CHILDREN)
    w.cr(spec=SPEC)
    w.turn()
    w.clock.moment = w.clock.moment.replace(year=2031)
    w.turn()
    assert w.requests == []


def test_a_restart_over_settled_crs_writes_nothing(world: Any) -> None:
    w = world(TWO_CHILDREN)
    w.cr(spec=SPEC)
    w.turn()
    w.restart()
    w.turn()
    assert w.requests == []


def test_a_change_of_one_field_costs_one_write_per_changed_child(world: Any) -> None:
    w = world(TWO_CHILDREN)
    w.cr(spec=SPEC)
    w.turn()
    w.cr(spec={**SPEC, "replicas": 3})
    w.turn()
    assert w.requests == ["apply deployments/default/web", "status"], "the status tells the observed generation"


def test_a_change_that_no_expression_reads_costs_the_observed_generation_only(world: Any) -> None:
    w = world(TWO_CHILDREN)
    w.cr(spec=SPEC)
    w.turn()
    w.cr(spec={**SPEC, "comment": "hello"})
    w.turn()
    assert w.requests == ["status"]


def test_a_cr_that_is_gone_costs_nothing(world: Any) -> None:
    w = world(TWO_CHILDREN)
    assert w.turn().kind is OutcomeKind.GONE
    assert w.requests == []


def test_without_the_lease_nothing_is_written(world: Any) -> None:
    w = world(TWO_CHILDREN)
    w.cr(spec=SPEC)
    w.may_write = False
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert outcome.reason == "this replica does not hold the lease any more, so it writes nothing"
    assert w.requests == []


EVERY_GROUP = """
operatorBox:
  onReconcile:
    namespaces: [{name: "ns-{{ .metadata.name }}", labels: {team: blue}}]
    serviceAccounts: [{name: web}]
    configMaps: [{name: web, data: {a: "{{ .spec.mode }}", empty: ""}}]
    secrets: [{name: web, data: {password: "{{ .spec.mode }}"}}]
    services:
      - {name: web-svc, port: 80, targetPort: 8080}
    deployments:
      - name: web
        image: "nginx:{{ .spec.replicas }}"
        replicas: "{{ .spec.replicas }}"
        port: 8080
        env: [{name: A, value: ""}, {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
        resources: {requests: {cpu: "0.5", memory: 1024Mi}, limits: {cpu: 1000m}}
        volumes: [{name: tmp, emptyDir: {}}, {name: conf, configMap: {name: web}}]
        volumeMounts: [{name: tmp, mountPath: /tmp}]
        probes: {readiness: {path: /, port: 8080, periodSeconds: 5}}
        securityContext: {runAsNonRoot: true, capabilities: {drop: [ALL]}}
        spec:
          template:
            spec:
              hostNetwork: false
              terminationGracePeriodSeconds: 5
              tolerations: [{key: a, operator: Exists}]
    jobs: [{name: once, image: busybox, command: ["sh", "-c", "true"]}]
    custom:
      - apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: web}
        spec: {podSelector: {}, ingress: [{from: [{podSelector: {}}]}]}
      - apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: web}
        spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}
"""


def test_children_of_every_group_are_settled_after_one_turn_and_stay_so(world: Any) -> None:
    w = world(EVERY_GROUP)
    w.cr(spec=SPEC)
    outcome = w.turn()
    assert outcome.faults == ()
    w.rest()
    w.restart()
    requests = [w.requests for _ in range(3) if w.turn()]
    assert requests[0] in ([], ["mark"]), "a finished Job is noted"
    assert requests[1:] == [[], []]
