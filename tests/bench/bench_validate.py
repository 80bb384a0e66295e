"""How long the whole check of a large Katalog takes, against PyYAML's C loader on the same text; and its memory."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from time import process_time

import yaml

from ork.katalog.check import check
from ork.katalog.sources import Sources, in_memory

RUNS = 5

_HEAD = """\
apiVersion: orkestra.orkspace.io/v1
kind: Katalog
metadata:
  name: generated
spec:
  crds:
"""

_ENTRY = """\
    app{n}:
      description: The application number {n}, as the platform team runs it
      apiTypes:
        group: apps{n}.demo.io
        kind: App{n}
        version: v1alpha1
      operatorBox:
        preReconcile:
          reconcileGate:
            when:
              - field: "{{{{ .spec.enabled{n} }}}}"
                equals: "true"
        onReconcile:
          deployments:
            - name: "{{{{ .metadata.name }}}}-web-{n}"
              image: registry.example.com/app{n}/{{{{ .spec.image }}}}:{{{{ .spec.tag | default "v{n}" }}}}
              replicas: "{{{{ .spec.replicas{n} | default {n} }}}}"
              port: 8080
          configMaps:
            - name: "{{{{ .metadata.name }}}}-settings-{n}"
              data:
                host: "{{{{ .spec.host }}}}.zone{n}.example.com"
                level: '{{{{ if eq .spec.tier{n} "gold" }}}}debug{{{{ else }}}}info{{{{ end }}}}'
                names: "{{{{ range .spec.names{n} }}}}{{{{ . }}}},{{{{ end }}}}"
        status:
          fields:
            - path: phase
              value: "{{{{ .spec.image }}}} in zone {n}"
            - path: ready
              value: "Ready{n}"
              when:
                - field: "{{{{ .children.deployment.status.readyReplicas }}}}"
                  equals: "{n}"
"""


def katalog(crds: int) -> str:
    """Return a Katalog with that many CRDs, each with ten expressions that no other has."""
    return _HEAD + "".join(_ENTRY.format(n=n) for n in range(crds))


def checked(text: str) -> None:
    """Check a text as `ork validate` does; it must be without errors, or the figure means nothing."""
    report = check(["katalog.yaml"], Sources(in_memory({"katalog.yaml": text})))
    if report.findings:
        sys.exit(f"the generated Katalog is not clean: {report.findings[0]}")


def seconds(*works: Callable[[], object]) -> list[float]:
    """Return the least processor time of each; they take turns, so that a busy moment hits all alike."""
    least = [float("inf")] * len(works)
    for _ in range(RUNS):
        for index, work in enumerate(works):
            begin = process_time()
            work()
            least[index] = min(least[index], process_time() - begin)
    return least


def main() -> None:
    """Print the ratio, the growth and the memory."""
    text, double = katalog(1000), katalog(2000)
    checked(katalog(10))
    checked(text)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ours, theirs, twice = seconds(
        lambda: checked(text), lambda: yaml.load(text, Loader=yaml.CSafeLoader), lambda: checked(double)
    )
    print(f"  1,000 CRDs, 10 expressions each, {len(text) / 2**20:.2f} MB")
    print(f"  PyYAML CSafeLoader  {theirs * 1000:7.0f} ms")
    print(f"  the whole check     {ours * 1000:7.0f} ms  {ours / theirs:5.2f} × (at most 2.5)")
    print(f"  2,000 CRDs          {twice * 1000:7.0f} ms  {twice / ours:5.2f} × (at most 2.2)")
    print(f"  memory              {memory:7.0f} MB  (at most 300)")


if __name__ == "__main__":
    main()
