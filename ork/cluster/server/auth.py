"""Who asks, and whether they may: one administrator's token, and tokens of service accounts, which may read nothing."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.cluster.memory import status
from ork.cluster.memory.status import ApiError
from ork.cluster.server.messages import Request
from ork.cluster.server.target import Target

_OPEN = frozenset({"/healthz", "/livez", "/readyz", "/version"})
_VERBS = {"GET": "get", "PUT": "update", "PATCH": "patch", "POST": "create", "DELETE": "delete"}


class User(NamedTuple):
    """Who a request comes from."""

    name: str
    groups: tuple[str, ...]
    all_allowed: bool = False


ANONYMOUS = User("system:anonymous", ("system:unauthenticated",))
ADMINISTRATOR = User("admin", ("system:masters", "system:authenticated"), True)


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
        if hmac.compare_digest(token.encode(), self._administrator.encode()):
            return ADMINISTRATOR
        account = self._account(token)
        if account is None:
            raise status.failure(401, "Unauthorized", "Unauthorized")
        namespace, name = account
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated")
        return User(f"system:serviceaccount:{namespace}:{name}", groups)

    def issued(self, namespace: str, name: str, uid: str) -> str:
        """Return a token for a service account."""
        import base64

        text = base64.urlsafe_b64encode(f"{namespace}/{name}/{uid}".encode()).decode()
        return f"{text}.{self._signature(text)}"

    def _signature(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), "sha256").hexdigest()

    def _account(self, token: str) -> tuple[str, str] | None:
        import base64

        text, _, signature = token.partition(".")
        if not hmac.compare_digest(signature, self._signature(text)):
            return None
        namespace, name, uid = base64.urlsafe_b64decode(text).decode().split("/")
        return (namespace, name) if self._account_uid(namespace, name) == uid else None


def check_allowed(user: User, request: Request, target: Target | None) -> None:
    """Raise ApiError (403) where the user may not do that; only the administrator may do anything with objects."""
    if user.all_allowed or request.path.rstrip("/") in _OPEN:
        return
    if target is not None and target.plural.startswith("selfsubject") and user is not ANONYMOUS:
        return
    raise _forbidden(user, request, target)


def _forbidden(user: User, request: Request, target: Target | None) -> ApiError:
    if target is None or not target.plural:
        path = request.path.rstrip("/") or "/"
        verb = request.method.lower()
        message = f'forbidden: User "{user.name}" cannot {verb} path "{path}"'
        return status.failure(403, "Forbidden", message, {})
    verb = _VERBS.get(request.method, request.method.lower())
    if not target.name and verb in ("get", "delete"):
        verb = ("watch" if request.flag("watch") else "list") if verb == "get" else "deletecollection"
    what = target.plural + (f"/{target.subresource}" if target.subresource else "")
    where = f' in the namespace "{target.namespace}"' if target.namespace else " at the cluster scope"
    why = f'User "{user.name}" cannot {verb} resource "{what}" in API group "{target.group}"{where}'
    return status.forbidden(status.Subject(target.group, target.plural), target.name, why)


def token_status(token: str, expires: str) -> Object:
    """Return the status of a TokenRequest."""
    return {"token": token, "expirationTimestamp": expires}
