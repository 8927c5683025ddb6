// Package loadtest puts the real weir under load: a model that never runs out of calls, clients that remember what they
// got, and the record to hold it against.
package loadtest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A Model answers every request with a turn of its own: text, and one to three calls with ids that no other turn has.
type Model struct {
	Sent func()     // told when all of a call is on the wire; nil: nobody is
	Bulk func() int // how many bytes the arguments of a turn's calls have beyond the usual; nil: none

	turns atomic.Int64
}

// Text is what the model says before its calls.
const Text = "I will look."

// Arguments are what the call of this id is made with: so that whoever meets the id knows them.
func Arguments(id string) string {
	bulk := 0
	if parts := strings.Split(id, "_"); len(parts) == 4 {
		bulk, _ = strconv.Atoi(parts[3]) // ids are the model's own
	}
	return fmt.Sprintf(`{"command":"echo %s","lines":[%s1.50],"text":"%s"}`, id, strings.Repeat(`"x",`, len(id)), strings.Repeat("y", bulk))
}

// Answer is what a request gets.
func (m *Model) Answer(r scripted.Request) scripted.Answer {
	turn := m.turns.Add(1)
	bulk := ""
	if m.Bulk != nil {
		if n := m.Bulk(); n > 0 {
			bulk = fmt.Sprintf("_%d", n)
		}
	}
	var ids []string
	for i := range turn%3 + 1 {
		ids = append(ids, fmt.Sprintf("toolu_%08d_%d%s", turn, i, bulk))
	}
	if bytes.Contains(r.Body, []byte(`"stream":true`)) {
		return scripted.Answer{
			Header: http.Header{"Content-Type": {"text/event-stream"}},
			Steps:  m.stream(turn, ids),
		}
	}
	return scripted.Answer{
		Header: http.Header{"Content-Type": {"application/json"}},
		Steps:  []scripted.Step{scripted.Write(body(turn, ids)), m.tell(len(ids))},
	}
}

// tell reports so many calls as sent.
func (m *Model) tell(calls int) scripted.Step {
	return func(context.Context, http.ResponseWriter) error {
		for range calls {
			if m.Sent != nil {
				m.Sent()
			}
		}
		return nil
	}
}

const usage = `"usage":{"input_tokens":9,"output_tokens":7}`

// body is a turn as one message.
func body(turn int64, ids []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"id":"msg_%d","type":"message","role":"assistant","model":"scripted","content":[{"type":"text","text":%q}`, turn, Text)
	for _, id := range ids {
		fmt.Fprintf(&b, `,{"type":"tool_use","id":"%s","name":"Bash","input":%s}`, id, Arguments(id))
	}
	fmt.Fprintf(&b, `],"stop_reason":"tool_use","stop_sequence":null,%s}`, usage)
	return b.Bytes()
}

// stream is a turn as events, each sent by itself.
func (m *Model) stream(turn int64, ids []string) []scripted.Step {
	var steps []scripted.Step
	add := func(typ, format string, args ...any) {
		data := fmt.Sprintf(format, args...)
		steps = append(steps, scripted.Write(fmt.Appendf(nil, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", typ, typ, data)))
	}
	add("message_start", `,"message":{"id":"msg_%d","type":"message","role":"assistant","model":"scripted","content":[],"stop_reason":null,"stop_sequence":null,%s}`, turn, usage)
	add("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	for _, word := range strings.SplitAfter(Text, " ") {
		add("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":%q}`, word)
	}
	add("content_block_stop", `,"index":0`)
	for i, id := range ids {
		add("content_block_start", `,"index":%d,"content_block":{"type":"tool_use","id":"%s","name":"Bash","input":{}}`, i+1, id)
		text := Arguments(id)
		for _, piece := range []string{text[:9], text[9:30], text[30:]} {
			add("content_block_delta", `,"index":%d,"delta":{"type":"input_json_delta","partial_json":%q}`, i+1, piece)
		}
		add("content_block_stop", `,"index":%d`, i+1)
		steps = append(steps, m.tell(1))
	}
	add("message_delta", `,"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":7}`)
	add("message_stop", ``)
	return steps
}
