package openairesponses_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// TestEveryClientSeesWhatWasJudged runs every client over what the gate made of every stream that there is.
func TestEveryClientSeesWhatWasJudged(t *testing.T) {
	inputs := map[string][]byte{}
	for name, tt := range streams {
		inputs["streams: "+name] = stream(tt.frames...)
	}
	for _, f := range fixtures(t) {
		if !f.Whole {
			inputs[f.File] = readFixture(t, f.File)
		}
	}
	for name, in := range inputs {
		t.Run(name, func(t *testing.T) {
			for _, p := range dialecttest.Policies() {
				r := pass(in, false, p)
				checkClients(t, r)
				if t.Failed() {
					t.Fatalf("%s:\n%s\nbecame\n%s", p.Name, in, r.Out)
				}
			}
		})
	}
}

// TestGeneratedForClients does so with regular streams, in which nothing may be missing either.
func TestGeneratedForClients(t *testing.T) {
	for seed := range need.Cases(150) {
		in := generate(rand.New(rand.NewPCG(seed, 10)))
		for _, p := range dialecttest.Policies() {
			r := pass(in, false, p)
			checkClients(t, r)
			checkComplete(t, r)
			if t.Failed() {
				t.Fatalf("seed %d, %s:\n%s\nbecame\n%s", seed, p.Name, in, r.Out)
			}
		}
	}
}

// checkClients checks that no client sees a call that was not judged and released.
func checkClients(t *testing.T, r dialecttest.Result) {
	t.Helper()
	for who, seen := range readings(r.Out, false) {
		for _, s := range unjudged(seen, r.Events) {
			t.Errorf("%s sees %v, which was not released", who, s)
		}
	}
}

// unjudged are the calls that were not released, not even as they begin.
func unjudged(seen []dialecttest.Seen, events []dialecttest.Event) []dialecttest.Seen {
	judged := releasedOf(events)
	return slices.DeleteFunc(slices.Clone(seen), func(s dialecttest.Seen) bool {
		sameButID := func(j dialecttest.Seen) bool { return j.Ran && j.Name == s.Name && j.Args == s.Args }
		return slices.Contains(judged, s) || begins(s, events) || s.Ran && slices.ContainsFunc(judged, sameButID)
	})
}

// begins says whether s is a call that was released, with less in it: as it begins.
func begins(s dialecttest.Seen, events []dialecttest.Event) bool {
	begun, err := dialecttest.ParseTree([]byte(s.Args))
	if err != nil {
		return false
	}
	for _, e := range events {
		if e.Kind != "judge" || !e.Ruling.Released || e.Call.WireID != s.ID || wireName(e.Call) != s.Name || e.Call.Ran != s.Ran {
			continue
		}
		whole, err := dialecttest.ParseTree(e.Sent())
		if err == nil && (becomes(begun, whole) || grownUnit(begun, whole)) {
			return true
		}
	}
	return false
}

// grownUnit is becomes for the arguments of an unknown item, which has a status.
func grownUnit(begun, whole dialecttest.Tree) bool {
	for i, name := range begun.Names {
		if name == "status" {
			begun.Values = slices.Clone(begun.Values)
			begun.Values[i] = dialecttest.Tree{}
		}
	}
	return begun.Kind == '{' && becomes(begun, whole)
}

// checkComplete checks that who waits for items to be done sees all that was released, and who takes the last response too.
func checkComplete(t *testing.T, r dialecttest.Result) {
	t.Helper()
	judged := releasedOf(r.Events)
	events := dialecttest.Framings()[0].Events(r.Out)
	for _, c := range clients() {
		if c.name != "openai-node accumulator" && c.name != "last response" && !c.must {
			continue
		}
		got, err := c.read(lastMember, treesOf(events))
		if err != nil {
			t.Errorf("%s gives up: %v", c.name, err)
		}
		for _, s := range judged {
			if !strings.HasSuffix(s.ID, " inner") && !slices.Contains(got, s) {
				t.Errorf("%s misses %v", c.name, s)
			}
		}
	}
	if _, err := fold(r.Out); err != nil {
		t.Errorf("items and the last response differ: %v", err)
	}
}

// releasedOf are the calls that the judge let pass, as clients are to see them, and those inside them.
func releasedOf(events []dialecttest.Event) []dialecttest.Seen {
	var seen []dialecttest.Seen
	for _, e := range events {
		if e.Kind != "judge" || !e.Ruling.Released {
			continue
		}
		seen = append(seen, dialecttest.Seen{ID: e.Call.WireID, Name: wireName(e.Call), Args: dialecttest.Meaning(e.Sent()), Ran: e.Call.Ran})
		for _, inner := range e.Call.Inner {
			seen = append(seen, dialecttest.Seen{ID: e.Call.WireID + " inner", Name: inner.Tool, Args: dialecttest.Meaning(inner.Args)})
		}
	}
	return seen
}

// readings are what every client sees in out, for every way to read it.
func readings(out []byte, whole bool) map[string][]dialecttest.Seen {
	seen := map[string][]dialecttest.Seen{}
	var read [][]dialecttest.LooseEvent
	for _, f := range dialecttest.Framings() {
		events := f.Events(out)
		if whole {
			events = []dialecttest.LooseEvent{{Data: string(out)}}
		}
		for i := range events {
			events[i].Data = strings.TrimSpace(events[i].Data)
		}
		if slices.ContainsFunc(read, func(e []dialecttest.LooseEvent) bool { return slices.Equal(e, events) }) {
			continue // read alike
		}
		read = append(read, events)
		seen["anybody, reading "+f.Name] = lenientCalls(events)
		if whole {
			continue
		}
		trees := treesOf(events)
		for how, get := range waysToPick(trees) {
			for _, c := range clients() {
				seen[c.name+", reading "+f.Name+", taking "+how], _ = c.read(get, trees)
			}
		}
	}
	return seen
}

// waysToPick are those that differ for these trees: where no name is there twice or in another case, one is enough.
func waysToPick(trees []dialecttest.Tree) map[string]pick {
	ambiguous := false
	for _, tree := range trees {
		tree.Walk(func(t dialecttest.Tree) {
			for _, name := range t.Names {
				ambiguous = ambiguous || len(t.All(name)) > 1 || name != strings.ToLower(name)
			}
		})
	}
	if ambiguous {
		return picks
	}
	return map[string]pick{"the last": lastMember}
}
