"""Kubernetes' own kinds: what an API server fills in on some of them, besides defaults."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Kind, Object
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import NAMESPACE, POD, SERVICE, made

JOB = Kind("batch", "v1", "Job", "jobs", True)
CLAIM = Kind("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", True)
DAEMON_SET = Kind("apps", "v1", "DaemonSet", "daemonsets", True)
NODE = Kind("", "v1", "Node", "nodes", False)


def created(store: Store, kind: Kind, body: Object, name: str = "a") -> Object:
    obj: Object = store.create(kind, "default" if kind.namespaced else "", made(kind, name, body)).obj
    return obj


def service(store: Store, name: str = "a", **spec: Any) -> Object:
    given = {"ports": [{"port": 80}], "selector": {"app": "a"}, **spec}
    found: Object = created(store, SERVICE, {"spec": given}, name)["spec"]
    return found


# ── services ────────────────────────────────────────────────────────────────────────────────────
def test_services_get_addresses_of_their_own(store: Store) -> None:
    first, second = service(store, "a"), service(store, "b")
    assert first["clusterIP"].startswith("10.")
    assert first["clusterIP"] != second["clusterIP"]
    assert first["clusterIPs"] == [first["clusterIP"]]
    assert (first["ipFamilies"], first["ipFamilyPolicy"]) == (["IPv4"], "SingleStack")


def test_a_service_keeps_its_address_when_it_is_replaced_without_one(store: Store) -> None:
    address = service(store)["clusterIP"]
    again = made(SERVICE, "a", {"spec": {"ports": [{"port": 81}]}})
    assert store.update(SERVICE, "default", "a", again).obj["spec"]["clusterIP"] == address


def test_a_headless_service_has_none(store: Store) -> None:
    assert service(store, clusterIP="None")["clusterIPs"] == ["None"]


def test_node_ports_are_given_kept_and_given_back(store: Store) -> None:
    spec = service(store, type="NodePort")
    port = spec["ports"][0]["nodePort"]
    assert 30000 <= port < 32768
    again = made(SERVICE, "a", {"spec": {"type": "NodePort", "ports": [{"port": 80}]}})
    assert store.update(SERVICE, "default", "a", again).obj["spec"]["ports"][0]["nodePort"] == port
    plain = store.patch(SERVICE, "default", "a", {"spec": {"type": "ClusterIP"}}).obj["spec"]
    assert "nodePort" not in plain["ports"][0]


def test_a_service_that_is_only_a_name_gives_up_its_address(store: Store) -> None:
    service(store)
    patch = {"spec": {"type": "ExternalName", "externalName": "x.y", "ports": None, "selector": None}}
    spec = store.patch(SERVICE, "default", "a", patch).obj["spec"]
    assert "clusterIP" not in spec
    assert "clusterIPs" not in spec


def test_the_address_of_a_service_stays(store: Store) -> None:
    service(store, clusterIP="10.0.0.5")
    with pytest.raises(ApiError, match=r"spec\.clusterIPs?\[?0?\]?: Invalid value"):
        store.patch(SERVICE, "default", "a", {"spec": {"clusterIP": "10.0.0.6", "clusterIPs": ["10.0.0.6"]}})


# ── pods and jobs ───────────────────────────────────────────────────────────────────────────────
def container(**resources: Any) -> Object:
    return {"name": "c", "image": "i", **({"resources": resources} if resources else {})}


BOTH = {"cpu": "1", "memory": "1Gi"}


@pytest.mark.parametrize(
    ("resources", "quality"),
    [
        ({}, "BestEffort"),
        ({"requests": {"cpu": "1"}}, "Burstable"),
        ({"limits": BOTH}, "Guaranteed"),
        ({"limits": BOTH, "requests": BOTH}, "Guaranteed"),
        ({"limits": BOTH, "requests": {**BOTH, "cpu": "500m"}}, "Burstable"),
    ],
)
def test_a_pods_resources_earn_its_quality_of_service(store: Store, resources: Object, quality: str) -> None:
    pod = created(store, POD, {"spec": {"containers": [container(**resources)]}})
    assert (pod["status"]["phase"], pod["status"]["qosClass"]) == ("Pending", quality)


def test_a_pod_bears_a_node_that_is_not_ready_for_five_minutes(store: Store) -> None:
    own = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
    pod = created(store, POD, {"spec": {"containers": [container()], "tolerations": [own]}})
    seconds = {row["key"]: row["tolerationSeconds"] for row in pod["spec"]["tolerations"]}
    assert seconds == {"node.kubernetes.io/not-ready": 5, "node.kubernetes.io/unreachable": 300}


def job_spec(**spec: Any) -> Object:
    return {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [container()]}}, **spec}}


def test_a_job_selects_its_pods_by_its_uid(store: Store) -> None:
    job = created(store, JOB, job_spec())
    uid = job["metadata"]["uid"]
    assert job["spec"]["selector"] == {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}
    labels = job["spec"]["template"]["metadata"]["labels"]
    assert (labels["controller-uid"], labels["job-name"]) == (uid, "a")


def test_a_job_may_select_by_hand(store: Store) -> None:
    labels = {"mine": "yes"}
    template = {"metadata": {"labels": labels}, **job_spec()["spec"]["template"]}
    spec = {"manualSelector": True, "selector": {"matchLabels": labels}, "template": template}
    assert created(store, JOB, {"spec": spec})["spec"]["selector"] == {"matchLabels": labels}


# ── other kinds ─────────────────────────────────────────────────────────────────────────────────
def test_a_namespace_is_labelled_with_its_name_and_held(store: Store) -> None:
    store.create(NAMESPACE, "", made(NAMESPACE, "team"))
    obj = store.get(NAMESPACE, "", "team")
    assert obj["metadata"]["labels"] == {"kubernetes.io/metadata.name": "team"}
    assert obj["spec"] == {"finalizers": ["kubernetes"]}
    kept = store.patch(NAMESPACE, "", "team", {"spec": {"finalizers": []}}).obj
    assert kept["spec"] == {"finalizers": ["kubernetes"]}


def test_storage_is_protected_while_it_may_be_in_use(store: Store) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    claim = created(store, CLAIM, {"spec": spec})
    assert claim["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]
    assert claim["status"] == {"phase": "Pending"}


def test_a_daemon_set_counts_its_templates(store: Store) -> None:
    labels = {"app": "a"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container()]}}
    mark = "deprecated.daemonset.template.generation"
    made_set = created(store, DAEMON_SET, {"spec": {"selector": {"matchLabels": labels}, "template": template}})
    assert made_set["metadata"]["annotations"] == {mark: "1"}
    patch = {"spec": {"template": {"spec": {"containers": [{**container(), "image": "j"}]}}}}
    assert store.patch(DAEMON_SET, "default", "a", patch).obj["metadata"]["annotations"] == {mark: "2"}


def test_a_new_node_is_kept_free_until_it_is_ready(store: Store) -> None:
    node = created(store, NODE, {})
    assert node["spec"]["taints"] == [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]


def test_a_selector_that_does_not_fit_its_template_is_refused(store: Store) -> None:
    template = {"metadata": {"labels": {"app": "other"}}, "spec": {"containers": [container()]}}
    with pytest.raises(ApiError, match="`selector` does not match template `labels`"):
        created(store, DAEMON_SET, {"spec": {"selector": {"matchLabels": {"app": "a"}}, "template": template}})
