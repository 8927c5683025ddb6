package bedrock_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// The frames of small streams, each a type and a payload; a mark of exclamation ahead of the type makes it an exception.
const (
	start   = `messageStart {"role":"assistant"}`
	end     = `messageStop {"stopReason":"tool_use"}`
	costs   = `metadata {"usage":{"inputTokens":7,"outputTokens":3,"totalTokens":10},"metrics":{"latencyMs":1}}`
	failure = `!modelStreamErrorException {"message":"stream broke"}`
)

func stopWith(reason string) string { return `messageStop {"stopReason":` + quote(reason) + `}` }

func startBlock(index any, unit string) string {
	return fmt.Sprintf(`contentBlockStart {"contentBlockIndex":%v,"start":%s}`, index, unit)
}

func tool(index any, name string) string {
	return startBlock(index, `{"toolUse":{"toolUseId":"t","name":`+quote(name)+`}}`)
}

func delta(index any, unit string) string {
	return fmt.Sprintf(`contentBlockDelta {"contentBlockIndex":%v,"delta":%s}`, index, unit)
}

func says(index any, text string) string { return delta(index, `{"text":`+quote(text)+`}`) }

// piece is a delta with a piece of arguments, which is a JSON string.
func piece(index any, literal string) string {
	return delta(index, `{"toolUse":{"input":`+literal+`}}`)
}

func stopBlock(index any) string {
	return fmt.Sprintf(`contentBlockStop {"contentBlockIndex":%v}`, index)
}

// rm is a call, as its frames.
func rm(index any) []string {
	return []string{tool(index, "rm"), piece(index, `"{\"path\":\"/\"}"`), stopBlock(index)}
}

// framesOf puts frames and lists of them in a row.
func framesOf(parts ...any) []string {
	var all []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			all = append(all, p)
		case []string:
			all = append(all, p...)
		}
	}
	return all
}

// stream puts frames on the wire.
func stream(frames ...string) []byte {
	var out []byte
	for _, f := range frames {
		typ, payload, _ := strings.Cut(f, " ")
		if name, failed := strings.CutPrefix(typ, "!"); failed {
			out = dialecttest.ExceptionMessage(name, payload).Append(out)
			continue
		}
		out = dialecttest.EventMessage(typ, payload).Append(out)
	}
	return out
}

// told is a stream as its frames.
func told(out []byte) []string {
	var all []string
	for _, e := range dialecttest.Readers(frame.Binary)[0].Events(out) {
		name, failed := strings.CutPrefix(e.Name, dialecttest.FailureName)
		if failed {
			name = "!" + name
		}
		all = append(all, name+" "+e.Data)
	}
	return all
}

// body is a whole response.
func body(reason string, blocks ...string) string {
	return `{"output":{"message":{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}},"stopReason":` + quote(reason) +
		`,"usage":{"inputTokens":7,"outputTokens":3,"totalTokens":10},"metrics":{"latencyMs":1}}`
}

const rmBlock = `{"toolUse":{"toolUseId":"t","name":"rm","input":{"path":"/"}}}`

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
		Format: bedrock.Format(), Whole: whole, Framing: frame.Binary, In: bytes.NewReader(in), Judge: &dialecttest.Judge{Policy: p}, Texts: true,
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

// refuse is a policy that refuses tools by name.
func refuse(drop bool, tools ...string) dialecttest.Policy {
	return dialecttest.Policy{Name: "refuse", Drop: drop, ByName: func(c call.Call) bool {
		return slices.Contains(tools, c.Tool) || slices.Contains(tools, "*")
	}}
}

// noticeFor is what the agent reads in place of a call to a tool that the test refused.
func noticeFor(tool string) string {
	return "[weir] The call to " + tool + " was refused (tool_denied, rule test-rule): The test says so. " +
		"Do not retry it; continue without it or ask the user."
}
