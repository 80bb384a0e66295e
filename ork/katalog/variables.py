"""Environment variables in tokens and headers, taken from the text that the Katalog's author wrote only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ork.base.patterns import pattern
from ork.expr.env import Place
from ork.expr.template import Template
from ork.katalog.expressions import Expressions, Piece, Site
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Scalar
from ork.program import Parts, Variable

ACTION = pattern(r"""\{\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|(?!\}\}).)*\}\}""", re.DOTALL)
"""One template action; quotes may hide its end."""

_BLOCK = pattern(r"\{\{-?\s*(?:if|range|with|define|block|end)\b")
_BRACED = pattern(r"\$\{([A-Za-z_]\w*)\}")
_BARE = pattern(r"\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)")


def parts(expressions: Expressions, node: Scalar, site: Site, trail: Trail, *, bare: bool) -> Parts:
    """Return a token's or header's text as templates and variables; `bare` also takes `$NAME`.

    What a template renders is never searched for variables, so a CR cannot read the operator's environment.
    """
    variables = list(_variables(node.text, _BARE if bare else _BRACED))
    if variables and _BLOCK.search(node.text):
        _inside_block(expressions, node, variables[0], trail)
        return ()
    found: list[Template | Variable] = []
    position = 0
    for match in variables:
        _check_end(expressions, node, match, trail)
        _append(found, expressions, Piece(node, position, match.start()), site, trail)
        found.append(Variable(match[1] or match[match.lastindex or 1]))
        position = match.end()
    _append(found, expressions, Piece(node, position, len(node.text)), site, trail)
    return tuple(found)


def _append(found: list[Template | Variable], expressions: Expressions, piece: Piece, site: Site, trail: Trail) -> None:
    if piece.text:
        template = expressions.template(piece, Place.TEXT, site, trail)
        if template is not None:
            found.append(template)


def _variables(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Go over the variables outside of actions."""
    position = 0
    for action in ACTION.finditer(text):
        yield from pattern.finditer(text, position, action.start())
        position = action.end()
    yield from pattern.finditer(text, position)


def _check_end(expressions: Expressions, node: Scalar, match: re.Match[str], trail: Trail) -> None:
    """A bare name ends where no letter follows, and of an action nobody knows with what it begins."""
    if node.text[match.start() + 1] == "{" or not node.text.startswith("{{", match.end()):
        return
    span = node.locate(match.start(), match.end())
    message = f"`{match[0]}` is directly followed by `{{{{`: where the variable's name ends is not clear"
    expressions.findings.error("ORK0703", span, message, f"write `${{{match[0][1:]}}}`", path=path_text(trail))


def _inside_block(expressions: Expressions, node: Scalar, match: re.Match[str], trail: Trail) -> None:
    """A variable among `if` and `range` could not be told from what they render."""
    span = node.locate(match.start(), match.end())
    message = f"the variable `{match[0]}` stands in a text with `if`, `range` or `with`"
    hint = "make two calls with `when`, or put the whole text into one variable"
    expressions.findings.error("ORK0703", span, message, hint, path=path_text(trail))
