// Command encode reads a list of objects in JSON and prints the list of them in protobuf, in base64.
package main

import (
	"bytes"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	var objects []json.RawMessage
	must(json.NewDecoder(os.Stdin).Decode(&objects))
	encoded := [][]byte{}
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	for _, content := range objects {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(content, nil, nil)
		must(err)
		var out bytes.Buffer
		must(serializer.Encode(object, &out))
		encoded = append(encoded, out.Bytes())
	}
	must(json.NewEncoder(os.Stdout).Encode(encoded))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
