package bedrock_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A generator makes up a regular stream.
type generator struct {
	dialecttest.Random
	frames []string
	blocks int
	calls  int
}

// generate returns a stream as a well-behaved upstream might send it.
func generate(r *rand.Rand) []byte {
	g := generator{Random: dialecttest.Random{Rand: r}}
	g.frame("messageStart", `"role":"assistant"`)
	for range 1 + g.IntN(6) {
		g.block()
	}
	reason := g.Pick("end_turn", "max_tokens", "stop_sequence", "guardrail_intervened", "content_filtered", "model_context_window_exceeded")
	if g.calls > 0 && g.IntN(4) > 0 {
		reason = "tool_use"
	}
	g.frame("messageStop", `"stopReason":`+quote(reason)+g.Pick("", "", `,"additionalModelResponseFields":{"stop_sequence":"x"}`))
	g.frame("metadata", fmt.Sprintf(`"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":9},"metrics":{"latencyMs":5}`, g.IntN(99), g.IntN(99))+
		g.Pick("", "", `,"trace":{"guardrail":{"modelOutput":["some"]}}`))
	return stream(g.frames...)
}

func (g *generator) frame(typ, members string) {
	g.frames = append(g.frames, typ+" {"+members+g.Pick("", `,"p":"abcdefgh"`)+"}")
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
		for _, piece := range g.Pieces() {
			g.delta(`{"text":` + piece + `}`)
		}
		g.stop()
	case 1:
		g.delta(`{"reasoningContent":{"text":"Hm. "}}`)
		for _, piece := range g.Pieces() {
			g.delta(`{"reasoningContent":{"text":` + piece + `}}`)
		}
		g.delta(`{"reasoningContent":{"signature":"EqoB"}}`)
		g.stop()
	case 2, 3, 4:
		g.calls++
		g.call(fmt.Sprintf(`{"toolUseId":"tooluse_%d","name":%q}`, g.blocks, g.Tool()))
	case 5:
		g.ran()
	default:
		g.calls++
		g.start(`{"` + g.Pick("futureCall", "hologram") + `":{"body":` + g.Value(2) + `}}`)
		g.stop()
	}
}

// ran is a call that the provider runs, with its result.
func (g *generator) ran() {
	id := fmt.Sprintf("tooluse_s%d", g.blocks)
	g.call(fmt.Sprintf(`{"toolUseId":%q,"name":%q,"type":"server_tool_use"}`, id, g.Pick("web_search", "web_fetch")))
	if g.IntN(4) > 0 {
		g.start(fmt.Sprintf(`{"toolResult":{"toolUseId":%q,"status":"success"}}`, id))
		g.delta(`{"toolResult":[{"text":"a result"}]}`)
		g.stop()
	}
}

// call sends a call's start, its arguments in pieces, and its stop.
func (g *generator) call(use string) {
	args := g.Object(3)
	if g.IntN(5) == 0 {
		args = ""
	}
	g.start(`{"toolUse":` + use + `}`)
	if g.IntN(2) == 0 {
		g.delta(`{"toolUse":{"input":""}}`)
	}
	for _, piece := range g.Split(args) {
		g.delta(`{"toolUse":{"input":` + piece + `}}`)
	}
	g.stop()
}
