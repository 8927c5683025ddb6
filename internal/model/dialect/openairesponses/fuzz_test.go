package openairesponses_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// seeds are all fixtures, all streams and bodies of the tables, and what they do not have.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, f := range fixtures(t) {
		all = append(all, readFixture(t, f.File))
	}
	for _, name := range sortedKeys(streams) {
		all = append(all, stream(streams[name].frames...))
	}
	for _, name := range sortedKeys(bodies) {
		all = append(all, []byte(bodies[name].body))
	}
	for seed := range uint64(12) {
		all = append(all, generate(rand.New(rand.NewPCG(seed, 9))))
	}
	return all
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// FuzzRefused feeds any bytes to the gate, as a stream and as a body, with every call refused: no client may see one.
func FuzzRefused(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		checkRefuseAll(t, in, false)
		checkRefuseAll(t, in, true)
	})
}

// FuzzJudged feeds any bytes to the gate with every call allowed, as it is or with other
// arguments: no client may see a call that was not judged.
func FuzzJudged(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		checkJudged(t, in, false)
		checkJudged(t, in, true)
	})
}

// FuzzMutated does both with streams that are nearly right: bytes alone rarely get past the first brace.
func FuzzMutated(f *testing.F) {
	all := seeds(f)
	for seed := range uint64(4) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkMutated(t, all, rand.New(rand.NewPCG(seed, 5))) })
}

func TestMutated(t *testing.T) {
	all := seeds(t)
	for seed := range need.Cases(1500) {
		checkMutated(t, all, rand.New(rand.NewPCG(seed, 6)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func checkMutated(t *testing.T, all [][]byte, r *rand.Rand) {
	t.Helper()
	in := dialecttest.Mutate(r, all, vocabulary)
	whole := bytes.HasPrefix(in, []byte("{")) || bytes.HasPrefix(in, []byte("["))
	checkRefuseAll(t, in, whole)
	checkJudged(t, in, whole)
	if t.Failed() {
		t.Fatalf("%s", in)
	}
}

func checkRefuseAll(t *testing.T, in []byte, whole bool) {
	t.Helper()
	for _, p := range []dialecttest.Policy{dialecttest.Policies()[1], dialecttest.Policies()[2], dialecttest.Policies()[4]} {
		r := pass(in, whole, p)
		for who, seen := range readings(r.Out, whole) {
			if len(seen) > 0 {
				t.Errorf("%s: %s, sees %v:\n%s", p.Name, who, seen, r.Out)
			}
		}
		checkReadable(t, r, whole)
	}
}

func checkJudged(t *testing.T, in []byte, whole bool) {
	t.Helper()
	for _, p := range []dialecttest.Policy{dialecttest.AllowAll(), dialecttest.ReplaceAll()} {
		checkJudgedBy(t, in, whole, p)
	}
}

func checkJudgedBy(t *testing.T, in []byte, whole bool, p dialecttest.Policy) {
	t.Helper()
	r := pass(in, whole, p)
	checkReadable(t, r, whole)
	for who, seen := range readings(r.Out, whole) {
		for _, s := range unjudged(seen, r.Events) {
			t.Errorf("%s, sees %v, which was not judged:\n%s", who, s, r.Out)
		}
	}
}

// checkReadable checks that every client can read what went out, that a refusal came with an end, and that texts are where they
// are said to be.
func checkReadable(t *testing.T, r dialecttest.Result, whole bool) {
	t.Helper()
	if err := r.CheckTexts(); err != nil {
		t.Error(err)
	}
	if whole {
		if _, err := dialecttest.ParseTree(r.Out); err != nil && r.Err == nil && len(r.Out) > 0 && string(r.Out) != "[DONE]" {
			t.Errorf("the body cannot be read: %v\n%s", err, r.Out)
		}
		return
	}
	ended := false
	sse := frame.NewSSE(bytes.NewReader(r.Out), 0)
	for f, err := sse.Next(); err == nil; f, err = sse.Next() {
		if !f.Plain {
			t.Errorf("a frame went out that clients read differently: %q", f.Raw)
		}
		if len(f.Data) == 0 {
			continue
		}
		if string(f.Data) == "[DONE]" {
			ended = true
			continue
		}
		tree, err := dialecttest.ParseTree(f.Data)
		if err != nil {
			t.Errorf("a frame cannot be read: %v: %q", err, f.Raw)
		}
		switch tree.Get("type").Text {
		case "response.completed", "response.incomplete", "response.failed", "response.cancelled", "error":
			ended = true
		}
		ended = ended || len(tree.All("error")) > 0
	}
	if r.Outcome().Code != "" && !ended {
		t.Errorf("a refused response has no end:\n%s", r.Out)
	}
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"response", "output", "item", "type", "id", "call_id", "name", "arguments", "input", "delta", "output_index", "item_id", "status",
	"sequence_number", "namespace", "server_label", "action", "operation", "commands", "content", "part", "store", "conversation",
	"error", "object", "list", "data", "execution", "environment", "queries", "code",
	"response.created", "response.in_progress", "response.completed", "response.incomplete", "response.failed",
	"response.output_item.added", "response.output_item.done", "response.function_call_arguments.delta",
	"response.function_call_arguments.done", "response.custom_tool_call_input.delta", "response.output_text.delta", "keepalive",
	"function_call", "custom_tool_call", "mcp_call", "mcp_approval_request", "shell_call", "web_search_call", "message", "reasoning",
	"function_call_output", "future_call", "completed", "in_progress", "incomplete", "fc_1", "fc_2", "call_1", "call_2", "msg_1", "rm",
	"ls", "parallel", "functions.rm", "Item", "Type", "OUTPUT", "Call_id", "{}", "[]", "null", "0", "1", "2", "-1", "1.0", "1e0", `"0"`,
	`\"`, "{\\\"p\\\":1}", "\\u0069d", "\\ud83d", "\\ude00", " ", "data: ", "event: ", ": ", "\r", "\n", "\n\n", "\ufeff", "\u2028",
	"\x00", "\xff", ",", "}", "{", "]", `"`, "true", "false", "tool_calls", "functionCall", "tool_use", "partial_json", "[DONE]",
}
