"""The documents that tests are made of, as text: definitions of custom kinds, and Katalogs that name them."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent, indent

from ork.katalog.compiler import compile_katalog
from ork.katalog.sources import Sources, in_memory
from ork.program import Program

OPEN = "{type: object, x-kubernetes-preserve-unknown-fields: true}"
"""The schema of any map."""

_CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.{group}}}
spec:
  group: {group}
  scope: Namespaced
  names: {{kind: {kind}, plural: {plural}, singular: {singular}}}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {{status: {{}}}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
{spec}
            status:
{status}
"""


def crd(spec: str = OPEN, *, status: str = OPEN, group: str = "demo.io", kind: str = "App") -> str:
    """Return the definition of a namespaced kind, whose spec and status have these schemas."""
    singular = kind.lower()
    parts = {"spec": _block(spec, 14), "status": _block(status, 14)}
    return _CRD.format(group=group, kind=kind, singular=singular, plural=f"{singular}s", **parts)


def katalog(name: str, /, **entries: str) -> str:
    """Return a Katalog of some entries, each given by its keys."""
    crds = "".join(f"    {key}:\n{_block(entry, 6)}\n" for key, entry in entries.items())
    return f"apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {{name: {name}}}\nspec:\n  crds:\n{crds}"


def entry(box: str, keys: str = "crdFile: crd.yaml") -> str:
    """Return a Katalog's entry: its keys, and what its box says."""
    return f"{_block(keys, 0)}\noperatorBox:\n{_block(box, 2)}\n"


def program(text: str, files: Mapping[str, str] | None = None) -> Program:
    """Compile a Katalog that has no fault, and names these files."""
    compiled = compile_katalog("katalog.yaml", Sources(in_memory({"katalog.yaml": text, **(files or {})})))
    assert compiled.program is not None, compiled.findings
    return compiled.program


def _block(text: str, by: int) -> str:
    return indent(dedent(text).strip("\n"), " " * by)
