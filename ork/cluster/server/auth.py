"""Who asks, and whether they may: one administrator's token, and tokens of service accounts, which may read nothing."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.cluster.memory import status
from ork.cluster.memory.status import ApiError
from ork.cluster.server.messages import Request
from ork.cluster.server.target import Target

AUDIENCE = "https://localhost"
"""Whom a token is for that does not say so: this server."""
ADMINISTRATORS = "system:masters"
OPEN = ("/healthz", "/livez", "/readyz", "/version", "/version/")
"""What everybody may read."""
DISCOVERY = (
    *("/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez"),
    *("/openapi", "/openapi/*", "/readyz", "/version", "/version/"),
)
"""What everybody may read who has proved who they are."""
_VERBS = {"GET": "get", "PUT": "update", "PATCH": "patch", "POST": "create", "DELETE": "delete"}
_SPACED = re.compile(r"(?i)\s*bearer  \s*\S")
_IGNORED = "the provided Authorization header contains extra space before the bearer token, and is ignored"


class User(NamedTuple):
    """Who a request comes from."""

    name: str
    groups: tuple[str, ...]
    all_allowed: bool = False
    uid: str = ""
    extra: Mapping[str, list[str]] = MappingProxyType({})
    """What else is known of the user, such as the id of the token that proves who it is."""

    def info(self) -> Object:
        """Return the user as reviews show it."""
        parts = {"username": self.name, "uid": self.uid, "groups": [*self.groups], "extra": dict(self.extra)}
        return {key: value for key, value in parts.items() if value}

    def may_read(self, path: str) -> bool:
        """Tell whether the user may read a path that is no resource's."""
        found = OPEN if self.name == ANONYMOUS.name else DISCOVERY
        return any(path == one or (one.endswith("*") and path.startswith(one[:-1])) for one in found)


ANONYMOUS = User("system:anonymous", ("system:unauthenticated",))
ADMINISTRATOR = User("admin", (ADMINISTRATORS, "system:authenticated"), True, "admin")


class Tokens:
    """The tokens that are good at the moment."""

    def __init__(self, administrator: str, secret: bytes, account_uid: Callable[[str, str], str]) -> None:
        """`secret` signs tokens of service accounts; `account_uid(namespace, name)` is empty for one that is gone."""
        self._administrator = administrator
        self._secret = secret
        self._account_uid = account_uid

    def user(self, request: Request) -> User:
        """Return who asks. Raises ApiError (401) for a token that is not good."""
        scheme, token, *_ = (*request.headers.get("authorization", "").strip().split(" ", 2), "", "")
        if scheme.lower() != "bearer" or not token:
            return ANONYMOUS
        user, audiences = self.reviewed(token) or (ANONYMOUS, ())
        if AUDIENCE not in audiences:
            raise status.failure(401, "Unauthorized", "Unauthorized")
        return user

    def acting(self, request: Request, target: Target | None) -> User:
        """Return as whom is asked: the user, or another whom an administrator impersonates. Raises ApiError."""
        user, other = self.user(request), _impersonated(request.headers)
        if other is None:
            return user
        if not user.all_allowed:
            verb = "impersonate-on:user-info:" if not other.name.startswith(_ACCOUNT) else _ON_ACCOUNT
            raise _forbidden(user, request, target, verb)
        if not other.name:
            raise status.bad_request("requested groups, extra or uid without impersonating a user name")
        return other

    def reviewed(self, token: str) -> tuple[User, tuple[str, ...]] | None:
        """Return whose token it is, and for whom; None for one that is not good."""
        if hmac.compare_digest(token.encode(), self._administrator.encode()):
            return ADMINISTRATOR, (AUDIENCE,)
        found = self._account(token)
        if found is None:
            return None
        namespace, name, uid, credential, *audiences = found
        extra = {"authentication.kubernetes.io/credential-id": [f"JTI={credential}"]}
        user = User(f"{_ACCOUNT}{namespace}:{name}", _account_groups(namespace), uid=uid, extra=extra)
        return user, tuple(audiences)

    def issued(self, namespace: str, name: str, uid: str, audiences: Sequence[str], credential: str) -> str:
        """Return a token for a service account; `credential` is the token's id."""
        import base64
        import json

        text = json.dumps([namespace, name, uid, credential, *audiences])
        text = base64.urlsafe_b64encode(text.encode()).decode()
        return f"{text}.{self._signature(text)}"

    def _signature(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), "sha256").hexdigest()

    def _account(self, token: str) -> list[str] | None:
        import base64
        import json

        text, _, signature = token.partition(".")
        if not hmac.compare_digest(signature, self._signature(text)):
            return None
        found: list[str] = json.loads(base64.urlsafe_b64decode(text))
        return found if self._account_uid(*found[:2]) == found[2] else None


_ACCOUNT = "system:serviceaccount:"
_ON_ACCOUNT = "impersonate-on:serviceaccount:"
_EVERYBODY = "system:authenticated"


def _account_groups(namespace: str) -> tuple[str, ...]:
    return "system:serviceaccounts", f"system:serviceaccounts:{namespace}", _EVERYBODY


def _impersonated(headers: Mapping[str, str]) -> User | None:
    """Return the user that a request's headers name; None where they name none."""
    name, uid = (headers.get(f"impersonate-{part}", "") for part in ("user", "uid"))
    groups = tuple(group for group in headers.get("impersonate-group", "").split(", ") if group)
    prefix = "impersonate-extra-"
    extra = {key.removeprefix(prefix): [text] for key, text in headers.items() if key.startswith(prefix)}
    if not (name or uid or groups or extra):
        return None
    if name == ANONYMOUS.name:
        return ANONYMOUS
    if name.startswith(_ACCOUNT) and not groups:
        groups = _account_groups(name.removeprefix(_ACCOUNT).partition(":")[0])
    groups = groups if _EVERYBODY in groups else (*groups, _EVERYBODY)
    return User(name, groups, ADMINISTRATORS in groups, uid, extra)


def check_allowed(user: User, request: Request, target: Target | None) -> None:
    """Raise ApiError (403) where the user may not do that; only the administrator may do anything with objects."""
    if user.all_allowed:
        return
    about_none = target is None or not target.plural
    if about_none and request.method in ("GET", "HEAD") and user.may_read(request.path.rstrip("/")):
        return
    if target is not None and target.plural.startswith("selfsubject") and user.name != ANONYMOUS.name:
        return
    refused = _forbidden(user, request, target)
    if _SPACED.match(request.headers.get("authorization", "")):
        refused.warnings = (_IGNORED,)
    raise refused


def _forbidden(user: User, request: Request, target: Target | None, on: str = "") -> ApiError:
    if target is None or not target.plural:
        path = request.path.rstrip("/") or "/"
        verb = request.method.lower()
        message = f'forbidden: User "{user.name}" cannot {on}{verb} path "{path}"'
        return status.failure(403, "Forbidden", message, {})
    verb = _VERBS.get(request.method, request.method.lower())
    if not target.name and verb in ("get", "delete"):
        verb = ("watch" if request.flag("watch") else "list") if verb == "get" else "deletecollection"
    what = target.plural + (f"/{target.subresource}" if target.subresource else "")
    where = f' in the namespace "{target.namespace}"' if target.namespace else " at the cluster scope"
    why = f'User "{user.name}" cannot {on}{verb} resource "{what}" in API group "{target.group}"{where}'
    return status.forbidden(status.Subject(target.group, target.plural), target.name, why)
