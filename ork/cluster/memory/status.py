"""The answers of an API server that refuses: `Status` objects with code, reason, message, details and causes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ork.base.errors import OrkError
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.openapi.causes import Cause


class ApiError(OrkError):
    """A request that the API server refused; `status` is the `Status` object that it answers with."""

    def __init__(self, status: Object, retry_after: int = 0) -> None:
        super().__init__(status.get("message", ""))
        self.status = status
        self.retry_after = retry_after
        """Seconds after which the client may ask again; 0 says nothing."""
        self.warnings: tuple[str, ...] = ()
        """What the client is told besides."""

    @property
    def code(self) -> int:
        """The HTTP status code."""
        code: int = self.status["code"]
        return code

    @property
    def reason(self) -> str:
        """`NotFound`, `Conflict`, …; empty where the server gives none."""
        reason: str = self.status.get("reason", "")
        return reason


class Subject(NamedTuple):
    """What a refusal speaks of: the resource (`widgets`) or kind (`Widget`) and its group."""

    group: str
    kind: str

    def __str__(self) -> str:
        """`widgets.example.com`; `configmaps` in the core group."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


def failure(code: int, reason: str, message: str, details: Object | None = None, retry_after: int = 0) -> ApiError:
    """Return a refusal; its Status leaves out what is empty."""
    status: Object = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    if reason:
        status["reason"] = reason
    if details is not None:
        status["details"] = details
    return ApiError({**status, "code": code}, retry_after)


def details(subject: Subject, name: str = "", uid: str = "", causes: Sequence[Object] = ()) -> Object:
    """Return the details of a Status; what is empty is left out."""
    parts: Object = {"name": name, "group": subject.group, "kind": subject.kind, "uid": uid, "causes": [*causes]}
    return {key: value for key, value in parts.items() if value}


def not_found(resource: Subject, name: str) -> ApiError:
    """404: no object of that name."""
    return failure(404, "NotFound", f'{resource} "{name}" not found', details(resource, name))


def no_such_path() -> ApiError:
    """404 for something that no resource serves."""
    return failure(404, "NotFound", "the server could not find the requested resource", {})


def already_exists(resource: Subject, name: str) -> ApiError:
    """409: a create met an object of that name."""
    return failure(409, "AlreadyExists", f'{resource} "{name}" already exists', details(resource, name))


def conflict(subject: Subject, name: str, why: str) -> ApiError:
    """409: the object is not the one, or not as, the request supposed."""
    message = f'Operation cannot be fulfilled on {subject} "{name}": {why}'
    return failure(409, "Conflict", message, details(subject, name))


def modified(resource: Subject, name: str) -> ApiError:
    """409: the object changed since the client read it."""
    why = "the object has been modified; please apply your changes to the latest version and try again"
    return conflict(resource, name, why)


def apply_conflict(message: str, causes: Sequence[Object]) -> ApiError:
    """409: a server-side apply met other owners of its fields."""
    return failure(409, "Conflict", message, {"causes": [*causes]})


def invalid(subject: Subject, name: str, causes: Iterable[Cause]) -> ApiError:
    """422: the object is well-formed and wrong."""
    rows = list(causes)
    shown = [str(cause) for cause in rows]
    unique = dict.fromkeys(shown)
    text = shown[0] if len(unique) == 1 else "[" + ", ".join(unique) + "]"
    found = [{"reason": cause.reason, "message": cause.message, "field": cause.field} for cause in rows]
    what = f'{subject} "{name}" is invalid' if subject.kind else '"" is invalid'
    return failure(422, "Invalid", f"{what}: {text}", details(subject, name, causes=found))


def unprocessable(message: str) -> ApiError:
    """422: a patch that cannot be carried out on the object as it is."""
    return failure(422, "Invalid", message, {})


def bad_request(message: str) -> ApiError:
    """400: the request makes no sense."""
    return failure(400, "BadRequest", message)


def forbidden(resource: Subject, name: str, why: str, causes: Sequence[Object] = ()) -> ApiError:
    """403: a rule of the server does not allow it."""
    message = f'{resource} "{name}" is forbidden: {why}' if name else f"{resource} is forbidden: {why}"
    return failure(403, "Forbidden", message, details(resource, name, causes=causes))


def method_not_allowed() -> ApiError:
    """405: the resource has no such verb."""
    return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {})


def method_not_supported(resource: Subject, verb: str) -> ApiError:
    """405 of a custom resource, which says what has no such verb."""
    message = f'{verb} is not supported on resources of kind "{resource}"'
    return failure(405, "MethodNotAllowed", message, details(resource))


def expired(message: str) -> ApiError:
    """410: the version asked for is no longer remembered."""
    return failure(410, "Expired", message)


def too_large_version(wanted: int, current: int) -> ApiError:
    """504: the version asked for has not come yet."""
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    message = f"Timeout: Too large resource version: {wanted}, current: {current}"
    return failure(504, "Timeout", message, {"causes": [cause], "retryAfterSeconds": 1}, retry_after=1)


def internal(message: str, reason: str = "") -> ApiError:
    """500: the server itself fails."""
    return failure(500, reason, message)
