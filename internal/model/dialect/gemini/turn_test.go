package gemini_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A keptCall is a function call of a turn that a client sends back.
type keptCall struct {
	candidate, signature, name string
}

// keptCalls are the function calls of a response, in order. Calls in pieces have their signature with the first one.
func keptCalls(events []dialecttest.LooseEvent) []keptCall {
	var all []keptCall
	for _, e := range events {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			continue
		}
		if inner := tree.Get("response"); inner.Kind == '{' {
			tree = inner
		}
		for _, c := range tree.Get("candidates").Values {
			index := c.Get("index").Literal
			for _, p := range c.Get("content").Get("parts").Values {
				fn := p.Get("functionCall")
				if fn.Kind != '{' {
					continue
				}
				if fn.Get("name").Kind == 0 {
					continue // more of a call in pieces: it is known by its first
				}
				all = append(all, keptCall{index, p.Get("thoughtSignature").Text, fn.Get("name").Text + " " + fn.Get("id").Text})
			}
		}
	}
	return all
}

// leaders are for each call the one that carries the signature of its set; -1: none.
func leaders(calls []keptCall) []int {
	at := make([]int, len(calls))
	newest := map[string]int{}
	for i, c := range calls {
		if c.signature != "" {
			newest[c.candidate] = i
		}
		leader, ok := newest[c.candidate]
		if !ok {
			leader = -1
		}
		at[i] = leader
	}
	return at
}

// TestTurnsCanBeSentBack checks that the API takes back what is left of a turn: whatever is refused, a call that stays has its
// signature, or the call ahead of it that carries the signature of its set.
func TestTurnsCanBeSentBack(t *testing.T) {
	for how, framing := range streamed {
		read := dialecttest.Readers(framing)[0].Events
		for seed := range uint64(120) {
			in := generate(framing)(rand.New(rand.NewPCG(seed, 11)))
			before := keptCalls(read(in))
			lead := leaders(before)
			for _, p := range dialecttest.Policies() {
				after := keptCalls(read(pass(in, framing, p).Out))
				kept := matched(before, after)
				if kept == nil {
					t.Fatalf("%s, seed %d, %s: %v is no part of %v", how, seed, p.Name, after, before)
				}
				for i := range before {
					if l := lead[i]; kept[i] && l >= 0 && !kept[l] {
						t.Errorf("%s, seed %d, %s: %v stays without %v", how, seed, p.Name, before[i], before[l])
					}
				}
			}
		}
	}
}

// matched says which calls of all are among some, in order; nil if some are not from all.
func matched(all, some []keptCall) map[int]bool {
	kept := map[int]bool{}
	// From the end: where calls are alike, the later ones may stand without the earlier.
	i := len(all) - 1
	for j := len(some) - 1; j >= 0; j-- {
		for i >= 0 && all[i] != some[j] {
			i--
		}
		if i < 0 {
			return nil
		}
		kept[i] = true
		i--
	}
	return kept
}

// inputs are the elements of all responses of the tables.
func inputs() map[string][]string {
	all := map[string][]string{}
	for name, tt := range partTable {
		all["part: "+name] = []string{ends(tt.parts, hiPart)}
	}
	for name, tt := range responseTable {
		all["response: "+name] = []string{tt.element}
	}
	for name, tt := range refusalTable {
		all["refused: "+name] = tt.in
	}
	for name, tt := range pathTable {
		if name != "too large" {
			all["path: "+name] = []string{says(begun), says(more(tt.pieces...)), ends(over)}
		}
	}
	return all
}
