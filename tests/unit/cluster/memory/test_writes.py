"""Creating, replacing and patching objects: what the store fills in, keeps, counts and refuses."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Object
from ork.cluster.memory.state import Options
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import (
    CONFIG_MAP,
    DEPLOYMENT,
    NAMESPACE,
    WIDGET,
    SetClock,
    config_map,
    deployment,
    frozen,
    made,
    new_store,
    widget,
)


def amended(obj: Object, meta: dict[str, Any], **fields: Any) -> Object:
    changed: Object = frozen({**obj, "metadata": {**obj["metadata"], **meta}, **fields})
    return changed


# ── creating ────────────────────────────────────────────────────────────────────────────────────
def test_a_created_object_gets_what_only_the_server_sets(store: Store) -> None:
    written = store.create(CONFIG_MAP, "default", config_map(data={"a": "1"}), manager="me")
    meta = written.obj["metadata"]
    assert written.created
    assert (meta["uid"][:4], meta["creationTimestamp"]) == ("uid-", "2026-01-05T10:00:00Z")
    assert meta["resourceVersion"] == store.version
    assert meta["managedFields"] == [
        {
            "manager": "me",
            "operation": "Update",
            "apiVersion": "v1",
            "time": "2026-01-05T10:00:00Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {".": {}, "f:a": {}}},
        }
    ]
    assert store.get(CONFIG_MAP, "default", "settings") == written.obj


def test_what_only_the_server_sets_is_not_taken_from_the_request(store: Store) -> None:
    sent = config_map(uid="mine", creationTimestamp="2001-01-01T00:00:00Z", deletionTimestamp="2001-01-01T00:00:00Z")
    meta = store.create(CONFIG_MAP, "default", sent).obj["metadata"]
    assert meta["uid"] != "mine"
    assert meta["creationTimestamp"] == "2026-01-05T10:00:00Z"
    assert "deletionTimestamp" not in meta


def test_every_write_gets_the_next_version_of_one_counter(store: Store) -> None:
    first = int(store.version)
    for name in ("a", "b"):
        store.create(CONFIG_MAP, "default", config_map(name))
    store.patch(CONFIG_MAP, "default", "a", {"data": {"x": "1"}})
    versions = [store.get(CONFIG_MAP, "default", name)["metadata"]["resourceVersion"] for name in ("a", "b")]
    assert versions == [str(first + 3), str(first + 2)]


def test_a_generated_name_is_drawn_from_the_stores_own_uids() -> None:
    sent = made(CONFIG_MAP, "", generateName="job-")
    names = [new_store().create(CONFIG_MAP, "default", sent).obj["metadata"]["name"] for _ in range(2)]
    assert names[0] == names[1]
    assert names[0].startswith("job-")
    assert len(names[0]) == len("job-") + 5


def test_the_spec_of_kubernetes_own_kinds_gets_their_defaults(store: Store) -> None:
    made_obj = store.create(DEPLOYMENT, "default", deployment()).obj
    assert made_obj["spec"]["replicas"] == 1
    assert made_obj["spec"]["template"]["spec"]["containers"][0]["terminationMessagePath"] == "/dev/termination-log"
    assert made_obj["status"] == {}


def test_a_custom_resource_gets_the_defaults_of_its_schema_and_loses_unknown_fields(widgets: Store) -> None:
    written = widgets.create(WIDGET, "default", widget(spec={"color": "red", "odd": 1}))
    assert written.obj["spec"] == {"color": "red", "size": 1}
    assert written.warnings == ('unknown field "spec.odd"',)


def test_unknown_fields_are_refused_where_the_client_is_strict(widgets: Store) -> None:
    with pytest.raises(ApiError, match=r'strict decoding error: unknown field "spec\.odd"') as refused:
        widgets.writer.create(widgets.resource(WIDGET), "default", widget(spec={"odd": 1}), _validated("Strict"))
    assert refused.value.code == 400


@pytest.mark.parametrize(("validation", "warnings"), [("Warn", 1), ("Ignore", 0)])
def test_unknown_fields_are_told_or_passed_over(widgets: Store, validation: str, warnings: int) -> None:
    body, options = widget(spec={"odd": 1}), _validated(validation)
    assert len(widgets.writer.create(widgets.resource(WIDGET), "default", body, options).warnings) == warnings


def _validated(validation: str) -> Options:
    return Options("me", validation=validation)


def test_a_dry_run_answers_and_changes_nothing(store: Store) -> None:
    before = store.version
    options = Options("me", dry_run=True)
    written = store.writer.create(store.resource(CONFIG_MAP), "default", config_map(), options)
    assert written.obj["metadata"]["uid"]
    assert store.find(CONFIG_MAP, "default", "settings") is None
    assert store.version == before


@pytest.mark.parametrize(
    ("obj", "namespace", "code", "reason", "message"),
    [
        (config_map("Upper"), "default", 422, "Invalid", "a lowercase RFC 1123 subdomain"),
        (config_map(""), "default", 422, "Invalid", "name or generateName is required"),
        (config_map(labels={"a b": "c"}), "default", 422, "Invalid", "metadata.labels"),
        (config_map(labels={"a": "-"}), "default", 422, "Invalid", "a valid label must be an empty string or"),
        (config_map(data={"a/b": ""}), "default", 422, "Invalid", "a valid config key"),
        (config_map(), "nowhere", 400, "BadRequest", "does not match the namespace sent on the request"),
        (config_map(namespace="nowhere"), "nowhere", 404, "NotFound", 'namespaces "nowhere" not found'),
        (config_map(resourceVersion="7"), "default", 500, "", "should not be set on objects to be created"),
        ({"kind": "Secret", "apiVersion": "v1"}, "default", 400, "BadRequest", 'no kind "Secret"'),
        ({"apiVersion": "v2"}, "default", 400, "BadRequest", "does not match the expected API version"),
        ({"data": {"a": 1}}, "default", 400, "BadRequest", "cannot unmarshal number into Go struct field data.a"),
        ([], "default", 400, "BadRequest", "must be a JSON object"),
    ],
)
def test_a_bad_create_is_refused(
    store: Store, obj: Object, namespace: str, code: int, reason: str, message: str
) -> None:
    before = store.version
    with pytest.raises(ApiError) as refused:
        store.create(CONFIG_MAP, namespace, frozen(obj))
    assert (refused.value.code, refused.value.reason) == (code, reason)
    assert message in str(refused.value)
    assert store.version == before


def test_a_name_is_taken_once(store: Store) -> None:
    store.create(CONFIG_MAP, "default", config_map())
    with pytest.raises(ApiError, match='configmaps "settings" already exists') as refused:
        store.create(CONFIG_MAP, "default", config_map())
    assert (refused.value.code, refused.value.reason) == (409, "AlreadyExists")


def test_a_refusal_names_every_fault_with_its_field(widgets: Store) -> None:
    with pytest.raises(ApiError) as refused:
        widgets.create(WIDGET, "default", widget(spec={"size": -1, "color": "green"}))
    status = refused.value.status
    assert (status["kind"], status["status"], status["reason"], status["code"]) == ("Status", "Failure", "Invalid", 422)
    assert status["details"]["name"] == "a"
    assert {cause["field"] for cause in status["details"]["causes"]} == {"spec.size", "spec.color"}


def test_the_status_of_a_new_object_is_dropped_where_it_has_a_path_of_its_own(widgets: Store) -> None:
    given = frozen({**widget(spec={}), "status": {"ready": True}})
    assert "status" not in widgets.create(WIDGET, "default", given).obj


# ── replacing ───────────────────────────────────────────────────────────────────────────────────
def test_a_replaced_object_keeps_what_no_update_can_change(store: Store, clock: SetClock) -> None:
    before = store.create(CONFIG_MAP, "default", config_map(data={"a": "1"})).obj["metadata"]
    clock.advance(60)
    after = store.update(CONFIG_MAP, "default", "settings", config_map(data={"b": "1"})).obj
    assert after["data"] == {"b": "1"}
    assert [after["metadata"][key] for key in ("uid", "creationTimestamp")] == [
        before[key] for key in ("uid", "creationTimestamp")
    ]


def test_an_update_that_changes_nothing_writes_nothing(store: Store, clock: SetClock) -> None:
    obj = store.create(CONFIG_MAP, "default", config_map(data={"a": "1"})).obj
    before = store.version
    clock.advance(60)
    written = store.update(CONFIG_MAP, "default", "settings", obj)
    assert not written.changed
    assert store.version == before


def test_an_update_of_an_older_version_is_a_conflict(store: Store) -> None:
    old = store.create(CONFIG_MAP, "default", config_map(data={"a": "1"})).obj
    store.patch(CONFIG_MAP, "default", "settings", {"data": {"a": "2"}})
    with pytest.raises(ApiError, match="the object has been modified") as refused:
        store.update(CONFIG_MAP, "default", "settings", old)
    assert (refused.value.code, refused.value.reason) == (409, "Conflict")


def test_a_custom_resource_is_replaced_only_by_its_version(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget(spec={}))
    with pytest.raises(ApiError, match=r"metadata\.resourceVersion: Invalid value: 0: must be specified for an update"):
        widgets.update(WIDGET, "default", "a", widget(spec={"size": 2}))


@pytest.mark.parametrize(
    ("meta", "code", "message"),
    [
        ({"uid": "other"}, 409, "Precondition failed: UID in precondition: other"),
        ({"name": "other"}, 400, "does not match the name on the URL"),
        ({"namespace": "other"}, 400, "does not match the namespace sent on the request"),
        ({"resourceVersion": "x"}, 500, "invalid syntax"),
    ],
)
def test_an_update_speaks_of_the_object_at_its_place(
    store: Store, meta: dict[str, Any], code: int, message: str
) -> None:
    obj = store.create(CONFIG_MAP, "default", config_map()).obj
    with pytest.raises(ApiError, match=message) as refused:
        store.update(CONFIG_MAP, "default", "settings", amended(obj, meta, data={"a": "1"}))
    assert refused.value.code == code


def test_what_is_immutable_stays(store: Store) -> None:
    obj = store.create(CONFIG_MAP, "default", frozen({**config_map(data={"a": "1"}), "immutable": True})).obj
    with pytest.raises(ApiError, match="field is immutable when `immutable` is set"):
        store.update(CONFIG_MAP, "default", "settings", amended(obj, {}, data={"a": "2"}))


# ── generation and status ───────────────────────────────────────────────────────────────────────
def test_the_generation_counts_changes_of_the_spec_only(widgets: Store) -> None:
    def generation() -> int:
        number: int = widgets.get(WIDGET, "default", "a")["metadata"]["generation"]
        return number

    widgets.create(WIDGET, "default", widget(spec={"size": 1}))
    widgets.patch(WIDGET, "default", "a", {"metadata": {"labels": {"x": "y"}}})
    widgets.patch(WIDGET, "default", "a", {"status": {"ready": True}}, subresource="status")
    assert generation() == 1
    widgets.patch(WIDGET, "default", "a", {"spec": {"size": 2}})
    assert generation() == 2


def test_a_kind_without_generations_gets_none(store: Store) -> None:
    assert "generation" not in store.create(CONFIG_MAP, "default", config_map()).obj["metadata"]


@pytest.mark.parametrize("kind", [WIDGET, DEPLOYMENT])
def test_status_is_written_by_its_own_path_and_nothing_else_is(widgets: Store, kind: Any) -> None:
    obj = widget("web", spec={}) if kind is WIDGET else deployment()
    widgets.create(kind, "default", obj)
    both = {"spec": {"size": 5, "replicas": 5}, "status": {"replicas": 3}}
    by_status = widgets.patch(kind, "default", "web", both, subresource="status").obj
    assert by_status["status"]["replicas"] == 3
    assert by_status["spec"].get("size", 1) == 1
    assert by_status["spec"].get("replicas", 1) == 1
    by_object = widgets.patch(kind, "default", "web", {"status": {"replicas": 9}}).obj
    assert by_object["status"]["replicas"] == 3


def test_the_status_of_a_missing_object_is_not_found(widgets: Store) -> None:
    with pytest.raises(ApiError, match=r'widgets\.demo\.io "a" not found'):
        widgets.patch(WIDGET, "default", "a", {"status": {}}, subresource="status")


# ── patching ────────────────────────────────────────────────────────────────────────────────────
def test_a_map_is_a_merge_patch_and_a_list_a_json_patch(store: Store) -> None:
    store.create(CONFIG_MAP, "default", config_map(data={"a": "1", "b": "2"}))
    store.patch(CONFIG_MAP, "default", "settings", frozen({"data": {"a": None, "c": "3"}}))
    operations = frozen([{"op": "replace", "path": "/data/b", "value": "9"}])
    assert store.patch(CONFIG_MAP, "default", "settings", operations).obj["data"] == {"b": "9", "c": "3"}


def test_a_patch_that_does_not_fit_is_unprocessable(store: Store) -> None:
    store.create(CONFIG_MAP, "default", config_map())
    with pytest.raises(ApiError, match="testing value /data/a failed") as refused:
        store.patch(CONFIG_MAP, "default", "settings", [{"op": "test", "path": "/data/a", "value": "1"}])
    assert refused.value.code == 422


def test_a_refused_write_leaves_everything_as_it_was(widgets: Store) -> None:
    before = widgets.create(WIDGET, "default", widget(spec={"size": 1})).obj
    with pytest.raises(ApiError):
        widgets.patch(WIDGET, "default", "a", {"spec": {"size": -1}})
    assert widgets.get(WIDGET, "default", "a") == before


def test_a_fault_that_was_there_before_does_not_hold_up_a_change_elsewhere(widgets: Store) -> None:
    stored = frozen({**widget(spec={"size": -1}), "metadata": {**widget()["metadata"], "generation": 1}})
    widgets.restore([stored])
    assert widgets.patch(WIDGET, "default", "a", {"spec": {"color": "red"}}).obj["spec"]["color"] == "red"


def test_unchanged_parts_are_shared_with_the_object_before(store: Store) -> None:
    store.create(DEPLOYMENT, "default", deployment(replicas=1))
    before = store.get(DEPLOYMENT, "default", "web")
    after = store.patch(DEPLOYMENT, "default", "web", {"spec": {"replicas": 2}}).obj
    assert after["spec"]["template"] is before["spec"]["template"]


# ── places ──────────────────────────────────────────────────────────────────────────────────────
def test_a_cluster_has_its_usual_namespaces(store: Store) -> None:
    names = [obj["metadata"]["name"] for obj in store.list(NAMESPACE)]
    assert names == ["default", "kube-node-lease", "kube-public", "kube-system"]
    assert store.get(NAMESPACE, "", "default")["status"] == {"phase": "Active"}


def test_what_is_not_served_is_not_found(store: Store) -> None:
    for call in (store.list, lambda kind: store.get(kind, "default", "a")):
        with pytest.raises(ApiError, match="could not find the requested resource") as refused:
            call(WIDGET)
        assert refused.value.code == 404


def test_a_finalizer_of_kubernetes_own_kinds_needs_a_domain(store: Store) -> None:
    with pytest.raises(ApiError, match="neither a standard finalizer name nor is it fully qualified"):
        store.create(CONFIG_MAP, "default", config_map(finalizers=["mine"]))


def test_an_owner_that_is_named_twice_is_kept_once(store: Store) -> None:
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "u"}
    written = store.create(CONFIG_MAP, "default", config_map(ownerReferences=[owner, owner]))
    assert written.obj["metadata"]["ownerReferences"] == [owner]
    assert "duplicate UID(s) observed: u" in written.warnings[0]
