"""External calls: every field of seed external.md, variables of the environment, credentials, hosts (language, 7)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ork.expr.template import Template
from ork.program import Backoff, Call, Parts, SecretRef, Variable

from .conftest import ENV, Compile, Result, cr


def call(made: Result) -> Call:
    assert made.program is not None, made.findings
    return made.box().calls[0]


def external(fields: str) -> str:
    return f"operatorBox: {{onReconcile: {{external: [{{name: api, {fields}}}]}}}}"


def shown(parts: Parts) -> list[str]:
    return [f"${part.name}" if isinstance(part, Variable) else str(part(cr(), ENV)) for part in parts]


URL = "url: 'http://api.example.com'"


def test_a_call_has_the_seeds_defaults(compiled: Compile) -> None:
    found = call(compiled(external("url: 'http://api.example.com/{{ .metadata.name }}'")))
    assert found.url(cr(), ENV) == "http://api.example.com/web"
    assert (found.name, found.method, found.body, found.token) == ("api", "GET", None, None)
    assert (found.timeout, found.expect, found.go_on) == (timedelta(seconds=10), 0, False)
    assert (found.delay, found.retry, found.at_reconcile) == (timedelta(), None, True)
    assert not found.host_from_cr
    assert found.allowed_hosts == ()
    assert found.reads == {("metadata", "name")}


def test_every_field_is_taken(compiled: Compile) -> None:
    found = call(
        compiled("""
            operatorBox:
              onReconcile:
                external:
                  - name: api
                    url: "https://api.example.com/{{ .spec.image }}"
                    method: put
                    body: '{"tier": "{{ .spec.tier }}"}'
                    token: $API_TOKEN
                    headers: {X-Source: orkestra, X-Key: "k-${KEY}-{{ .metadata.name }}"}
                    timeout: 500ms
                    expectedStatus: 201
                    continueOnError: true
                    when: [{field: status.phase, notEquals: Ready}]
                    or: [{field: spec.tier, equals: gold}]
                    sleep: 2s
                    retryBackoff: {initial: 1s, max: 20s, multiplier: 3, maxAttempts: 5}
                    allowedHosts: ["*.example.com"]
        """)
    )
    assert found.method == "PUT"
    assert isinstance(found.body, Template)
    assert found.body(cr(tier="gold"), ENV) == '{"tier": "gold"}'
    assert found.token == (Variable("API_TOKEN"),)
    assert {name: shown(value) for name, value in found.headers.items()} == {
        "X-Source": ["orkestra"],
        "X-Key": ["k-", "$KEY", "-web"],
    }
    assert (found.timeout, found.expect, found.go_on) == (timedelta(milliseconds=500), 201, True)
    assert (len(found.guard.every), len(found.guard.some)) == (1, 1)
    assert found.delay == timedelta(seconds=2)
    assert found.retry == Backoff(timedelta(seconds=1), timedelta(seconds=20), 3, 5)
    assert found.allowed_hosts == ("*.example.com",)
    assert found.reads == {("spec", "image"), ("spec", "tier"), ("metadata", "name"), ("status", "phase")}


def test_a_backoff_may_say_its_first_wait_only(compiled: Compile) -> None:
    assert call(compiled(external(f"{URL}, retryBackoff: 2s"))).retry == Backoff(timedelta(seconds=2))


def test_a_token_may_stand_in_a_secret(compiled: Compile) -> None:
    secret = "{namespace: ops, name: 'key-{{ .metadata.name }}', key: bearer}"
    token = call(compiled(external(f"{URL}, auth: {{secretRef: {secret}}}"))).token
    assert isinstance(token, SecretRef)
    assert token.namespace is not None
    assert (token.namespace(cr(), ENV), token.name(cr(), ENV), token.key) == ("ops", "key-web", "bearer")


def test_the_program_knows_its_variables(compiled: Compile) -> None:
    made = compiled(external(f"{URL}, token: '${{A}}', headers: {{X: '${{B}}', Y: 'a $C'}}"))
    assert made.program is not None
    assert made.program.variables == {"A", "B"}


# ── variables ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("token", "parts"),
    [
        ("$TOKEN", ["$TOKEN"]),
        ("${TOKEN}", ["$TOKEN"]),
        ("a${TOKEN}b", ["a", "$TOKEN", "b"]),
        ("$TOKEN.more", ["$TOKEN", ".more"]),
        ("${A}{{ .metadata.name }}$B", ["$A", "web", "$B"]),
        ("{{ .metadata.name }}", ["web"]),
        ("{{ $x := .metadata.name }}{{ $x }}", ["web"]),
        ('{{ "$HOME }}" }}', ["$HOME }}"]),
        ("$1 $", ["$1 $"]),
    ],
)
def test_only_what_the_author_wrote_outside_of_actions_is_a_variable(
    compiled: Compile, token: str, parts: list[str]
) -> None:
    found = call(compiled(external(f"{URL}, token: '{token}', allowedHosts: [a]"))).token
    assert isinstance(found, tuple)
    assert shown(found) == parts  # type: ignore[arg-type]


def test_headers_take_braced_variables_only(compiled: Compile) -> None:
    found = call(compiled(external(f"{URL}, headers: {{X: 'costs $5 of $USD, ${{KEY}}'}}")))
    assert shown(found.headers["X"]) == ["costs $5 of $USD, ", "$KEY"]


@pytest.mark.parametrize(
    ("token", "codes"),
    [
        ("$API{{ .spec.tier }}", ["ORK0703"]),
        ("${API}{{ .spec.tier }}", []),
        ("$API {{ .spec.tier }}", []),
        ("{{ if .spec.tier }}$API{{ end }}", ["ORK0703"]),
        ("{{ if .spec.tier }}x{{ end }}", []),
    ],
)
def test_a_variable_whose_end_is_not_clear_is_an_error(compiled: Compile, token: str, codes: list[str]) -> None:
    assert compiled(external(f"{URL}, token: '{token}'")).codes == codes


def test_a_fault_behind_a_variable_is_placed_right(compiled: Compile) -> None:
    found = compiled(external(f"{URL}, token: 'x${{API}}-{{{{ .spec.imge }}}}'")).only
    assert found.code == "ORK0304"
    assert found.span.end_column - found.span.column == len(".spec.imge")


# ── warnings ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("block", "fields", "warned"),
    [
        ("onReconcile", "method: POST", True),
        ("onReconcile", "method: PATCH", True),
        ("onReconcile", "method: DELETE", True),
        ("onReconcile", "method: PUT", False),
        ("onReconcile", "method: GET", False),
        ("onReconcile", "method: POST, when: [{field: spec.tier, equals: gold}]", False),
        ("onCreate", "method: POST", False),
    ],
)
def test_a_write_on_every_cycle_is_a_warning(compiled: Compile, block: str, fields: str, warned: bool) -> None:
    made = compiled(f"operatorBox: {{{block}: {{external: [{{name: a, {URL}, {fields}}}]}}}}")
    assert made.codes == (["ORK0704"] if warned else [])


@pytest.mark.parametrize(
    ("url", "credential", "warned"),
    [
        ("{{ .spec.image }}/v1", "token: $T", True),
        ("https://{{ .spec.image }}/v1", "token: $T", True),
        ("https://{{ .spec.image }}:8080", "headers: {Authorization: x}", True),
        ("https://{{ .spec.image }}", "headers: {X-Api-Key: '${K}'}", True),
        ("https://{{ .spec.image }}", "auth: {secretRef: {name: a}}", True),
        ("https://{{ .spec.image }}", "headers: {Accept: text/plain}", False),
        ("https://{{ .spec.image }}", "timeout: 5s", False),
        ("https://api.example.com/{{ .spec.image }}", "token: $T", False),
        ("https://api.{{ .metadata.namespace }}.svc/x", "token: $T", False),
        ("https://{{ .spec.image }}", "token: $T, allowedHosts: [a.example.com]", False),
    ],
)
def test_a_credential_to_a_host_that_the_cr_chooses_is_a_warning(
    compiled: Compile, url: str, credential: str, warned: bool
) -> None:
    made = compiled(external(f"url: '{url}', {credential}"))
    assert made.codes == (["ORK0705"] if warned else [])


@pytest.mark.parametrize(
    ("url", "templated"),
    [
        ("http://api.example.com/{{ .spec.image }}", False),
        ("http://api.example.com?x={{ .spec.image }}", True),
        ("{{ .spec.image }}", True),
        ("{{ .spec.image }}/path", True),
        ("http://{{ .metadata.namespace }}.svc/x", True),
        ("http://api.example.com:{{ .spec.replicas }}/x", True),
        ('http://{{ "a/b" }}/x', True),
    ],
)
def test_a_host_that_a_template_has_part_in_is_known_as_such(compiled: Compile, url: str, templated: bool) -> None:
    assert call(compiled(external(f"url: '{url}'"))).host_from_cr is templated


def test_allowed_hosts_of_the_katalog_hold_for_every_call(compiled: Compile) -> None:
    made = compiled(
        external("url: '{{ .spec.image }}', token: $T"), inside="external: {allowedHosts: [a.example.com]}\n"
    )
    assert made.findings == []
    assert call(made).allowed_hosts == ("a.example.com",)


# ── names ───────────────────────────────────────────────────────────────────────────────────────
def test_a_name_is_unique_over_all_lists_of_a_box(compiled: Compile) -> None:
    one = "external: [{name: same, url: 'http://a.example.com'}]"
    made = compiled(f"""
        mutation: {{{one}}}
        validation: {{{one}}}
        operatorBox:
          preReconcile: {{{one}, enqueueGate: {{failPolicy: open, {one}}}}}
          onCreate: {{{one}}}
          onReconcile: {{{one}}}
    """)
    assert made.codes == ["ORK0701"] * 5
    assert made.findings[0].related[0].message == "the first one"


def test_an_included_list_stands_in_the_place_of_its_entry(compiled: Compile) -> None:
    made = compiled(
        """
        operatorBox:
          onReconcile:
            external:
              - include: ./shared/calls.yaml
              - {name: last, url: "http://a.example.com/{{ .external.first.id }}{{ .spec.imge }}"}
        """,
        **{"shared/calls__yaml": 'calls: [{name: first, url: "http://a.example.com/{{ .spec.tpo }}"}]'},
    )
    assert [(found.code, found.span.file) for found in made.findings] == [
        ("ORK0304", "katalog.yaml"),
        ("ORK0304", "shared/calls.yaml"),
    ]


@pytest.mark.parametrize("block", ["validation", "mutation"])
def test_a_call_of_rules_may_be_for_admission_only(compiled: Compile, block: str) -> None:
    made = compiled(f"{block}: {{external: [{{name: a, {URL}, fires: {{reconcile: false}}}}]}}")
    calls = made.crd.rules.validation_calls if block == "validation" else made.crd.rules.mutation_calls
    assert not calls[0].at_reconcile


def test_fires_means_nothing_to_calls_of_on_reconcile(compiled: Compile) -> None:
    assert call(compiled(external(f"{URL}, fires: {{reconcile: false}}"))).at_reconcile
