"""The one writer of YAML: what it writes reads the same for every reader, of YAML 1.1 and 1.2 alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from ork.base.patterns import pattern

if TYPE_CHECKING:
    from yaml import CSafeDumper, MappingNode, Node

_WORDS = frozenset(("", "y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_RETYPED = pattern(r"[0-9+\-.~<=]")
_NO_FOLDING = 2**31 - 1
_BREAKS_OF_YAML_1_1 = re.compile("[\x85\u2028\u2029]")
_LONE_SURROGATES = pattern("[\ud800-\udfff]")


def dump(data: Any) -> str:
    """Return one document in block style, keys in the order in which they are, without anchors."""
    return dump_all([data])


def dump_all(documents: Iterable[Any]) -> str:
    """Return documents, parted by `---`."""
    import yaml

    writer = _dumper()
    return "---\n".join(
        yaml.dump(data, Dumper=writer, sort_keys=False, allow_unicode=True, width=_NO_FOLDING) for data in documents
    )


def retypable(text: str) -> bool:
    """Tell whether some reader could take an unquoted text for something else: a boolean, null, number or time."""
    return text.lower() in _WORDS or _RETYPED.match(text) is not None


@cache
def _dumper() -> type[CSafeDumper]:
    """Return the dumper; PyYAML is loaded only for somebody who writes."""
    from yaml import CSafeDumper

    class Writer(CSafeDumper):
        def ignore_aliases(self, _: Any) -> bool:
            return True

        def represent_text(self, text: str) -> Node:
            escaped = retypable(text) or _BREAKS_OF_YAML_1_1.search(text)
            style = '"' if escaped else "|" if "\n" in text else None
            return self.represent_scalar("tag:yaml.org,2002:str", _LONE_SURROGATES.sub("�", text), style=style)

        def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> MappingNode:
            node = super().represent_mapping(tag, mapping, flow_style)
            for key, _ in node.value:
                key.style = '"' if key.style == "|" else key.style
            return node

    Writer.add_representer(str, Writer.represent_text)
    return Writer
