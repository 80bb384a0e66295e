// Command fields prints how Kubernetes' API types write what is not set, which OpenAPI does not tell:
// {"core.v1.Container": {"vanish": ["args", "image"], "stay": {"name": "", "resources": {}}}, …}.
// A field that vanishes is left out of JSON when it is zero; one that stays is written although nobody set it.
package main

import (
	"encoding/json"
	"os"
	"path"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type writing struct {
	Vanish []string       `json:"vanish"`
	Stay   map[string]any `json:"stay"`
}

var writings = map[string]writing{}

func name(t reflect.Type) string {
	dir, version := path.Split(t.PkgPath())
	return path.Base(dir) + "." + version + "." + t.Name()
}

// ownJSON tells whether a type writes itself, as Time, Quantity and RawExtension do.
func ownJSON(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]())
}

func visit(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || ownJSON(t) {
		return
	}
	if _, done := writings[name(t)]; !done {
		writings[name(t)] = writing{}
		found := writing{[]string{}, map[string]any{}}
		fields(t, &found)
		sort.Strings(found.Vanish)
		writings[name(t)] = found
	}
}

func fields(t reflect.Type, found *writing) {
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch kind := field.Type.Kind(); {
		case tag == "-":
		case strings.Contains(options, "inline") || (tag == "" && field.Anonymous):
			fields(field.Type, found)
		case kind == reflect.Pointer:
			visit(field.Type)
		case strings.Contains(options, "omitzero") || (strings.Contains(options, "omitempty") && kind != reflect.Struct):
			visit(field.Type)
			found.Vanish = append(found.Vanish, tag)
		default:
			visit(field.Type)
			found.Stay[tag] = zero(field.Type)
		}
	}
}

func zero(t reflect.Type) any {
	if t.Kind() == reflect.Struct && !ownJSON(t) {
		return map[string]any{}
	}
	return reflect.Zero(t).Interface()
}

func main() {
	for _, t := range scheme.Scheme.AllKnownTypes() {
		visit(t)
	}
	visit(reflect.TypeFor[apiextensions.CustomResourceDefinition]())
	visit(reflect.TypeFor[aggregator.APIService]())
	if err := json.NewEncoder(os.Stdout).Encode(writings); err != nil {
		panic(err)
	}
}
