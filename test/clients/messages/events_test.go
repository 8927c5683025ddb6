package messages

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A streamEvent is an event of a stream as far as its order matters.
type streamEvent struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
}

// checkEvents says what is wrong with the order of events in streams that follow each other. All but the last must come
// to their end, and the last too if it is said to be whole.
func checkEvents(events []jsontext.Value, whole bool) error {
	o := order{open: map[int]bool{}}
	for i, raw := range events {
		var e streamEvent
		if err := json.Unmarshal(raw, &e); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		if err := o.next(e); err != nil {
			return fmt.Errorf("event %d (%s): %w", i, raw, err)
		}
	}
	if whole && o.state != after {
		return errors.New("the stream has no end")
	}
	return nil
}

// order follows a stream. after → (message_start) → within → (message_delta) → closing → (message_stop) → after.
type order struct {
	state  int
	blocks int
	open   map[int]bool
}

const (
	after = iota
	within
	closing
)

func (o *order) next(e streamEvent) error {
	switch {
	case e.Type == "ping":
	case o.state == after && e.Type == "message_start":
		o.state, o.blocks = within, 0
	case o.state == within && e.Type == "content_block_start":
		if e.Index != o.blocks {
			return fmt.Errorf("block %d opens where %d is next", e.Index, o.blocks)
		}
		o.open[e.Index] = true
		o.blocks++
	case o.state == within && (e.Type == "content_block_delta" || e.Type == "content_block_stop"):
		if !o.open[e.Index] {
			return fmt.Errorf("block %d is not open", e.Index)
		}
		if e.Type == "content_block_stop" {
			delete(o.open, e.Index)
		}
	case o.state == within && e.Type == "message_delta":
		if len(o.open) > 0 {
			return fmt.Errorf("%d blocks are still open", len(o.open))
		}
		o.state = closing
	case o.state == closing && e.Type == "message_stop":
		o.state = after
	default:
		return errors.New("out of order")
	}
	return nil
}

func TestCheckEvents(t *testing.T) {
	const start, delta, stop = "message_start", "message_delta", "message_stop"
	e := func(typ string, index int) jsontext.Value {
		return jsontext.Value(fmt.Sprintf(`{"type":%q,"index":%d}`, typ, index))
	}
	open, add, shut := e("content_block_start", 0), e("content_block_delta", 0), e("content_block_stop", 0)
	for _, tt := range []struct {
		name   string
		events []jsontext.Value
		whole  bool
		good   bool
	}{
		{"a turn", []jsontext.Value{e(start, 0), open, add, shut, e(delta, 0), e(stop, 0)}, true, true},
		{"two turns", []jsontext.Value{e(start, 0), e(delta, 0), e(stop, 0), e(start, 0), open, shut, e(delta, 0), e(stop, 0)}, true, true},
		{"cut", []jsontext.Value{e(start, 0), open, add}, false, true},
		{"cut and said to be whole", []jsontext.Value{e(start, 0), open, add}, true, false},
		{"block left open", []jsontext.Value{e(start, 0), open, e(delta, 0), e(stop, 0)}, true, false},
		{"gap", []jsontext.Value{e(start, 0), e("content_block_start", 1)}, false, false},
		{"added to nothing", []jsontext.Value{e(start, 0), add}, false, false},
		{"two starts", []jsontext.Value{e(start, 0), e(start, 0)}, false, false},
		{"after the end", []jsontext.Value{e(start, 0), e(delta, 0), e(stop, 0), open}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := checkEvents(tt.events, tt.whole); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
