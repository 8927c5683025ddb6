package bedrock_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A generator makes up a regular stream.
type generator struct {
	*rand.Rand
	frames []string
	blocks int
	calls  int
}

// generate returns a stream as a well-behaved upstream might send it.
func generate(r *rand.Rand) []byte { return stream(generateFrames(r)...) }

func generateFrames(r *rand.Rand) []string {
	g := generator{Rand: r}
	g.frame("messageStart", `"role":"assistant"`)
	for range 1 + g.IntN(6) {
		g.block()
	}
	reason := g.pick("end_turn", "max_tokens", "stop_sequence", "guardrail_intervened", "content_filtered", "model_context_window_exceeded")
	if g.calls > 0 && g.IntN(4) > 0 {
		reason = "tool_use"
	}
	g.frame("messageStop", `"stopReason":`+quote(reason)+g.pick("", "", `,"additionalModelResponseFields":{"stop_sequence":"x"}`))
	g.frame("metadata", fmt.Sprintf(`"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":9},"metrics":{"latencyMs":5}`, g.IntN(99), g.IntN(99))+
		g.pick("", "", `,"trace":{"guardrail":{"modelOutput":["some"]}}`))
	return g.frames
}

func (g *generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *generator) frame(typ, members string) {
	g.frames = append(g.frames, typ+" {"+members+g.pick("", `,"p":"abcdefgh"`)+"}")
}

func (g *generator) start(unit string) {
	g.frame("contentBlockStart", fmt.Sprintf(`"contentBlockIndex":%d,"start":%s`, g.blocks, unit))
}

func (g *generator) delta(unit string) {
	g.frame("contentBlockDelta", fmt.Sprintf(`"contentBlockIndex":%d,"delta":%s`, g.blocks, unit))
}

func (g *generator) stop() {
	g.frame("contentBlockStop", fmt.Sprintf(`"contentBlockIndex":%d`, g.blocks))
	g.blocks++
}

func (g *generator) block() {
	switch g.IntN(7) {
	case 0:
		g.delta(`{"text":"Well. "}`)
		for _, piece := range dialecttest.Split(g.Rand, dialecttest.Words(g.Rand)) {
			g.delta(`{"text":` + piece + `}`)
		}
		g.stop()
	case 1:
		g.delta(`{"reasoningContent":{"text":"Hm. "}}`)
		for _, piece := range dialecttest.Split(g.Rand, dialecttest.Words(g.Rand)) {
			g.delta(`{"reasoningContent":{"text":` + piece + `}}`)
		}
		g.delta(`{"reasoningContent":{"signature":"EqoB"}}`)
		g.stop()
	case 2, 3, 4:
		g.calls++
		g.call(fmt.Sprintf(`{"toolUseId":"tooluse_%d","name":%q}`, g.blocks, g.pick("bash", "read_file", "delete_file", "get_time")))
	case 5:
		g.ran()
	default:
		g.calls++
		g.start(`{"` + g.pick("futureCall", "hologram") + `":{"body":` + g.value(2) + `}}`)
		g.stop()
	}
}

// ran is a call that the provider runs, with its result.
func (g *generator) ran() {
	id := fmt.Sprintf("tooluse_s%d", g.blocks)
	g.call(fmt.Sprintf(`{"toolUseId":%q,"name":%q,"type":"server_tool_use"}`, id, g.pick("web_search", "web_fetch")))
	if g.IntN(4) > 0 {
		g.start(fmt.Sprintf(`{"toolResult":{"toolUseId":%q,"status":"success"}}`, id))
		g.delta(`{"toolResult":[{"text":"a result"}]}`)
		g.stop()
	}
}

// call sends a call's start, its arguments in pieces, and its stop.
func (g *generator) call(use string) {
	args := g.object(3)
	if g.IntN(5) == 0 {
		args = ""
	}
	g.start(`{"toolUse":` + use + `}`)
	if g.IntN(2) == 0 {
		g.delta(`{"toolUse":{"input":""}}`)
	}
	for _, piece := range dialecttest.Split(g.Rand, args) {
		g.delta(`{"toolUse":{"input":` + piece + `}}`)
	}
	g.stop()
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
