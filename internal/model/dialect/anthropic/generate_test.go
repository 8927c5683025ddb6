package anthropic_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A generator makes up a regular stream.
type generator struct {
	dialecttest.Random
	out    strings.Builder
	blocks int
	calls  int
}

// generate returns a stream as a well-behaved upstream might send it.
func generate(r *rand.Rand) []byte {
	g := generator{Random: dialecttest.Random{Rand: r}}
	g.event("message_start", `{"type":"message_start","message":{"id":"msg_gen","type":"message","role":"assistant",`+
		`"model":"claude-test","content":[],"stop_reason":null,"stop_sequence":null,`+
		`"usage":{"input_tokens":10,"cache_read_input_tokens":2,"output_tokens":1}}}`)
	for range 1 + g.IntN(6) {
		g.block()
	}
	reason := g.Pick("end_turn", "max_tokens", "pause_turn", "refusal", "stop_sequence", "model_context_window_exceeded")
	if g.calls > 0 && g.IntN(4) > 0 {
		reason = "tool_use"
	}
	g.event("message_delta", fmt.Sprintf(
		`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}}`,
		reason, g.IntN(1000)))
	g.event("message_stop", `{"type":"message_stop"}`)
	return []byte(g.out.String())
}

func (g *generator) event(name, data string) {
	if g.IntN(8) == 0 {
		g.out.WriteString("event: ping\ndata: {\"type\":\"ping\"}\n\n")
	}
	fmt.Fprintf(&g.out, "event: %s\ndata: %s\n\n", name, data)
}

func (g *generator) start(block string) {
	g.event("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, g.blocks, block))
}

func (g *generator) delta(delta string) {
	g.event("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, g.blocks, delta))
}

func (g *generator) stop() {
	g.event("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, g.blocks))
	g.blocks++
}

func (g *generator) block() {
	switch g.IntN(7) {
	case 0:
		g.start(`{"type":"text","text":""}`)
		for _, piece := range g.Pieces() {
			g.delta(`{"type":"text_delta","text":` + piece + `}`)
		}
		g.stop()
	case 1:
		g.start(`{"type":"thinking","thinking":"","signature":""}`)
		for _, piece := range g.Pieces() {
			g.delta(`{"type":"thinking_delta","thinking":` + piece + `}`)
		}
		g.delta(`{"type":"signature_delta","signature":"` + g.Pick("EqoB", "AAAA") + `=="}`)
		g.stop()
	case 2, 3, 4:
		g.calls++
		g.call(fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":%q%s,"input":{}}`, g.blocks,
			g.Tool(), g.Pick("", "", `,"toolset_name":"browser"`)))
	case 5:
		g.ran()
	default:
		g.calls++
		g.start(`{"type":"` + g.Pick("future_call", "video") + `","body":` + g.Value(2) + `}`)
		g.stop()
	}
}

// ran is a call that the provider runs, with its result.
func (g *generator) ran() {
	id := fmt.Sprintf("srv_%d", g.blocks)
	use, result := `"type":"server_tool_use","name":"`+g.Pick("web_search", "web_fetch")+`"`, "web_search_tool_result"
	if g.IntN(2) == 0 {
		use, result = `"type":"mcp_tool_use","name":"`+g.Pick("create", "list")+`","server_name":"tracker"`, "mcp_tool_result"
	}
	g.call(fmt.Sprintf(`{%s,"id":%q,"input":{}}`, use, id))
	if g.IntN(4) > 0 {
		g.start(fmt.Sprintf(`{"type":%q,"tool_use_id":%q,"content":[{"type":"text","text":"a result"}]}`, result, id))
		g.stop()
	}
}

// call sends a call's start, its arguments in pieces, and its stop.
func (g *generator) call(block string) {
	args := g.Object(3)
	if g.IntN(5) == 0 {
		args = ""
	}
	if args != "" && g.IntN(6) == 0 {
		g.start(strings.Replace(block, `"input":{}`, `"input":`+args, 1))
		g.stop()
		return
	}
	g.start(block)
	if g.IntN(2) == 0 {
		g.delta(`{"type":"input_json_delta","partial_json":""}`)
	}
	for _, piece := range g.Split(args) {
		g.delta(`{"type":"input_json_delta","partial_json":` + piece + `}`)
	}
	g.stop()
}
