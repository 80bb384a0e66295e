"""Somebody else writes to the same objects at the same time: conflicts, races for a name, children that vanish."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from ork.base.objects import Kind, Object, Ref
from ork.cluster.kube.client import ApiError, Client, path_of, path_of_ref
from tests.controlplane.controlplane import ControlPlane
from tests.integration.faults.katalogs import APP, APPS, katalog
from tests.integration.faults.people import User, user
from tests.integration.faults.processes import process, quiet
from tests.integration.faults.whole import comes_out_right, found, simulated
from tests.integration.proxy import proxy
from tests.kinds import CONFIG_MAPS, DEPLOYMENTS

STREAMS = 3
MERGE = "application/merge-patch+json"
LABEL = "faults.example.com/rival"


class Rival:
    """Somebody who touches a user's objects in every way that Kubernetes allows."""

    def __init__(self, someone: User, random: Random) -> None:
        self._client: Client = someone.client
        self._user, self._random = someone, random

    async def interfere(self, steps: int) -> None:
        """Do that many things at random; what is not there, or is another by now, is left."""
        for _ in range(steps):
            names = sorted(self._user.wants)
            if names:
                name = self._random.choice(names)
                deed = self._random.choice([self._mark, self._drift, self._delete, self._strip])
                with suppress(ApiError):
                    await deed(Ref(self._random.choice([DEPLOYMENTS, CONFIG_MAPS]), self._user.namespace, name))
            await asyncio.sleep(0.01)

    async def _mark(self, child: Ref) -> None:
        """Change the CR, which moves its version: whoever writes with an older one meets a conflict."""
        await self._patch(child._replace(kind=APPS), {"metadata": {"annotations": {LABEL: str(self._random.random())}}})

    async def _drift(self, child: Ref) -> None:
        """Take a declared field of a child."""
        wrong = {"spec": {"template": {"spec": {"containers": [{"name": child.name, "image": "busybox:1"}]}}}}
        await self._patch(child, wrong if child.kind == DEPLOYMENTS else {"data": {"image": "busybox:1"}})

    async def _delete(self, child: Ref) -> None:
        await self._client.request("DELETE", path_of_ref(child))

    async def _strip(self, child: Ref) -> None:
        """Take the labels by which it is found."""
        await self._patch(child, {"metadata": {"labels": None}})

    async def _patch(self, ref: Ref, body: Object) -> None:
        await self._client.request("PATCH", path_of_ref(ref), None, body, MERGE)

    async def clear(self) -> None:
        """Take away the marks on CRs, which nobody else would."""
        for name in self._user.wants:
            await self._patch(Ref(APPS, self._user.namespace, name), {"metadata": {"annotations": {LABEL: None}}})


@pytest.mark.timeout(150)
def test_a_rival_that_changes_and_deletes_everything_loses_once_it_rests(shaken: ControlPlane, tmp_path: Path) -> None:
    async def story() -> None:
        async with user(shaken, 9) as someone, proxy(shaken) as between:
            text = katalog(someone.namespace, APP)
            rival = Rival(someone, Random(9))
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                await operator.watching(STREAMS)
                await asyncio.gather(someone.work(60), rival.interfere(250))
                await rival.clear()
                await comes_out_right(someone, text)
                await quiet(between)
                assert await operator.stop() == 0

    asyncio.run(story())


@pytest.mark.timeout(120)
def test_a_race_for_the_name_of_a_child_ends_with_one_child_and_both_writers_fields(
    shaken: ControlPlane, tmp_path: Path
) -> None:
    async def story() -> None:
        async with user(shaken, 10) as someone, proxy(shaken) as between:
            text = katalog(someone.namespace, APP)
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                await operator.watching(STREAMS)
                names = [f"app-{number}" for number in range(20)]
                for name in names:
                    race = _theirs(someone, CONFIG_MAPS, name, data={"theirs": "1"})
                    await asyncio.gather(someone.create(name, image="nginx:1"), race)
                wanted = simulated(text, someone.wants.values())
                await asyncio.wait_for(_all_ready(someone, names), 60)
                await quiet(between)
                now = await found(someone.client, someone.namespace)
                assert now.keys() == wanted.keys()
                for name in names:
                    child = now[f"ConfigMap/{someone.namespace}/{name}"]
                    assert child["data"] == {"image": "nginx:1", "theirs": "1"}
                assert await operator.stop() == 0

    asyncio.run(story())


async def _theirs(someone: User, kind: Kind, name: str, **fields: object) -> None:
    """Apply an object as another manager would who knows nothing of ours."""
    obj = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name}, **fields}
    query = {"fieldManager": "theirs", "force": "false"}
    path = path_of(kind, someone.namespace, name)
    await someone.client.request("PATCH", path, query, obj, "application/apply-patch+yaml")


async def _all_ready(someone: User, names: list[str]) -> None:
    while True:
        there = await found(someone.client, someone.namespace)
        crs = [there[f"App/{someone.namespace}/{name}"] for name in names]
        if all(cr["status"].get("phase") == "Ready" and cr["status"]["current"] for cr in crs):
            return
        await asyncio.sleep(0.2)
