package chat

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A seenChunk is a chunk of a stream as far as its order matters.
type seenChunk struct {
	ID      string `json:"id"`
	Choices []struct {
		Index *int `json:"index"`
		Delta struct {
			Content   string      `json:"content"`
			ToolCalls []seenPiece `json:"tool_calls"`
			Function  *seenBody   `json:"function_call"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
}

type seenPiece struct {
	Index    *int      `json:"index"`
	ID       string    `json:"id"`
	Type     string    `json:"type"`
	Function *seenBody `json:"function"`
	Custom   *seenBody `json:"custom"`
}

type seenBody struct {
	Name string `json:"name"`
}

// checkEvents says what is wrong with the order of chunks in streams that follow each other. All but the last must come to
// their end, and the last too if it is said to be whole.
func checkEvents(events []jsontext.Value, whole bool) error {
	var o order
	for i, raw := range events {
		var c seenChunk
		if err := json.Unmarshal(raw, &c); err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		if err := o.next(c); err != nil {
			return fmt.Errorf("chunk %d (%s): %w", i, raw, err)
		}
	}
	if whole && !o.finished() {
		return errors.New("the stream has no end")
	}
	return nil
}

// order follows streams, which are told apart by the id of their completion.
type order struct {
	id      string
	choices map[int]*choiceOrder
}

type choiceOrder struct {
	calls    int
	finished bool
}

func (o *order) finished() bool {
	for _, c := range o.choices {
		if !c.finished {
			return false
		}
	}
	return true
}

func (o *order) next(c seenChunk) error {
	if c.ID != "" && c.ID != o.id {
		if !o.finished() {
			return errors.New("the id changes within a stream")
		}
		o.id, o.choices = c.ID, map[int]*choiceOrder{}
	}
	for _, part := range c.Choices {
		if part.Index == nil {
			return errors.New("a choice has no index")
		}
		if o.choices[*part.Index] == nil {
			o.choices[*part.Index] = &choiceOrder{}
		}
		one := o.choices[*part.Index]
		if one.finished && (part.Delta.Content != "" || len(part.Delta.ToolCalls) > 0 || part.Delta.Function != nil) {
			return errors.New("a choice goes on after its end")
		}
		for _, p := range part.Delta.ToolCalls {
			if err := one.piece(p); err != nil {
				return err
			}
		}
		one.finished = one.finished || part.FinishReason != ""
	}
	return nil
}

// piece wants calls to open one after the other, with all that names them, and to be named only once.
func (c *choiceOrder) piece(p seenPiece) error {
	body := p.Function
	if body == nil {
		body = p.Custom
	}
	switch {
	case p.Index == nil || *p.Index < 0 || *p.Index > c.calls:
		return fmt.Errorf("a call has no index, or another than up to %d", c.calls)
	case *p.Index < c.calls && (p.ID != "" || p.Type != "" || body != nil && body.Name != ""):
		return errors.New("a call is named twice")
	case *p.Index < c.calls:
		return nil
	case p.ID == "" || p.Type == "" || body == nil || body.Name == "":
		return errors.New("a call opens without its id, type or name")
	}
	c.calls++
	return nil
}

func TestCheckEvents(t *testing.T) {
	c := func(id, choice string) jsontext.Value {
		return jsontext.Value(`{"id":"` + id + `","choices":[` + choice + `]}`)
	}
	one := func(choice string) jsontext.Value { return c("1", choice) }
	opens := one(`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}}`)
	adds := one(`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}`)
	text := one(`{"index":0,"delta":{"content":"hi"}}`)
	ends := one(`{"index":0,"delta":{},"finish_reason":"stop"}`)
	for _, tt := range []struct {
		name   string
		events []jsontext.Value
		whole  bool
		good   bool
	}{
		{"a turn", []jsontext.Value{c("", ""), text, opens, adds, ends, one("")}, true, true},
		{"two turns", []jsontext.Value{text, ends, c("2", `{"index":0,"delta":{},"finish_reason":"stop"}`)}, true, true},
		{"two choices", []jsontext.Value{opens, one(`{"index":1,"delta":{},"finish_reason":"stop"}`), adds, ends}, true, true},
		{"cut", []jsontext.Value{text, opens}, false, true},
		{"cut and said to be whole", []jsontext.Value{text, opens}, true, false},
		{"another id", []jsontext.Value{text, c("2", `{"index":0,"delta":{"content":"hi"}}`)}, false, false},
		{"no index", []jsontext.Value{one(`{"delta":{}}`)}, false, false},
		{"after the end", []jsontext.Value{ends, text}, false, false},
		{"call after the end", []jsontext.Value{ends, opens}, false, false},
		{"added to nothing", []jsontext.Value{adds}, false, false},
		{"named twice", []jsontext.Value{opens, opens}, false, false},
		{"gap", []jsontext.Value{one(`{"index":0,"delta":{"tool_calls":[{"index":1,"id":"a","type":"function","function":{"name":"f"}}]}}`)}, false, false},
		{"call without index", []jsontext.Value{one(`{"index":0,"delta":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f"}}]}}`)}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := checkEvents(tt.events, tt.whole); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
