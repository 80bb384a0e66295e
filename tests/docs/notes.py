"""docs/notes.md, from the catalogue of notes."""

from __future__ import annotations

from ork.expr import values
from ork.expr.notes import CATALOGUE, DOMAINS, Note

_INTRO = """\
# Notes

Functions that expressions can call, beside Go's own (`and or not len index slice print printf println html js urlquery
call eq ne lt le gt ge`). This page is generated; `ork notes`, `ork notes search WORD` and `ork notes show NAME` say the
same.

- A note takes what is missing: nothing in gives nothing out (an empty text, 0, false, an empty list or map). What makes
  no sense, such as `toInt "abc"`, is an evaluation error at its place. A note that asks a question (`is…`, `has…`,
  `…Valid`) answers it of any value.
- A value that comes down a pipeline is a note's first argument: `.spec.tier | default "free"` and
  `default .spec.tier "free"` are the same, and so are `.spec.hosts | join ","` and `join .spec.hosts ","`. Notes marked
  ↦ get it last, as functions of Go do: `2 | sub 10` is 8.
- In a signature, `[…]` may be left out, and `…` stands for any number.
- Notes on time read one clock, the moment of the turn; in the examples it is Monday 2026-01-05 10:00 UTC.
  `ork simulate --at` sets it. Notes on randomness work only where an object is created once and then left alone.
- Notes of your own stand under `notes:`. They are evaluated in the scope of whoever calls them, may call each other but
  not themselves, and take the place of a built-in note of the same name.
"""


def page() -> str:
    """Return the whole page."""
    contents = " · ".join(f"[{domain}](#{domain.replace(' ', '-')})" for domain in DOMAINS)
    return "\n".join([_INTRO, contents, *(_domain(domain, names) for domain, names in DOMAINS.items())])


def _domain(domain: str, names: tuple[str, ...]) -> str:
    rows = [_row(CATALOGUE[name]) for name in names]
    return "\n".join([f"\n## {domain}\n", "| note | gives | example |", "|---|---|---|", *rows])


def _row(note: Note) -> str:
    function = note.function
    mark = " ↦" if not function.subject_first and function.most != 1 and function.most != 0 else ""
    return f"| {_code(note.signature)}{mark} | {note.description.replace('|', chr(92) + '|')} | {_example(note)} |"


def _example(note: Note) -> str:
    scope = values.json(note.example.scope)
    given = f" on {_code(scope)}" if 2 < len(scope) <= 90 else ""
    return f"{_code(note.example.template)}{given} gives {_code(_shown(note.example.result))}"


def _shown(result: object) -> str:
    return values.json(result) if result == "" or "\n" in str(result) else values.text_or_empty(result)


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text.replace('|', chr(92) + '|')}{fence}"
