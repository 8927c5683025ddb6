package dialecttest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Redacted are the arguments of a call with another text in the place of every text that is not empty; nil if there is none.
// Each text has one that replaces it, with everything in it that an encoder could get wrong.
func Redacted(c call.Call) jsontext.Value {
	var doc strictjson.Doc
	if doc.Parse(c.Args) != nil {
		return nil
	}
	var edits []strictjson.Edit
	var walk func(v strictjson.Value)
	walk = func(v strictjson.Value) {
		if v.Kind() == strictjson.String && len(v.Raw()) > len(`""`) {
			edits = append(edits, v.Replace(redactedText(v)))
		}
		for elem := range v.Elems() {
			walk(elem)
		}
		for _, member := range v.Members() {
			walk(member)
		}
	}
	walk(doc.Root())
	if len(edits) == 0 {
		return nil
	}
	return strictjson.Splice(c.Args, edits...)
}

// redactedText is a JSON string that stands for another, with its halves of characters, line ends and quotes both as they
// are and in escapes.
func redactedText(v strictjson.Value) []byte {
	h := fnv.New32a()
	_, _ = h.Write(v.AppendText(nil)) // a hash does not fail
	return fmt.Appendf(nil, `"[r:%x] \"\\ </script>\u2028%s \ud83d\ude00 %s \n\u0000\/"`, h.Sum32(), "\u2028", "\U0001F600")
}

// testReplacements checks that a response of which arguments are replaced is the one that the agent would have got otherwise,
// but for those arguments.
func (s Subject) testReplacements(t *testing.T) {
	s.eachUnder(t, func(t *testing.T, f Fixture, in []byte, p Policy) {
		if !f.Whole && (f.Unfinished || f.Endless || f.Irregular) || f.Class == Refused {
			return // there is no whole message to compare
		}
		s := s
		s.Framing = f.Framing
		s.checkReplaced(t, in, f.Whole, p)
	})
}

// checkReplaced compares what the agent gets under a policy that replaces arguments with what it gets under one that does
// not, and otherwise rules alike.
func (s Subject) checkReplaced(t *testing.T, in []byte, whole bool, p Policy) {
	t.Helper()
	if p.Replace == nil {
		return
	}
	message := func(p Policy) (Tree, []Event) {
		r := Pass(Passage{Format: s.Format, Whole: whole, Framing: s.Framing, In: bytes.NewReader(in), Judge: &Judge{Policy: p}})
		body := r.Out
		var err error
		if !whole {
			if body, err = s.fold(r.Out, framingOf(false, s.Framing)); err != nil {
				t.Fatalf("fold the output: %v\n%s", err, r.Out)
			}
		}
		tree, err := ParseTree(body)
		if err != nil {
			t.Fatalf("read the message: %v\n%s", err, body)
		}
		return tree, r.Events
	}
	got, events := message(p)
	// Calls that cannot be given other arguments are refused under both policies.
	plain := Policy{ByName: p.ByName, ByArgs: func(c call.Call) bool { return c.Fixed && p.Replace(c) != nil }}
	want, _ := message(plain)
	ruled := newSubstitution(s.Echoes, events)
	if diff := cmp.Diff(ruled.in(want).String(), newSubstitution(s.Echoes, nil).in(got).String()); diff != "" {
		t.Errorf("not the message with other arguments alone (-want +got):\n%s", diff)
	}
}

// A substitution replaces the arguments of calls everywhere in a message: as values, as JSON texts, or as free text.
type substitution struct {
	echoes []string
	args   map[string]Tree
	texts  map[string]string
}

// newSubstitution returns the substitution that was ruled.
func newSubstitution(echoes []string, events []Event) substitution {
	s := substitution{echoes, map[string]Tree{}, map[string]string{}}
	for _, e := range events {
		if e.Kind != "judge" || e.Ruling.Args == nil {
			continue
		}
		was, _ := ParseTree(e.Call.Args) // the judge has seen that both are JSON
		is, _ := ParseTree(e.Ruling.Args)
		s.args[was.String()] = is
		if len(was.Names) == 1 && was.Names[0] == "input" {
			s.texts[was.Get("input").Text] = is.Get("input").Text
		}
	}
	return s
}

// in is a message with the substitution made. Texts that are JSON are put in one form, and what echoes the model is left out.
func (s substitution) in(t Tree) Tree {
	switch t.Kind {
	case '"':
		return s.inText(t)
	case '{':
		if is, ok := s.args[t.String()]; ok {
			return is
		}
	}
	out := Tree{Kind: t.Kind, Literal: t.Literal}
	for i, v := range t.Values {
		if t.Kind == '{' {
			if slices.Contains(s.echoes, t.Names[i]) {
				continue
			}
			out.Names = append(out.Names, t.Names[i])
		}
		out.Values = append(out.Values, s.in(v))
	}
	return out
}

func (s substitution) inText(t Tree) Tree {
	if text, ok := s.texts[t.Text]; ok {
		return Tree{Kind: '"', Text: text}
	}
	inner, err := ParseTree([]byte(t.Text))
	if err != nil || inner.Kind != '{' {
		return t
	}
	if is, ok := s.args[inner.String()]; ok {
		inner = is
	}
	return Tree{Kind: '"', Text: "JSON: " + inner.String()}
}
