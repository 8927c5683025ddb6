package openaichat_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// seeds are all fixtures, all streams of the tables, and what they do not have.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, f := range fixtures(t) {
		all = append(all, readFixture(t, f.File))
	}
	for _, name := range sortedKeys(streams) {
		all = append(all, stream(streams[name].frames...))
	}
	for _, name := range sortedKeys(accumulations) {
		all = append(all, stream(accumulations[name].in...))
	}
	for seed := range uint64(8) {
		all = append(all, generate(rand.New(rand.NewPCG(seed, 9))))
	}
	return append(all,
		[]byte(message(assistant("null", rmCall+","+lsCall+","+sqlCall), "tool_calls")),
		[]byte(message(`{"role":"assistant","content":null,"function_call":{"name":"rm","arguments":"{}"}}`, "function_call")),
	)
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
	f.Fuzz(func(t *testing.T, seed uint64) {
		in := dialecttest.Mutate(rand.New(rand.NewPCG(seed, 5)), all, vocabulary)
		checkRefuseAll(t, in, false)
		checkJudged(t, in, false)
		if t.Failed() {
			t.Fatalf("%s", in)
		}
	})
}

func TestMutated(t *testing.T) {
	all := seeds(t)
	for seed := range need.Cases(1500) {
		in := dialecttest.Mutate(rand.New(rand.NewPCG(seed, 6)), all, vocabulary)
		checkRefuseAll(t, in, false)
		checkJudged(t, in, false)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, in)
		}
	}
}

// TestGeneratedForClients runs every client over what the gate made of regular streams.
func TestGeneratedForClients(t *testing.T) {
	for seed := range need.Cases(150) {
		in := generate(rand.New(rand.NewPCG(seed, 10)))
		for _, p := range dialecttest.Policies() {
			checkClients(t, pass(in, false, p))
			if t.Failed() {
				t.Fatalf("seed %d, %s:\n%s", seed, p.Name, in)
			}
		}
	}
}

// readings are what every client sees in out, for every way to read it.
func readings(out []byte, whole bool) map[string][]dialecttest.Seen {
	seen := map[string][]dialecttest.Seen{}
	var before []dialecttest.LooseEvent
	for _, f := range dialecttest.Framings() {
		events := f.Events(out)
		if whole {
			events = []dialecttest.LooseEvent{{Data: string(out)}}
		}
		if slices.Equal(events, before) {
			continue // read alike
		}
		before = events
		seen["anybody, reading "+f.Name] = lenientCalls(events)
		for _, c := range clients() {
			if !whole {
				seen[c.name+", reading "+f.Name], _ = c.read(events)
			}
		}
	}
	return seen
}

func checkRefuseAll(t *testing.T, in []byte, whole bool) {
	t.Helper()
	for _, p := range dialecttest.Policies()[1:3] {
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
	judged := releasedOf(r.Events)
	for who, seen := range readings(r.Out, whole) {
		if extra := without(seen, judged); len(extra) > 0 {
			t.Errorf("%s, sees %v, which was not judged:\n%s", who, extra, r.Out)
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
		ended = ended || len(tree.All("error")) > 0 || tree.Get("object").Text == "error"
	}
	if r.Outcome().Code != "" && !ended {
		t.Errorf("a refused response has no end:\n%s", r.Out)
	}
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"choices", "delta", "message", "finish_reason", "tool_calls", "function_call", "function", "custom", "index", "id", "type",
	"name", "arguments", "input", "content", "role", "usage", "error", "logprobs", "extra_content", "refusal", "object",
	"stop", "length", "assistant", "shell", "rm", "ls", "read_", "Tool_Calls", "Delta", "Index", "ID", "{}", "[]", "null", "0",
	"1", "2", "-1", "1.0", "1e0", `"0"`, `\"`, "{\\\"p\\\":1}", "\\u0069d", "\\ud83d", "\\ude00", " ", "data: ", "data:",
	"event: ", ": ", "\r", "\n", "\n\n", "\r\n", "\ufeff", "\u2028", "\u0085", "\x00", "\xff", ",", "}", "{", "]", `"`,
	"functionCall", "partial_json", "tool_use", "[DONE]",
}
