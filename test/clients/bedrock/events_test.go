package bedrock

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// steps are what events are called in both APIs, and what they do to a stream.
var steps = map[string]string{
	"messageStart": "begin", "contentBlockStart": "open", "contentBlockDelta": "add", "contentBlockStop": "shut", "messageStop": "end", "metadata": "tell",
	"message_start": "begin", "content_block_start": "open", "content_block_delta": "add", "content_block_stop": "shut", "message_delta": "end", "message_stop": "tell",
}

// stepOf reads an event as a client has it: the service's own SDKs have its name as the only member, others its type.
func stepOf(raw jsontext.Value) (step string, index int, err error) {
	var e map[string]jsontext.Value
	if err := json.Unmarshal(raw, &e); err != nil {
		return "", 0, err
	}
	var typ string
	at := e["index"]
	if e["type"] != nil {
		err = json.Unmarshal(e["type"], &typ)
	} else {
		for name, data := range e {
			var inner struct {
				Index jsontext.Value `json:"contentBlockIndex"`
			}
			typ, err = name, json.Unmarshal(data, &inner)
			at = inner.Index
		}
	}
	if at != nil && err == nil {
		err = json.Unmarshal(at, &index)
	}
	return steps[typ], index, err
}

// checkEvents says what is wrong with the order of events in streams that follow each other. All but the last must come
// to their end, and the last too if it is said to be whole.
func checkEvents(events []jsontext.Value, whole bool) error {
	o := order{open: map[int]bool{}, over: true}
	for i, raw := range events {
		step, index, err := stepOf(raw)
		if err == nil {
			err = o.next(step, index)
		}
		if err != nil {
			return fmt.Errorf("event %d (%s): %w", i, raw, err)
		}
	}
	if whole && !o.over {
		return errors.New("the stream has no end")
	}
	return nil
}

// order follows a stream, which is over behind "end", when only "tell" may follow.
type order struct {
	over   bool
	blocks int
	open   map[int]bool
}

func (o *order) next(step string, index int) error {
	switch {
	case step == "begin" && o.over:
		o.over, o.blocks = false, 0
		return nil
	case step == "tell" && o.over:
		return nil
	case o.over:
		return errors.New("out of order")
	}
	// Texts of the Converse API open with what is added to them.
	if fresh := index == o.blocks && (step == "open" || step == "add"); fresh {
		o.open[index] = true
		o.blocks++
		return nil
	}
	switch {
	case (step == "add" || step == "shut") && !o.open[index]:
		return fmt.Errorf("block %d is not open", index)
	case step == "add":
	case step == "shut":
		delete(o.open, index)
	case step == "end" && len(o.open) == 0:
		o.over = true
	default:
		return errors.New("out of order")
	}
	return nil
}

func TestCheckEvents(t *testing.T) {
	const (
		begin = `{"messageStart":{"role":"assistant"}}`
		open  = `{"contentBlockStart":{"contentBlockIndex":0}}`
		add   = `{"contentBlockDelta":{"contentBlockIndex":0}}`
		shut  = `{"contentBlockStop":{"contentBlockIndex":0}}`
		end   = `{"messageStop":{}}`
		tell  = `{"metadata":{}}`
	)
	for _, tt := range []struct {
		name   string
		events []string
		whole  bool
		good   bool
	}{
		{"a turn", []string{begin, open, add, shut, end, tell}, true, true},
		{"two turns", []string{begin, end, tell, begin, add, add, shut, end}, true, true},
		{"Claude's", []string{`{"type":"message_start"}`, `{"type":"content_block_start","index":0}`, `{"type":"content_block_stop","index":0}`, `{"type":"message_delta"}`, `{"type":"message_stop"}`}, true, true},
		{"cut", []string{begin, open, add}, false, true},
		{"cut and said to be whole", []string{begin, open, add}, true, false},
		{"block left open", []string{begin, open, end}, true, false},
		{"gap", []string{begin, `{"contentBlockStart":{"contentBlockIndex":1}}`}, false, false},
		{"added after its end", []string{begin, open, shut, add}, false, false},
		{"two starts", []string{begin, begin}, false, false},
		{"opened twice", []string{begin, open, open}, false, false},
		{"after the end", []string{begin, end, open}, false, false},
		{"unknown", []string{begin, `{"odd":{}}`}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var events []jsontext.Value
			for _, e := range tt.events {
				events = append(events, jsontext.Value(e))
			}
			if err := checkEvents(events, tt.whole); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
