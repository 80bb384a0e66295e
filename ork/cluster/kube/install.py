"""CRDs put in place, and kinds looked up by discovery."""

from __future__ import annotations

import asyncio

from ork.base.errors import OutsideError
from ork.base.objects import Kind, Object, split_api_version
from ork.cluster.kube.client import ApiError, Client, as_outside, path_of
from ork.cluster.kube.cluster import KubeCluster
from ork.cluster.wire import CRDS, established

ESTABLISHED_WITHIN = 30.0
"""Seconds that the API server may take to serve a new CRD."""


class Installer:
    """What a start needs of the API server, beside lists and writes."""

    def __init__(self, client: Client, cluster: KubeCluster, namespace: str = "default") -> None:
        """`namespace` is the one of the context."""
        self._client, self._cluster, self._namespace = client, cluster, namespace

    async def install(self, manifest: Object) -> None:
        """Apply a CRD and wait until it is Established. Raises OutsideError."""
        name = manifest["metadata"]["name"]
        try:
            obj = await self._cluster.apply(CRDS, manifest)
            async with asyncio.timeout(ESTABLISHED_WITHIN):
                while not established(obj):
                    await asyncio.sleep(0.05)
                    obj = await self._client.request("GET", path_of(CRDS, "", name))
        except ApiError as error:
            raise _refused(name, error) from error
        except TimeoutError as error:
            raise OutsideError(f"the CRD {name} was not Established within {ESTABLISHED_WITHIN:.0f} s") from error

    async def apply(self, obj: Object) -> Object:
        """Apply any object and return it; without a namespace it goes into that of the context. Raises OutsideError."""
        name, (group, version) = obj["kind"], split_api_version(obj["apiVersion"])
        try:
            kind = await self._served(group, version, name)
            if kind is None:
                raise OutsideError(f"the API server does not serve {name} of {obj['apiVersion']}")
            if kind.namespaced and not obj["metadata"].get("namespace"):
                obj = {**obj, "metadata": {**obj["metadata"], "namespace": self._namespace}}
            return await self._cluster.apply(kind, obj)
        except ApiError as error:
            raise as_outside(error) from error

    async def kind(self, group_kind: str) -> Kind | None:
        """Return the kind behind `Deployment.apps`, in the server's preferred version; None where it has none.

        Raises OutsideError.
        """
        name, _, group = group_kind.partition(".")
        try:
            return await self._served(group, await self._preferred(group), name)
        except ApiError as error:
            if error.code == 404:
                return None
            raise as_outside(error) from error

    async def _served(self, group: str, version: str, name: str) -> Kind | None:
        found = await self._client.request("GET", f"/apis/{group}/{version}" if group else f"/api/{version}")
        for resource in found["resources"]:
            if resource["kind"] == name and "/" not in resource["name"]:
                return Kind(group, version, name, resource["name"], resource["namespaced"])
        return None

    async def _preferred(self, group: str) -> str:
        if not group:
            return "v1"
        version: str = (await self._client.request("GET", f"/apis/{group}"))["preferredVersion"]["version"]
        return version


def _refused(name: str, error: ApiError) -> OutsideError:
    if error.code == 403:
        return OutsideError(f"{error}; let an administrator apply the CRD {name}, and use --no-apply-crds")
    return as_outside(error)
