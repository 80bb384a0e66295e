"""`ork.cluster.kube` on a real API server: preconditions, conflicts, status, marks, deletes, lists, watches, refusals.

Informers, workers and faults on the way are in files of their own.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from ork.base.clock import SystemClock
from ork.base.errors import OutsideError
from ork.base.findings import FaultKind
from ork.base.objects import Kind, Object, Ref, uid
from ork.base.requests import Done, Expect, Verb, Write, WriteError
from ork.cluster.kube.client import ApiError, Client, path_of_ref
from ork.cluster.kube.cluster import KubeCluster
from ork.cluster.kube.config import Target, connect
from ork.cluster.kube.source import KubeSource
from ork.cluster.source import EventType, Refusal, Scope, SourceError
from tests.controlplane.controlplane import ControlPlane
from tests.integration.clients import client_of
from tests.kinds import CONFIG_MAPS, DEPLOYMENTS

UNKNOWN = Kind("nobody.example.com", "v1", "Ghost", "ghosts", True)


class World(NamedTuple):
    """A namespace of one's own on the real server."""

    client: Client
    cluster: KubeCluster
    source: KubeSource
    namespace: str

    def config(self, name: str, **data: str) -> Object:
        return {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": self.namespace},
            "data": data,
        }

    def ref(self, name: str) -> Ref:
        return Ref(CONFIG_MAPS, self.namespace, name)

    def scope(self) -> Scope:
        return Scope(CONFIG_MAPS, self.namespace)

    async def apply(self, obj: Object, expect: Expect = Expect.ANY, uid: str = "", *, force: bool = True) -> Done:
        ref = self.ref(obj["metadata"]["name"])
        return await self.cluster.write([Write(Verb.APPLY, ref, obj, expect, uid, force)])

    async def delete(self, name: str, uid: str = "") -> Done:
        return await self.cluster.write([Write(Verb.DELETE, self.ref(name), {}, Expect.SAME_UID, uid)])


Story = Callable[[World], Awaitable[Any]]


@pytest.fixture
def tell(plane: ControlPlane) -> Callable[[Story], Any]:
    """Run a story in a namespace of its own."""

    async def run(story: Story) -> Any:
        async with client_of(plane.kubeconfig) as client:
            namespace = f"t-{uuid.uuid4().hex[:8]}"
            body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
            await client.request("POST", "/api/v1/namespaces", None, body)
            cluster = KubeCluster(client, "orkestra", SystemClock())
            return await story(World(client, cluster, KubeSource(client, Random(1)), namespace))

    return lambda story: asyncio.run(run(story))


def test_a_write_that_must_create_creates_once_and_never_overwrites(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        first = await world.apply(world.config("a", x="1"), Expect.ABSENT)
        assert first.objects[world.ref("a")]["data"] == {"x": "1"}
        second = await world.apply(world.config("a", x="2"), Expect.ABSENT)
        (failure,) = second.failures
        assert failure.exists
        assert failure.fault.kind is FaultKind.CONFLICT
        live = await world.cluster.read(world.ref("a"))
        assert live is not None
        assert live["data"] == {"x": "1"}

    tell(story)


def test_a_dry_client_changes_nothing_whatever_it_is_told_to_do(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        first = await world.apply(world.config("a", x="1"))
        seen = first.objects[world.ref("a")]
        dry = world._replace(cluster=KubeCluster(world.client.dry(), "orkestra", SystemClock()))
        assert (await dry.apply(world.config("a", x="2"))).objects[world.ref("a")]["data"] == {"x": "2"}
        assert not (await dry.apply(world.config("b"), Expect.ABSENT)).failures
        assert not (await dry.delete("a", uid(seen))).failures
        assert not (await dry.delete("a")).failures
        assert await world.cluster.read(world.ref("a")) == seen
        assert await world.cluster.read(world.ref("b")) is None
        await world.client.dry().request("DELETE", path_of_ref(world.ref("a")))
        assert await world.cluster.read(world.ref("a")) == seen

    tell(story)


def test_a_write_to_a_successor_of_the_object_that_was_seen_is_refused(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        first = await world.apply(world.config("a", x="1"))
        seen = uid(first.objects[world.ref("a")])
        await world.delete("a", seen)
        await world.apply(world.config("a", x="2"))
        assert (await world.apply(world.config("a", x="3"), Expect.SAME_UID, seen)).failures
        assert (await world.delete("a", seen)).failures
        live = await world.cluster.read(world.ref("a"))
        assert live is not None
        assert live["data"] == {"x": "2"}

    tell(story)


def test_a_conflict_names_the_other_manager(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        other = KubeCluster(world.client, "somebody-else", SystemClock())
        await other.write([Write(Verb.APPLY, world.ref("a"), world.config("a", x="1"), Expect.ANY)])
        (failure,) = (await world.apply(world.config("a", x="2"), force=False)).failures
        assert not failure.exists
        assert "somebody-else" in failure.fault.message

    tell(story)


def test_a_wave_reports_each_write_s_own_outcome(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        bad = world.config("b") | {"data": {"x": 1}}
        good = Write(Verb.APPLY, world.ref("a"), world.config("a"), Expect.ANY)
        done = await world.cluster.write([good, Write(Verb.APPLY, world.ref("b"), bad, Expect.ANY)])
        assert list(done.objects) == [world.ref("a")]
        assert [failure.write.ref.name for failure in done.failures] == ["b"]

    tell(story)


def test_deleting_what_is_gone_already_is_no_fault(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        assert await world.delete("never-there") == Done({})
        assert await world.cluster.read(world.ref("never-there")) is None

    tell(story)


def test_status_and_marks_are_written_to_the_object_that_was_seen(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        ref = Ref(DEPLOYMENTS, world.namespace, "web")
        labels = {"app": "web"}
        template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "nginx"}]}}
        made = await world.cluster.apply(
            DEPLOYMENTS,
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {"name": "web", "namespace": world.namespace},
                "spec": {"selector": {"matchLabels": labels}, "template": template},
            },
        )
        after = await world.cluster.status(ref, {"replicas": 3}, uid(made))
        assert after["status"]["replicas"] == 3
        with pytest.raises(WriteError):
            await world.cluster.status(ref, {"replicas": 4}, str(uuid.uuid4()))
        with pytest.raises(WriteError):  # `made` is older than the status just written
            await world.cluster.mark(made, ref, ["demo.io/stay"], {})
        marked = await world.cluster.mark(after, ref, ["demo.io/stay"], {"demo.io/note": "x"})
        assert marked["metadata"]["finalizers"] == ["demo.io/stay"]
        cleared = await world.cluster.mark(marked, ref, [], {"demo.io/note": None})
        assert "finalizers" not in cleared["metadata"]
        assert "demo.io/note" not in cleared["metadata"].get("annotations", {})

    tell(story)


def test_an_event_is_recorded_on_the_object(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        await world.cluster.event(world.ref("a"), "Warning", "ReconcileError", "spec.image is not set")
        events = await world.client.request("GET", f"/api/v1/namespaces/{world.namespace}/events")
        assert [(e["involvedObject"]["name"], e["reason"]) for e in events["items"]] == [("a", "ReconcileError")]

    tell(story)


def test_an_event_that_cannot_be_recorded_is_no_fault(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        await world.cluster.event(Ref(CONFIG_MAPS, "no-such-namespace", "a"), "Warning", "X", "y")

    tell(story)


def test_a_list_comes_in_pages_and_a_watch_goes_on_from_it(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        scope = Scope(CONFIG_MAPS, world.namespace, labels="app=x")
        labelled = world.config("a") | {"metadata": {**world.config("a")["metadata"], "labels": {"app": "x"}}}
        await world.apply(labelled)
        await world.apply(world.config("b"))
        pages = [page async for page in world.source.list(scope)]
        assert [obj["metadata"]["name"] for page in pages for obj in page.items] == ["a"]
        await world.apply(labelled | {"data": {"big": "x" * 300_000}})
        await world.delete("a")
        events = await _first(world.source.watch(scope, pages[0].version), 2)
        assert [event.type for event in events] == [EventType.MODIFIED, EventType.DELETED]
        assert len(events[0].obj["data"]["big"]) == 300_000

    tell(story)


def test_a_watch_from_a_version_that_is_too_old_says_so(tell: Callable[[Story], Any], plane: ControlPlane) -> None:
    async def story(world: World) -> None:
        first = (await world.apply(world.config("a", n="1"))).objects[world.ref("a")]
        await world.apply(world.config("a", n="2"))
        plane.stop_apiserver()
        plane.compact()
        plane.start_apiserver()
        with pytest.raises(SourceError) as caught:
            await _first(world.source.watch(world.scope(), first["metadata"]["resourceVersion"]), 1)
        assert caught.value.refusal is Refusal.EXPIRED

    tell(story)


def test_a_kind_that_is_not_served_is_unknown(tell: Callable[[Story], Any]) -> None:
    async def story(world: World) -> None:
        with pytest.raises(SourceError) as caught:
            [page async for page in world.source.list(Scope(UNKNOWN, world.namespace))]
        assert caught.value.refusal is Refusal.UNKNOWN

    tell(story)


def test_a_bad_token_is_refused_without_naming_it(plane: ControlPlane, tmp_path: Path) -> None:
    stranger = tmp_path / "kubeconfig"
    stranger.write_text(plane.kubeconfig.read_text().replace("admintoken", "hunter2"))

    async def story() -> None:
        async with client_of(stranger) as client:
            await client.request("GET", "/api/v1/namespaces")

    with pytest.raises(ApiError) as caught:
        asyncio.run(story())
    assert caught.value.code == 401
    assert "hunter2" not in str(caught.value)


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    nowhere = tmp_path / "kubeconfig"
    nowhere.write_text(
        "{apiVersion: v1, kind: Config, current-context: x, clusters: [{name: x, cluster: {server: "
        "'http://127.0.0.1:9'}}], users: [{name: x, user: {}}], contexts: [{name: x, context: {cluster: x, user: x}}]}"
    )

    async def story() -> None:
        async with client_of(nowhere) as client:
            await client.request("GET", "/version")

    says = r"^the API server http://127\.0\.0\.1:9 cannot be reached: 127\.0\.0\.1:9: connection refused$"
    with pytest.raises(ApiError, match=says) as caught:
        asyncio.run(story())
    assert caught.value.code == 0


@pytest.mark.parametrize("text", ["", "{", "apiVersion: v1\nkind: Config\n", "[]", "\x00"])
def test_a_kubeconfig_that_is_none_is_one_clear_line(text: str, tmp_path: Path) -> None:
    broken = tmp_path / "kubeconfig"
    broken.write_text(text)
    with pytest.raises(OutsideError, match="kubeconfig"):
        asyncio.run(connect(Target(broken)))


@pytest.mark.parametrize(
    ("server", "user", "says"),
    [
        ("''", "{}", '"" is no address of an API server'),
        ("nowhere", "{}", '"nowhere" is no address of an API server'),
        (
            "https://h",
            "{client-certificate-data: Zm9v, client-key-data: Zm9v}",
            "a certificate or key in it cannot be used",
        ),
        ("https://h", "{exec: {apiVersion: client.authentication.k8s.io/v1, command: /none}}", "'/none'"),
    ],
)
def test_a_kubeconfig_that_leads_nowhere_is_one_clear_line(server: str, user: str, says: str, tmp_path: Path) -> None:
    broken = tmp_path / "kubeconfig"
    broken.write_text(
        f"{{apiVersion: v1, kind: Config, current-context: x, clusters: [{{name: x, cluster: {{server: {server}}}}}],"
        f" users: [{{name: x, user: {user}}}], contexts: [{{name: x, context: {{cluster: x, user: x}}}}]}}"
    )
    with pytest.raises(OutsideError, match=says):
        asyncio.run(connect(Target(broken)))


async def _first(events: AsyncIterator[Any], count: int) -> list[Any]:
    found = []
    async for event in events:
        found.append(event)
        if len(found) == count:
            break
    return found
