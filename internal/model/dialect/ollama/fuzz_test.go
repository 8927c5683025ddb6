package ollama_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// seeds are all fixtures, all streams of the tables, and some that are made up.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, f := range fixtures(t) {
		all = append(all, readFixture(t, f.File))
	}
	for _, name := range sortedKeys(streams) {
		all = append(all, lines(streams[name].in...))
	}
	for seed := range uint64(8) {
		all = append(all, generate(rand.New(rand.NewPCG(seed, 9))))
	}
	return all
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
	for seed := range uint64(1500) {
		in := dialecttest.Mutate(rand.New(rand.NewPCG(seed, 6)), all, vocabulary)
		checkRefuseAll(t, in, false)
		checkJudged(t, in, false)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, in)
		}
	}
}

// TestGeneratedForClients runs every client over what the gate made of regular streams: each sees what was released.
func TestGeneratedForClients(t *testing.T) {
	for seed := range uint64(150) {
		in := generate(rand.New(rand.NewPCG(seed, 10)))
		for _, p := range dialecttest.Policies() {
			r := pass(in, false, p)
			var want []dialecttest.Seen
			for _, s := range releasedOf(r.Events) {
				if s.Name != "future_call" && s.Name != "video" {
					want = append(want, s) // the others are of kinds that no client knows
				}
			}
			for _, c := range clients() {
				got, err := c.read(r.Out)
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
					t.Fatalf("seed %d, %s, %s: %v (-released +seen)\n%s\n%s", seed, p.Name, c.name, err, diff, r.Out)
				}
			}
		}
	}
}

// releasedOf are the calls that the judge let pass.
func releasedOf(events []dialecttest.Event) []dialecttest.Seen {
	var seen []dialecttest.Seen
	for _, e := range events {
		if e.Kind == "judge" && e.Ruling.Released {
			seen = append(seen, dialecttest.Seen{ID: e.Call.WireID, Name: e.Call.Tool, Args: dialecttest.Meaning(e.Sent())})
		}
	}
	return seen
}

// readings are what every client sees in out, for every way to read it.
func readings(out []byte, whole bool) map[string][]dialecttest.Seen {
	seen := map[string][]dialecttest.Seen{}
	in := framing
	if whole {
		in = frame.Whole
	}
	for _, f := range dialecttest.Readers(in) {
		seen["anybody, reading "+f.Name] = lenientCalls(f.Events(out))
	}
	if !whole {
		for _, c := range clients() {
			seen[c.name], _ = c.read(out)
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
		for _, s := range seen {
			if !slices.Contains(judged, s) {
				t.Errorf("%s, sees %v, which was not judged:\n%s", who, s, r.Out)
			}
		}
		if len(seen) > len(judged) {
			t.Errorf("%s, sees %d calls of %d:\n%s", who, len(seen), len(judged), r.Out)
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
	s := frame.NewLines(bytes.NewReader(r.Out), 0)
	defer s.Release()
	for f, err := s.Next(); err == nil; f, err = s.Next() {
		if !f.Plain {
			t.Errorf("a line went out that clients read differently: %q", f.Raw)
		}
		tree, err := dialecttest.ParseTree(f.Data)
		if err != nil {
			t.Errorf("a line cannot be read: %v: %q", err, f.Raw)
		}
		ended = ended || tree.Get("done").Kind == 't' || len(tree.All("error")) > 0
	}
	if r.Outcome().Code != "" && !ended {
		t.Errorf("a refused response has no end:\n%s", r.Out)
	}
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"message", "response", "tool_calls", "function", "name", "arguments", "index", "id", "type", "role", "content", "thinking",
	"done", "error", "logprobs", "model", "created_at", "eval_count", "true", "false", "assistant", "rm", "bash", "future_call",
	"Tool_Calls", "Message", "Function", "Done", "{}", "[]", "null", "0", "1", "-1", `"0"`, `\"`, `"{\"p\":1}"`, "\\u0069d", "\\ud83d",
	"\\ude00", " ", "\r", "\n", "\n\n", "\r\n", "\ufeff", "\u2028", "\u0085", "\v", "\x00", "\xff", ",", "}", "{", "]", "[", `"`,
	"functionCall", "function_call", "partial_json", "tool_use", "input", "custom", "choices", "data: ",
}
