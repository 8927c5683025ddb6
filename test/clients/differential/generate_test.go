package differential

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/test/clients"
)

// A generator makes up answers.
type generator struct {
	*rand.Rand
	ids int
}

// The tools that a model asks for, some of which the policy refuses, and the policy, which also refuses some arguments.
var tools = []string{"read_file", "list_dir", "get_time", "shell"}

const policy = `policy:
  version: 1
  default: allow
  rules:
    - {id: no-shell, tool: shell, verdict: deny}
    - id: nothing-forbidden
      tool: "*"
      conditions: {param_path: "$", operator: contains, value: ` + clients.Forbid + `}
      verdict: deny
`

// An asked call is one that the model makes.
type asked struct{ id, name, args string }

func (g *generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *generator) call() asked {
	g.ids++
	path := g.pick("/srv/a.txt", "😀 é水", `{"k":[1]}`, "a\\nb", clients.Marker+"/x", "/etc/"+clients.Marker)
	args := `{"path":` + dialect.Quote(path) + `,"n":` + g.pick("1", "1.50", "-0", "12345678901234567890", "true", "null", `[{"a":""}]`) + `}`
	if g.IntN(6) == 0 {
		args = `{}`
	}
	return asked{"call_" + strconv.Itoa(g.ids), g.pick(tools...), args}
}

func (g *generator) calls() []asked {
	var list []asked
	for range 1 + g.IntN(3) {
		list = append(list, g.call())
	}
	return list
}

// pieces are a text as JSON strings, one or several.
func (g *generator) pieces(text string) []string {
	if g.IntN(3) == 0 {
		return []string{dialect.Quote(text)}
	}
	return dialecttest.Random{Rand: g.Rand}.Split(text)
}

// hidden is a member that nobody documents, with a comma ahead of it, or nothing.
func (g *generator) hidden() string {
	if g.IntN(3) > 0 {
		return ""
	}
	return "," + g.hiddenMember()
}

// hiddenAround is the same beside calls, where only what by its name is theirs is left out.
func (g *generator) hiddenAround() string {
	if g.IntN(3) > 0 {
		return ""
	}
	return `,"` + g.pick("parsed", "parsed_arguments", "invalid_tool_calls", "additional_kwargs") + `":` + g.hiddenValue()
}

func (g *generator) hiddenMember() string {
	return `"` + g.pick("parsed_arguments", "parsed", "snapshot", "kwargs", "tool_input", "x", "Arguments_", "extra") + `":` + g.hiddenValue()
}

func (g *generator) hiddenValue() string {
	value := `{"` + clients.HiddenMember + `":"` + clients.Marker + `"}`
	switch g.IntN(4) {
	case 0:
		value = `[` + value + `]`
	case 1:
		value = dialect.Quote(g.pick("", " \n", "\ufeff") + value)
	case 2:
		value = dialect.Quote(dialect.Quote(value))
	}
	return value
}

// preview is an event of an unknown type about a call.
func (g *generator) preview(c asked, index int) string {
	return fmt.Sprintf(`{"type":"%s","index":%d,"%s":"%s","text":"%s"}`,
		g.pick("content_block_preview", "response.preview", "preview", "ping"), index, clients.PreviewMember, c.id, clients.Marker)
}

func (g *generator) messages() []frame {
	f := []frame{{"message_start", `{"type":"message_start","message":` + g.messageOf("", "null") + `}`}}
	add := func(name, format string, args ...any) {
		f = append(f, frame{name, fmt.Sprintf(`{"type":%q,`, name) + fmt.Sprintf(format, args...) + `}`})
	}
	add("content_block_start", `"index":0,"content_block":{"type":"text","text":""}`)
	add("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":"I look."}`)
	add("content_block_stop", `"index":0`)
	for i, c := range g.calls() {
		add("content_block_start", `"index":%d,"content_block":{"type":"tool_use","id":%q,"name":%q,"input":{}%s}%s`, i+1, c.id, c.name, g.hidden(), g.hidden())
		for _, piece := range g.pieces(c.args) {
			add("content_block_delta", `"index":%d,"delta":{"type":"input_json_delta","partial_json":%s}`, i+1, piece)
			if g.IntN(8) == 0 {
				f = append(f, frame{"content_block_preview", g.preview(c, i+1)})
			}
		}
		add("content_block_stop", `"index":%d`, i+1)
	}
	add("message_delta", `"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":7}`)
	return append(f, frame{"message_stop", `{"type":"message_stop"}`})
}

func (g *generator) messageOf(content, stop string) string {
	return `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[` + content + `],"stop_reason":` + stop +
		`,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1}}`
}

func (g *generator) message() string {
	blocks := []string{`{"type":"text","text":"I look."}`}
	for _, c := range g.calls() {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s%s}`, c.id, c.name, c.args, g.hidden()))
	}
	return g.messageOf(strings.Join(blocks, ","), `"tool_use"`)
}

func (g *generator) chat() []frame {
	var f []frame
	chunk := func(delta, finish string) {
		f = append(f, frame{"", `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta +
			`,"finish_reason":` + finish + `}]}`})
	}
	chunk(`{"role":"assistant","content":"I look."}`, "null")
	for i, c := range g.calls() {
		pieces := g.pieces(c.args)
		chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":%s%s}%s}]%s}`,
			i, c.id, c.name, pieces[0], g.hidden(), g.hidden(), g.hiddenAround()), "null")
		for _, piece := range pieces[1:] {
			chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s%s}}]}`, i, piece, g.hidden()), "null")
			if g.IntN(8) == 0 {
				f = append(f, frame{"", g.preview(c, i)})
			}
		}
	}
	chunk(`{}`, `"tool_calls"`)
	return append(f, frame{"", "[DONE]"})
}

func (g *generator) completion() string {
	var calls []string
	for _, c := range g.calls() {
		calls = append(calls, fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":%q,"arguments":%s%s}%s}`,
			c.id, c.name, dialect.Quote(c.args), g.hidden(), g.hidden()))
	}
	return `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[` +
		strings.Join(calls, ",") + `]` + g.hiddenAround() + `},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}}`
}
