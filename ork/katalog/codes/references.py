"""References, includes and files: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, info, warning

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
    warning(
        "ORK0204",
        "a hook is not found here",
        "The location of a hook is no file beside the katalog, so its arguments are parsed only. This version runs no "
        "hooks, found or not: all commands go on without them, and a simulation says so.",
        "hooks:\n  location: github.com/acme/hooks\n  function: AppHooks",
        "hooks:\n  location: ./hooks.py\n  function: app_hooks",
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
    info(
        "ORK0207",
        "a CRD file that is not read",
        "`ork validate` never touches the network, so the schema behind an https address is not known, and "
        "expressions are not checked against it. A copy beside the katalog would be.",
        "crdFile: https://example.com/app-crd.yaml",
        "crdFile: ./app-crd.yaml",
    ),
    error(
        "ORK0208",
        "no usable CustomResourceDefinition",
        "A CRD file holds no CustomResourceDefinition of apiextensions.k8s.io/v1, one without its group, names, "
        "scope or versions, or several without saying which is meant.",
        "# crd.yaml\napiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition",
        "# crd.yaml\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition",
    ),
    error(
        "ORK0209",
        "katalog and CRD file disagree",
        "`apiTypes` or `namespaced` says something else than the CRD file. What the file says may be left out.",
        "crdFile: ./app-crd.yaml   # kind: App\napiTypes: {kind: Application}",
        "crdFile: ./app-crd.yaml",
    ),
    error(
        "ORK0210",
        "a schema that the API server refuses",
        "The OpenAPI schema of a CRD is not structural, contradicts itself, or has defaults that do not fit. The API "
        "server would not accept the CRD.",
        "properties:\n  spec:\n    properties:\n      image: {type: string}",
        "properties:\n  spec:\n    type: object\n    properties:\n      image: {type: string}",
    ),
    error(
        "ORK0211",
        "an unknown entry in dependsOn",
        "`dependsOn` names entries of `spec.crds` by the names that they have there.",
        "dependsOn: [databse]",
        "dependsOn: [database]",
    ),
    error(
        "ORK0212",
        "entries that wait for each other",
        "Each of these entries starts only after another of them, so none ever would. The message prints the cycle.",
        "crds:\n  app: {dependsOn: [cache]}\n  cache: {dependsOn: [app]}",
        "crds:\n  app: {dependsOn: [cache]}\n  cache: {}",
    ),
    error(
        "ORK0213",
        "two entries for one kind",
        "Two enabled entries would work on the same CRs and undo each other's work.",
        "crds:\n  app: {crdFile: ./app-crd.yaml}\n  web: {crdFile: ./app-crd.yaml}",
        "crds:\n  app: {crdFile: ./app-crd.yaml}\n  web: {crdFile: ./app-crd.yaml, enabled: false}",
    ),
    error(
        "ORK0214",
        "an entry for no kind",
        "An entry says which CRs it is for: by its CRD file, or by group, version and kind.",
        "crds:\n  app:\n    operatorBox: {}",
        "crds:\n  app:\n    crdFile: ./app-crd.yaml\n    operatorBox: {}",
    ),
    error(
        "ORK0215",
        "all objects of a built-in kind",
        "An entry for one of Kubernetes' own kinds would take every object of it for a CR. Say which are meant.",
        "app:\n  apiTypes: {group: apps, version: v1, kind: Deployment}",
        "app:\n  apiTypes: {group: apps, version: v1, kind: Deployment}\n  labelSelector: tier=gold",
    ),
    warning(
        "ORK0216",
        "a namespace that is watched and is not",
        "`restrictedNamespaces` wins over `namespace` and `allowedNamespaces`: CRs in a namespace of both are not "
        "looked after.",
        "allowedNamespaces: [shop, test]\nrestrictedNamespaces: [test]",
        "allowedNamespaces: [shop]",
    ),
)
