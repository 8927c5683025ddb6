package ollama_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

const (
	head  = `{"model":"m","created_at":"2026-11-01T10:00:00Z"`
	usage = `"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`
)

// said is a line with a message; members stand behind its role.
func said(members string) string {
	return head + `,"message":{"role":"assistant",` + members + `},"done":false}`
}

func text(s string) string { return said(`"content":` + quote(s)) }

// tools is a line with calls and no text.
func tools(entries ...string) string {
	return said(`"content":"","tool_calls":[` + strings.Join(entries, ",") + `]`)
}

// last is the line that ends a response.
func last(content string) string {
	return head + `,"message":{"role":"assistant","content":` + quote(content) + `},` + usage
}

// generated is a line of a response to /api/generate.
func generated(s string) string { return head + `,"response":` + quote(s) + `,"done":false}` }

// entry is a call as the API has it.
func entry(name, args string) string {
	return `{"function":{"name":` + quote(name) + `,"arguments":` + args + `}}`
}

// numbered is a call as newer servers have it.
func numbered(id, index, name, args string) string {
	return `{"id":` + quote(id) + `,"function":{"index":` + index + `,"name":` + quote(name) + `,"arguments":` + args + `}}`
}

var (
	rm   = entry("rm", `{"path":"/"}`)
	ls   = entry("ls", `{}`)
	done = last("")
)

const failure = `{"error":"model runner has stopped"}`

// lines puts lines on the wire.
func lines(all ...string) []byte { return []byte(strings.Join(all, "\n") + "\n") }

// quote is s as a JSON string, as weir writes it.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(b))
}

func pass(in []byte, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Pass(dialecttest.Passage{
		Format: ollama.Format(), Whole: whole, Framing: frame.Rows, In: bytes.NewReader(in), Judge: &dialecttest.Judge{Policy: p}, Texts: true,
	})
}

func readFixture(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// refuse is a policy that refuses tools by name.
func refuse(drop bool, tools ...string) dialecttest.Policy {
	return dialecttest.Policy{Name: "refuse", Drop: drop, ByName: func(c call.Call) bool {
		return slices.Contains(tools, c.Tool) || slices.Contains(tools, "*") ||
			slices.ContainsFunc(c.Aliases, func(a string) bool { return slices.Contains(tools, a) })
	}}
}

// noticeFor is what the agent reads in place of a call to a tool that the test refused.
func noticeFor(tool string) string {
	return `[weir] The call to "` + tool + `" was refused (tool_denied, rule test-rule): The test says so. ` +
		"Do not retry it; continue without it or ask the user."
}
