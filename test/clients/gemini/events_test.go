package gemini

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A seenElement is an element of a stream as far as its order matters.
type seenElement struct {
	ID         string `json:"responseId"`
	Candidates []struct {
		Index   int `json:"index"`
		Content *struct {
			Role  string           `json:"role"`
			Parts []jsontext.Value `json:"parts"`
		} `json:"content"`
		FinishReason string `json:"finishReason"`
	} `json:"candidates"`
}

// checkEvents says what is wrong with the order of elements in streams that follow each other. All but the last must come
// to their end, and the last too if it is said to be whole.
func checkEvents(events []jsontext.Value, whole bool) error {
	var o order
	for i, raw := range events {
		var e seenElement
		if err := json.Unmarshal(raw, &e); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
		if err := o.next(e); err != nil {
			return fmt.Errorf("element %d (%s): %w", i, raw, err)
		}
	}
	if whole && !o.finished() {
		return errors.New("the stream has no end")
	}
	return nil
}

// order follows streams, which are told apart by their ids.
type order struct {
	id   string
	over map[int]bool // candidates, and whether they have come to their end
}

func (o *order) finished() bool {
	for _, over := range o.over {
		if !over {
			return false
		}
	}
	return true
}

// next wants contents to be the model's and to say something: clients that keep the history take others for invalid, and
// the turn with them.
func (o *order) next(e seenElement) error {
	if e.ID != "" && e.ID != o.id {
		if !o.finished() {
			return errors.New("the id changes within a stream")
		}
		o.id, o.over = e.ID, map[int]bool{}
	}
	for _, c := range e.Candidates {
		switch {
		case c.Content != nil && (c.Content.Role != "model" || len(c.Content.Parts) == 0):
			return errors.New("a content without parts, or not of the model")
		case c.Content == nil && c.FinishReason == "":
			return errors.New("a candidate without anything")
		case o.over[c.Index]:
			return errors.New("a candidate goes on after its end")
		}
		o.over[c.Index] = c.FinishReason != ""
	}
	return nil
}

func TestCheckEvents(t *testing.T) {
	e := func(id, candidate string) jsontext.Value {
		return jsontext.Value(`{"responseId":"` + id + `","candidates":[` + candidate + `]}`)
	}
	const said = `{"content":{"role":"model","parts":[{"text":"hi"}]}}`
	text, end := e("1", said), e("1", `{"finishReason":"STOP"}`)
	for _, tt := range []struct {
		name   string
		events []jsontext.Value
		whole  bool
		good   bool
	}{
		{"a turn", []jsontext.Value{text, text, end}, true, true},
		{"two turns", []jsontext.Value{text, end, e("2", `{"finishReason":"STOP"}`)}, true, true},
		{"two candidates", []jsontext.Value{text, e("1", `{"index":1,"finishReason":"STOP"}`), end}, true, true},
		{"nothing but a count", []jsontext.Value{text, e("1", ""), end}, true, true},
		{"cut", []jsontext.Value{text}, false, true},
		{"cut and said to be whole", []jsontext.Value{text}, true, false},
		{"another id", []jsontext.Value{text, e("2", said)}, false, false},
		{"after the end", []jsontext.Value{end, text}, false, false},
		{"no parts", []jsontext.Value{e("1", `{"content":{"role":"model","parts":[]}}`)}, false, false},
		{"no role", []jsontext.Value{e("1", `{"content":{"parts":[{"text":"hi"}]}}`)}, false, false},
		{"nothing", []jsontext.Value{e("1", `{}`)}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := checkEvents(tt.events, tt.whole); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
