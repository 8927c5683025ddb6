package bedrock_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// seeds are all fixtures, and what the fixtures do not have.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, f := range fixtures(t) {
		all = append(all, readFixture(t, f.File))
	}
	for seed := range uint64(8) {
		all = append(all, generate(rand.New(rand.NewPCG(seed, 9))))
	}
	return append(all, []byte(body("tool_use", rmBlock)), []byte(body("tool_use", `{"newKind":{}}`)))
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

// FuzzMutated does both with streams that are nearly right: bytes alone never have the right checksums.
func FuzzMutated(f *testing.F) {
	all := textSeeds(f)
	for seed := range uint64(4) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkMutated(t, all, seed, 5) })
}

func TestMutated(t *testing.T) {
	all := textSeeds(t)
	for seed := range uint64(1500) {
		checkMutated(t, all, seed, 6)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// textSeeds are the streams among the seeds, as text: one frame a line.
func textSeeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, f := range fixtures(t) {
		if !f.Whole {
			all = append(all, asText(told(readFixture(t, f.File))))
		}
	}
	for seed := range uint64(20) {
		all = append(all, asText(generateFrames(rand.New(rand.NewPCG(seed, 9)))))
	}
	return all
}

// asText has an empty line after each frame, as Mutate wants it.
func asText(frames []string) []byte { return []byte(strings.Join(frames, "\n\n") + "\n\n") }

func checkMutated(t *testing.T, all [][]byte, seed, stream2 uint64) {
	t.Helper()
	mutated := dialecttest.Mutate(rand.New(rand.NewPCG(seed, stream2)), all, vocabulary)
	in := stream(strings.Split(strings.TrimSuffix(string(mutated), "\n\n"), "\n\n")...)
	checkRefuseAll(t, in, false)
	checkJudged(t, in, false)
}

func checkRefuseAll(t *testing.T, in []byte, whole bool) {
	t.Helper()
	for _, p := range dialecttest.Policies()[1:3] {
		r := pass(in, whole, p)
		if seen := seenIn(r.Out, whole); len(seen) > 0 {
			t.Errorf("%s: a client sees %v:\n%q", p.Name, seen, r.Out)
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
	for _, s := range seenIn(r.Out, whole) {
		if !judged[fmt.Sprint(s.ID, s.Name, s.Args, s.Ran)] {
			t.Errorf("a client sees %v, which was not judged:\n%q", s, r.Out)
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
	m := frame.NewMessages(bytes.NewReader(r.Out), frame.Binary, 0)
	defer m.Release()
	for f, err := m.Next(); err == nil; f, err = m.Next() {
		if !f.Plain {
			t.Errorf("a frame went out that clients read differently: %q", f.Raw)
		}
		if _, err := dialecttest.ParseTree(f.Data); err != nil {
			t.Errorf("a frame cannot be read: %v: %q", err, f.Raw)
		}
		ended = ended || f.Failure || string(f.Type) == "messageStop"
	}
	if r.Outcome().Code != "" && !ended {
		t.Errorf("a refused response has no end:\n%q", r.Out)
	}
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata", "chunk", "weather",
	"!throttlingException", "toolUse", "tooluse", "toolUseId", "toolResult", "text", "reasoningContent", "citation", "image",
	"newKind", "name", "Name", "input", "type", "server_tool_use", "contentBlockIndex", "start", "delta", "stopReason",
	"tool_use", "max_tokens", "end_turn", "trace", "additionalModelResponseFields", "usage", "role", "content", "output",
	"message", "{}", "[]", "null", "0", "1", "2", "3", "-1", "1.0", "1e0", `"0"`, "\\u0074ext", "\\ud83d", "\\ude00", " ", "\n", "\n\n",
	"\ufeff", "\x00", "\xff", ",", "}", "{", "]", `"`, "tool_calls", "functionCall", `{"toolUse":{"input":"x"}}`,
}
