package ollama

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A seenLine is a line of a stream as far as its order matters.
type seenLine struct {
	Done    *bool `json:"done"`
	Message *struct {
		ToolCalls jsontext.Value `json:"tool_calls"`
	} `json:"message"`
	Response *string `json:"response"`
}

// checkEvents says what is wrong with the order of lines in streams that follow each other. If they are said to be whole,
// the last must come to its end.
func checkEvents(events []jsontext.Value, whole bool) error {
	over, calls := true, 0
	for i, raw := range events {
		var l seenLine
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("line %d: %w", i, err)
		}
		if l.Done == nil || (l.Message == nil) == (l.Response == nil) {
			return fmt.Errorf("line %d says not what it is: %s", i, raw)
		}
		if over {
			calls = 0
		}
		over = *l.Done
		if l.Message == nil || l.Message.ToolCalls == nil {
			continue
		}
		var list []historyCall
		if err := json.Unmarshal(l.Message.ToolCalls, &list); err != nil || len(list) == 0 {
			return fmt.Errorf("line %d has no calls where it has some (%v): %s", i, err, raw)
		}
		for _, c := range list {
			if n := c.Function.Index; n != nil && *n != calls {
				return fmt.Errorf("line %d: a call has the index %d, want %d: %s", i, *n, calls, raw)
			}
			calls++
		}
	}
	if whole && !over {
		return errors.New("the stream has no end")
	}
	return nil
}

func TestCheckEvents(t *testing.T) {
	const (
		text = `{"message":{"content":"hi"},"done":false}`
		end  = `{"message":{"content":""},"done":true}`
		made = `{"response":"hi","done":true}`
		call = `{"message":{"tool_calls":[{"function":{"index":0}}]},"done":false}`
		next = `{"message":{"tool_calls":[{"function":{"index":1}},{"function":{"index":2}}]},"done":true}`
	)
	for _, tt := range []struct {
		name   string
		events []string
		whole  bool
		good   bool
	}{
		{"a turn", []string{text, call, next}, true, true},
		{"two turns", []string{call, end, call, end}, true, true},
		{"generated", []string{made}, true, true},
		{"cut", []string{text}, false, true},
		{"cut and said to be whole", []string{text}, true, false},
		{"gap", []string{next}, false, false},
		{"index twice", []string{call, call}, false, false},
		{"no calls in an array", []string{`{"message":{"tool_calls":[]},"done":false}`}, false, false},
		{"neither message nor response", []string{`{"done":true}`}, false, false},
		{"no word about the end", []string{`{"message":{}}`}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events := make([]jsontext.Value, len(tt.events))
			for i, e := range tt.events {
				events[i] = jsontext.Value(e)
			}
			if err := checkEvents(events, tt.whole); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
