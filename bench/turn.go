package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/model/wire"
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
		for _, f := range textTurn(b.format, frames).frames {
			steps = append(steps, scripted.Write(f))
		}
	case "bursts":
		steps = []scripted.Step{paced(slices.Collect(inBursts(textTurn(b.format, frames).frames)))}
	case "paced":
		steps = []scripted.Step{paced(textTurn(b.format, frames).frames)}
	case "call":
		steps = b.call(q.Get("id"))
	case "idle":
		steps = []scripted.Step{scripted.Write(bytes.Join(textTurn(b.format, 1).frames[:2], nil)), scripted.Wait(nil)}
	}
	return scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}, Steps: steps}
}

var words = strings.Fields("the river keeps its bed and the weir keeps the river so that what comes down is seen before it is let through")

// A text is a turn without calls.
type text struct {
	frames [][]byte
	sum    [sha256.Size]byte // of all its bytes
}

// A textKey names a turn of text.
type textKey struct {
	format *format
	frames int
}

var texts sync.Map // by their keys, made once

// textTurn is a turn of so many text frames.
func textTurn(f *format, n int) text {
	key := textKey{f, n}
	if t, ok := texts.Load(key); ok {
		return t.(text)
	}
	said := make([]string, n)
	for i := range said {
		said[i] = " " + words[i%len(words)] + " " + words[i*7%len(words)]
	}
	frames := f.frames(wire.Text(said...))
	t := text{frames, sha256.Sum256(bytes.Join(frames, nil))}
	texts.Store(key, t)
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
	first, last, rest, _ := b.format.call(id)
	var steps []scripted.Step
	for _, f := range first {
		steps = append(steps, scripted.Write(f))
	}
	return append(steps,
		func(context.Context, http.ResponseWriter) error { b.sent.note(id); return nil },
		scripted.Write(bytes.Join(last, nil)),
		scripted.Write(bytes.Join(rest, nil)),
	)
}
