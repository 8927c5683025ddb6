package ollama_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const framing = frame.Rows

// A generator makes up a regular stream.
type generator struct {
	*rand.Rand
	calls    int
	numbered bool // calls have ids and numbers, as newer servers give them
}

// generate returns a stream as a well-behaved server might send it: text and calls in any order, or an answer without calls.
func generate(r *rand.Rand) []byte {
	g := &generator{Rand: r, numbered: r.IntN(2) == 0}
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
	final := g.content()
	if g.IntN(4) == 0 {
		final += `,"tool_calls":[` + g.entries() + `]`
	}
	return lines(append(all, strings.Replace(g.line(final), `"done":false}`, g.end(), 1))...)
}

func (g *generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *generator) line(members string) string { return said(members) }

func (g *generator) end() string {
	return fmt.Sprintf(`"done":true,"done_reason":%q,"prompt_eval_count":%d,"eval_count":%d}`, g.pick("stop", "stop", "length"), g.IntN(99), g.IntN(99))
}

func (g *generator) content() string {
	return `"content":` + g.pick(`""`, `""`, quote(dialecttest.Words(g.Rand)))
}

// pieces are lines with the pieces of a text.
func (g *generator) pieces(name string) []string {
	var all []string
	for _, piece := range dialecttest.Split(g.Rand, dialecttest.Words(g.Rand)) {
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
	for _, piece := range dialecttest.Split(g.Rand, dialecttest.Words(g.Rand)) {
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
	name, args := g.pick("bash", "read_file", "delete_file", "get_time"), g.object(3)
	switch {
	case g.IntN(8) == 0:
		return `{"type":"` + g.pick("future_call", "video") + `","body":` + g.value(2) + `}`
	case g.numbered:
		return numbered(fmt.Sprint("call_", g.calls), fmt.Sprint(g.calls), name, args)
	}
	return entry(name, args)
}

func (g *generator) object(depth int) string {
	var members []string
	for i := range g.IntN(4) {
		members = append(members, fmt.Sprintf("%s:%s%s", quote(fmt.Sprint("k", i, g.pick("", "é", " ", "😀"))), g.pick("", " "), g.value(depth-1)))
	}
	return "{" + strings.Join(members, g.pick(",", ", ")) + "}"
}

// secret is different each time, so that it tells which call it is from.
func (g *generator) secret() string { return fmt.Sprint(dialecttest.Secret, g.Uint32()) }

func (g *generator) value(depth int) string {
	n := g.IntN(8)
	if depth <= 0 {
		n = g.IntN(6)
	}
	switch n {
	case 0:
		return g.pick("0", "-1", "1e400", "12345678901234567890", "0.10", "-0")
	case 1:
		return g.pick("true", "false", "null")
	case 2, 3:
		return quote(g.secret() + strings.ReplaceAll(dialecttest.Words(g.Rand), " ", "_"))
	case 4:
		return `"` + g.secret() + g.pick(`\ud83d\ude00`, `\u00e9`, `\/`, `\"`, `\u0000`) + `"`
	case 5:
		return quote(g.secret())
	case 6:
		var elems []string
		for range g.IntN(3) {
			elems = append(elems, g.value(depth-1))
		}
		return "[" + strings.Join(elems, ",") + "]"
	}
	return g.object(depth)
}
