"""Resources and the Kubernetes schema: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, info, warning

CODES: tuple[Code, ...] = (
    error(
        "ORK0601",
        "a resource without what it needs",
        "Every object of this group needs that field, or a name.",
        "deployments:\n  - name: web",
        "deployments:\n  - name: web\n    image: nginx",
    ),
    error(
        "ORK0602",
        "a native field is missing",
        "The Kubernetes schema demands a field that neither the short form nor the native fields declare.",
        "spec:\n  template:\n    spec:\n      volumes:\n        - emptyDir: {}",
        "spec:\n  template:\n    spec:\n      volumes:\n        - name: cache\n          emptyDir: {}",
    ),
    error(
        "ORK0603",
        "a value that does not fit its field",
        "The Kubernetes or CRD schema says what the field takes, and this is something else; often a text that YAML "
        "reads as a boolean or number because it is not quoted.",
        "metadata:\n  labels:\n    active: yes",
        'metadata:\n  labels:\n    active: "yes"',
    ),
    error(
        "ORK0604",
        "an unknown native field",
        "The Kubernetes schema of this kind has no such field. The hint names the field that was probably meant.",
        "spec:\n  minReadySecond: 5",
        "spec:\n  minReadySeconds: 5",
    ),
    error(
        "ORK0605",
        "a `forEach` that hides a name",
        "The name of the element would hide a part of the CR, or one of the names that `ork` adds.",
        "forEach: {field: spec.regions, as: spec}",
        "forEach: {field: spec.regions, as: region}",
    ),
    error(
        "ORK0606",
        "a `forEach` over no list",
        "By the CRD's schema the field is a text or a boolean; `forEach` goes over a list, a map or a number.",
        "forEach: {field: spec.image}",
        "forEach: {field: spec.regions}",
    ),
    error(
        "ORK0607",
        "an ignored path that is none",
        "`ignore` names fields of the object by their dot paths.",
        "ignore: [spec.replica]",
        "ignore: [spec.replicas]",
    ),
    error(
        "ORK0608",
        "a namespace where it cannot be",
        "A cluster-scoped CR has no namespace to lend to its children, so they say theirs, and where what they copy "
        "is; a cluster-scoped child has none, and `toNamespaces` leaves none to say.",
        "namespaced: false\noperatorBox:\n  onReconcile:\n    configMaps:\n      - data: {a: b}",
        "namespaced: false\noperatorBox:\n  onReconcile:\n    configMaps:\n      - namespace: ops\n"
        "        data: {a: b}",
    ),
    error(
        "ORK0609",
        "two entries of one identity",
        "An entry is known by its `id`, else by its group and name. Two that are the same would undo each other, "
        "unless conditions tell them apart.",
        'configMaps:\n  - {name: settings, data: {a: "1"}}\n  - {name: settings, data: {a: "2"}}',
        'configMaps:\n  - {name: settings, data: {a: "1"}}\n  - {name: settings-two, data: {a: "2"}}',
    ),
    error(
        "ORK0610",
        "a Service whose pods are not clear",
        "Without `selector` a Service leads to the pods of the only workload of its box, or of the one whose name is "
        "its own without `-svc`. Here is none, or it cannot be named.",
        "services:\n  - port: 80",
        "deployments:\n  - image: nginx\nservices:\n  - port: 80",
    ),
    error(
        "ORK0611",
        "a kind that is a template",
        "apiVersion and kind decide what is created, watched and permitted, so they stand there literally.",
        'custom:\n  - apiVersion: v1\n    kind: "{{ .spec.kind }}"\n    metadata: {name: web}',
        "custom:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: web}",
    ),
    error(
        "ORK0612",
        "a kind that Kubernetes does not have",
        "Groups without a dot, such as `apps`, and versions that Kubernetes itself serves have its own kinds only.",
        "custom:\n  - apiVersion: apps/v1\n    kind: Statefulset\n    metadata: {name: web}",
        "custom:\n  - apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: web}",
    ),
    error(
        "ORK0613",
        "a name, label or key that Kubernetes refuses",
        "Names have lower-case letters, digits and `-`; labels, annotations and keys of data have rules of their own. "
        "What stands there literally breaks them whatever its expressions give.",
        'configMaps:\n  - name: "{{ .metadata.name }}_settings"',
        'configMaps:\n  - name: "{{ .metadata.name }}-settings"',
    ),
    warning(
        "ORK0614",
        "a label that ork sets itself",
        "`orkestra-owner`, `app.kubernetes.io/managed-by` and what begins with `orkestra.orkspace.io/` tell whose an "
        "object is. `ork` sets these labels itself, and what an entry says of them is lost or misleads.",
        "labels: {orkestra-owner: web}",
        "labels: {team: web}",
    ),
    warning(
        "ORK0615",
        "a `forEach` that makes one object",
        "Each element makes an object, and these need names (or namespaces) of their own; from the second element on "
        "the entry fails.",
        "configMaps:\n  - name: settings\n    forEach: {field: spec.regions, as: region}",
        'configMaps:\n  - name: "settings-{{ .region }}"\n    forEach: {field: spec.regions, as: region}',
    ),
    error(
        "ORK0620",
        "a status field that would be dropped",
        "The CRD's schema has no such field below `status`, so the API server would drop it.",
        "status:\n  fields:\n    - {path: fase, value: Ready}",
        "status:\n  fields:\n    - {path: phase, value: Ready}",
    ),
    warning(
        "ORK0621",
        "status without the status subresource",
        "The version of the CRD has no status subresource, so no status is written.",
        "versions:\n  - name: v1\n    served: true",
        "versions:\n  - name: v1\n    served: true\n    subresources: {status: {}}",
    ),
    error(
        "ORK0630",
        "an object that does not fit its schema",
        "The API server would refuse this object: a value is missing, of another type, or not allowed.",
        "spec:\n  replicas: many",
        "spec:\n  replicas: 3",
    ),
    warning(
        "ORK0631",
        "a field that would be dropped",
        "The schema has no such field, so the API server drops it silently.",
        "spec:\n  imge: nginx",
        "spec:\n  image: nginx",
    ),
    info(
        "ORK0632",
        "an object that is not checked",
        "No CRD of that kind is among the files that are checked, nor is it one of Kubernetes' own kinds.",
        "# cr.yaml alone\napiVersion: apps.demo.io/v1\nkind: App",
        "# cr.yaml beside its CRD\napiVersion: apps.demo.io/v1\nkind: App",
    ),
    info(
        "ORK0633",
        "rules that are not run here",
        "A schema has rules in CEL (`x-kubernetes-validations`). They are held to their form and are not run offline: "
        "the API server may refuse what `ork validate` and `ork simulate` take.",
        'spec:\n  type: object\n  x-kubernetes-validations: [{rule: "self.size < 10"}]',
        "spec:\n  type: object\n  properties:\n    size: {type: integer, maximum: 9}",
    ),
)
