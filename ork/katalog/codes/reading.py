"""Reading YAML: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error

CODES: tuple[Code, ...] = (
    error(
        "ORK0001",
        "this is not YAML",
        "The parser cannot go on here. The rest of the file is not looked at; documents before it are. "
        "Often a value that begins with `{{` is not quoted, or a tab indents a line.",
        "name: {{ .metadata.name }}-web",
        'name: "{{ .metadata.name }}-web"',
    ),
    error(
        "ORK0002",
        "not UTF-8",
        "Documents are UTF-8, with or without a byte order mark. Save the file in that encoding.",
        "description: caf\\xe9        # a byte of Latin-1",
        "description: café",
    ),
    error(
        "ORK0003",
        "a key stands twice",
        "Two equal keys in one map: readers disagree about which one holds, so none may stand there by mistake. "
        "What `<<` merges is no duplicate: the key that is written wins.",
        "spec:\n  replicas: 1\n  replicas: 2",
        "spec:\n  replicas: 2",
    ),
    error(
        "ORK0004",
        "an alias names nothing",
        "`*name` stands for the value that `&name` marked further up in the same document, and cannot stand inside it.",
        "labels: *common",
        "common: &common {team: web}\nlabels: *common",
    ),
    error(
        "ORK0005",
        "too large to read",
        "A file is read up to 16 MiB, a document up to 200 levels deep, and aliases up to 250,000 nodes written out.",
        "a: &a [x, x]\nb: &b [*a, *a]       # and so on, twenty times",
        "a: [x, x]",
    ),
    error(
        "ORK0006",
        "a key is no text",
        "The keys of Kubernetes objects are texts. A map as a key is nearly always a template without quotes.",
        "image: {{ .spec.image }}",
        'image: "{{ .spec.image }}"',
    ),
    error(
        "ORK0007",
        "a value that JSON cannot hold",
        "Objects travel as JSON, which has no infinity and no `.nan`, and a value must be what its tag says.",
        "limit: .inf",
        'limit: ".inf"',
    ),
    error(
        "ORK0008",
        "`<<` merges no map",
        "The merge key takes a map or a list of maps.",
        "<<: [a, b]",
        "<<: [*a, *b]",
    ),
)
