"""References, includes and files: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error

CODES: tuple[Code, ...] = (
    error(
        "ORK0201",
        "an included file is missing",
        "An `include` names a file that is not there. Its path is relative to the directory of the katalog, for "
        "includes inside included files too.",
        "external:\n  - include: ./shard/calls.yaml",
        "external:\n  - include: ./shared/calls.yaml",
    ),
    error(
        "ORK0202",
        "an include cycle",
        "A file includes itself, directly or through others. The message prints the cycle.",
        "# calls.yaml\ncalls:\n  - include: ./calls.yaml",
        "# calls.yaml\ncalls:\n  - name: health\n    url: http://shop.example.com/health",
    ),
    error(
        "ORK0203",
        "an included file cannot be used",
        "The file may not be read, is a directory, or does not hold one document that is a map with the keys of the "
        "block that includes it: `calls:` for external calls, `rules:`, `fields:`, `ops:`, else the block's own keys.",
        "# calls.yaml\n- name: health",
        "# calls.yaml\ncalls:\n  - name: health\n    url: http://shop.example.com/health",
    ),
    error(
        "ORK0205",
        "a file that is named cannot be read",
        "A document names a file of CRDs, CRs or further documents that is missing or may not be read. Its path is "
        "relative to the file that names it.",
        "spec:\n  cr: ./crs/app.yml",
        "spec:\n  cr: ./crs/app.yaml",
    ),
    error(
        "ORK0206",
        "no Kubernetes object",
        "A file of objects holds something else: an object has `apiVersion`, `kind` and `metadata.name`.",
        "spec:\n  image: nginx",
        "apiVersion: apps.demo.io/v1\nkind: App\nmetadata:\n  name: my-app\nspec:\n  image: nginx",
    ),
)
