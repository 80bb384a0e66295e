"""What passes through the doors between the pure rooms and the world: writes to a cluster, calls to an endpoint.

They stand here so that engine, cluster and calls need not know each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import Enum

from ork.base.errors import OrkError
from ork.base.findings import Fault
from ork.base.objects import Object, Ref
from ork.base.patterns import pattern
from ork.base.records import NamedTuple


class Expect(Enum):
    """The precondition that a write carries."""

    ABSENT = "absent"
    """The object must not exist: an apply whose body says resourceVersion "1", which only a create accepts."""
    SAME_UID = "sameUid"
    """The object must be the one that was seen (`Write.uid`)."""
    ANY = "any"


class Verb(Enum):
    """The request form of a write to a child."""

    APPLY = "apply"
    """Server-side apply."""
    PATCH = "patch"
    """A JSON merge patch: changes what it names and touches nothing else."""
    DELETE = "delete"


class Child(NamedTuple):
    """One object of the cluster, and the name by which it is written."""

    ref: Ref
    obj: Object


class Write(NamedTuple):
    """One write to a child object, as the plan wants it."""

    verb: Verb
    ref: Ref
    obj: Object
    """The whole applied configuration, or the merge patch; empty for a delete."""
    expect: Expect
    uid: str = ""
    force: bool = True
    entry: str = ""
    """The entry behind it, for messages; empty for what no entry declares any more."""
    subresource: str = ""
    """`status`, for an apply that writes only that."""


class WriteError(OrkError):
    """A write to the CR itself was not carried out."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Failure(NamedTuple):
    """A write that the API server did not carry out."""

    write: Write
    fault: Fault
    exists: bool = False
    """An `ABSENT` write found an object of that name."""


class Done(NamedTuple):
    """What came of a wave of writes."""

    objects: Mapping[Ref, Object]
    """The server's answer for each applied or patched object."""
    failures: tuple[Failure, ...] = ()


class CallRequest(NamedTuple):
    """One external call, rendered: what to send, how long to wait, how often to try."""

    name: str
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    timeout: timedelta
    """Bounds connecting, TLS and the whole body, for each attempt."""
    expect: int
    """The status that counts as success; 0 is any below 400."""
    delay: timedelta
    """How long to wait before the first attempt."""
    attempts: int
    backoff: timedelta
    backoff_limit: timedelta
    multiplier: float
    host_from_cr: bool
    allowed_hosts: tuple[str, ...]
    hidden: tuple[str, ...]
    """Secrets in it, to be redacted wherever they would appear."""


class CallResult(NamedTuple):
    """What came back. `status` is None where no response arrived; `error` is empty on success."""

    status: int | None
    headers: Mapping[str, str]
    body: bytes
    """At most 1 MiB, decompressed."""
    error: str
    called: bool = True
    """False where the call was not allowed to leave."""


REDACTED = "•••"
_SECRET_HEADER = pattern(r"auth|token|secret|password|cookie|(?<!idempotency-)key", re.IGNORECASE)


def names_secret(header: str) -> bool:
    """Tell whether a header of that name holds a credential."""
    return _SECRET_HEADER.search(header) is not None


def redact(text: str, hidden: Iterable[str]) -> str:
    """Return the text with every secret in it blotted out, the longest first."""
    for secret in sorted(filter(None, hidden), key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return text


def retry_after(result: CallResult) -> timedelta | None:
    """Return what `Retry-After` asks for: seconds, or a moment, counted from the answer's own `Date`."""
    headers = {name.lower(): value for name, value in result.headers.items()}
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return timedelta(seconds=min(int(value[:9]), 10**8))
    if not value or "date" not in headers:
        return None
    from email.utils import parsedate_to_datetime

    try:
        return max(parsedate_to_datetime(value) - parsedate_to_datetime(headers["date"]), timedelta())
    except (ValueError, TypeError):
        return None
