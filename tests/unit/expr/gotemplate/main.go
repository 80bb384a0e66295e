// Renders templates with Go's own text/template: a JSON line {"template", "data"} in, a JSON line out for each.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"log"
	"os"
	"strconv"
	"text/template"
)

type job struct {
	Template string `json:"template"`
	Data     any    `json:"data"`
}

type answer struct {
	Output string `json:"output"`
	Stage  string `json:"stage"` // "parse" or "run" where it failed, else empty
	Error  string `json:"error"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber()
		var j job
		if err := decoder.Decode(&j); err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(render(j)); err != nil {
			log.Fatal(err)
		}
	}
}

func render(j job) answer {
	parsed, err := template.New("t").Parse(j.Template)
	if err != nil {
		return answer{Stage: "parse", Error: err.Error()}
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, typed(j.Data)); err != nil {
		return answer{Stage: "run", Error: err.Error()}
	}
	return answer{Output: out.String()}
}

// typed keeps whole numbers whole: they are int, all others float64.
func typed(value any) any {
	switch v := value.(type) {
	case json.Number:
		if whole, err := strconv.Atoi(v.String()); err == nil {
			return whole
		}
		float, _ := v.Float64()
		return float
	case []any:
		for i := range v {
			v[i] = typed(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = typed(v[key])
		}
	}
	return value
}
