package openaichat_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A generator makes up a regular stream.
type generator struct{ dialecttest.Random }

// generate returns a stream as a well-behaved upstream might send it: one choice or two.
//
// The second choice begins its calls when the first has begun all of its own: so calls appear in the order in which the
// whole completion has them.
func generate(r *rand.Rand) []byte {
	g := generator{dialecttest.Random{Rand: r}}
	steps := g.steps(0)
	if g.IntN(3) == 0 {
		texts, calls := g.text(1), g.calls(1)
		steps = append(g.Merge(steps, texts), calls...)
	}
	var frames []string
	for i := 0; i < len(steps); i++ {
		choices := []string{steps[i]}
		if i+1 < len(steps) && g.IntN(3) == 0 && steps[i][:len(`{"index":0`)] != steps[i+1][:len(`{"index":0`)] {
			i++
			choices = append(choices, steps[i])
		}
		frames = append(frames, g.chunk(choices, ""))
	}
	usage := fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":{"cached_tokens":3}}`, g.IntN(9), g.IntN(9))
	if g.IntN(2) == 0 {
		frames = append(frames, g.chunk(nil, usage))
	}
	return stream(append(frames, "[DONE]")...)
}

func (g generator) chunk(choices []string, usage string) string {
	c := `{"id":"chatcmpl-gen","object":"chat.completion.chunk","created":17,"model":"gpt-test","choices":[` + strings.Join(choices, ",") + `]`
	if usage != "" {
		c += `,"usage":` + usage
	}
	return c + g.Pick("", `,"obfuscation":"aB3"`) + `,"system_fingerprint":"fp"` + "}"
}

func (g generator) choice(choice int, delta string) string {
	return fmt.Sprintf(`{"index":%d,"delta":%s,"logprobs":null,"finish_reason":null}`, choice, delta)
}

// steps are the elements of choices that make up one choice.
func (g generator) steps(choice int) []string { return append(g.text(choice), g.calls(choice)...) }

func (g generator) text(choice int) []string {
	steps := []string{g.choice(choice, `{"role":"assistant","content":`+g.Pick(`""`, "null")+`}`)}
	for _, name := range []string{"reasoning_content", "content", "refusal"} {
		if g.IntN(2) == 0 {
			for _, piece := range g.Pieces() {
				steps = append(steps, g.choice(choice, `{"`+name+`":`+piece+`}`))
			}
		}
	}
	return append(steps, g.choice(choice, `{"content":"x"}`))
}

// calls are the calls of a choice, text among them, and its end.
func (g generator) calls(choice int) []string {
	var entries [][]string // of each call
	for i := range g.IntN(4) {
		entries = append(entries, g.call(choice, i))
	}
	steps := g.interleave(choice, entries)
	reason := g.Pick("stop", "length", "content_filter", "tool_calls", "tool_calls")
	if g.IntN(6) == 0 {
		steps = append(steps, g.choice(choice, `{"function_call":{"name":"`+g.Tool()+`","arguments":""}}`))
		for _, piece := range g.Split(g.Object(2)) {
			steps = append(steps, g.choice(choice, `{"function_call":{"arguments":`+piece+`}}`))
		}
		reason = "function_call"
	}
	if len(entries) == 0 && reason == "tool_calls" {
		reason = "stop"
	}
	return append(steps, fmt.Sprintf(`{"index":%d,"delta":{},"logprobs":null,"finish_reason":%q}`, choice, reason))
}

// interleave puts the entries of calls into deltas: calls begin in order, and their pieces mix.
func (g generator) interleave(choice int, calls [][]string) []string {
	var steps []string
	begun := 0
	for {
		ready := []int{}
		for i := range min(begun+1, len(calls)) {
			if len(calls[i]) > 0 {
				ready = append(ready, i)
			}
		}
		if len(ready) == 0 {
			return steps
		}
		var delta []string
		for range 1 + g.IntN(2) {
			i := ready[g.IntN(len(ready))]
			if len(calls[i]) > 0 {
				delta = append(delta, calls[i][0])
				calls[i] = calls[i][1:]
				begun = max(begun, i+1)
			}
		}
		d := `"tool_calls":[` + strings.Join(delta, ",") + `]`
		if g.IntN(5) == 0 {
			d = `"content":` + quote(g.Words()) + `,` + d
		}
		steps = append(steps, g.choice(choice, "{"+d+"}"))
	}
}

// call are the entries of one call.
func (g generator) call(choice, index int) []string {
	head := fmt.Sprintf(`"index":%d,"id":"call_%d_%d"`, index, choice, index)
	extra := g.Pick("", "", `,"extra_content":{"google":{"thought_signature":"c2ln"}}`)
	kind, body, text := "function", "arguments", g.Object(3)
	switch g.IntN(8) {
	case 0:
		return []string{`{` + head + `,"type":"` + g.Pick("future_call", "video") + `","body":` + g.Value(2) + `}`}
	case 1:
		kind, body, text = "custom", "input", g.Secret()+g.Words()
	case 2:
		text = ""
	}
	pieces := append([]string{`""`}, g.Split(text)...)
	if g.IntN(3) == 0 && len(pieces) > 1 {
		pieces = pieces[1:]
	}
	entries := []string{`{` + head + extra + `,"type":"` + kind + `","` + kind + `":{"name":"` + g.Tool() + `","` + body + `":` + pieces[0] + `}}`}
	for _, piece := range pieces[1:] {
		entries = append(entries, fmt.Sprintf(`{"index":%d,"%s":{"%s":%s}}`, index, kind, body, piece))
	}
	return slices.Clip(entries)
}
