"""The operators that the faults hit, and the kinds they look after."""

from __future__ import annotations

import yaml

from ork.base.objects import Kind, Object
from tests import documents

GROUP = "faults.example.com"
APPS = Kind(GROUP, "v1", "App", "apps", True)
CALLERS = Kind(GROUP, "v1", "Caller", "callers", True)
KINDS = (APPS, CALLERS)

SPEC = """
type: object
properties:
  image: {type: string}
  far: {type: boolean, default: false}
  parts: {type: array, items: {type: string}}
"""

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
    return documents.katalog(name) + "".join(entries)


def crd(kind: Kind) -> Object:
    """Return the definition of a kind."""
    found: Object = yaml.safe_load(documents.crd(SPEC, group=kind.group, kind=kind.kind))
    return found
