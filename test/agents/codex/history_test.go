package codex

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// check says what is wrong with a request, as a strict provider would: every call that it sent must be there with its
// one output, or not at all.
func (a asked) check() error {
	if !a.body.Stream || a.body.Store {
		return fmt.Errorf("stream is %v and store is %v", a.body.Stream, a.body.Store)
	}
	if got, want := a.request.Header.Get("Authorization"), "Bearer "+apiKey; got != want {
		return fmt.Errorf("the key is %q, want %q", got, want)
	}
	for _, c := range a.given {
		if err := a.checkCall(c); err != nil {
			return fmt.Errorf("call %s: %w", c.id, err)
		}
	}
	return a.checkItems()
}

// checkCall wants a released call once, with one output, and nothing of any other.
func (a asked) checkCall(c call) error {
	calls, outputs := 0, 0
	for _, item := range a.body.Input {
		switch {
		case item.CallID != c.id:
		case item.Type == c.itemType():
			calls++
		case item.Type == c.itemType()+"_output":
			outputs++
			if c.act != "file_change" && !bytes.Contains(item.Output, []byte(said)) {
				return fmt.Errorf("its output is %s", item.Output)
			}
		default:
			return fmt.Errorf("it is in an item of type %s", item.Type)
		}
	}
	want := 0
	if c.fate == released {
		want = 1
	}
	if calls != want || outputs != want {
		return fmt.Errorf("it is there %d times with %d outputs, want %d", calls, outputs, want)
	}
	if c.fate != released && (bytes.Contains(a.request.Body, []byte(c.id)) || bytes.Contains(a.request.Body, []byte(marker))) {
		return fmt.Errorf("something of it is there")
	}
	return a.checkNotice(c)
}

// checkNotice wants the notice of a refused call once, so that the model can read why.
func (a asked) checkNotice(c call) error {
	notices := 0
	for _, item := range a.body.Input {
		if item.Type == "message" && item.Role == "assistant" && slices.Contains(item.texts(), c.notice()) {
			notices++
		}
	}
	want := 0
	if c.fate == refused {
		want = 1
	}
	if notices != want {
		return fmt.Errorf("there are %d notices, want %d", notices, want)
	}
	return nil
}

// texts are what a message says.
func (i input) texts() []string {
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(i.Content, &parts); err != nil {
		return nil
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text)
	}
	return texts
}

// checkItems wants no id that the provider never gave, and each thought to be followed by what it led to.
func (a asked) checkItems() error {
	for i, item := range a.body.Input {
		if strings.HasPrefix(item.ID, "msg_weir_") {
			return fmt.Errorf("the provider knows no item %s", item.ID)
		}
		if item.Type != "reasoning" {
			continue
		}
		led := slices.IndexFunc(a.given, func(c call) bool { return thoughtOf(c) == item.ID })
		if led < 0 || i+1 == len(a.body.Input) || a.body.Input[i+1].ID != a.given[led].itemID() {
			return fmt.Errorf("the item %s is not followed by the one that it came with", item.ID)
		}
	}
	return nil
}
