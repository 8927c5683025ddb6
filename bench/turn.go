package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

const (
	pace  = 10 * time.Millisecond // time between two pieces of a paced stream
	burst = 8                     // frames that are sent together
)

// sentTimes are when the last argument byte of each call was sent, by the call's number.
type sentTimes struct{ times sync.Map }

func (s *sentTimes) note(id string) { s.times.Store(id, time.Now()) }

func (s *sentTimes) take(id string) (time.Time, bool) {
	v, ok := s.times.LoadAndDelete(id)
	if !ok {
		return time.Time{}, false
	}
	return v.(time.Time), true
}

// answer plays the turn that the query asks for.
func (b *bench) answer(r scripted.Request) scripted.Answer {
	q, _ := url.ParseQuery(r.RawQuery) // what is missing gets the empty turn
	frames, _ := strconv.Atoi(q.Get("frames"))
	var steps []scripted.Step
	switch q.Get("turn") {
	case "fast":
		for _, f := range textTurn(frames).frames {
			steps = append(steps, scripted.Write(f))
		}
	case "bursts":
		steps = []scripted.Step{paced(slices.Collect(inBursts(textTurn(frames).frames)))}
	case "paced":
		steps = []scripted.Step{paced(textTurn(frames).frames)}
	case "call":
		steps = b.call(q.Get("id"))
	case "idle":
		steps = []scripted.Step{scripted.Write(bytes.Join(textTurn(1).frames[:3], nil)), scripted.Wait(nil)}
	}
	return scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}, Steps: steps}
}

func frame(typ, format string, args ...any) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", typ, typ, fmt.Sprintf(format, args...))
}

func opening() []byte {
	return frame("message_start", `,"message":{"id":"msg_bench","type":"message","role":"assistant","model":"scripted","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}`)
}

func closing(reason string) [][]byte {
	return [][]byte{
		frame("message_delta", `,"delta":{"stop_reason":"%s","stop_sequence":null},"usage":{"output_tokens":7}`, reason),
		frame("message_stop", ""),
	}
}

var words = strings.Fields("the river keeps its bed and the weir keeps the river so that what comes down is seen before it is let through")

// A text is a turn without calls.
type text struct {
	frames [][]byte
	sum    [sha256.Size]byte // of all its bytes
}

var texts sync.Map // by their number of text frames, made once

// textTurn is a turn of so many text frames.
func textTurn(n int) text {
	if t, ok := texts.Load(n); ok {
		return t.(text)
	}
	frames := [][]byte{opening(), frame("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)}
	for i := range n {
		frames = append(frames, frame("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":" %s %s"}`,
			words[i%len(words)], words[i*7%len(words)]))
	}
	frames = append(frames, frame("content_block_stop", `,"index":0`))
	frames = append(frames, closing("end_turn")...)
	t := text{frames, sha256.Sum256(bytes.Join(frames, nil))}
	texts.Store(n, t)
	return t
}

// inBursts joins the frames that are sent together.
func inBursts(frames [][]byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for together := range slices.Chunk(frames, burst) {
			if !yield(bytes.Join(together, nil)) {
				return
			}
		}
	}
}

// paced sends one piece at a time.
func paced(pieces [][]byte) scripted.Step {
	return func(ctx context.Context, w http.ResponseWriter) error {
		tick := time.NewTicker(pace)
		defer tick.Stop()
		for _, p := range pieces {
			if err := scripted.Write(p)(ctx, w); err != nil {
				return err
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}
}

// call is a turn with one call. When its last argument byte is sent is noted.
func (b *bench) call(id string) []scripted.Step {
	piece := func(text string) []byte {
		return frame("content_block_delta", `,"index":0,"delta":{"type":"input_json_delta","partial_json":%q}`, text)
	}
	last := append(piece(`/...","timeout":120000}`), frame("content_block_stop", `,"index":0`)...)
	return []scripted.Step{
		scripted.Write(opening()),
		scripted.Write(frame("content_block_start", `,"index":0,"content_block":{"type":"tool_use","id":"toolu_%s","name":"Bash","input":{}}`, id)),
		scripted.Write(piece(`{"command":`)),
		scripted.Write(piece(`"go test .`)),
		func(context.Context, http.ResponseWriter) error { b.sent.note(id); return nil },
		scripted.Write(last),
		scripted.Write(bytes.Join(closing("tool_use"), nil)),
	}
}
