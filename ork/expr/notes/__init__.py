"""Notes: the functions that expressions call beside Go's own, one file per domain, and those that a katalog adds.

Pure and nil-safe: they read their arguments and, where they say so, the clock or the source of randomness in `Env`.
"""

from ork.expr.notes.catalogue import CATALOGUE, DOMAINS, functions, search
from ork.expr.notes.note import Example, Note
from ork.expr.notes.user import Definition, NoteFault, UserNotes, user_notes

__all__ = [
    "CATALOGUE",
    "DOMAINS",
    "Definition",
    "Example",
    "Note",
    "NoteFault",
    "UserNotes",
    "functions",
    "search",
    "user_notes",
]
