"""The operators that the faults hit, and the kinds they look after."""

from __future__ import annotations

from ork.base.objects import Kind, Object

GROUP = "faults.example.com"
APPS = Kind(GROUP, "v1", "App", "apps", True)
CALLERS = Kind(GROUP, "v1", "Caller", "callers", True)
DEPLOYMENTS = Kind("apps", "v1", "Deployment", "deployments", True)
CONFIG_MAPS = Kind("", "v1", "ConfigMap", "configmaps", True)
KINDS = (APPS, CALLERS)

_HEAD = "apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {name: NAME}\nspec:\n  crds:\n"

APP = """
    app:
      crdFile: app.yaml
      operatorBox:
        reconciler: {resync: 20s}
        onCreate:
          configMaps:
            - {name: "{{ .metadata.name }}-once", data: {of: "{{ .metadata.name }}"}}
        onReconcile:
          deployments:
            - {name: "{{ .metadata.name }}", image: "{{ .spec.image }}"}
          configMaps:
            - {name: "{{ .metadata.name }}", data: {image: "{{ .spec.image }}"}}
            - forEach: {field: .spec.parts, as: part}
              name: "{{ .metadata.name }}-{{ .part }}"
              data: {part: "{{ .part }}", image: "{{ .spec.image }}"}
            - when: [{field: .spec.far, equals: "true"}]
              prune: true
              name: "{{ .metadata.name }}"
              namespace: "{{ .metadata.namespace }}-far"
              data: {image: "{{ .spec.image }}"}
        status:
          fields:
            - {path: phase, value: Ready}
            - {path: image, value: "{{ .spec.image }}"}
"""
"""Children of every habit: made once, corrected, one for each part, and one where no owner reference leads."""

CALLER = """
    caller:
      crdFile: caller.yaml
      operatorBox:
        reconciler: {resync: 20s, workers: 4}
        onReconcile:
          external:
            - {name: facts, url: "URL/{{ .metadata.name }}", timeout: 5s}
          configMaps:
            - {name: "{{ .metadata.name }}-facts", data: {answer: "{{ .external.facts.answer }}"}}
        status:
          fields:
            - {path: phase, value: Ready}
"""


def katalog(name: str, *entries: str) -> str:
    """Return a Katalog of some entries."""
    return _HEAD.replace("NAME", name) + "".join(entries)


def crd(kind: Kind) -> Object:
    """Return the definition of a kind."""
    text = {"type": "string"}
    spec = {
        "type": "object",
        "properties": {
            "image": text,
            "far": {"type": "boolean", "default": False},
            "parts": {"type": "array", "items": text},
        },
    }
    status = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"type": "object", "properties": {"spec": spec, "status": status}}
    version = {
        "name": kind.version,
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema},
    }
    singular = kind.kind.lower()
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{kind.group}"},
        "spec": {
            "group": kind.group,
            "scope": "Namespaced",
            "names": {"kind": kind.kind, "plural": kind.plural, "singular": singular},
            "versions": [version],
        },
    }
