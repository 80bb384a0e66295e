"""Everything that an operator needs in a cluster, as manifests: a pure function of the Katalog and a few choices."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping

from ork.base.errors import OrkError
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.program import Program
from ork.runtime.rbac import Wanted, as_objects

MOUNT = "/katalog"
"""Where the operator finds the Katalog, mounted or baked into its image."""
PORT = 8080
LONGEST_NAME = 48
"""Of a Katalog: names of objects are made of it, and a Service's has at most 63 characters."""
LARGEST = 900_000
"""Bytes of files that a ConfigMap takes: the API server's limit is a megabyte, JSON included."""
GRACE = 30
"""Seconds that turns may take to end; the pod gets a little more."""


class Files(NamedTuple):
    """The Katalog with everything that it names, as a folder."""

    main: str
    """The path of the Katalog in it."""
    texts: Mapping[str, str]
    """By path, with `/` between folders."""


class Choices(NamedTuple):
    """What the user chose."""

    image: str
    namespace: str
    """Where the operator is installed."""
    files: Files
    baked: bool = False
    """The Katalog is in the image, not in a ConfigMap."""
    replicas: int | str = 1
    watched: tuple[str, ...] = ()
    """Only these namespaces are watched; none is all."""
    apply_crds: bool = False
    """The operator applies CRDs itself; else they are in the bundle."""


def manifests(program: Program, choices: Choices) -> list[Object]:
    """Return the objects in the order in which they are applied. Raises OrkError for what cannot be bundled."""
    if len(program.name) > LONGEST_NAME:
        raise OrkError(f"the Katalog's name {program.name} is too long for a bundle: {LONGEST_NAME} characters at most")
    name = app_name(program)
    wanted = Wanted(choices.namespace, choices.watched, choices.apply_crds)
    meta: Object = {"name": name, "namespace": choices.namespace, "labels": _labels(name)}
    found: list[Object] = [] if choices.apply_crds else crds(program)
    found.append({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": meta})
    found += as_objects(program, wanted, name, _labels(name))
    if not choices.baked:
        found.append(_config_map(meta, choices.files))
    return [*found, _service(meta), _deployment(meta, program, choices)]


def app_name(program: Program) -> str:
    """Return the name of the operator's objects."""
    return f"ork-{program.name}"


def secret_name(program: Program) -> str:
    """Return the name of the Secret that holds the environment variables which the Katalog names."""
    return f"{app_name(program)}-env"


def crds(program: Program) -> list[Object]:
    """Return the CRDs of the Katalog."""
    return [crd.manifest for crd in program.crds.values() if crd.manifest is not None]


def _labels(name: str) -> dict[str, str]:
    return {"app.kubernetes.io/name": "ork", "app.kubernetes.io/instance": name}


def _config_map(meta: Object, files: Files) -> Object:
    if sum(len(text.encode()) for text in files.texts.values()) > LARGEST:
        raise OrkError("the Katalog's files are too large for a ConfigMap: put them into the image with --bake")
    data = {key: files.texts[path] for path, key in keys(files).items()}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}


def keys(files: Files) -> dict[str, str]:
    """Return the key of each file in a ConfigMap, by path: keys have no folders, so a volume puts them back."""
    found: dict[str, str] = {}
    for path in sorted(files.texts):
        key = "".join(char if char.isascii() and (char.isalnum() or char in "-._") else "_" for char in path)
        while key in found.values():
            key = f"{key}_"
        found[path] = key
    return found


def _service(meta: Object) -> Object:
    port = {"name": "http", "port": PORT, "targetPort": "http"}
    spec = {"selector": meta["labels"], "ports": [port]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": meta, "spec": spec}


def _deployment(meta: Object, program: Program, choices: Choices) -> Object:
    # A change of the Katalog is a change of the pods: no running operator reads it anew.
    annotations = {"orkestra.orkspace.io/katalog-digest": _digest(choices.files)}
    template = {"metadata": {"labels": meta["labels"], "annotations": annotations}, "spec": _pod(program, choices)}
    spec = {"replicas": choices.replicas, "selector": {"matchLabels": meta["labels"]}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": spec}


def _pod(program: Program, choices: Choices) -> Object:
    volumes: list[Object] = [{"name": "tmp", "emptyDir": {}}]
    if not choices.baked:
        items = [{"key": key, "path": path} for path, key in keys(choices.files).items()]
        volumes.append({"name": "katalog", "configMap": {"name": app_name(program), "items": items}})
    return {
        "serviceAccountName": app_name(program),
        "terminationGracePeriodSeconds": GRACE + 10,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 65532,
            "runAsGroup": 65532,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(program, choices)],
        "volumes": volumes,
    }


def _container(program: Program, choices: Choices) -> Object:
    mounts: list[Object] = [{"name": "tmp", "mountPath": "/tmp"}]
    if not choices.baked:
        mounts.append({"name": "katalog", "mountPath": MOUNT, "readOnly": True})
    container: Object = {
        "name": "operator",
        "image": choices.image,
        "args": [*_arguments(choices)],
        "workingDir": "/tmp",
        "ports": [{"name": "http", "containerPort": PORT}],
        "readinessProbe": {"httpGet": {"path": "/readyz", "port": "http"}},
        "livenessProbe": {"httpGet": {"path": "/healthz", "port": "http"}, "initialDelaySeconds": 10},
        "resources": {"requests": {"cpu": "50m", "memory": "128Mi"}, "limits": {"memory": "512Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": mounts,
    }
    if program.variables:
        container["env"] = [_variable(name, secret_name(program)) for name in sorted(program.variables)]
    return container


def _arguments(choices: Choices) -> Iterator[str]:
    yield from ("run", f"--katalog={MOUNT}/{choices.files.main}", f"--listen=0.0.0.0:{PORT}", "--log-format=json")
    yield from (f"--grace={GRACE}s", "--leader-elect")
    if not choices.apply_crds:
        yield "--no-apply-crds"
    yield from (f"--namespace={name}" for name in choices.watched)


def _variable(name: str, secret: str) -> Object:
    return {"name": name, "valueFrom": {"secretKeyRef": {"name": secret, "key": name}}}


def _digest(files: Files) -> str:
    text = json.dumps([files.main, sorted(files.texts.items())], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
