"""An operator on a real API server that changes under it: deletion, namespaces, CRDs that come and go, permissions.

How many requests that costs stands in test_exactness.py, processes in test_process.py.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from ork.base.objects import Object, Ref
from ork.base.requests import CallRequest, CallResult
from ork.cluster.kube.client import path_of
from ork.runtime.health import State
from ork.runtime.operator import Options
from tests.controlplane.controlplane import ControlPlane
from tests.integration.operators import (
    APPS,
    TWO_CHILDREN,
    Place,
    Tell,
    katalog,
    manifest,
    place,
    program,
    running,
    teller,
    until,
    until_found,
)
from tests.kinds import CONFIG_MAPS

CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ONE_CHILD = """
        onReconcile:
          configMaps:
            - name: "{{ .metadata.name }}"
              data: {note: "{{ .spec.note }}"}
"""
ELSEWHERE = """
        onReconcile:
          configMaps:
            - name: "{{ .metadata.name }}"
              namespace: "{{ .spec.note }}"
              data: {x: "1"}
"""


@pytest.fixture
def tell(plane: ControlPlane) -> Tell:
    return teller(plane)


def test_a_deleted_cr_takes_children_along_that_kubernetes_would_leave(tell: Tell) -> None:
    async def story(here: Place) -> None:
        await here.install("App")
        async with place(here.kubeconfig) as there:
            options = Options((here.namespace,), apply_crds=False)
            async with running(here.kubeconfig, program(katalog(here.namespace, app=ELSEWHERE)), options) as run:
                await run.watching(2)
                await here.create(here.app(note=there.namespace))
                await run.settled(1)
                found = await here.get(APPS, "a")
                assert found is not None
                assert found["metadata"]["finalizers"] == ["orkestra.orkspace.io/finalizer"]
                assert await there.get(CONFIG_MAPS, "a")
                await here.delete(APPS, "a")
                await until_found(lambda: _gone(here))
                assert await there.get(CONFIG_MAPS, "a") is None

    tell(story)


async def _gone(here: Place) -> bool:
    return await here.get(APPS, "a") is None


def test_a_cr_that_leaves_the_selector_is_let_go(tell: Tell) -> None:
    async def story(here: Place) -> None:
        await here.install("App")
        async with place(here.kubeconfig) as there:
            text = katalog(here.namespace, app=ELSEWHERE)
            text = text.replace("operatorBox:", "labelSelector: tier=gold\n      operatorBox:")
            options = Options((here.namespace,), apply_crds=False)
            for name in ("a", "b"):
                obj = here.app(name, note=there.namespace)
                await here.create({**obj, "metadata": {**obj["metadata"], "labels": {"tier": "gold"}}})
            async with running(here.kubeconfig, program(text), options) as run:
                await run.watching(2)
                await run.settled(2)
                await here.patch(APPS, "a", {"metadata": {"labels": {"tier": None}}})
                found = await until_found(lambda: _released(here, "a"))
                assert "annotations" not in found["metadata"]
                assert list(run.operator.kordinators["app"].health.objects) == [Ref(APPS, here.namespace, "b")]
            await here.patch(APPS, "b", {"metadata": {"labels": {"tier": None}}})
            async with running(here.kubeconfig, program(text), options):
                await until_found(lambda: _released(here, "b"))
            assert await there.get(CONFIG_MAPS, "a")

    tell(story)


async def _released(here: Place, name: str) -> Object | None:
    found = await here.get(APPS, name)
    assert found is not None
    return None if "finalizers" in found["metadata"] else found


def test_objects_that_are_crs_of_one_entry_and_children_of_another_are_both(tell: Tell) -> None:
    async def story(here: Place) -> None:
        await here.install("App")
        text = katalog(here.namespace, app=ONE_CHILD) + MAPS
        async with running(here.kubeconfig, program(text), Options((here.namespace,), apply_crds=False)) as run:
            await run.watching(2)
            await here.create(here.app(note="one"))
            await until_found(lambda: here.get(CONFIG_MAPS, "a"))
            assert await here.get(CONFIG_MAPS, "a-of-a-map") is None
            await here.patch(CONFIG_MAPS, "a", {"metadata": {"labels": {"tier": "gold"}}})
            await until_found(lambda: here.get(CONFIG_MAPS, "a-of-a-map"))
            await here.patch(CONFIG_MAPS, "a", {"data": {"note": "drifted"}})
            await until_found(lambda: _noted(here, "one"))

    tell(story)


MAPS = """
    maps:
      apiTypes: {group: "", version: v1, kind: ConfigMap}
      labelSelector: tier=gold
      operatorBox:
        onReconcile:
          configMaps:
            - name: "{{ .metadata.name }}-of-a-map"
              data: {x: "y"}
"""


async def _noted(here: Place, note: str) -> bool:
    found = await here.get(CONFIG_MAPS, "a")
    return found is not None and found["data"]["note"] == note


@pytest.mark.parametrize("poison", ["deep", "large", "many children"])
def test_a_poisonous_object_keeps_no_other_from_its_turn(tell: Tell, poison: str) -> None:
    async def story(here: Place) -> None:
        await here.install("App")
        compiled = program(katalog(here.namespace, app=MANY_CHILDREN))
        async with running(here.kubeconfig, compiled, Options((here.namespace,), apply_crds=False)) as run:
            await run.watching(2)
            await _poisoned(here, poison)
            started = time.monotonic()
            await here.create(here.app("b", note="0"))
            await until_found(lambda: here.get(CONFIG_MAPS, "b"), 5)
            assert time.monotonic() - started < 3
            await run.settled(2)
        async with running(here.kubeconfig, compiled, Options((here.namespace,), apply_crds=False)) as run:
            await run.watching(2)
            await run.settled(2)
            assert run.operator.kordinators["app"].health.state is State.HEALTHY

    tell(story)


MANY_CHILDREN = """
        onReconcile:
          configMaps:
            - name: "{{ .metadata.name }}"
              data: {x: "y"}
            - name: "{{ .metadata.name }}-{{ .item }}"
              forEach: {field: "{{ toInt .spec.note }}", as: item}
              data: {x: "y"}
"""


async def _poisoned(here: Place, poison: str) -> None:
    await here.create(here.app("a", note="400" if poison == "many children" else "0"))
    values = {"deep": '{"a":' * 1500 + "1" + "}" * 1500, "large": f'"{"x" * 2**20}"'}
    if poison in values:
        path = path_of(APPS, here.namespace, "a", "status")
        body = {"status": {"x": orjson.Fragment(values[poison])}}
        await here.client.request("PATCH", path, None, body, "application/merge-patch+json")


def test_only_the_named_namespaces_are_looked_after(tell: Tell) -> None:
    async def story(here: Place) -> None:
        await here.install("App")
        async with place(here.kubeconfig) as there:
            await there.create(there.app(note="theirs"))
            await here.create(here.app(note="ours"))
            compiled = program(katalog(here.namespace, app=ONE_CHILD))
            async with running(here.kubeconfig, compiled, Options((here.namespace,), apply_crds=False)) as run:
                await run.watching(2)
                await run.settled(1)
                assert await here.get(CONFIG_MAPS, "a")
                assert await there.get(CONFIG_MAPS, "a") is None

    tell(story)


def test_an_entry_without_its_crd_waits_while_others_work_and_begins_when_it_is_there(tell: Tell) -> None:
    async def story(here: Place) -> None:
        await here.install("App")
        compiled = program(katalog(here.namespace, app=ONE_CHILD, route=ONE_CHILD))
        async with running(here.kubeconfig, compiled, Options((here.namespace,), apply_crds=False)) as run:
            await here.create(here.app(note="x"))
            await run.settled(1)
            route = run.operator.kordinators["route"]
            assert (route.health.state, route.awake) == (State.DEGRADED, False)
            assert "routes.it.example.com" in route.health.blocked
            assert run.operator.not_ready() == ""
            await here.install("Route")
            await until(lambda: route.awake)
            await here.create(here.app("b", "Route", note="y"))
            await run.settled(1, "route")
            assert route.health.state is State.HEALTHY
            await _remove_and_put_back(here, route.health.objects, lambda: bool(route.health.blocked))
            await here.create(here.app("c", "Route", note="z"))
            await until_found(lambda: here.get(CONFIG_MAPS, "c"))
            assert route.health.state is State.HEALTHY

    tell(story)


async def _remove_and_put_back(here: Place, known: Any, blocked: Callable[[], bool]) -> None:
    await here.client.request("DELETE", f"{CRD_PATH}/routes.it.example.com")
    await until(lambda: not known)
    await until(blocked)
    await until_found(lambda: _crd_gone(here))
    await here.install("Route")
    await until(lambda: not blocked())


async def _crd_gone(here: Place) -> bool:
    found = await here.client.request("GET", CRD_PATH)
    return all(crd["metadata"]["name"] != "routes.it.example.com" for crd in found["items"])


def test_a_permission_that_is_missing_degrades_what_needs_it_and_is_named(tell: Tell, tmp_path: Path) -> None:
    async def story(here: Place) -> None:
        await here.install("App", "Route")
        limited = await _limited(here, tmp_path, ["apps", "apps/status", "deployments", "routes", "routes/status"])
        compiled = program(katalog(here.namespace, app=ONE_CHILD, route=WITHOUT_CONFIG_MAP))
        async with running(limited, compiled, Options((here.namespace,), apply_crds=False)) as run:
            await here.create(here.app("b", "Route", image="nginx:1"))
            await run.settled(1, "route")
            app, route = (run.operator.kordinators[name].health for name in ("app", "route"))
            assert (app.state, route.state) == (State.DEGRADED, State.HEALTHY)
            assert 'cannot list resource "configmaps" in API group ""' in app.blocked
            assert "list and watch" in app.blocked
            await _allow(here, ["configmaps"])
            await until(lambda: not app.blocked, 60)
            await here.create(here.app(note="now"))
            await until_found(lambda: here.get(CONFIG_MAPS, "a"))

    tell(story)


WITHOUT_CONFIG_MAP = """
        onReconcile:
          deployments:
            - name: "{{ .metadata.name }}"
              image: "{{ .spec.image }}"
"""


async def _limited(here: Place, folder: Path, resources: list[str]) -> Path:
    """Return the kubeconfig of a service account that may use only some resources."""
    base = f"/api/v1/namespaces/{here.namespace}/serviceaccounts"
    await here.client.request("POST", base, None, _named("ServiceAccount", "v1", "operator"))
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": None}}
    token = (await here.client.request("POST", f"{base}/operator/token", None, body))["status"]["token"]
    await _allow(here, resources)
    config = folder / "limited"
    config.write_text(here.kubeconfig.read_text().replace("admintoken", token))
    return config


async def _allow(here: Place, resources: list[str]) -> None:
    """Let the service account do everything with some resources of the namespace."""
    base = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{here.namespace}"
    name = "-".join(resources).replace("/", ".")
    role = _named("Role", "rbac.authorization.k8s.io/v1", name)
    role["rules"] = [{"apiGroups": ["*"], "resources": resources, "verbs": ["*"]}]
    await here.client.request("POST", f"{base}/roles", None, role)
    binding = _named("RoleBinding", "rbac.authorization.k8s.io/v1", name)
    binding["roleRef"] = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name}
    binding["subjects"] = [{"kind": "ServiceAccount", "name": "operator", "namespace": here.namespace}]
    await here.client.request("POST", f"{base}/rolebindings", None, binding)


def _named(kind: str, api_version: str, name: str) -> Object:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}


@pytest.mark.parametrize(("grace", "ends"), [(10.0, True), (0.1, False)])
def test_a_turn_in_progress_ends_within_the_grace_period_or_is_given_up(tell: Tell, grace: float, ends: bool) -> None:
    async def story(here: Place) -> None:
        await here.install("App")
        asked, answer = asyncio.Event(), asyncio.Event()

        async def call(request: CallRequest) -> CallResult:
            asked.set()
            await answer.wait()
            return CallResult(200, {}, b"", "")

        compiled = program(katalog(here.namespace, app=ASKS_FIRST))
        options = Options((here.namespace,), apply_crds=False, grace=grace)
        async with running(here.kubeconfig, compiled, options, call) as run:
            await run.watching(2)
            await here.create(here.app(note="x"))
            await asked.wait()
            stopping = asyncio.ensure_future(run.operator.stop())
            if ends:
                await asyncio.sleep(0.2)
                assert not stopping.done()
                answer.set()
            await stopping
        assert bool(await here.get(CONFIG_MAPS, "a")) is ends

    tell(story)


ASKS_FIRST = """
        onReconcile:
          external: [{name: slow, url: "http://example.com/"}]
          configMaps:
            - name: "{{ .metadata.name }}"
              data: {x: "y"}
"""


def test_an_entry_that_waits_for_another_begins_when_that_one_is_healthy(tell: Tell) -> None:
    async def story(here: Place) -> None:
        await here.install("App", "Route")
        compiled = program(katalog(here.namespace, app=ONE_CHILD, route=ONE_CHILD))
        waiting = compiled.crds["route"]._replace(depends_on={"app": "healthy"})
        compiled = compiled._replace(crds={**compiled.crds, "route": waiting})
        async with running(here.kubeconfig, compiled, Options((here.namespace,), apply_crds=False)) as run:
            app, route = (run.operator.kordinators[name] for name in ("app", "route"))
            await until(lambda: app.awake)
            await asyncio.sleep(0.3)
            assert not route.awake
            await here.create(here.app(note="x"))
            await until(lambda: route.awake)
            assert app.health.state is State.HEALTHY

    tell(story)


def test_a_crd_is_applied_at_the_start_and_an_unchanged_one_not_changed(tell: Tell) -> None:
    async def story(here: Place) -> None:
        compiled = program(katalog(here.namespace, app=TWO_CHILDREN))
        async with running(here.kubeconfig, compiled, Options((here.namespace,))) as run:
            await run.watching(3)
        path = f"{CRD_PATH}/{manifest('App')['metadata']['name']}"
        before = await here.client.request("GET", path)
        async with running(here.kubeconfig, compiled, Options((here.namespace,))) as run:
            await run.watching(3)
        assert (await here.client.request("GET", path))["metadata"] == before["metadata"]

    tell(story)
