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

	"github.com/weir-gate/weir/internal/model/wire"
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
		Steps:  []scripted.Step{scripted.Write([]byte(wire.Messages.Whole(said(turn, ids)))), m.tell(len(ids))},
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

// said is what the model says: text, and these calls.
func said(turn int64, ids []string) wire.Turn {
	t := wire.Turn{
		Model: "scripted", ID: fmt.Sprintf("msg_%d", turn), In: 9, Out: 7, Blocks: []wire.Block{wire.Text(strings.SplitAfter(Text, " ")...)},
	}
	for _, id := range ids {
		args := Arguments(id)
		call := wire.Call("Bash", args[:9], args[9:30], args[30:])
		call.ID = id
		t.Blocks = append(t.Blocks, call)
	}
	return t
}

// stream is a turn as events, each sent by itself.
func (m *Model) stream(turn int64, ids []string) []scripted.Step {
	var steps []scripted.Step
	args := "" // of the call that is open
	for _, s := range wire.Messages.Stream(said(turn, ids)) {
		steps = append(steps, scripted.Write(wire.Messages.Encode(s)))
		if args += s.Args; s.Type == "content_block_stop" && args != "" {
			steps, args = append(steps, m.tell(1)), ""
		}
	}
	return steps
}
