package ollama

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

const modelName = "scripted:latest"

// A turn is one answer of the model, which can be sent in lines or whole.
type turn struct {
	thinking []string // in pieces
	text     []string // in pieces
	calls    []saidCall
	reason   string
	onLast   bool // the calls are on the line that ends the turn
	atOnce   bool // the calls are on one line
	cutEnd   bool // the last line has no end
}

// A saidCall is a call as the model says it.
type saidCall struct {
	id, name, args string
}

// content is the text of a turn.
func (t turn) content() string { return strings.Join(t.text, "") }

// json is the call at its place among the calls of the turn.
func (c saidCall) json(index int) string {
	return fmt.Sprintf(`{"id":%q,"function":{"index":%d,"name":%q,"arguments":%s}}`, c.id, index, c.name, c.args)
}

// calling is the member for calls, of which the first has this index.
func calling(first int, calls ...saidCall) string {
	if len(calls) == 0 {
		return ""
	}
	list := make([]string, len(calls))
	for i, c := range calls {
		list[i] = c.json(first + i)
	}
	return `,"tool_calls":[` + strings.Join(list, ",") + `]`
}

// A speech is how an endpoint puts what the model says.
type speech func(content, thinking, calls string) string

// chatting is the speech of /api/chat.
func chatting(content, thinking, calls string) string {
	if thinking != "" {
		thinking = `,"thinking":` + clients.Quote(thinking)
	}
	return `"message":{"role":"assistant","content":` + clients.Quote(content) + thinking + calls + `}`
}

// generating is the speech of /api/generate.
func generating(content, _, _ string) string { return `"response":` + clients.Quote(content) }

// line is one line, or the whole.
func (t turn) line(said string, last bool) string {
	end := `"done":false`
	if last {
		end = fmt.Sprintf(`"done":true,"done_reason":%q,"total_duration":5,"prompt_eval_count":%d,"eval_count":%d`,
			t.reason, clients.InputTokens, clients.OutputTokens)
	}
	return `{"model":"` + modelName + `","created_at":"2026-01-31T08:00:00.123456789Z",` + said + `,` + end + `}`
}

// lines is the turn as a stream.
func (t turn) lines(say speech) []string {
	var list []string
	for _, piece := range t.thinking {
		list = append(list, t.line(say("", piece, ""), false))
	}
	for _, piece := range t.text {
		list = append(list, t.line(say(piece, "", ""), false))
	}
	last := ""
	switch {
	case t.onLast:
		last = calling(0, t.calls...)
	case t.atOnce:
		list = append(list, t.line(say("", "", calling(0, t.calls...)), false))
	default:
		for i, c := range t.calls {
			list = append(list, t.line(say("", "", calling(i, c)), false))
		}
	}
	list = append(list, t.line(say("", "", last), true))
	for i := range list {
		if !t.cutEnd || i < len(list)-1 {
			list[i] += "\n"
		}
	}
	return list
}

// whole is the turn as a body.
func (t turn) whole(say speech) string {
	return t.line(say(t.content(), strings.Join(t.thinking, ""), calling(0, t.calls...)), true)
}
