package ollama_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A generator makes up a regular stream.
type generator struct {
	dialecttest.Random
	calls    int
	numbered bool // calls have ids and numbers, as newer servers give them
}

// generate returns a stream as a well-behaved server might send it: text and calls in any order, or an answer without calls.
func generate(r *rand.Rand) []byte {
	g := &generator{Random: dialecttest.Random{Rand: r}, numbered: r.IntN(2) == 0}
	if g.IntN(6) == 0 {
		return g.answer()
	}
	var all []string
	for range g.IntN(2) {
		all = append(all, g.pieces("thinking")...)
	}
	for range g.IntN(4) {
		all = append(all, g.pieces("content")...)
		if g.IntN(2) == 0 {
			all = append(all, g.line(g.content()+`,"tool_calls":[`+g.entries()+`]`))
		}
	}
	if len(all) == 0 { // a message that says nothing is not regular
		all = append(all, g.line(`"content":"."`))
	}
	final := g.content()
	if g.IntN(4) == 0 {
		final += `,"tool_calls":[` + g.entries() + `]`
	}
	return lines(append(all, strings.Replace(g.line(final), `"done":false}`, g.end(), 1))...)
}

func (g *generator) line(members string) string { return said(members) }

func (g *generator) end() string {
	return fmt.Sprintf(`"done":true,"done_reason":%q,"prompt_eval_count":%d,"eval_count":%d}`, g.Pick("stop", "stop", "length"), g.IntN(99), g.IntN(99))
}

func (g *generator) content() string {
	return `"content":` + g.Pick(`""`, `""`, quote(g.Words()))
}

// pieces are lines with the pieces of a text.
func (g *generator) pieces(name string) []string {
	var all []string
	for _, piece := range g.Pieces() {
		members := `"content":` + piece
		if name != "content" {
			members = `"content":"","` + name + `":` + piece
		}
		all = append(all, g.line(members))
	}
	return all
}

// answer is a stream to /api/generate.
func (g *generator) answer() []byte {
	var all []string
	for _, piece := range g.Pieces() {
		all = append(all, head+`,"response":`+piece+`,"done":false}`)
	}
	return lines(append(all, head+`,"response":"",`+g.end())...)
}

func (g *generator) entries() string {
	var all []string
	for range 1 + g.IntN(3) {
		all = append(all, g.entry())
		g.calls++
	}
	return strings.Join(all, ",")
}

func (g *generator) entry() string {
	name, args := g.Tool(), g.Object(3)
	switch {
	case g.IntN(8) == 0:
		return `{"type":"` + g.Pick("future_call", "video") + `","body":` + g.Value(2) + `}`
	case g.numbered:
		return numbered(fmt.Sprint("call_", g.calls), fmt.Sprint(g.calls), name, args)
	}
	return entry(name, args)
}
