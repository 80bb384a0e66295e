"""Writes `schemas/kubernetes/` anew: what a real API server says of its own kinds, in a compact form.

    python -m tests.controlplane.kubernetes

It needs the API server of this folder and Go. From the server come the kinds (discovery), the schemas (OpenAPI v3) and,
by showing it the objects of `probes.yaml`, the values that it fills in; from Go's reflection comes how each type writes
what is not set. The server's answers to the probes become `tests/unit/openapi/answers.json`, and the
causes for which it refuses what `refusals.yaml` describes become `tests/unit/openapi/refusals.json`.
"""

from __future__ import annotations

import json
import re
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.controlplane.controlplane import HERE, TOKEN, ControlPlane

ROOT = HERE.parent.parent
SCHEMAS = ROOT / "schemas" / "kubernetes"
TESTS = ROOT / "tests" / "unit" / "openapi"

Object = dict[str, Any]

KEPT = (
    *("type", "format", "enum", "required", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"),
    *("x-kubernetes-map-type", "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key"),
)
ANYTHING: Object = {"x-kubernetes-preserve-unknown-fields": True}
INLINED: Mapping[str, Object] = {
    "resource.Quantity": {"type": "string", "format": "quantity"},
    "intstr.IntOrString": {"x-kubernetes-int-or-string": True, "format": "int-or-string"},
    "v1.Time": {"type": "string", "format": "date-time"},
    "v1.MicroTime": {"type": "string", "format": "micro-time"},
    "v1.FieldsV1": {"type": "object", **ANYTHING},
    "runtime.RawExtension": {"type": "object", **ANYTHING},
    "v1.JSON": ANYTHING,
    "v1.JSONSchemaPropsOrArray": ANYTHING,
    "v1.JSONSchemaPropsOrBool": ANYTHING,
    "v1.JSONSchemaPropsOrStringArray": ANYTHING,
}
UNUSED = ("meta.v1.APIResource", "meta.v1.APIResourceList", "meta.v1.Patch", "meta.v1.WatchEvent")
ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]


def main() -> None:
    """Start the server, ask it, and write the files."""
    with tempfile.TemporaryDirectory() as folder, ControlPlane(Path(folder)) as plane:
        server = Server(plane)
        kinds = served(server)
        types = _types(server)
        answers = answered(server, kinds)
        refusals = refused(server, kinds)
    _learn(types, kinds, answers)
    _write_schemas(kinds, types)
    _write(TESTS / "answers.json", answers)
    _write(TESTS / "refusals.json", refusals)


class Server:
    """Requests to the API server."""

    def __init__(self, plane: ControlPlane) -> None:
        self._url = plane.url
        self._context = ssl.create_default_context(cafile=str(plane.folder / "certs" / "apiserver.crt"))

    def get(self, path: str, accept: str = "application/json") -> Any:
        """Return the JSON at that path."""
        return self._send(urllib.request.Request(self._url + path, headers={"Accept": accept}))

    def probe(self, kinds: Mapping[str, Object], body: Object) -> Object | None:
        """Return what the server makes of an object, beside the object; None, with a line, where it refuses it."""
        answer = self.send("POST", kinds, body, dry=True)
        if answer.get("kind") == "Status":
            print(f"{body['kind']} {body['metadata']['name']}: {answer['message']}")  # noqa: T201
            return None
        return {"sent": body, "got": answer}

    def send(self, method: str, kinds: Mapping[str, Object], body: Object, *, dry: bool) -> Object:
        """Create (POST), replace (PUT) or delete an object; return the object or the Status that refuses it."""
        kind = kinds[f"{body['apiVersion']}/{body['kind']}"]
        prefix = "/api/" if "/" not in body["apiVersion"] else "/apis/"
        inside = "namespaces/default/" if kind["namespaced"] else ""
        name = "" if method == "POST" else f"/{body['metadata']['name']}"
        url = f"{self._url}{prefix}{body['apiVersion']}/{inside}{kind['plural']}{name}{'?dryRun=All' if dry else ''}"
        data = None if method in ("GET", "DELETE") else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            found: Object = self._send(request)
        except urllib.error.HTTPError as error:
            said = error.read().decode()
            found = json.loads(said) if said.startswith("{") else {"kind": "Status", "message": said}
        return found

    def _send(self, request: urllib.request.Request) -> Any:
        request.add_header("Authorization", f"Bearer {TOKEN}")
        with urllib.request.urlopen(request, context=self._context) as answer:
            return json.load(answer)


def _load(name: str) -> Any:
    return yaml.safe_load((HERE / name).read_text())


# ── answers and refusals ──
def answered(server: Server, kinds: Mapping[str, Object]) -> list[Object]:
    """Return the probes, each as sent and as the server answered it."""
    answers = (server.probe(kinds, probe) for probe in _load("probes.yaml"))
    found: list[Object] = steady([{**answer, "got": _bare(answer["got"])} for answer in answers if answer])
    return found


def refused(server: Server, kinds: Mapping[str, Object]) -> Object:
    """Return what was tried and what the server said: the bases, as sent and as stored, and causes for each row."""
    texts = _load("refusals.yaml")
    bases, stored, creations, changes = texts["bases"], {}, [], []
    for name, rows in texts["creations"].items():
        for fields in rows:
            answer = server.send("POST", kinds, altered(bases[name], fields), dry=True)
            creations.append([name, fields, _causes(answer)])
    for name, rows in texts["changes"].items():
        found = _stored(server, kinds, bases[name])
        stored[name] = _bare(found)
        for fields in rows:
            changes.append([name, fields, _causes(server.send("PUT", kinds, altered(found, fields), dry=True))])
        server.send("DELETE", kinds, found, dry=False)
    every: Object = steady({"bases": bases, "stored": stored, "creations": creations, "changes": changes})
    return every


_INVENTED = {
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "00000000-0000-4000-8000-000000000000",
    r"20(?!24)[0-9-]{8}T[0-9:]{8}Z": "2026-01-05T10:00:00Z",
    r'(?<="clusterIP": )"10\.[0-9.]+"': '"10.0.0.10"',
    r'(?<="clusterIPs": \[)"10\.[0-9.]+"': '"10.0.0.10"',
    r"\b3[0-2][0-9]{2}[1-9]\b": "30001",
}
"""Uids, the present, addresses and ports that a server gives; what was sent has others."""


def steady(content: Any) -> Any:
    """Return JSON with one value each for whatever differs from server to server."""
    text = json.dumps(content)
    for pattern, value in _INVENTED.items():
        text = re.sub(pattern, value, text)
    return json.loads(text)


def _stored(server: Server, kinds: Mapping[str, Object], body: Object) -> Object:
    """Create an object and return it as it stands when the server's own controllers are done with it."""
    found = server.send("POST", kinds, body, dry=False)
    while body["kind"] == "CustomResourceDefinition" and len(found["status"]["conditions"] or ()) < 2:
        time.sleep(0.1)
        found = server.send("GET", kinds, body, dry=False)
    return found


def altered(obj: Object, fields: Mapping[str, Any]) -> Object:
    """Return a copy of an object with fields set by their dotted paths; None takes one away."""
    copy: Object = json.loads(json.dumps(obj))
    for path, value in fields.items():
        *way, last = path.split(".")
        here: Any = copy
        for step in way:
            here = here[int(step)] if isinstance(here, list) else here.setdefault(step, {})
        if isinstance(here, list):
            here[int(last) :] = [value]
        elif value is None:
            here.pop(last, None)
        else:
            here[last] = value
    return copy


def _causes(answer: Object) -> list[list[str]]:
    if answer.get("kind") != "Status":
        return []
    found = answer.get("details", {}).get("causes", [])
    return [[cause.get("reason", ""), cause.get("field", ""), cause["message"]] for cause in found]


# ── kinds ──
def served(server: Server) -> dict[str, Object]:
    """Return how each kind is served, by `apps/v1/Deployment`."""
    return dict(sorted(_kinds(server)))


def _kinds(server: Server) -> Iterator[tuple[str, Object]]:
    accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    for root in ("/api", "/apis"):
        for group in server.get(root, accept)["items"]:
            name = group["metadata"].get("name", "")
            for version in group["versions"]:
                prefix = f"{name}/{version['version']}" if name else version["version"]
                for resource in version["resources"]:
                    yield f"{prefix}/{resource['responseKind']['kind']}", _kind(resource)


def _kind(resource: Object) -> Object:
    subresources = {item["subresource"]: _response(item) for item in resource.get("subresources", ())}
    found = {
        "plural": resource["resource"],
        "singular": resource["singularResource"],
        "shortNames": resource.get("shortNames", []),
        "categories": resource.get("categories", []),
        "namespaced": resource["scope"] == "Namespaced",
        "verbs": [] if sorted(resource["verbs"]) == ALL_VERBS else sorted(resource["verbs"]),
        "subresources": subresources,
    }
    return {key: value for key, value in found.items() if value not in ([], {})}


def _response(subresource: Object) -> Object:
    kind = subresource["responseKind"]
    version = f"{kind['group']}/{kind['version']}" if kind.get("group") else kind.get("version", "")
    return {"apiVersion": version, "kind": kind["kind"], "verbs": sorted(subresource["verbs"])}


# ── schemas ──
def _types(server: Server) -> dict[str, Object]:
    """Return every struct by its short name, `apps.v1.DeploymentSpec`."""
    writings = json.loads(subprocess.run(["go", "run", "./fields"], cwd=HERE, capture_output=True, check=True).stdout)
    types: dict[str, Object] = {}
    for path in server.get("/openapi/v3")["paths"]:
        if path.count("/") == 2 or path == "api/v1":
            for name, schema in server.get(f"/openapi/v3/{path}").get("components", {}).get("schemas", {}).items():
                short = _short(name)
                if short in writings and not short.endswith("List") and short not in UNUSED:
                    types[short] = _struct(schema, writings[short])
                    if gvk := schema.get("x-kubernetes-group-version-kind"):
                        types[short]["kinds"] = gvk
    return types


def _short(name: str) -> str:
    return ".".join(name.split(".")[-3:])


def _struct(schema: Object, writing: Object) -> Object:
    """Return a struct: its fields, which vanish when they are zero, and which are written although nobody set them."""
    struct = {"properties": {}, **_compact(schema)}
    vanish = sorted(set(writing["vanish"]) & set(struct["properties"]))
    stay = {key: value for key, value in sorted(writing["stay"].items()) if key in struct["properties"]}
    return struct | ({"x-vanish": vanish} if vanish else {}) | ({"x-stay": stay} if stay else {})


def _compact(schema: Object) -> Object:
    """Return a schema without texts, wrappers, and the zero defaults that OpenAPI makes of Go's plain fields."""
    inner = schema["allOf"][0] if "allOf" in schema else schema
    found: Object = {key: schema[key] for key in KEPT if key in schema}
    if "$ref" in inner:
        name = _short(inner["$ref"])
        tail = ".".join(name.split(".")[-2:])
        found |= INLINED.get(tail) or {"$ref": name}
    elif "default" in schema and schema["default"] not in ("", 0, {}):
        found["default"] = schema["default"]
    if "properties" in schema:
        found["properties"] = {key: _compact(sub) for key, sub in sorted(schema["properties"].items())}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            found[key] = _compact(schema[key])
    return found if found else dict(ANYTHING)


# ── defaults ──
AT_CREATION = {
    ("apiextensions.v1.CustomResourceDefinitionStatus", "storedVersions"),
    ("core.v1.NamespaceSpec", "finalizers"),
    ("core.v1.PersistentVolumeStatus", "lastPhaseTransitionTime"),
    ("core.v1.PersistentVolumeClaim", "apiVersion"),
    ("core.v1.PersistentVolumeClaim", "kind"),
}
"""Fields that are filled in when an object is created or sent, not whenever one is read."""

Place = tuple[str, str]
"""A field of a struct: `("core.v1.Container", "terminationMessagePath")`."""


def _learn(types: dict[str, Object], kinds: dict[str, Object], answers: list[Object]) -> None:
    """Set the defaults that the server filled in, where it always fills in the same, and say where it does not."""
    learned: dict[Place, list[Any]] = {}
    for answer in answers:
        name = _type_of(types, answer["sent"])
        kinds[f"{answer['sent']['apiVersion']}/{answer['sent']['kind']}"]["type"] = name
        for place, value in _unset(types, name, answer["sent"], answer["got"]):
            learned.setdefault(place, []).append(value)
    for (name, field), values in sorted(learned.items()):
        zero = types[name].get("x-stay", {}).get(field)
        if (name, field) in AT_CREATION or all(value == zero for value in values):
            continue
        if all(value == values[0] and type(value) is type(values[0]) for value in values):
            types[name]["properties"][field]["default"] = values[0]
        else:
            print(f"by a rule: {name}.{field}: {json.dumps(values)[:150]}")  # noqa: T201


def _type_of(types: Mapping[str, Object], body: Object) -> str:
    group, _, version = body["apiVersion"].rpartition("/")
    wanted = {"group": group, "version": version, "kind": body["kind"]}
    return next(name for name, struct in types.items() if wanted in struct.get("kinds", ()))


def _unset(types: Mapping[str, Object], name: str, sent: Object, got: Object) -> Iterator[tuple[Place, Any]]:
    """Yield what became of each field that was not set, here and in the structs below."""
    stay = types[name].get("x-stay", {})
    for field, schema in types[name]["properties"].items():
        if field == "metadata":
            continue
        given, answer = sent.get(field, stay.get(field)), got.get(field)
        if given is None or (given in ("", 0, [], False) and field in types[name].get("x-vanish", ())) or given == "":
            yield (name, field), answer
        for inner, inner_sent, inner_got in _structs(schema, given, answer):
            yield from _unset(types, inner, inner_sent, inner_got)


def _structs(schema: Object, sent: Any, got: Any) -> Iterator[tuple[str, Object, Object]]:
    """Yield the structs at a field, as sent and as they came back: itself, or a list's or a map's elements."""
    if "$ref" in schema and isinstance(sent, dict) and isinstance(got, dict):
        yield schema["$ref"], sent, got
    if "items" in schema and isinstance(sent, list) and isinstance(got, list):
        for one, other in zip(sent, got, strict=False):
            yield from _structs(schema["items"], one, other)
    if "additionalProperties" in schema and isinstance(sent, dict) and isinstance(got, dict):
        for key in sent.keys() & got.keys():
            yield from _structs(schema["additionalProperties"], sent[key], got[key])


# ── files ──
def _write_schemas(kinds: dict[str, Object], types: dict[str, Object]) -> None:
    for old in SCHEMAS.glob("*.v*.json"):
        old.unlink()
    for key, kind in kinds.items():
        api_version, _, name = key.rpartition("/")
        kind.setdefault("type", _type_of(types, {"apiVersion": api_version, "kind": name}))
    reached = _reached(types, [kind["type"] for kind in kinds.values()])
    files: dict[str, dict[str, Object]] = {}
    for name in sorted(reached):
        package, _, struct = name.rpartition(".")
        files.setdefault(package, {})[struct] = {key: value for key, value in types[name].items() if key != "kinds"}
    for package, structs in files.items():
        _write_lines(SCHEMAS / f"{package}.json", structs)
    _write_lines(SCHEMAS / "kinds.json", kinds)


def _reached(types: Mapping[str, Object], names: list[str]) -> set[str]:
    found: set[str] = set()
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += _refs(types[name])
    return found


def _refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from _refs(value)


INVENTED = ("uid", "creationTimestamp", "resourceVersion", "managedFields")


def _bare(obj: Object) -> Object:
    """Return an object without what the server counts or invents."""
    return {**obj, "metadata": {key: value for key, value in obj["metadata"].items() if key not in INVENTED}}


def _write(path: Path, content: Any) -> None:
    """Write JSON that git compares well, a line for each object or row."""
    path.write_text(_json(content, depth=0 if isinstance(content, list) else 1) + "\n")


def _json(content: Any, depth: int) -> str:
    if isinstance(content, dict) and depth:
        return (
            "{\n"
            + ",\n".join(f"{json.dumps(key)}: {_json(content[key], depth - 1)}" for key in sorted(content))
            + "\n}"
        )
    if isinstance(content, list):
        return "[\n" + ",\n".join(json.dumps(row, sort_keys=True) for row in content) + "\n]"
    return json.dumps(content, sort_keys=True)


def _write_lines(path: Path, entries: Mapping[str, Any]) -> None:
    lines = (f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}" for key, value in entries.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
