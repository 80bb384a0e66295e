"""What Kubernetes takes as names, labels, keys and ports, and how it says that it does not."""

from __future__ import annotations

import pytest

from ork.openapi import names

FINE = [
    (names.subdomain, ["a", "a-b.c", "0", "a" * 253]),
    (names.dns_label, ["a", "0-a", "a" * 63]),
    (names.dns_label_1035, ["a", "a-0", "a" * 63]),
    (names.wildcard, ["*.a", "*.example.com"]),
    (names.search_path, ["a", "_a._b", "a-b.c"]),
    (names.any_case(names.subdomain), ["A.b"]),
    (names.percent, ["0%", "93%"]),
    (names.path_segment, ["a", "A b", "..."]),
    (names.qualified, ["a", "A_b.c", "example.com/MyName", "a" * 63, "b.c/" + "a" * 63]),
    (names.label_value, ["", "a", "A_b.c", "a" * 63]),
    (names.config_key, ["a", ".a", "key.name", "KEY_NAME", "-", "a" * 253]),
    (names.env_name, ["A", "a.b", "1", "with space", "-"]),
    (names.port_name, ["http", "a-1", "1a", "a" * 15]),
    (names.finalizer, ["orphan", "foregroundDeletion", "kubernetes", "example.com/a"]),
]
BAD = [
    (names.subdomain, ["", "A", "a_b", "-a", "a-", "a..b", ".a", "é", "a\n"]),
    (names.dns_label, ["", "a.b", "A", "-a", "a-", "a" * 64]),
    (names.dns_label_1035, ["", "0a", "a.b", "a-"]),
    (names.wildcard, ["*", "*.", "a.b", "*.*.a", "*a.b"]),
    (names.search_path, ["", "A", "a..b", "__a", "a_"]),
    (names.percent, ["", "1", "%", "-1%", "1.5%", "٣%"]),
    (names.path_segment, [".", "..", "a/b", "a%b"]),
    (names.qualified, ["", "/a", "a/", "a/b/c", "-a", "a-", "A/b", "a b", "a" * 64]),
    (names.label_value, ["-a", "a-", "a/b", "a b", "a" * 64, "é"]),
    (names.config_key, ["", ".", "..", "..a", "a/b", "a b", "a" * 254]),
    (names.env_name, ["", "a=b", "é", "a\n"]),
    (names.port_name, ["", "A", "1", "a--b", "-a", "a-", "a" * 16, "a_b"]),
    (names.finalizer, ["odd", "", "a/b/c"]),
]


@pytest.mark.parametrize(("rule", "name"), [(rule, name) for rule, fine in FINE for name in fine])
def test_these_are_taken(rule: names.NameRule, name: str) -> None:
    assert rule(name) == ()


@pytest.mark.parametrize(("rule", "name"), [(rule, name) for rule, bad in BAD for name in bad])
def test_these_are_refused(rule: names.NameRule, name: str) -> None:
    assert all(rule(name))
    assert rule(name) != ()


def test_the_words_are_those_of_kubernetes() -> None:
    assert names.subdomain("A") == (
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
        "and must start and end with an alphanumeric character (e.g. 'example.com', "
        r"regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    )
    assert names.dns_label("A" * 64) == (
        "must be no more than 63 characters",
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
        "and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', "
        "regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    )
    assert names.dns_label("a" * 64 + ".b") == ("must be no more than 63 characters", "must not contain dots")
    assert names.qualified("/a") == ("prefix part must be non-empty",)
    assert names.qualified("a/")[0] == "name part must be non-empty"
    assert names.label_value("a" * 64) == ("must be no more than 63 bytes",)
