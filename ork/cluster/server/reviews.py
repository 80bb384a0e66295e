"""What is answered at once and stored nowhere: reviews of who may do what, tokens of service accounts."""

from __future__ import annotations

from datetime import timedelta

from ork.base.clock import rfc3339
from ork.base.objects import Object
from ork.cluster.memory import metadata, status
from ork.cluster.memory.requests import read
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import Options
from ork.cluster.memory.status import Subject
from ork.cluster.memory.store import Store
from ork.cluster.server.auth import Tokens, User, token_status
from ork.openapi import causes

_TOKENS = Subject("authentication.k8s.io", "TokenRequest")
_SHORTEST = 600


def review(resource: Resource, body: Object, user: User, options: Options) -> Object:
    """Return the answer to a review: the administrator may do everything, everybody else nothing. Raises ApiError."""
    obj, _ = read(resource, body, options)
    answer = {
        "SelfSubjectReview": {"userInfo": {"username": user.name, "groups": [*user.groups]}},
        "SelfSubjectRulesReview": _rules(user),
        "TokenReview": {"authenticated": False},
    }
    return {**obj, "status": answer.get(resource.kind.kind, {"allowed": user.all_allowed})}


def _rules(user: User) -> Object:
    if not user.all_allowed:
        return {"resourceRules": [], "nonResourceRules": [], "incomplete": False}
    return {
        "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}],
        "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
        "incomplete": False,
    }


def token_request(store: Store, tokens: Tokens, account: Object, body: Object, options: Options) -> Object:
    """Return a TokenRequest with a token for a service account. Raises ApiError."""
    kind = body.get("kind") or "TokenRequest"
    if kind != "TokenRequest":
        raise status.bad_request(f'{kind} in version "v1" cannot be handled as a TokenRequest')
    spec = {"expirationSeconds": 3600, **(body.get("spec") or {})}
    if spec["expirationSeconds"] < _SHORTEST:
        text = "may not specify a duration less than 10 minutes"
        wrong = causes.invalid("spec.expirationSeconds", spec["expirationSeconds"], text)
        raise status.invalid(_TOKENS, "", [wrong])
    meta = account["metadata"]
    expires = rfc3339(store.state.time() + timedelta(seconds=spec["expirationSeconds"]))
    entry = {
        "manager": options.manager,
        "operation": "Update",
        "apiVersion": "authentication.k8s.io/v1",
        "time": store.state.now(),
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:expirationSeconds": {}}},
        "subresource": "token",
    }
    out: Object = {
        "kind": "TokenRequest",
        "apiVersion": "authentication.k8s.io/v1",
        "metadata": {"name": meta["name"], "namespace": meta["namespace"]},
        "spec": {"audiences": ["https://localhost"], "boundObjectRef": None, **spec},
        "status": token_status(tokens.issued(meta["namespace"], meta["name"], meta["uid"]), expires),
    }
    stamps = {"uid": store.state.new_uid(), "creationTimestamp": store.state.now(), "managedFields": [entry]}
    return metadata.amended(out, **stamps)
