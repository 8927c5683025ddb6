package responses

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A seenEvent is an event of a stream as far as its order matters.
type seenEvent struct {
	Type     string    `json:"type"`
	Number   int       `json:"sequence_number"`
	Index    *int      `json:"output_index"`
	ItemID   string    `json:"item_id"`
	Item     *seenHead `json:"item"`
	Response *struct {
		Output []seenHead `json:"output"`
	} `json:"response"`
}

type seenHead struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// checkEvents says what is wrong with the order of events in streams that follow each other. All but the last must come to
// their end, and the last too if it is said to be whole.
func checkEvents(events []jsontext.Value, whole bool) error {
	o := order{ended: true}
	for i, raw := range events {
		var e seenEvent
		if err := json.Unmarshal(raw, &e); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		if err := o.next(e); err != nil {
			return fmt.Errorf("event %d (%s): %w", i, raw, err)
		}
	}
	if whole && !o.ended {
		return errors.New("the stream has no end")
	}
	return nil
}

// order follows a stream from its first event to its last.
type order struct {
	ended  bool
	number int
	added  []seenHead // as they came; "" in place of an id that is done
	done   map[int]bool
}

func (o *order) next(e seenEvent) error {
	if e.Type == "response.created" {
		if !o.ended {
			return errors.New("a stream begins before the last has ended")
		}
		*o = order{number: e.Number, done: map[int]bool{}}
		return nil
	}
	if o.ended {
		return errors.New("a stream goes on after its end, or begins in its middle")
	}
	if e.Type == "keepalive" {
		return nil // it has none
	}
	if e.Number <= o.number {
		return fmt.Errorf("the number %d follows %d", e.Number, o.number)
	}
	o.number = e.Number
	switch {
	case e.Response != nil && e.Type != "response.queued" && e.Type != "response.in_progress":
		o.ended = true
		return o.end(e.Response.Output)
	case e.Type == "error":
		o.ended = true
		return nil
	case e.Item != nil || e.ItemID != "":
		return o.item(e)
	}
	return nil
}

// item wants items to be added one after the other, and to say nothing before that or after they are done.
func (o *order) item(e seenEvent) error {
	switch {
	case e.Index == nil || *e.Index < 0 || *e.Index > len(o.added):
		return fmt.Errorf("an item has no index, or another than up to %d", len(o.added))
	case e.Type == "response.output_item.added":
		if *e.Index != len(o.added) {
			return errors.New("an item is added in the place of another")
		}
		o.added = append(o.added, *e.Item)
		return nil
	case *e.Index == len(o.added) && e.Item == nil:
		return errors.New("an item goes on that was never added")
	case *e.Index == len(o.added):
		o.added = append(o.added, *e.Item) // some services announce nothing
	case o.done[*e.Index]:
		return errors.New("an item goes on that is done")
	case e.ItemID != "" && e.ItemID != o.added[*e.Index].ID, e.Item != nil && *e.Item != o.added[*e.Index]:
		return errors.New("an item is another than the one that was added")
	}
	if strings.HasSuffix(e.Type, ".output_item.done") {
		o.done[*e.Index] = true
	}
	return nil
}

// end wants the end to repeat the items; it may have more.
func (o *order) end(output []seenHead) error {
	if len(output) < len(o.added) || !slices.Equal(output[:len(o.added)], o.added) {
		return fmt.Errorf("the end has the items %v, and the stream had %v", output, o.added)
	}
	if len(o.done) != len(o.added) {
		return errors.New("an item was never done")
	}
	return nil
}

func TestCheckEvents(t *testing.T) {
	created := `{"type":"response.created","sequence_number":0,"response":{"output":[]}}`
	added := `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"m"}}`
	piece := `{"type":"response.output_text.delta","sequence_number":2,"output_index":0,"item_id":"m","delta":"hi"}`
	done := strings.ReplaceAll(added, "added", "done")
	ended := `{"type":"response.completed","sequence_number":4,"response":{"output":[{"type":"message","id":"m"}]}}`
	empty := `{"type":"response.completed","sequence_number":4,"response":{"output":[]}}`
	done = strings.ReplaceAll(done, `number":1`, `number":3`)
	for _, tt := range []struct {
		name   string
		events []string
		whole  bool
		good   bool
	}{
		{"a turn", []string{created, added, piece, done, ended}, true, true},
		{"two turns", []string{created, empty, created, added, piece, done, ended}, true, true},
		{"same number twice", []string{created, added, piece, piece, done, ended}, true, false},
		{"only in the end", []string{created, ended}, true, true},
		{"only done", []string{created, done, ended}, true, true},
		{"cut", []string{created, added, piece}, false, true},
		{"cut and said to be whole", []string{created, added, piece}, true, false},
		{"no beginning", []string{added, piece}, false, false},
		{"number goes back", []string{created, done, added}, false, false},
		{"goes on unadded", []string{created, piece}, false, false},
		{"goes on after it is done", []string{created, added, done, piece}, false, false},
		{"never done", []string{created, added, piece, ended}, true, false},
		{"not in the end", []string{created, added, done, empty}, true, false},
		{"after the end", []string{created, empty, added}, false, false},
		{"another item", []string{created, added, strings.Replace(piece, `"m"`, `"n"`, 1)}, false, false},
		{"gap", []string{created, strings.Replace(added, `index":0`, `index":1`, 1)}, false, false},
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
