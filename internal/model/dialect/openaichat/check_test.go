package openaichat_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A checker follows a response as strictly as the strictest client does.
type checker struct {
	choices map[string]*checked
	ended   bool // [DONE]
	failed  bool
}

// A checked is a choice that is followed.
type checked struct {
	calls   int // entries of tool_calls
	legacy  bool
	content string
}

// checkForm returns what is wrong with a response, and whether it came to its end.
func checkForm(out []byte, whole bool) (ended bool, err error) {
	c := checker{choices: map[string]*checked{}}
	if whole {
		if len(out) == 0 {
			return false, nil
		}
		tree, err := dialecttest.ParseTree(out)
		if err != nil {
			return false, err
		}
		return true, c.frame(tree, true)
	}
	for i, e := range dialecttest.Framings()[0].Events(out) {
		if c.ended {
			return true, fmt.Errorf("frame %d: goes on after its end", i)
		}
		if e.Name != "" {
			return false, fmt.Errorf("frame %d: has an event's name", i)
		}
		if e.Data == "[DONE]" {
			c.ended = true
			continue
		}
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return false, fmt.Errorf("frame %d: %w", i, err)
		}
		if c.failed {
			return false, fmt.Errorf("frame %d: goes on after an error", i)
		}
		if err := c.frame(tree, false); err != nil {
			return false, fmt.Errorf("frame %d: %w", i, err)
		}
	}
	return c.ended || c.failed, nil
}

func (c *checker) frame(root dialecttest.Tree, whole bool) error {
	c.failed = root.Get("error").Kind == '{'
	for i, choice := range root.Get("choices").Values {
		key := choice.Get("index").Literal
		if whole {
			key = strconv.Itoa(i)
		}
		if c.choices[key] == nil {
			c.choices[key] = &checked{}
		}
		at := c.choices[key]
		if err := at.delta(choice.Get("delta")); err != nil {
			return err
		}
		if m := choice.Get("message"); m.Kind == '{' {
			if err := at.message(m, whole); err != nil {
				return err
			}
		}
		if err := at.finish(choice.Get("finish_reason").Text); err != nil {
			return err
		}
	}
	return nil
}

func (c *checked) delta(d dialecttest.Tree) error {
	for _, entry := range d.Get("tool_calls").Values {
		index, err := strconv.Atoi(entry.Get("index").Literal)
		switch {
		case err != nil || index < 0 || index > c.calls:
			return fmt.Errorf("index %q after %d calls", entry.Get("index").Literal, c.calls)
		case index == c.calls:
			c.calls++
			if err := begins(entry); err != nil {
				return err
			}
		case entry.Get("id").Text != "" || entry.Get("type").Text != "" || entry.Get("function").Get("name").Text != "":
			return errors.New("a call is named again")
		}
	}
	if call := d.Get("function_call"); call.Kind == '{' {
		if c.legacy && call.Get("name").Text != "" {
			return errors.New("a function call is named again")
		}
		c.legacy = true
	}
	c.content += d.Get("content").Text
	return nil
}

// begins checks the first entry of a call.
func begins(entry dialecttest.Tree) error {
	fn, free := entry.Get("function"), entry.Get("custom")
	switch {
	case entry.Get("type").Text == "":
		return errors.New("a call without a type")
	case fn.Kind != '{' && free.Kind != '{':
		return nil // of a type that nobody knows
	case entry.Get("id").Text == "":
		return errors.New("a call without an id")
	case fn.Get("name").Text+free.Get("name").Text == "":
		return errors.New("a call without a name")
	case fn.Kind == '{' && fn.Get("arguments").Kind != '"', free.Kind == '{' && free.Get("input").Kind != '"':
		return errors.New("a call without text")
	}
	return nil
}

func (c *checked) message(m dialecttest.Tree, whole bool) error {
	calls := m.Get("tool_calls")
	if calls.Kind == '[' && len(calls.Values) == 0 {
		return errors.New("an empty list of calls")
	}
	for _, entry := range calls.Values {
		if err := begins(entry); err != nil {
			return err
		}
	}
	c.calls += len(calls.Values)
	c.legacy = c.legacy || m.Get("function_call").Kind == '{'
	c.content += m.Get("content").Text
	says := m.Get("content").Kind == '"' || m.Get("content").Kind == '[' || m.Get("refusal").Kind == '"'
	if whole && !says && c.calls == 0 && !c.legacy {
		return errors.New("a message without content")
	}
	return nil
}

// finish checks the reason: after a refusal that left nothing there is no call to answer.
func (c *checked) finish(reason string) error {
	asks := reason == "tool_calls" || reason == "function_call"
	if asks && c.calls == 0 && !c.legacy && strings.Contains(c.content, "[weir] ") {
		return fmt.Errorf("finish reason %s without a call", reason)
	}
	return nil
}
