"""`crdFile`: the CustomResourceDefinition of an entry, read once and held to what the entry says of it."""

from __future__ import annotations

from ork.base.objects import Kind, Object
from ork.base.records import NamedTuple
from ork.katalog.collect import Findings
from ork.katalog.manifests import check_crd
from ork.katalog.objects import objects_in, unreadable
from ork.katalog.sources import ReadError, Sources, beside
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Mapping, Scalar

CRD_KIND = "CustomResourceDefinition"


class CrdFile(NamedTuple):
    """A CustomResourceDefinition, and one version of it."""

    manifest: Object
    kind: Kind
    schema: Object | None
    has_status: bool


class _Read(NamedTuple):
    """What a file holds."""

    definitions: list[Object]
    refused: bool
    """Something in it is of no use, which was said where it stands."""


class CrdFiles:
    """Reads the CRD files of a Katalog, each once."""

    def __init__(self, katalog: str, sources: Sources, findings: Findings) -> None:
        self._katalog, self._sources, self._findings = katalog, sources, findings
        self._read: dict[str, _Read | ReadError] = {}

    def find(self, entry: Mapping, trail: Trail) -> CrdFile | None:
        """Return the definition that an entry names; None where it names none, or one that is of no use."""
        target = entry.scalar("crdFile")
        if target is None or not target.is_text:
            return None
        here = (trail, "crdFile")
        if target.text.startswith(("https://", "http://")):
            message = f"{target.text} is not read, so expressions are not checked against its schema"
            hint = "a copy beside the katalog would be checked"
            self._findings.info("ORK0207", target.span, message, hint, path=path_text(here))
            return None
        read = self._definitions(target, here)
        if read is None or (read.refused and not read.definitions):
            return None
        manifest = self._chosen(read.definitions, entry, target, here)
        return None if manifest is None else self._version(manifest, entry, target, here)

    def _definitions(self, target: Scalar, trail: Trail) -> _Read | None:
        path = beside(self._katalog, target.text)
        if path not in self._read:
            self._read[path] = self._load(path)
        found = self._read[path]
        if isinstance(found, ReadError):
            unreadable(found, target.span, self._findings, path_text(trail))
            return None
        return found

    def _load(self, path: str) -> _Read | ReadError:
        before = len(self._findings.items)
        try:
            objects = objects_in(path, self._sources, self._findings)
        except ReadError as error:
            return error
        declared = [(obj, node) for obj, node in objects if obj.get("kind") == CRD_KIND]
        checked = [check_crd(obj, node, self._findings) for obj, node in declared]
        return _Read([one for one in checked if one is not None], len(self._findings.items) > before)

    def _chosen(self, definitions: list[Object], entry: Mapping, target: Scalar, trail: Trail) -> Object | None:
        """Return the definition of the entry's kind, or the only one."""
        types = entry.mapping("apiTypes")
        kind, group = (types.value(key) if types else None for key in ("kind", "group"))
        fitting = [
            manifest
            for manifest in definitions
            if kind in (None, manifest["spec"]["names"]["kind"]) and group in (None, manifest["spec"]["group"])
        ]
        if len(fitting) == 1:
            return fitting[0]
        if len(definitions) == 1:
            return definitions[0]
        if definitions:
            names = ", ".join(f"{one['spec']['names']['kind']}.{one['spec']['group']}" for one in definitions)
            message = f"{target.text} holds several definitions, and which one is meant is not clear"
            hint = f"say it in `apiTypes`: it has {names}"
        else:
            message, hint = f"{target.text} holds no usable CustomResourceDefinition", ""
        self._findings.error("ORK0208", target.span, message, hint, path=path_text(trail))
        return None

    def _version(self, manifest: Object, entry: Mapping, target: Scalar, trail: Trail) -> CrdFile | None:
        """Return the version that the entry means: the one that it names, else the one that is stored."""
        spec = manifest["spec"]
        types = entry.mapping("apiTypes")
        wanted = types.scalar("version") if types else None
        served = [version for version in spec["versions"] if version.get("served")]
        named = [version for version in served if wanted is not None and version["name"] == wanted.text]
        stored = [version for version in served if version.get("storage")]
        if wanted is not None and not named:
            hint = f"it serves {', '.join(version['name'] for version in served)}"
            message = f"{target.text} does not serve the version {wanted.text}"
            self._findings.error("ORK0209", wanted.span, message, hint, path=path_text(trail))
            return None
        version = (named or stored or served or spec["versions"])[0]
        names = spec["names"]
        kind = Kind(spec["group"], version["name"], names["kind"], names["plural"], spec["scope"] == "Namespaced")
        schema = (version.get("schema") or {}).get("openAPIV3Schema")
        return CrdFile(manifest, kind, schema, "status" in (version.get("subresources") or {}))
