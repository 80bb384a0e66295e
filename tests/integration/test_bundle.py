"""The operator under exactly the rights that `ork bundle` gives it, on a real API server that notes who does what.

Everything that a Katalog can cause happens: no request is refused, and no right is left that no request used.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ork.base import yaml_writer
from ork.base.objects import Object
from ork.cluster.envtest.plane import ControlPlane
from ork.runtime.bundle import Choices, Files, manifests
from tests.controlplane.controlplane import SKIP_REASON, binaries
from tests.documents import crd, entry, katalog, program
from tests.integration.processes import Process, ork_run

pytestmark = [
    pytest.mark.skipif(binaries() is None, reason=SKIP_REASON),
    pytest.mark.timeout(120),
]

HOME, NAME = "ork-system", "ork-bundled"
USER = f"system:serviceaccount:{HOME}:{NAME}"
POLICY = f"apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{{level: Metadata, users: ['{USER}']}}]\n"
SOMEBODY = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "0", "controller": True}

GROUP = "bundled.example.com"
CRD = crd("{type: object, properties: {names: {type: array, items: {type: string}}}}", group=GROUP)
BOX = """
onReconcile:
  configMaps:
    - forEach: {field: .spec.names, as: each}
      name: "{{ .metadata.name }}-{{ .each }}"
      data: {name: "{{ .each }}"}
  serviceAccounts:
    - {name: "{{ .metadata.name }}", namespace: kube-public}
status: {fields: [{path: phase, value: Ready}]}
"""
KATALOG = katalog("bundled", app=entry(BOX))
FILES = {"katalog.yaml": KATALOG, "crd.yaml": CRD}


class Cluster:
    """The API server, an administrator's `kubectl`, and the log of what the operator asked for."""

    def __init__(self, plane: ControlPlane, folder: Path) -> None:
        self._plane, self.folder = plane, folder

    def kubectl(self, *args: str, send: Sequence[Object] = ()) -> str:
        """Call `kubectl` as an administrator."""
        command = ["kubectl", f"--kubeconfig={self._plane.kubeconfig}", f"--cache-dir={self.folder}/cache", *args]
        sent = yaml_writer.dump_all(send)
        return subprocess.run(command, input=sent, capture_output=True, text=True, check=True, timeout=60).stdout

    def apply(self, *objects: Object) -> None:
        """Apply objects."""
        self.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", send=objects)

    def kubeconfig(self) -> Path:
        """Return a kubeconfig of the operator's service account."""
        text = self._plane.kubeconfig.read_text()
        token = self.kubectl("create", "token", NAME, f"--namespace={HOME}").strip()
        path = self.folder / "operator.kubeconfig"
        path.write_text(
            text.replace(self._plane.token, token).replace("user: envtest}", f"user: envtest, namespace: {HOME}}}")
        )
        return path

    def asked(self) -> list[tuple[str, str, int]]:
        """Return verb, resource and answer of every finished request of the operator."""
        found = []
        for line in (self.folder / "audit.log").read_text().splitlines():
            event = json.loads(line)
            what = event.get("objectRef")
            if what and "responseStatus" in event:
                resource = "/".join(filter(None, (what["resource"], what.get("subresource"))))
                found.append((event["verb"], resource, event["responseStatus"]["code"]))
        return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "policy.yaml").write_text(POLICY)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    flags = (
        f"--audit-policy-file={folder / 'policy.yaml'}",
        f"--audit-log-path={folder / 'audit.log'}",
        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
    )
    with ControlPlane(folder / "plane", flags=flags) as plane:
        found = Cluster(plane, folder)
        found.kubectl("create", "namespace", HOME)
        yield found


def bundled() -> list[Object]:
    """Return the bundle."""
    return manifests(program(KATALOG, FILES), Choices("ork:test", HOME, Files("katalog.yaml", FILES)))


def without(objects: Sequence[Object], resource: str, verb: str) -> list[Object]:
    """Return a bundle whose roles lack one verb on one resource."""

    def less(rule: Object) -> list[Object]:
        if resource not in rule["resources"] or verb not in rule["verbs"]:
            return [rule]
        others = [each for each in rule["resources"] if each != resource]
        verbs = [each for each in rule["verbs"] if each != verb]
        return [{**rule, "resources": others}] * bool(others) + [{**rule, "resources": [resource], "verbs": verbs}]

    return [
        {**obj, "rules": [each for rule in obj["rules"] for each in less(rule) if each["verbs"]]}
        if "rules" in obj
        else obj
        for obj in objects
    ]


def granted(objects: Sequence[Object]) -> set[tuple[str, str]]:
    """Return every verb on every resource that the roles grant."""
    rules = [rule for obj in objects for rule in obj.get("rules", ())]
    return {(verb, resource) for rule in rules for resource in rule["resources"] for verb in rule["verbs"]}


def app(name: str, *names: str) -> Object:
    """Return a CR."""
    meta = {"name": name, "namespace": "default"}
    return {"apiVersion": f"{GROUP}/v1", "kind": "App", "metadata": meta, "spec": {"names": list(names)}}


def taken(kind: str, namespace: str, name: str) -> Object:
    """Return an object that somebody else controls."""
    meta = {"name": name, "namespace": namespace, "ownerReferences": [SOMEBODY]}
    return {"apiVersion": "v1", "kind": kind, "metadata": meta}


def seen(cluster: Cluster, *args: str) -> Any:
    """Return what `kubectl get` finds, None where there is nothing."""
    found = cluster.kubectl("get", *args, "--ignore-not-found", "--output=json")
    return json.loads(found) if found else None


def complained(cluster: Cluster, name: str) -> bool:
    """Tell whether there is an Event on a CR."""
    return bool(seen(cluster, "events", f"--field-selector=involvedObject.name={name}")["items"])


def lives(cluster: Cluster, operator: Process) -> None:
    """Let three CRs go through everything that can happen to them."""
    cluster.apply(taken("ConfigMap", "default", "c-x"), taken("ServiceAccount", "kube-public", "b"))
    cluster.apply(app("a", "x", "y"), app("b", "x"), app("c", "x"))
    operator.wait_for(lambda: (seen(cluster, "apps", "a") or {}).get("status", {}).get("phase") == "Ready")
    operator.wait_for(lambda: complained(cluster, "b") and complained(cluster, "c"))
    cluster.apply(app("a", "x"))
    operator.wait_for(lambda: seen(cluster, "configmaps", "a-y") is None)
    cluster.kubectl("delete", "apps", "a", "--wait=false")
    operator.wait_for(lambda: seen(cluster, "apps", "a") is None)
    assert seen(cluster, "serviceaccounts", "a", "--namespace=kube-public") is None


def test_the_rights_suffice_and_each_of_them_is_used(cluster: Cluster) -> None:
    objects = bundled()
    cluster.apply(*objects)
    cluster.kubectl("wait", "--for=condition=Established", "crd/apps.bundled.example.com")
    args = ("--kubeconfig", str(cluster.kubeconfig()), "--no-apply-crds", "--leader-elect")
    with ork_run(cluster.folder, *args) as operator:
        lives(cluster, operator)
        assert operator.end() == 0
    asked = cluster.asked()
    assert [request for request in asked if request[2] == 403] == []
    used = {(verb, resource) for verb, resource, _ in asked}
    # These two are asked for by the server when an apply creates, and when a child blocks its owner's deletion.
    implied = {("create", "configmaps"), ("create", "serviceaccounts"), ("update", "apps/finalizers")}
    assert used | implied == granted(objects)


@pytest.mark.parametrize(
    ("verb", "resource", "refusal"),
    [
        ("create", "configmaps", 'cannot create resource "configmaps"'),
        ("update", "apps/finalizers", "cannot set blockOwnerDeletion"),
    ],
)
def test_a_right_that_no_request_names_is_needed_all_the_same(
    cluster: Cluster, verb: str, resource: str, refusal: str
) -> None:
    cluster.apply(*without(bundled(), resource, verb))
    cluster.apply(app(f"without-{verb}", "x"))
    args = ("--kubeconfig", str(cluster.kubeconfig()), "--no-apply-crds", "--no-leader-elect")
    with ork_run(cluster.folder, *args) as operator:
        operator.wait_for(lambda: refusal in operator.log)
