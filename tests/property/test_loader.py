"""Properties of loading and writing YAML: the loader agrees with PyYAML on plain data, what the writer writes is read
back unchanged by every reader, positions lead to the text they speak of, and nothing but findings comes out."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ork.base import yaml_writer
from ork.base.findings import Finding
from ork.katalog.yaml.loader import load
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, to_data
from ork.katalog.yaml.source import Source

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30) | st.sampled_from(
    [
        "yes",
        "on",
        "9:05",
        "0x1",
        "1_000",
        "~",
        "<<",
        "=",
        "2024-01-31",
        ".5",
        "- x",
        "a: b",
        "#",
        "{{ .spec.x }}",
        "|",
        " x",
    ]
)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda number: not number.is_integer()
)
DATA = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def loaded(text: str) -> tuple[list[Any], list[Finding]]:
    findings: list[Finding] = []
    return [to_data(root) for root in load(Source("k.yaml", text), findings)], findings


@given(st.dictionaries(TEXTS, DATA, max_size=5))
def test_what_the_writer_writes_is_read_back_unchanged(data: dict[str, Any]) -> None:
    text = yaml_writer.dump(data)
    assert loaded(text) == ([data], [])
    assert yaml.load(text, Loader=yaml.CSafeLoader) == data
    assert yaml.safe_load(text) == data


@given(st.lists(st.dictionaries(TEXTS, DATA, min_size=1, max_size=3), max_size=3))
def test_documents_stay_apart(documents: list[dict[str, Any]]) -> None:
    assert loaded(yaml_writer.dump_all(documents)) == (documents, [])


@given(DATA, st.booleans(), st.integers(2, 6), st.sampled_from([20, 80]), st.booleans())
def test_the_loader_agrees_with_pyyaml_on_quoted_texts(
    data: Any, flow: bool, indent: int, width: int, unicode: bool
) -> None:
    root = {"a": data, "b": [data]}
    text = yaml.dump(
        root,
        Dumper=_Quoting,
        default_flow_style=flow,
        indent=indent,
        width=width,
        allow_unicode=unicode,
        sort_keys=False,
    )
    assert loaded(text) == ([yaml.load(text, Loader=yaml.CSafeLoader)], [])


class _Quoting(yaml.SafeDumper):
    """PyYAML's own dumper with every text in quotes: unquoted scalars are where the two are meant to differ."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if len(text) % 2 else "'")


_Quoting.add_representer(str, _quoted)

SOUP = st.text(st.sampled_from(list("ab: -[]{}&*!|>'\"%@`#,?\n\t\r~0.19<_\\yxn\u2028\x85\ufeffé😀")), max_size=60)


@settings(max_examples=500)
@given(SOUP | st.text(max_size=40))
def test_the_loader_never_raises(text: str) -> None:
    findings: list[Finding] = []
    for root in load(Source("k.yaml", text), findings):
        for node in walk(root):
            assert 1 <= node.span.line <= node.span.end_line
            if isinstance(node, Scalar):
                node.locate(0, len(node.text))
    assert all(finding.span.line >= 1 and finding.message for finding in findings)


@settings(max_examples=500)
@given(SOUP)
def test_the_loader_reads_whatever_pyyaml_reads(text: str) -> None:
    try:
        list(yaml.compose_all(text, Loader=yaml.CSafeLoader))
    except (yaml.YAMLError, ValueError):
        return
    findings = loaded(text)[1]
    assert "ORK0001" not in {finding.code for finding in findings}


@given(
    st.sampled_from(["", "'", '"', "|", ">"]),
    st.lists(st.sampled_from(["ab", "  x", "{{ .y }}", "", "é", "b c"]), min_size=1, max_size=6),
)
def test_a_visible_character_stands_where_it_is_said_to(style: str, lines: list[str]) -> None:
    text = yaml.dump({"k": "\n".join(lines)}, default_style=style or None, allow_unicode=True, width=12)
    root = load(Source("k.yaml", text), [])[0]
    assert isinstance(root, Mapping)
    node = root.scalar("k")
    assert node is not None
    for index, character in enumerate(node.text):
        if not character.isspace():
            span = node.locate(index, index + 1)
            assert node.source.line(span.line)[span.column - 1] == character


def walk(node: AnyNode) -> list[AnyNode]:
    """Return a node and all below it."""
    below = node.entries.values() if isinstance(node, Mapping) else () if isinstance(node, Scalar) else node.elements
    return [node, *(inner for child in below for inner in walk(child))]
