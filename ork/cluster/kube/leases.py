"""The Lease of a leader election on a real cluster."""

from __future__ import annotations

from ork.base.objects import Kind, Object, Ref
from ork.cluster.kube.client import ApiError, Client, as_write_error, path_of, path_of_ref

LEASES = Kind("coordination.k8s.io", "v1", "Lease", "leases", True)


class KubeLease:
    """Reads and writes one Lease."""

    def __init__(self, client: Client, namespace: str, name: str) -> None:
        self._client, self._ref = client, Ref(LEASES, namespace, name)

    async def read(self) -> Object | None:
        """Return the Lease, or None where there is none. Raises WriteError."""
        try:
            return await self._client.find(self._ref)
        except ApiError as error:
            raise as_write_error(error) from error

    async def write(self, lease: Object) -> Object:
        """Create the Lease, or replace the version that it names; returns it. Raises WriteError."""
        there = "resourceVersion" in lease["metadata"]
        path = path_of_ref(self._ref) if there else path_of(LEASES, self._ref.namespace)
        try:
            return await self._client.request("PUT" if there else "POST", path, None, lease)
        except ApiError as error:
            raise as_write_error(error) from error
