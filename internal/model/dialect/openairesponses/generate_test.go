package openairesponses_test

import (
	"math/rand/v2"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A generator makes up a regular stream.
type generator struct {
	dialecttest.Random
	keeps string // what the response says of whether it is kept
}

// A script is an item with the events that bring it.
type script struct {
	begun, item string
	events      func(index int) []string // between added and done
}

// generate returns a stream as a well-behaved upstream might send it.
func generate(r *rand.Rand) []byte {
	g := generator{Random: dialecttest.Random{Rand: r}}
	g.keeps = g.Pick(`,"store":true`, `,"store":false`, "", `,"store":false,"conversation":{"id":"conv_1"}`, `,"conversation":"conv_1"`)
	var scripts []script
	var items []string
	for i := range g.IntN(6) {
		s := g.script(i)
		scripts, items = append(scripts, s), append(items, s.item)
	}
	frames := []string{life("created", g.response("in_progress", nil))}
	if g.IntN(2) == 0 {
		frames = append(frames, life(g.Pick("in_progress", "queued"), g.response("in_progress", nil)))
	}
	frames = append(frames, g.interleave(scripts)...)
	how := g.Pick("completed", "completed", "incomplete", "failed")
	in := stream(append(frames, life(how, g.response(how, items)))...)
	if g.IntN(4) == 0 {
		in = append(in, "data: [DONE]\n\n"...)
	}
	return in
}

// response is the object of the first and of the last event.
func (g generator) response(status string, items []string) string {
	return `{"id":"resp_gen","object":"response","created_at":17,"status":"` + status + `","model":"gpt-test","output":[` +
		strings.Join(items, ",") + `]` + g.keeps + `,"tools":[{"type":"function","name":"bash","parameters":{"type":"object"}}],` +
		`"usage":{"input_tokens":3,"output_tokens":4,"input_tokens_details":{"cached_tokens":1}}}`
}

// interleave adds items in order and mixes their events.
func (g generator) interleave(scripts []script) []string {
	var frames []string
	left := make([][]string, len(scripts))
	for i, s := range scripts {
		left[i] = append([]string{added(i, s.begun)}, s.events(i)...)
		left[i] = append(left[i], done(i, s.item))
	}
	begun := 0
	for {
		var ready []int
		for i := range min(begun+1, len(left)) {
			if len(left[i]) > 0 {
				ready = append(ready, i)
			}
		}
		if len(ready) == 0 {
			return frames
		}
		i := ready[0] // mostly one after the other
		if g.IntN(3) == 0 {
			i = ready[g.IntN(len(ready))]
		}
		frames = append(frames, left[i][0])
		left[i] = left[i][1:]
		begun = max(begun, i+1)
		if g.IntN(12) == 0 {
			frames = append(frames, event("keepalive"))
		}
	}
}
