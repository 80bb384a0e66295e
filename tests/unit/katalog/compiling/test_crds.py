"""CRD entries: kinds, CRD files, names, dependencies, settings (language, sections 2, 3 and 9)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ork.base.objects import Kind
from ork.katalog.compiler import compile_katalog
from ork.katalog.kinds import plural
from ork.katalog.sources import Sources, in_memory
from ork.program import Backoff, Endpoints, Overflow

from .conftest import CRD, Compile, Result


def entries(text: str, **files: str) -> Result:
    """Compile a Katalog with these entries of `spec.crds`, in flow style."""
    katalog = f"apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {{name: demo}}\nspec: {{crds: {text}}}\n"
    named = {name.replace("__", "."): content for name, content in files.items()}
    made = compile_katalog("katalog.yaml", Sources(in_memory({"katalog.yaml": katalog, "crd.yaml": CRD, **named})))
    return Result(made.program, sorted(made.findings, key=lambda found: found.span))


def kind(name: str, more: str = "") -> str:
    return f"{{apiTypes: {{group: demo.io, version: v1, kind: {name}}}{more}}}"


# ── kinds ───────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("App", "apps"),
        ("Policy", "policies"),
        ("Gateway", "gateways"),
        ("Ingress", "ingresses"),
        ("Box", "boxes"),
        ("Branch", "branches"),
        ("DNSZone", "dnszones"),
    ],
)
def test_the_plural_of_a_kind_is_the_english_one(name: str, expected: str) -> None:
    assert plural(name) == expected


def test_a_kind_is_read_from_the_crd_file(compiled: Compile) -> None:
    crd = compiled("").crd
    assert crd.kind == Kind("demo.io", "v1", "App", "apps", True)
    assert crd.has_status
    assert crd.schema is not None
    assert crd.manifest is not None
    assert crd.katalog == "demo"


def test_a_kind_may_be_declared_without_a_file(compiled: Compile) -> None:
    crd = compiled("namespaced: false\n", typed=False).crd
    assert crd.kind == Kind("demo.io", "v1", "App", "apps", False)
    assert (crd.schema, crd.manifest, crd.has_status) == (None, None, True)


def test_a_declared_plural_wins(compiled: Compile) -> None:
    made = entries("{app: {apiTypes: {group: demo.io, version: v1, kind: Chef, plural: chefs-de-cuisine}}}")
    assert made.crd.kind.plural == "chefs-de-cuisine"


def test_a_built_in_kind_wants_a_selector() -> None:
    text = "{app: {apiTypes: {group: apps, version: v1, kind: Deployment}%s}}"
    assert entries(text % "").codes == ["ORK0215"]
    assert entries(text % ", fieldSelector: metadata.name=web").codes == []


def test_files_that_are_applied_are_read_and_checked(compiled: Compile) -> None:
    good = "apiVersion: demo.io/v1\nkind: App\nmetadata: {name: a}\nspec: {image: x}\n"
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 1}\n"
    text = "crFiles: [cr.yaml]\nsetup: [setup.yaml, 'https://example.com/x.yaml']\n"
    made = compiled(text, cr__yaml=good.replace("image", "imge"), setup__yaml=config)
    assert [(found.code, found.span.file) for found in made.findings] == [
        ("ORK0630", "cr.yaml"),
        ("ORK0631", "cr.yaml"),
        ("ORK0630", "setup.yaml"),
    ]
    assert compiled(text, cr__yaml=good).codes == ["ORK0205"]


def test_more_than_one_finalizer_is_not_supported_yet(compiled: Compile) -> None:
    assert compiled("operatorBox: {finalizers: [a/b, c/d]}").codes == ["ORK0111"]
    assert compiled("", inside="finalizers: [a/b, c/d]\n").codes == ["ORK0111"]


def test_a_built_in_kind_is_known(compiled: Compile) -> None:
    made = entries("{app: {apiTypes: {group: apps, version: v1, kind: Deployment}, labelSelector: a=b}}")
    assert made.crd.kind == Kind("apps", "v1", "Deployment", "deployments", True)
    assert made.crd.schema is not None


@pytest.mark.parametrize(
    ("types", "codes"),
    [
        ("{group: demo.io, version: v1, kind: App}", []),
        ("{group: demo.io, version: v1, kind: App, plural: apps}", []),
        ("{group: demo.io, version: v1, kind: Application}", ["ORK0209"]),
        ("{group: other.io, version: v1, kind: App}", ["ORK0209"]),
        ("{group: demo.io, version: v2, kind: App}", ["ORK0209"]),
        ("{group: demo.io, version: v1, kind: App, plural: appz}", ["ORK0209"]),
    ],
)
def test_api_types_and_crd_file_agree(types: str, codes: list[str]) -> None:
    assert entries(f"{{app: {{crdFile: crd.yaml, apiTypes: {types}}}}}").codes == codes


def test_the_version_that_is_named_is_meant(compiled: Compile) -> None:
    second = CRD[CRD.index("    - name: v1") :].replace("name: v1", "name: v2")
    more = CRD + second.replace("storage: true", "storage: false")
    text = "{app: {crdFile: two.yaml, apiTypes: {group: demo.io, version: %s, kind: App}}}"
    assert entries(text % "v2", two__yaml=more).crd.kind.version == "v2"
    assert entries("{app: {crdFile: two.yaml}}", two__yaml=more).crd.kind.version == "v1"


def test_of_several_definitions_the_named_kind_is_meant() -> None:
    both = CRD + "---\n" + CRD.replace("App", "Site").replace("apps", "sites")
    assert entries("{app: {crdFile: both.yaml}}", both__yaml=both).codes == ["ORK0208"]
    text = "{app: {crdFile: both.yaml, apiTypes: {group: demo.io, version: v1, kind: Site}}}"
    assert entries(text, both__yaml=both).crd.kind.kind == "Site"


def test_a_crd_file_is_relative_to_the_katalog() -> None:
    head = "apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {name: a}\n"
    files = {"deep/er/katalog.yaml": head + "spec: {crds: {app: {crdFile: ../c.yaml}}}", "deep/c.yaml": CRD}
    made = compile_katalog("deep/er/katalog.yaml", Sources(in_memory(files)))
    assert made.findings == []


@pytest.mark.parametrize(
    ("file", "codes"),
    [
        ("missing.yaml", ["ORK0205"]),
        ("https://example.com/crd.yaml", ["ORK0207"]),
        ("map.yaml", ["ORK0208"]),
        ("text.yaml", ["ORK0001"]),
    ],
)
def test_a_crd_file_that_is_of_no_use_is_reported_once(file: str, codes: list[str]) -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    text = f"{{app: {{crdFile: '{file}', apiTypes: {{group: demo.io, version: v1, kind: App}}}}}}"
    made = entries(text, map__yaml=config, text__yaml="a: [")
    assert made.codes[:1] == codes


def test_faults_of_a_crd_file_stand_in_that_file() -> None:
    broken = CRD.replace("type: integer}", "type: integre}", 1)
    made = entries("{app: {crdFile: broken.yaml}}", broken__yaml=broken)
    assert {(found.code, found.span.file) for found in made.findings} == {("ORK0210", "broken.yaml")}


@pytest.mark.parametrize("versions", ["null", "[null]", "[{name: v1, served: true, storage: false}]"])
def test_a_definition_without_a_stored_version_is_refused_once_for_that(versions: str) -> None:
    crd = CRD[: CRD.index("  versions:")] + f"  versions: {versions}\n"
    made = entries("{app: {crdFile: broken.yaml}}", broken__yaml=crd)
    said = [found.message for found in made.findings if "version marked as storage version" in found.message]
    assert len(said) == 1
    assert not any("storedVersions" in found.message for found in made.findings)


def test_two_enabled_entries_for_one_kind_are_an_error() -> None:
    assert entries(f"{{a: {kind('App')}, b: {kind('App')}}}").codes == ["ORK0213"]
    assert entries(f"{{a: {kind('App')}, b: {kind('App', ', enabled: false')}}}").codes == []


def test_a_disabled_entry_is_not_compiled() -> None:
    faulty = ", enabled: false, operatorBox: {onReconcile: {configMaps: [{data: {a: '{{ nonsense }}'}}]}}"
    made = entries(f"{{app: {kind('App', faulty)}, b: {kind('Box')}}}")
    assert made.codes == []
    assert made.program is not None
    assert list(made.program.crds) == ["b"]


def test_an_entry_says_what_it_is_for() -> None:
    assert entries("{app: {operatorBox: {}}}").codes == ["ORK0214"]


# ── dependsOn ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("a", "b", "c", "cycle"),
    [
        ("[b]", "[c]", "[]", ""),
        ("[b, c]", "[c]", "[]", ""),
        ("{b: healthy}", "{c: {condition: started}}", "[]", ""),
        ("[b]", "[a]", "[]", "a → b → a"),
        ("[b]", "[c]", "[a]", "a → b → c → a"),
        ("[b]", "[c]", "[b]", "b → c → b"),
        ("[a]", "[]", "[]", "a → a"),
    ],
)
def test_a_cycle_of_dependencies_is_printed(a: str, b: str, c: str, cycle: str) -> None:
    depends = [f", dependsOn: {names}" for names in (a, b, c)]
    made = entries(f"{{a: {kind('A', depends[0])}, b: {kind('B', depends[1])}, c: {kind('C', depends[2])}}}")
    assert [found.message.rpartition(": ")[2] for found in made.findings] == ([cycle] if cycle else [])


def test_an_unknown_dependency_gets_a_suggestion() -> None:
    made = entries(f"{{database: {kind('A')}, b: {kind('B', ', dependsOn: [databse]')}}}")
    assert (made.only.code, made.only.hint) == ("ORK0211", 'did you mean "database"?')


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("b", {"b": "started"}),
        ("[b, c]", {"b": "started", "c": "started"}),
        ("{b: healthy}", {"b": "healthy"}),
        ("{b: {condition: healthy}, c: started}", {"b": "healthy", "c": "started"}),
    ],
)
def test_an_entry_waits_until_others_have_started_or_are_healthy(written: str, meant: dict[str, str]) -> None:
    made = entries(f"{{a: {kind('A', f', dependsOn: {written}')}, b: {kind('B')}, c: {kind('C')}}}")
    assert made.codes == []
    assert made.program is not None
    assert made.program.crds["a"].depends_on == meant


def test_nobody_waits_for_a_disabled_entry_or_a_state_that_is_none() -> None:
    made = entries(f"{{a: {kind('A', ', dependsOn: b')}, b: {kind('B', ', enabled: false')}}}")
    assert made.codes == ["ORK0211"]
    assert "`b` is disabled" in made.findings[0].message
    assert entries(f"{{a: {kind('A', ', dependsOn: {b: {condition: ready}}')}, b: {kind('B')}}}").codes == ["ORK0105"]


# ── settings ────────────────────────────────────────────────────────────────────────────────────
def test_settings_have_defaults(compiled: Compile) -> None:
    settings = compiled("").crd.settings
    assert (settings.workers, settings.resync, settings.max_depth) == (16, timedelta(seconds=30), 0)
    assert (settings.failure_threshold, settings.retry_backoff) == (5, None)


@pytest.mark.parametrize(
    ("selector", "wrong"),
    [
        ('labelSelector: "tier=gold,team in (a, b),!old"', []),
        ('fieldSelector: "metadata.name!=x"', []),
        ('labelSelector: "a=b,,"', ["ORK0106"]),
        ('labelSelector: "a in (b"', ["ORK0106"]),
        ('fieldSelector: "metadata.name"', ["ORK0106"]),
    ],
)
def test_a_selector_is_one_that_the_api_server_reads(compiled: Compile, selector: str, wrong: list[str]) -> None:
    assert [finding.code for finding in compiled(selector).findings] == wrong


def test_settings_are_read(compiled: Compile) -> None:
    crd = compiled("""
        description: An App
        namespace: one
        allowedNamespaces: [two, one]
        restrictedNamespaces: [three]
        labelSelector: a=b
        fieldSelector: metadata.name=x
        endpoints: {enabled: true, info: false}
        operatorBox:
          finalizers: [demo.io/done]
          reconciler:
            workers: 2
            resync: 1h30m
            queue: {maxDepth: 9, failureThreshold: 3, retryBackoff: {initial: 1s}, behaviour: {onLimit: {drop: true}}}
          autoscale: {conditions: {when: [{field: "{{ .metrics.queueDepth }}", gt: 5}]}, do: {workers: 4}}
    """).crd
    settings = crd.settings
    assert (settings.workers, settings.resync) == (2, timedelta(minutes=90))
    assert (settings.max_depth, settings.failure_threshold) == (9, 3)
    assert settings.retry_backoff == Backoff(timedelta(seconds=1), attempts=0)
    assert settings.behaviour == (Overflow(100),)
    assert settings.autoscale is not None
    assert (settings.autoscale.interval, settings.autoscale.cooldown) == (timedelta(seconds=15), timedelta(minutes=2))
    assert (settings.autoscale.workers, settings.autoscale.max_depth, settings.autoscale.resync) == (4, None, None)
    assert crd.endpoints == Endpoints(info=False)
    assert (crd.namespaces, crd.excluded_namespaces) == (("one", "two"), ("three",))
    assert (crd.label_selector, crd.field_selector, crd.description) == ("a=b", "metadata.name=x", "An App")
    assert crd.finalizer == "demo.io/done"


def test_finalizers_of_the_katalog_hold_where_the_box_says_none(compiled: Compile) -> None:
    assert compiled("", inside="finalizers: [demo.io/all]\n").crd.finalizer == "demo.io/all"
    assert compiled("").crd.finalizer == "orkestra.orkspace.io/finalizer"


def test_the_queue_reads_sentinels_that_the_box_declares(compiled: Compile) -> None:
    text = """
        operatorBox:
          preReconcile: {sentinels: [%s]}
          reconciler:
            queue:
              maxDepth: 5
              behaviour: {onThreshold: {value: 80, when: [{field: "{{ specChanged }}", equals: "false"}]}}
    """
    assert compiled(text % "specChanged").codes == []
    assert compiled(text % "labelsChanged").codes == ["ORK0501"]


def test_attempts_of_a_turn_are_bounded_only_where_the_author_says_so(compiled: Compile) -> None:
    text = "operatorBox: {reconciler: {queue: {retryBackoff: %s}}}"
    assert compiled(text % "2s").crd.settings.retry_backoff == Backoff(timedelta(seconds=2), attempts=0)
    made = compiled(text % "{initial: 1s, maxAttempts: 4}").crd.settings.retry_backoff
    assert made == Backoff(timedelta(seconds=1), attempts=4)


def test_behaviour_is_asked_from_the_fullest_down_and_a_full_queue_drops_unless_it_says_otherwise(
    compiled: Compile,
) -> None:
    text = "operatorBox: {reconciler: {queue: {maxDepth: 9, behaviour: %s}}}"
    assert compiled(text % "{onLimit: {drop: false}}").crd.settings.behaviour == (Overflow(100, drop=False),)
    assert compiled(text % "{onThreshold: {value: 80}}").crd.settings.behaviour == (Overflow(100), Overflow(80))


def test_what_happens_all_the_time_is_refused(compiled: Compile) -> None:
    assert compiled("operatorBox: {autoscale: {interval: 0s, do: {workers: 2}}}").codes == ["ORK0505"]
    assert compiled("operatorBox: {autoscale: {do: {resync: 0s}}}").codes == ["ORK0505"]


def test_behaviour_wants_a_limit_and_resync_a_length(compiled: Compile) -> None:
    assert compiled("operatorBox: {reconciler: {queue: {behaviour: {onLimit: {}}}}}").codes == ["ORK0504"]
    assert compiled("operatorBox: {reconciler: {resync: 0s}}").codes == ["ORK0505"]


def test_status_without_the_subresource_is_a_warning() -> None:
    without = CRD.replace("      subresources: {status: {}}\n", "")
    text = "{app: {crdFile: c.yaml, operatorBox: {status: {fields: [{path: phase, value: x}]}}}}"
    made = entries(text, c__yaml=without)
    assert made.codes == ["ORK0621"]
    assert not made.crd.has_status


def test_a_built_in_kind_may_have_no_status() -> None:
    text = "{app: {apiTypes: {group: '', version: v1, kind: %s}, labelSelector: a=b}}"
    assert not entries(text % "ConfigMap").crd.has_status
    assert entries(text % "Service").crd.has_status


def test_the_children_of_a_program_are_ordered(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile: {secrets: [{data: {a: b}}], configMaps: [{data: {a: b}}, {name: c, data: {a: b}}]}
    """)
    assert made.program is not None
    assert [child.kind for child in made.program.children] == ["ConfigMap", "Secret"]
