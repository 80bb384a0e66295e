"""A bundle as files: for `kubectl apply -k`, as a Helm chart, and the Containerfile of its image."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from ork.base import yaml_writer
from ork.base.objects import Object
from ork.program import Program
from ork.runtime.bundle import MOUNT, Choices, app_name, crds, keys, manifests

NAMESPACE, IMAGE, REPLICAS = "{{ .Release.Namespace }}", "{{ .Values.image }}", "{{ .Values.replicas }}"


def kustomization(program: Program, choices: Choices, version: str) -> dict[str, str]:
    """Return the files of a folder for `kubectl apply -k`, one for each kind of object, by path. Raises OrkError."""
    files = {
        f"{kind.lower()}.yaml": yaml_writer.dump_all(objects)
        for kind, objects in _by_kind(manifests(program, choices)).items()
    }
    head = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    files["kustomization.yaml"] = yaml_writer.dump({**head, "resources": list(files)})
    return files | _image(choices, version)


def chart(program: Program, choices: Choices, version: str) -> dict[str, str]:
    """Return the files of a Helm chart by path; image, replicas and the release's namespace are its values.

    The Katalog is a file of the chart, which Helm never takes for a template. Raises OrkError.
    """
    values = {"image": choices.image, "replicas": choices.replicas}
    open_ = choices._replace(image=IMAGE, replicas=REPLICAS, namespace=NAMESPACE)
    shipped = [] if choices.apply_crds else crds(program)
    rest = [obj for obj in manifests(program, open_) if obj not in shipped]
    about = {"apiVersion": "v2", "name": app_name(program), "version": "0.1.0", "appVersion": version}
    files = {"Chart.yaml": yaml_writer.dump(about), "values.yaml": yaml_writer.dump(values)}
    if shipped:
        files["crds/crds.yaml"] = yaml_writer.dump_all(shipped)
    for kind, objects in _by_kind(rest).items():
        files[f"templates/{kind.lower()}.yaml"] = "---\n".join(_template(obj) for obj in objects)
    if not choices.baked:
        files |= {f"files/{key}": choices.files.texts[path] for path, key in keys(choices.files).items()}
    return files | _image(choices, version)


def containerfile(choices: Choices, version: str) -> str:
    """Return how the image is built: `ork`, and the Katalog where it is baked in.

    `ork` comes from a wheel beside the file: a name on an index could be anybody's.
    """
    wheel = f"ork-{version}-py3-none-any.whl"
    lines = [
        f"# {wheel} must stand beside this file: pip wheel --no-deps --wheel-dir . PATH/OF/ORK",
        "FROM python:3.13-slim",
        f"COPY {wheel} /tmp/",
        f"RUN pip install --no-cache-dir /tmp/{wheel}",
        *([f"COPY katalog {MOUNT}"] if choices.baked else []),
        "WORKDIR /tmp",
        "USER 65532:65532",
        'ENTRYPOINT ["ork"]',
    ]
    return "\n".join(lines) + "\n"


def _image(choices: Choices, version: str) -> dict[str, str]:
    baked = {f"katalog/{path}": text for path, text in choices.files.texts.items()} if choices.baked else {}
    return {"Containerfile": containerfile(choices, version), **baked}


def _by_kind(objects: Iterable[Object]) -> Mapping[str, list[Object]]:
    found: dict[str, list[Object]] = {}
    for obj in objects:
        found.setdefault(obj["kind"], []).append(obj)
    return found


def _template(obj: Object) -> str:
    """Return an object as Helm reads it. Nothing in it has braces of its own: the Katalog's text is a file."""
    if obj["kind"] == "ConfigMap":
        head = yaml_writer.dump({key: value for key, value in obj.items() if key != "data"})
        return head + "data:\n" + "".join(f"  {json.dumps(key)}: {_file(key)}\n" for key in obj["data"])
    # A number in Helm's braces must stand without quotes.
    return yaml_writer.dump(obj).replace(f"'{REPLICAS}'", REPLICAS)


def _file(key: str) -> str:
    return f'{{{{ .Files.Get "files/{key}" | toJson }}}}'
