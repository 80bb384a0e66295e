"""CRDs put in place, and kinds looked up by discovery."""

from __future__ import annotations

import asyncio

from ork.base.errors import OutsideError
from ork.base.objects import Kind, Object
from ork.cluster.kube.client import ApiError, Client, as_outside, path_of
from ork.cluster.kube.cluster import KubeCluster

CRDS = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", False)
ESTABLISHED_WITHIN = 30.0
"""Seconds that the API server may take to serve a new CRD."""


class Installer:
    """What a start needs of the API server, beside lists and writes."""

    def __init__(self, client: Client, cluster: KubeCluster) -> None:
        self._client, self._cluster = client, cluster

    async def install(self, manifest: Object) -> None:
        """Apply a CRD and wait until it is Established. Raises OutsideError."""
        name = manifest["metadata"]["name"]
        try:
            obj = await self._cluster.apply(CRDS, manifest)
            async with asyncio.timeout(ESTABLISHED_WITHIN):
                while not _established(obj):
                    await asyncio.sleep(0.05)
                    obj = await self._client.request("GET", path_of(CRDS, "", name))
        except ApiError as error:
            raise _refused(name, error) from error
        except TimeoutError as error:
            raise OutsideError(f"the CRD {name} was not Established within {ESTABLISHED_WITHIN:.0f} s") from error

    async def kind(self, group_kind: str) -> Kind | None:
        """Return the kind behind `Deployment.apps`, in the server's preferred version; None where it has none."""
        name, _, group = group_kind.partition(".")
        try:
            version = await self._preferred(group)
            base = f"/apis/{group}/{version}" if group else f"/api/{version}"
            found = await self._client.request("GET", base)
        except ApiError:
            return None
        for resource in found["resources"]:
            if resource["kind"] == name and "/" not in resource["name"]:
                return Kind(group, version, name, resource["name"], resource["namespaced"])
        return None

    async def _preferred(self, group: str) -> str:
        if not group:
            return "v1"
        version: str = (await self._client.request("GET", f"/apis/{group}"))["preferredVersion"]["version"]
        return version


def _established(crd: Object) -> bool:
    conditions = (crd.get("status") or {}).get("conditions") or ()
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)


def _refused(name: str, error: ApiError) -> OutsideError:
    if error.code == 403:
        return OutsideError(f"{error}; let an administrator apply the CRD {name}, and use --no-apply-crds")
    return as_outside(error)
