// Command numbers prints under which numbers the fields of Kubernetes' API types travel in protobuf:
// {"core.v1.Volume": {"1": "name", "2": ["core.v1.VolumeSource"]}, …}.
// A list names a struct that is a message of its own in protobuf, while JSON has its fields beside the others.
package main

import (
	"encoding/json"
	"os"
	"path"
	"reflect"
	"strings"

	"k8s.io/client-go/kubernetes/scheme"
)

var numbers = map[string]map[string]any{}

func name(t reflect.Type) string {
	dir, version := path.Split(t.PkgPath())
	return path.Base(dir) + "." + version + "." + t.Name()
}

func visit(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return
	}
	if _, done := numbers[name(t)]; done {
		return
	}
	found := map[string]any{}
	numbers[name(t)] = found
	for i := range t.NumField() {
		field := t.Field(i)
		parts := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(parts) < 2 {
			continue
		}
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == "" && field.Anonymous {
			found[parts[1]] = []string{name(field.Type)}
		} else {
			found[parts[1]] = tag
		}
		visit(field.Type)
	}
}

func main() {
	for _, t := range scheme.Scheme.AllKnownTypes() {
		visit(t)
	}
	if err := json.NewEncoder(os.Stdout).Encode(numbers); err != nil {
		panic(err)
	}
}
