"""What is answered at once and stored nowhere: reviews of who somebody is and may do what, tokens of accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

from ork.base.clock import rfc3339
from ork.base.objects import Object
from ork.cluster.memory import metadata, status
from ork.cluster.memory.codec import DecodeError, compile_reader
from ork.cluster.memory.requests import addressed, read
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import Options
from ork.cluster.memory.status import ApiError, Subject
from ork.cluster.memory.store import Store
from ork.cluster.server.auth import ADMINISTRATORS, AUDIENCE, DISCOVERY, OPEN, Tokens, User
from ork.openapi import causes
from ork.openapi.causes import Cause

_AUTHORIZATION = Subject("authorization.k8s.io", "")
_TOKENS = Subject("authentication.k8s.io", "TokenRequest")
_SHORTEST, _LONGEST = 600, 1 << 32


class Reviews:
    """Answers reviews and requests for tokens."""

    def __init__(self, store: Store, tokens: Tokens) -> None:
        self._store, self._tokens = store, tokens
        self._statuses: Mapping[str, Callable[[Object, User], Object]] = {
            "SelfSubjectReview": lambda _spec, user: {"userInfo": user.info()},
            "SelfSubjectRulesReview": lambda _spec, user: _rules(user),
            "SelfSubjectAccessReview": lambda spec, user: {"allowed": _is_allowed(spec, user)},
            "SubjectAccessReview": lambda spec, _user: {"allowed": _is_allowed(spec, _subject(spec))},
            "LocalSubjectAccessReview": lambda spec, _user: {"allowed": _is_allowed(spec, _subject(spec))},
            "TokenReview": self._token_status,
        }

    def review(
        self, resource: Resource, namespace: str, body: Object, user: User, options: Options
    ) -> tuple[Object, list[str]]:
        """Return the answer to a review, and warnings about what was sent. Raises ApiError."""
        obj, warnings = read(resource, body, options)
        obj = addressed(resource, obj, namespace, None)
        kind, spec = resource.kind.kind, obj.get("spec") or {}
        if refused := _refused(kind, obj, spec):
            raise refused
        if kind == "SelfSubjectReview":
            obj = metadata.amended(obj, creationTimestamp=self._store.state.now())
        elif kind == "SelfSubjectRulesReview":
            obj = {**obj, "spec": {}}
        else:
            obj = resource.ledger().updated(None, obj, options.manager, self._store.state.now())
        return {**obj, "status": self._statuses[kind](spec, user)}, warnings

    def _token_status(self, spec: Object, _user: User) -> Object:
        wanted = spec.get("audiences") or [AUDIENCE]
        found = self._tokens.reviewed(spec["token"])
        if found is None:
            return {"user": {}, "error": "invalid bearer token"}
        user, audiences = found
        good = [audience for audience in audiences if audience in wanted]
        if not good:
            shown = (causes.json_text(rows) for rows in (list(audiences), wanted))
            text = "[invalid bearer token, token audiences {} is invalid for the target audiences {}]"
            return {"user": {}, "error": text.format(*shown)}
        return {"authenticated": True, "user": user.info(), "audiences": good}

    # ── tokens ──────────────────────────────────────────────────────────────────────────────────
    def token(self, account: Object, body: Object, options: Options) -> Object:
        """Return a TokenRequest with a token for a service account. Raises ApiError."""
        meta, state = account["metadata"], self._store.state
        spec = {"expirationSeconds": 3600, **_wished(meta, body)}
        audiences = spec.get("audiences") or [AUDIENCE]
        given: Object = {f"f:{field}": {} for field in ("audiences", "expirationSeconds") if spec.get(field)}
        entry = {
            "manager": options.manager,
            "operation": "Update",
            "apiVersion": "authentication.k8s.io/v1",
            "time": state.now(),
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:spec": given},
            "subresource": "token",
        }
        self._check_bound(meta["namespace"], spec.get("boundObjectRef"))
        token = self._tokens.issued(meta["namespace"], meta["name"], meta["uid"], audiences, state.new_uid())
        expires = rfc3339(state.time() + timedelta(seconds=spec["expirationSeconds"]))
        out: Object = {
            "kind": "TokenRequest",
            "apiVersion": "authentication.k8s.io/v1",
            "metadata": {"name": meta["name"], "namespace": meta["namespace"]},
            "spec": {"boundObjectRef": None, **spec, "audiences": audiences},
            "status": {"token": token, "expirationTimestamp": expires},
        }
        return metadata.amended(out, uid=meta["uid"], creationTimestamp=state.now(), managedFields=[entry])

    def _check_bound(self, namespace: str, reference: Object | None) -> None:
        """Refuse to bind a token to what is no object for that, or is not there. Raises ApiError."""
        if not reference:
            return
        kind, version, name = (reference.get(key, "") for key in ("kind", "apiVersion", "name"))
        found = self._store.kind_for(version, kind) if kind in ("Pod", "Secret", "Node") and version == "v1" else None
        if found is None:
            raise status.bad_request(f"cannot bind token to object of type /{version}, Kind={kind}")
        if self._store.find(found, namespace if found.namespaced else "", name) is None:
            raise status.not_found(Subject(found.group, found.plural), name)


_read_request = compile_reader(
    {
        "x-type": "authentication.v1.TokenRequest",
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {
                "x-type": "meta.v1.ObjectMeta",
                "type": "object",
                "properties": {"name": {"type": "string"}, "namespace": {"type": "string"}},
            },
            "spec": {
                "x-type": "authentication.v1.TokenRequestSpec",
                "type": "object",
                "properties": {
                    "audiences": {"type": "array", "items": {"type": "string"}},
                    "expirationSeconds": {"type": "integer"},
                    "boundObjectRef": {
                        "x-type": "authentication.v1.BoundObjectReference",
                        "type": "object",
                        "properties": {key: {"type": "string"} for key in ("kind", "apiVersion", "name", "uid")},
                    },
                },
            },
        },
    }
)


def _wished(account: Object, body: Object) -> Object:
    """Return the spec of a request for a token. Raises ApiError."""
    kind = body.get("kind") or "TokenRequest"
    if kind != "TokenRequest":
        raise status.bad_request(f'{kind} in version "v1" cannot be handled as a TokenRequest')
    try:
        found = _read_request(body, [])
    except DecodeError as error:
        text = f'TokenRequest in version "v1" cannot be handled as a TokenRequest: {error}'
        raise status.bad_request(text) from None
    given = found.get("metadata") or {}
    if given.get("namespace") not in (None, "", account["namespace"]):
        text = "the namespace of the provided object does not match the namespace sent on the request"
        raise status.bad_request(text)
    if given.get("name") not in (None, "", account["name"]):
        text = "must match the service account name if specified"
        raise status.invalid(_TOKENS, account["name"], [causes.invalid("metadata.name", given["name"], text)])
    spec: Object = found.get("spec") or {}
    if faults := [*_duration_faults(spec.get("expirationSeconds"))]:
        raise status.invalid(_TOKENS, "", faults)
    return spec


def _duration_faults(seconds: int | None) -> Iterator[Cause]:
    field = "spec.expirationSeconds"
    if seconds is not None and seconds < _SHORTEST:
        yield causes.invalid(field, seconds, "may not specify a duration less than 10 minutes")
    if seconds is not None and seconds > _LONGEST:
        yield causes.invalid(field, seconds, "may not specify a duration larger than 2^32 seconds")


# ── what is refused, and who may do what ────────────────────────────────────────────────────────
def _refused(kind: str, obj: Object, spec: Object) -> ApiError | None:
    if kind == "TokenReview":
        text = "token is required for TokenReview in authentication"
        return None if spec.get("token") else status.bad_request(text)
    if kind == "SelfSubjectRulesReview":
        return None if spec.get("namespace") else status.bad_request("no namespace on request")
    faults = [*_access_faults(kind, obj, spec)] if kind.endswith("AccessReview") else []
    return status.invalid(_AUTHORIZATION, "", faults) if faults else None


def _access_faults(kind: str, obj: Object, spec: Object) -> Iterator[Cause]:
    resource, path = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    meta, local = obj["metadata"], kind == "LocalSubjectAccessReview"
    if local and resource and resource.get("namespace") != meta.get("namespace"):
        wrong = resource.get("namespace", "")
        yield causes.invalid("spec.resourceAttributes.namespace", wrong, "must match metadata.namespace")
    if local and path:
        yield causes.invalid("spec.nonResourceAttributes", path, "disallowed on this kind of request")
    if (resource is None) == (path is None):
        text = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        yield causes.invalid("spec", path, text)
    if kind != "SelfSubjectAccessReview" and not (spec.get("user") or spec.get("groups")):
        yield causes.invalid("spec.user", "", "at least one of user or group must be specified")
    if meta.keys() - {"namespace", "managedFields"}:
        yield causes.invalid("metadata", meta, "must be empty")


def _subject(spec: Object) -> User:
    """Return the user that a review asks about."""
    groups = tuple(spec.get("groups") or ())
    return User(spec.get("user", ""), groups, ADMINISTRATORS in groups)


def _is_allowed(spec: Object, user: User) -> bool:
    path = spec.get("nonResourceAttributes")
    return user.all_allowed or bool(path and path.get("verb") == "get" and user.may_read(path.get("path", "")))


def _rules(user: User) -> Object:
    """Return what a user may do, rule by rule."""
    own: list[Object] = [
        {"verbs": ["create"], "apiGroups": [group], "resources": [*resources]} for group, resources in _SELF.items()
    ]
    everything = {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}
    anywhere = {"verbs": ["*"], "nonResourceURLs": ["*"]}
    paths = [{"verbs": ["get"], "nonResourceURLs": [*found]} for found in (OPEN, DISCOVERY)]
    return {
        "resourceRules": [*own, everything] if user.all_allowed else own,
        "nonResourceRules": [paths[0], anywhere, paths[1]] if user.all_allowed else paths,
        "incomplete": False,
    }


_SELF = {
    "authorization.k8s.io": ("selfsubjectaccessreviews", "selfsubjectrulesreviews"),
    "authentication.k8s.io": ("selfsubjectreviews",),
}
"""What everybody who has proved who they are may ask about themselves."""
