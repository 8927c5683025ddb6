package gemini_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const odd = dialecttest.OddArguments

// secret is a call whose arguments are replaced.
func secret(args string) string {
	return `{"functionCall":{"id":"a","name":"rm","args":` + args + `,"x": 1.50},"thoughtSignature":"c2ln"}`
}

var replacedTable = map[string]struct{ in, want []string }{
	"an object":    {[]string{says(secret(`{"p":"secret"}`)), bareEnd}, []string{says(secret(odd)), bareEnd}},
	"a text":       {[]string{ends(secret(`"{\"p\":\"secret\"}"`))}, []string{ends(secret(odd))}},
	"no arguments": {[]string{ends(secret("null"))}, []string{ends(secret(odd))}},
	"no member": {
		[]string{ends(`{"functionCall":{"name":"rm"}}`)}, []string{ends(`{"functionCall":{"name":"rm","args":` + odd + `}}`)},
	},
	"the other spelling": {
		[]string{ends(`{"function_call":{"name":"rm","args":{"p":"secret"}}}`)}, []string{ends(`{"function_call":{"name":"rm","args":` + odd + `}}`)},
	},
	"one of two, the other as it came": {
		[]string{ends(secret(`{"p":"secret"}`), lsPart, hiPart)}, []string{ends(secret(odd), lsPart, hiPart)},
	},
	"in pieces": {
		[]string{
			says(`{"functionCall":{"id":"a","name":"rm","willContinue":true},"thoughtSignature":"c2ln"}`),
			says(more(str("$.p", "sec", true))), says(last(str("$.p", "ret", false))), bareEnd,
		},
		[]string{says(nothing), says(nothing), says(`{"functionCall":{"id":"a","name":"rm","args":` + odd + `},"thoughtSignature":"c2ln"}`), bareEnd},
	},
	"text beside it": {
		[]string{ends(`{"text":"hi","functionCall":{"name":"rm","args":{"p":"secret"}}}`)},
		[]string{ends(`{"text":"hi","functionCall":{"name":"rm","args":` + odd + `}}`)},
	},
	"tokens": {
		[]string{tokensBeside(ends(secret(`{"p":"secret"}`)), `{"chosenCandidates":[{"token":"secret"}]}`)},
		[]string{tokensBeside(ends(secret(odd)), `{}`)},
	},
	"tokens that come later": {
		[]string{says(secret(`{"p":"secret"}`)), tokensBeside(ends(hiPart), `{"chosenCandidates":[{"token":"secret"}]}`)},
		[]string{says(secret(odd)), tokensBeside(ends(hiPart), `{}`)},
	},
	"tokens of another": {
		[]string{tokensBeside(ends(lsPart), `{"chosenCandidates":[{"token":"x"}]}`)},
		[]string{tokensBeside(ends(lsPart), `{"chosenCandidates":[{"token":"x"}]}`)},
	},
	"wrapped": {[]string{wrap(ends(secret(`{"p":"secret"}`)))}, []string{wrap(ends(secret(odd)))}},
}

// tokensBeside is an element with the tokens of its candidate.
func tokensBeside(element, tokens string) string {
	return strings.Replace(element, `"finishReason"`, `"logprobsResult":`+tokens+`,"finishReason"`, 1)
}

func TestReplaced(t *testing.T) {
	policy := dialecttest.ReplaceWith(map[string]string{"rm": odd})
	for name, tt := range replacedTable {
		t.Run(name, func(t *testing.T) {
			for how, framing := range streamed {
				r := pass(wire(framing, tt.in...), framing, policy)
				if diff := cmp.Diff(string(wire(framing, tt.want...)), string(r.Out)); diff != "" {
					t.Errorf("%s: what the agent gets (-want +got):\n%s", how, diff)
				}
			}
			if len(tt.in) > 1 {
				return
			}
			r := pass([]byte(tt.in[0]), frame.Whole, policy)
			if diff := cmp.Diff(tt.want[0], string(r.Out)); diff != "" {
				t.Errorf("whole: what the agent gets (-want +got):\n%s", diff)
			}
		})
	}
}

// What cannot be given other arguments says so.
func TestFixed(t *testing.T) {
	for part, want := range map[string]bool{
		rmPart: false, codePart: true, toolPart: true, toolResult: true, `{"hologram":{"x":1}}`: true, `{"hologram":1}`: true,
	} {
		r := pass([]byte(ends(part)), frame.Whole, dialecttest.AllowAll())
		if got := r.Events[0].Call.Fixed; got != want {
			t.Errorf("%s is fixed: %v, want %v", part, got, want)
		}
	}
}
