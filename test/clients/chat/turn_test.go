package chat

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

const modelName = "gpt-scripted"

// A turn is one answer of the model, which can be sent in chunks or whole.
type turn struct {
	choices []said
	deltas  []string // the choices of each chunk, in JSON, if they are not sent in the regular way
	body    string   // the choices of the body, in JSON, if they are not sent in the regular way
	late    string   // events after [DONE]
}

// said is one choice.
type said struct {
	text   []string // in pieces
	calls  []saidCall
	finish string
}

// A saidCall is a call as the model says it.
type saidCall struct {
	kind   string // function, custom or legacy
	id     string
	name   string
	pieces []string // of the arguments, or the input
	extra  string   // extra_content, in JSON; "": none
	hidden string   // members of the function that nobody documents, each with a comma ahead of it
}

// content is the text of a choice.
func (s said) content() string { return strings.Join(s.text, "") }

// text is all that the model says as the call's arguments or input.
func (c saidCall) text() string { return strings.Join(c.pieces, "") }

// entry is a piece of a call in a chunk; 0 opens it.
func (c saidCall) entry(index, piece int) string {
	text, id, names, hidden := "", "", "", ""
	if piece > 0 {
		text = c.pieces[piece-1]
	} else {
		hidden = c.hidden
		id = `,"id":` + clients.Quote(c.id) + `,"type":` + clients.Quote(c.kind) + c.extraMember()
		names = `"name":` + clients.Quote(c.name) + `,`
	}
	switch c.kind {
	case "legacy":
		return `{"function_call":{` + names + `"arguments":` + clients.Quote(text) + `}}`
	case "custom":
		return fmt.Sprintf(`{"tool_calls":[{"index":%d%s,"custom":{%s"input":%s}}]}`, index, id, names, clients.Quote(text))
	}
	return fmt.Sprintf(`{"tool_calls":[{"index":%d%s,"function":{%s"arguments":%s%s}}]}`, index, id, names, clients.Quote(text), hidden)
}

func (c saidCall) extraMember() string {
	if c.extra == "" {
		return ""
	}
	return `,"extra_content":` + c.extra
}

// whole is the call as it is in a body, or all of it in one delta.
func (c saidCall) whole() string {
	body := `"function":{"name":` + clients.Quote(c.name) + `,"arguments":` + clients.Quote(c.text()) + c.hidden + `}`
	if c.kind == "custom" {
		body = `"custom":{"name":` + clients.Quote(c.name) + `,"input":` + clients.Quote(c.text()) + `}`
	}
	return `{"id":` + clients.Quote(c.id) + `,"type":` + clients.Quote(c.kind) + `,` + body + c.extraMember() + `}`
}

// delta is an element of a chunk's choices.
func delta(index int, body string) string {
	return fmt.Sprintf(`{"index":%d,"delta":%s,"logprobs":null,"finish_reason":null}`, index, body)
}

// ending is an element of a chunk's choices that ends one.
func ending(index int, body, reason string) string {
	return fmt.Sprintf(`{"index":%d,"delta":%s,"logprobs":null,"finish_reason":%q}`, index, body, reason)
}

// sent are the elements of chunks that a choice is sent in.
func (s said) sent(index int) []string {
	list := []string{delta(index, `{"role":"assistant","content":"","refusal":null}`)}
	for _, piece := range s.text {
		list = append(list, delta(index, `{"content":`+clients.Quote(piece)+`}`))
	}
	for i, c := range s.calls {
		for piece := range len(c.pieces) + 1 {
			list = append(list, delta(index, c.entry(i, piece)))
		}
	}
	return append(list, ending(index, "{}", s.finish))
}

// regular are the choices of each chunk. Those of several choices take turns.
func (t turn) regular() []string {
	var list []string
	sent := make([][]string, len(t.choices))
	longest := 0
	for i, c := range t.choices {
		sent[i] = c.sent(i)
		longest = max(longest, len(sent[i]))
	}
	for n := range longest {
		for i := range sent {
			if n < len(sent[i]) {
				list = append(list, sent[i][n])
			}
		}
	}
	return list
}

// id names the completion. A conversation's last turn is another one.
func (t turn) id() string {
	if len(t.choices) == 1 && t.choices[0].content() == lastText {
		return "chatcmpl-02Scripted"
	}
	return "chatcmpl-01Scripted"
}

func (t turn) chunk(choices, more string) string {
	return fmt.Sprintf(`{"id":%q,"object":"chat.completion.chunk","created":1767225600,"model":%q,"system_fingerprint":"fp_01","choices":[%s]%s}`,
		t.id(), modelName, choices, more)
}

var usage = fmt.Sprintf(`,"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`,
	clients.InputTokens, clients.OutputTokens, clients.InputTokens+clients.OutputTokens)

// events is the turn as a stream, each event with its data.
func (t turn) events() []string {
	choices := t.deltas
	if choices == nil {
		choices = t.regular()
	}
	var list []string
	for _, c := range choices {
		list = append(list, event(t.chunk(c, "")))
	}
	// What is late comes at once with the end, before anyone can hang up.
	return append(list, event(t.chunk("", usage)), event("[DONE]")+t.late)
}

func event(data string) string { return "data: " + data + "\n\n" }

// prelude is how Azure begins.
var prelude = event(`{"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`)

// whole is the turn as a body.
func (t turn) whole() string {
	choices := t.body
	if choices == "" {
		list := make([]string, len(t.choices))
		for i, c := range t.choices {
			list[i] = fmt.Sprintf(`{"index":%d,"message":%s,"logprobs":null,"finish_reason":%q}`, i, c.message(), c.finish)
		}
		choices = strings.Join(list, ",")
	}
	return fmt.Sprintf(`{"id":%q,"object":"chat.completion","created":1767225600,"model":%q,"choices":[%s]%s}`, t.id(), modelName, choices, usage)
}

func (s said) message() string {
	content := "null"
	if len(s.text) > 0 {
		content = clients.Quote(s.content())
	}
	m := `{"role":"assistant","content":` + content + `,"refusal":null`
	var calls []string
	for _, c := range s.calls {
		if c.kind == "legacy" {
			m += `,"function_call":{"name":` + clients.Quote(c.name) + `,"arguments":` + clients.Quote(c.text()) + `}`
			continue
		}
		calls = append(calls, c.whole())
	}
	if len(calls) > 0 {
		m += `,"tool_calls":[` + strings.Join(calls, ",") + `]`
	}
	return m + `}`
}
