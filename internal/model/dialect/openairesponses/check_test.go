package openairesponses_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A checker follows a response as strictly as the accumulator of openai-node does.
type checker struct {
	items    map[string]*checked // by output_index
	count    int
	resumed  bool // it begins in the middle
	number   int64
	numbered bool
	ended    bool
	notices  map[string]string // what weir said, by its item's id
}

// A checked is an item that is followed.
type checked struct {
	typ, id string
	parts   []string // types of its content parts
	text    string
	done    bool
}

// checkForm returns what is wrong with a response, and whether it came to its end.
func checkForm(out []byte, whole bool) (ended bool, err error) {
	c := checker{items: map[string]*checked{}, notices: map[string]string{}}
	if whole {
		if len(out) == 0 {
			return false, nil
		}
		tree, err := dialecttest.ParseTree(out)
		if err != nil {
			return false, err
		}
		for _, item := range tree.Get("output").Values {
			if err := c.weirItem(item); err != nil {
				return false, err
			}
		}
		return true, nil
	}
	for i, e := range dialecttest.Framings()[0].Events(out) {
		if e.Data == "[DONE]" {
			c.ended = true
			continue
		}
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return false, fmt.Errorf("frame %d: %w", i, err)
		}
		if c.ended && tree.Get("type").Text != "keepalive" {
			return true, fmt.Errorf("frame %d: goes on after its end", i)
		}
		if err := c.event(e.Name, tree, i == 0); err != nil {
			return false, fmt.Errorf("frame %d: %w", i, err)
		}
	}
	return c.ended, nil
}

func (c *checker) event(name string, tree dialecttest.Tree, first bool) error {
	typ := tree.Get("type").Text
	if name != "" && typ != "" && name != typ {
		return fmt.Errorf("event %s has type %s", name, typ)
	}
	if err := c.numberOf(tree); err != nil {
		return err
	}
	if first {
		c.resumed = typ != "response.created"
	}
	switch {
	case typ == "response.created" || typ == "response.queued" || typ == "response.in_progress":
		if len(tree.Get("response").Get("output").Values) > 0 {
			return errors.New("a response that begins has items")
		}
		c.items, c.count = map[string]*checked{}, 0
	case typ == "response.completed" || typ == "response.incomplete" || typ == "response.failed" || typ == "response.cancelled":
		c.ended = true
		return c.terminal(tree.Get("response").Get("output"))
	case typ == "error" || tree.Get("error").Kind == '{':
		c.ended = true
	case typ == "response.output_item.added":
		return c.added(tree)
	case typ == "response.output_item.done":
		return c.done(tree)
	default:
		return c.within(typ, tree)
	}
	return nil
}

// numberOf checks that sequence numbers do not fall: they are where a client goes on.
func (c *checker) numberOf(tree dialecttest.Tree) error {
	n, err := strconv.ParseInt(tree.Get("sequence_number").Literal, 10, 64)
	if err != nil || tree.Get("type").Text == "keepalive" {
		return nil //nolint:nilerr // compatible servers have none, or something else
	}
	if n <= c.number && c.numbered {
		return fmt.Errorf("number %d after %d", n, c.number)
	}
	c.number, c.numbered = n, true
	return nil
}

// added checks that an item comes at the place where it is pushed.
func (c *checker) added(tree dialecttest.Tree) error {
	index, item := tree.Get("output_index").Literal, tree.Get("item")
	if want := strconv.Itoa(c.count); !c.resumed && index != "" && index != want {
		return fmt.Errorf("an item is added at %s, want %s", index, want)
	}
	c.count++
	c.items[index] = &checked{typ: item.Get("type").Text, id: item.Get("id").Text}
	for _, part := range item.Get("content").Values {
		c.items[index].parts = append(c.items[index].parts, part.Get("type").Text)
	}
	return c.weirItem(item)
}

func (c *checker) done(tree dialecttest.Tree) error {
	index, item := tree.Get("output_index").Literal, tree.Get("item")
	at := c.items[index]
	switch {
	case at == nil && !c.resumed:
		return fmt.Errorf("an item is done at %s, where none is", index)
	case at == nil:
		return c.weirItem(item)
	case at.typ != item.Get("type").Text:
		return fmt.Errorf("an item of type %s is done as %s", at.typ, item.Get("type").Text)
	case strings.HasPrefix(at.id+item.Get("id").Text, "msg_weir_") && at.id != item.Get("id").Text:
		return errors.New("a notice changes its id")
	case at.done:
		return errors.New("an item is done twice")
	}
	at.done = true
	if strings.HasPrefix(at.id, "msg_weir_") && at.text != item.Get("content").Values[0].Get("text").Text {
		return errors.New("a notice is done as another")
	}
	return c.weirItem(item)
}

// weirItem checks a message of weir's own.
func (c *checker) weirItem(item dialecttest.Tree) error {
	id := item.Get("id").Text
	if !strings.HasPrefix(id, "msg_weir_") || item.Get("status").Text != "completed" {
		return nil
	}
	parts := item.Get("content").Values
	if item.Get("type").Text != "message" || item.Get("role").Text != "assistant" || len(parts) != 1 || parts[0].Get("type").Text != "output_text" {
		return fmt.Errorf("a notice is %s", item)
	}
	text := parts[0].Get("text").Text
	if old, ok := c.notices[id]; ok && old != text {
		return errors.New("a notice says two things")
	}
	c.notices[id] = text
	return nil
}

// within checks an event inside an item.
func (c *checker) within(typ string, tree dialecttest.Tree) error {
	at := c.items[tree.Get("output_index").Literal]
	if at == nil && (tree.Get("output_index").Kind == 0 || c.resumed || !knownInside(typ)) {
		return nil
	}
	if at == nil {
		return fmt.Errorf("%s at %s, where no item is", typ, tree.Get("output_index").Literal)
	}
	content, _ := strconv.Atoi(tree.Get("content_index").Literal)
	switch typ {
	case "response.content_part.added":
		if content != len(at.parts) {
			return fmt.Errorf("part %d is added after %d", content, len(at.parts))
		}
		at.parts = append(at.parts, tree.Get("part").Get("type").Text)
	case "response.content_part.done", "response.output_text.delta", "response.output_text.done", "response.refusal.delta", "response.refusal.done":
		if content >= len(at.parts) {
			return fmt.Errorf("%s: part %d of %d", typ, content, len(at.parts))
		}
		if want := strings.Split(typ, ".")[1]; want != "content_part" && at.parts[content] != want {
			return fmt.Errorf("%s in a part of type %s", typ, at.parts[content])
		}
	}
	if typ == "response.output_text.delta" {
		at.text += tree.Get("delta").Text
	}
	if at.id != "" && strings.HasPrefix(at.id, "msg_weir_") && tree.Get("item_id").Text != at.id {
		return errors.New("a notice under another id")
	}
	return nil
}

// knownInside says whether an event of this type needs its item: the accumulator looks for it.
func knownInside(typ string) bool {
	for _, part := range []string{"content_part.", "output_text.", "refusal.", "reasoning_", "_call"} {
		if strings.Contains(typ, part) {
			return true
		}
	}
	return false
}

// terminal checks that weir's messages are the same in the events and at the end.
func (c *checker) terminal(output dialecttest.Tree) error {
	for _, item := range output.Values {
		if err := c.weirItem(item); err != nil {
			return err
		}
	}
	for index, at := range c.items {
		if !at.done && strings.HasPrefix(at.id, "msg_weir_") {
			return fmt.Errorf("the notice at %s is not done", index)
		}
	}
	return nil
}
