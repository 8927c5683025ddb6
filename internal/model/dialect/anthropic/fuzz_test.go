package anthropic_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// seeds are all fixtures, and what the fixtures do not have.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, f := range fixtures(t) {
		b, err := os.ReadFile(filepath.Join("testdata", f.File))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	for seed := range uint64(8) {
		all = append(all, generate(rand.New(rand.NewPCG(seed, 9))))
	}
	return append(all,
		[]byte(`{"type":"message","role":"assistant","content":[{"type":"new","x":1}],"stop_reason":"tool_use"}`),
		[]byte(`{"type":"message_start","message":{"content":[{"type":"new","x":1}]}}`),
		[]byte(`{"type":"error","error":{"type":"api_error","message":"x"}}`),
	)
}

// FuzzAnthropic feeds any bytes to the gate, as a stream and as a body, with every call refused: no client may see one.
func FuzzAnthropic(f *testing.F) {
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
	f.Fuzz(func(t *testing.T, seed uint64) {
		in := dialecttest.Mutate(rand.New(rand.NewPCG(seed, 5)), all, vocabulary)
		checkRefuseAll(t, in, false)
		checkJudged(t, in, false)
	})
}

func TestMutated(t *testing.T) {
	all := seeds(t)
	for seed := range uint64(800) {
		in := dialecttest.Mutate(rand.New(rand.NewPCG(seed, 6)), all, vocabulary)
		checkRefuseAll(t, in, false)
		checkJudged(t, in, false)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, in)
		}
	}
}

func pass(in []byte, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Pass(dialecttest.Passage{
		Format: anthropic.Format(), Whole: whole, In: bytes.NewReader(in), Judge: &dialecttest.Judge{Policy: p}, Texts: true,
	})
}

// seenBy are the calls in out, for every way to read it.
func seenBy(out []byte, whole bool) map[string][]dialecttest.Seen {
	seen := map[string][]dialecttest.Seen{}
	for _, f := range dialecttest.Framings() {
		events := f.Events(out)
		if whole {
			events = []dialecttest.LooseEvent{{Data: string(out)}}
		}
		seen[f.Name] = lenientCalls(events)
	}
	return seen
}

func checkRefuseAll(t *testing.T, in []byte, whole bool) {
	t.Helper()
	for _, p := range dialecttest.Policies()[1:3] {
		r := pass(in, whole, p)
		for framing, seen := range seenBy(r.Out, whole) {
			if len(seen) > 0 {
				t.Errorf("%s: a client sees %v, read %s:\n%s", p.Name, seen, framing, r.Out)
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
	judged := map[string]bool{}
	for _, e := range r.Events {
		for _, name := range append([]string{e.Call.Tool}, e.Call.Aliases...) {
			if e.Kind == "judge" && e.Ruling.Released {
				judged[fmt.Sprint(e.Call.WireID, name, dialecttest.Meaning(e.Sent()), e.Call.Ran)] = true
			}
		}
	}
	for framing, seen := range seenBy(r.Out, whole) {
		for _, s := range seen {
			if !judged[fmt.Sprint(s.ID, s.Name, s.Args, s.Ran)] {
				t.Errorf("a client sees %v, which was not judged, read %s:\n%s", s, framing, r.Out)
			}
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
		if _, err := dialecttest.ParseTree(r.Out); err != nil && r.Err == nil && len(r.Out) > 0 {
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
		tree, err := dialecttest.ParseTree(f.Data)
		if err != nil {
			t.Errorf("a frame cannot be read: %v: %q", err, f.Raw)
		}
		ended = ended || slices.Contains([]string{"message_stop", "error"}, tree.Get("type").Text)
	}
	if r.Outcome().Code != "" && !ended {
		t.Errorf("a refused response has no end:\n%s", r.Out)
	}
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
	"ping", "error", "message", "text", "thinking", "tool_use", "server_tool_use", "mcp_tool_use", "input_json_delta",
	"text_delta", "thinking_delta", "web_search_tool_result", "new_thing", "Type", "type", "index", "delta", "partial_json",
	"content_block", "input", "name", "id", "tool_use_id", "content", "stop_reason", "max_tokens", "{}", "[]", "null", "0", "1",
	"2", "-1", "1.0", "1e0", `"0"`, "\\u0074ype", "\\ud83d", "data: ", "data:", "event: ", ": ", "\r", "\n", "\n\n", "\r\n",
	"\ufeff", "\u2028", "\u0085", "\x00", "\xff", ",", "}", "{", "]", `"`, "tool_calls", "functionCall", "[DONE]",
}
