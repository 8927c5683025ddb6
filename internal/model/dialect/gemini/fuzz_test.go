package gemini_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// seeds are all fixtures, all responses of the tables, and what they do not have.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, f := range fixtures(t) {
		all = append(all, readFixture(t, f.File))
	}
	tables := inputs()
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		framing := []frame.Framing{frame.Events, frame.Elements}[i%2]
		all = append(all, wire(framing, tables[name]...))
	}
	for seed := range uint64(8) {
		all = append(all, generate(frame.Events)(rand.New(rand.NewPCG(seed, 9))), generate(frame.Elements)(rand.New(rand.NewPCG(seed, 9))))
	}
	return append(all, []byte(ends(hiPart, signed, lsPart)), []byte(wrap(ends(rmPart))))
}

var framings = []frame.Framing{frame.Events, frame.Elements, frame.Whole}

// FuzzRefused feeds any bytes to the gate, in every framing, with every call refused: no client may see one.
func FuzzRefused(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, framing := range framings {
			checkRefuseAll(t, in, framing)
		}
	})
}

// FuzzJudged feeds any bytes to the gate with every call allowed, as it is or with other
// arguments: no client may see a call that was not judged.
func FuzzJudged(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, framing := range framings {
			checkJudged(t, in, framing)
		}
	})
}

// FuzzMutated does both with responses that are nearly right: bytes alone rarely get past the first brace.
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
	framing := frame.Events
	switch start := bytes.TrimSpace(in); {
	case bytes.HasPrefix(start, []byte("[")):
		framing = frame.Elements
	case bytes.HasPrefix(start, []byte("{")):
		framing = frame.Whole
	}
	checkRefuseAll(t, in, framing)
	checkJudged(t, in, framing)
	if t.Failed() {
		t.Fatalf("%s", in)
	}
}

func checkRefuseAll(t *testing.T, in []byte, framing frame.Framing) {
	t.Helper()
	for _, p := range []dialecttest.Policy{dialecttest.Policies()[1], dialecttest.Policies()[2], dialecttest.Policies()[4]} {
		r := pass(in, framing, p)
		for who, seen := range readings(r.Out, framing) {
			if len(seen) > 0 {
				t.Errorf("%s: who reads %s sees %v:\n%s", p.Name, who, seen, r.Out)
			}
		}
		checkReadable(t, r, framing)
	}
}

func checkJudged(t *testing.T, in []byte, framing frame.Framing) {
	t.Helper()
	for _, p := range []dialecttest.Policy{dialecttest.AllowAll(), dialecttest.ReplaceAll()} {
		checkJudgedBy(t, in, framing, p)
	}
}

func checkJudgedBy(t *testing.T, in []byte, framing frame.Framing, p dialecttest.Policy) {
	t.Helper()
	r := pass(in, framing, p)
	checkReadable(t, r, framing)
	var judged []dialecttest.Seen
	for _, e := range r.Events {
		if e.Kind == "judge" && e.Ruling.Released {
			judged = append(judged, dialecttest.Seen{ID: e.Call.WireID, Name: wireName(e.Call), Args: dialecttest.Meaning(e.Sent()), Ran: e.Call.Ran})
		}
	}
	for who, seen := range readings(r.Out, framing) {
		for _, s := range seen {
			if !slices.ContainsFunc(judged, func(j dialecttest.Seen) bool { return j == s || ranAsText(j, s) }) {
				t.Errorf("who reads %s sees %v, which was not judged:\n%s", who, s, r.Out)
			}
		}
	}
	if n := r.Outcome().Released; n < len(judged) && r.Err == nil && r.Outcome().Code == "" {
		t.Errorf("%d calls were judged and %d are counted", len(judged), n)
	}
}

// ranAsText says whether s is j, which the provider ran with arguments that cannot be read: those are on record as text.
func ranAsText(j, s dialecttest.Seen) bool {
	return j.Ran && s.Ran && j.ID == s.ID && j.Name == s.Name && strings.HasPrefix(j.Args, `{"text":`)
}

// readings are what clients see in out, for every way to read it.
func readings(out []byte, framing frame.Framing) map[string][]dialecttest.Seen {
	seen := map[string][]dialecttest.Seen{}
	var before []dialecttest.LooseEvent
	for _, f := range dialecttest.Readers(framing) {
		events := f.Events(out)
		if before != nil && slices.Equal(events, before) {
			continue // read alike
		}
		before = events
		seen[f.Name] = lenientCalls(events)
	}
	return seen
}

// checkReadable checks that every client can read what went out, that a refusal came with an end, and that texts are where they
// are said to be.
func checkReadable(t *testing.T, r dialecttest.Result, framing frame.Framing) {
	t.Helper()
	if err := r.CheckTexts(); err != nil {
		t.Error(err)
	}
	if framing != frame.Events {
		if _, err := dialecttest.ParseTree(r.Out); err != nil && r.Err == nil && len(r.Out) > 0 {
			t.Errorf("what went out cannot be read: %v\n%s", err, r.Out)
		}
	} else {
		sse := frame.NewSSE(bytes.NewReader(r.Out), 0)
		defer sse.Release()
		for f, err := sse.Next(); err == nil; f, err = sse.Next() {
			if _, err := dialecttest.ParseTree(f.Data); !f.Plain || err != nil && len(f.Data) > 0 {
				t.Errorf("a frame went out that clients read differently, or not: %q", f.Raw)
			}
		}
	}
	ended := strings.Contains(string(r.Out), "finishReason") || strings.Contains(string(r.Out), "rror")
	if r.Outcome().Code != "" && !ended && framing != frame.Whole {
		t.Errorf("a refused response has no end:\n%s", r.Out)
	}
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"candidates", "content", "parts", "role", "model", "index", "finishReason", "finishMessage", "usageMetadata", "response", "error",
	"text", "thought", "thoughtSignature", "functionCall", "function_call", "FunctionCall", "functionResponse", "toolCall", "toolResponse",
	"executableCode", "codeExecutionResult", "inlineData", "audioCall", "name", "id", "args", "toolType", "partialArgs", "willContinue",
	"jsonPath", "stringValue", "numberValue", "boolValue", "nullValue", "NULL_VALUE", "logprobsResult", "groundingMetadata", "promptFeedback",
	"STOP", "CONTINUATION", "MALFORMED_FUNCTION_CALL", "default_api.rm(", "rm", "ls", "$.a", "$.p", "$.a[0]", "$['a']", "Candidates", "PARTS",
	"Args", "{}", "[]", "null", "0", "1", "-1", "1.0", `"0"`, `"rm"`, `\"`, "\\u0069d", "\\ud83d", "\\ude00", " ", "data: ", "event: ", ": ",
	"\r", "\n", "\n\n", "\r\n\r\n", ",\r\n", "\ufeff", "\u2028", "\x00", "\xff", ",", "}", "{", "]", "[", `"`, "true", "false", "tool_calls",
	"tool_use", "partial_json", "c2ln", "traceId",
}
