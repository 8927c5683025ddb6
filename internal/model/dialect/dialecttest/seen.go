package dialecttest

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
)

// notice is the prefix of every text by weir.
const notice = "[weir] "

// released returns the calls that the judge released, as a client must see them.
func (s Subject) released(events []Event) []Seen {
	name := s.WireName
	if name == nil {
		name = shortestName
	}
	var seen []Seen
	for _, e := range events {
		if e.Kind == "judge" && e.Ruling.Released {
			seen = append(seen, Seen{ID: e.Call.WireID, Name: name(e.Call), Args: Meaning(e.Sent()), Ran: e.Call.Ran})
		}
	}
	return seen
}

// shortestName is the shortest reading of a call's name: where the wire has one name, the others have the toolset or
// server ahead of it.
func shortestName(c call.Call) string {
	name := c.Tool
	for _, alias := range c.Aliases {
		if len(alias) < len(name) {
			name = alias
		}
	}
	return name
}

// readings are the events of what went out, for every way to read it that makes a difference.
func readings(out []byte, in frame.Framing) iter.Seq2[string, []LooseEvent] {
	return func(yield func(string, []LooseEvent) bool) {
		var before [][]LooseEvent
		for _, f := range Readers(in) {
			events := f.Events(out)
			if slices.ContainsFunc(before, func(b []LooseEvent) bool { return slices.Equal(b, events) }) {
				continue
			}
			before = append(before, events)
			if !yield(f.Name, events) {
				return
			}
		}
	}
}

// checkSeen checks that every client sees these calls in out, and no others.
func (s Subject) checkSeen(t *testing.T, out []byte, in frame.Framing, want []Seen) {
	t.Helper()
	for who, events := range readings(out, in) {
		if got := s.Calls(events); !slices.Equal(want, got) {
			t.Errorf("calls that clients see, read %s (-want +got):\n%s", who, cmp.Diff(want, got))
		}
	}
}

// CheckOut checks what the agent got.
func CheckOut(t *testing.T, want string, r Result) {
	t.Helper()
	if diff := cmp.Diff(want, string(r.Out)); diff != "" {
		t.Errorf("what the agent gets (-want +got):\n%s", diff)
	}
}

// checkSilence checks that nothing is in out of the arguments of refused calls, nor of arguments that were replaced.
func (s Subject) checkSilence(t *testing.T, out []byte, in frame.Framing, events []Event) {
	t.Helper()
	decoded, passed := decodedText(out, in), ""
	for _, e := range events {
		if e.Ruling.Released {
			passed += e.Call.Tool + " " + string(e.Sent()) + " "
		}
	}
	for _, e := range events {
		if e.Kind == "ended" || e.Ruling.Released && e.Ruling.Args == nil {
			continue
		}
		for _, word := range telling(e.Call.Args) {
			if word == e.Call.Tool || strings.Contains(passed, word) || slices.Contains(s.Words, word) {
				continue // a notice may name the tool, another call may say the same, and so may the wire
			}
			if bytes.Contains(out, []byte(word)) || strings.Contains(decoded, word) {
				t.Errorf("%q, of the arguments of a call to %q that is refused or gets others, is in the output:\n%s", word, e.Call.Tool, out)
			}
		}
	}
}

// telling are words of arguments by which they would be known.
func telling(args []byte) []string {
	const long = 7 // longer than an escape
	var words []string
	tree, err := ParseTree(args)
	if err != nil {
		return nil
	}
	tree.Walk(func(v Tree) {
		for _, word := range strings.FieldsFunc(v.Text, func(r rune) bool { return strings.ContainsRune(" \n\"{}:,\\", r) }) {
			if len(word) >= long {
				words = append(words, word)
			}
		}
	})
	return words
}

// decodedText is all text in the JSON of a response, decoded.
func decodedText(out []byte, in frame.Framing) string {
	var b strings.Builder
	add := func(v Tree) { b.WriteString(v.Text + "\n") }
	events := []LooseEvent{{Data: string(out)}}
	if readers := Readers(in); in != frame.Whole {
		events = append(events, readers[len(readers)-1].Events(out)...)
	}
	for _, e := range events {
		if tree, err := ParseTree([]byte(e.Data)); err == nil {
			tree.Walk(add)
		}
	}
	return b.String()
}

// frames cuts a stream into its frames.
func frames(stream []byte, in frame.Framing) []frame.Frame {
	read, release := frame.Open(&frame.Source{R: bytes.NewReader(stream)}, in, maxFrame)
	defer release()
	var all []frame.Frame
	for {
		f, err := read.Next()
		if err != nil {
			return all
		}
		all = append(all, f.Clone())
	}
}

// withoutPings returns a stream without the frames that may overtake others, and the number of those frames.
func (s Subject) withoutPings(stream []byte, in frame.Framing) (rest []byte, pings int) {
	for _, f := range frames(stream, in) {
		if s.IsPing(LooseEvent{Name: string(f.Type), Data: string(f.Data)}) {
			pings++
			continue
		}
		rest = append(rest, f.Raw...)
	}
	if pings == 0 {
		return stream, 0 // with what closes it
	}
	return rest, pings
}

// inOrder is a response without what may overtake, for comparison.
func (s Subject) inOrder(out []byte, in frame.Framing) string {
	if in == frame.Whole {
		return s.plain(out)
	}
	rest, _ := s.withoutPings(out, in)
	return s.plain(rest)
}

// plain returns a response without the parts that differ each time, for comparison.
func (s Subject) plain(out []byte) string {
	if s.Invented == nil {
		return string(out)
	}
	return s.Invented.ReplaceAllString(string(out), "INVENTED")
}
