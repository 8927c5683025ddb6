package gemini_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A checker follows a response as strictly as the strictest client does.
type checker struct {
	turns  map[string]*checkedTurn // by candidate
	failed bool
	ended  bool // without candidates
}

// A checkedTurn is a candidate that is followed.
type checkedTurn struct {
	left     bool // something that can be sent back
	open     bool // a call that comes in pieces
	finished bool
}

// checkForm returns how to find out what is wrong with a response, and whether it came to its end.
func checkForm(in frame.Framing) func([]byte, bool) (bool, error) {
	return func(out []byte, whole bool) (bool, error) {
		c := checker{turns: map[string]*checkedTurn{}}
		framing := in
		if whole {
			framing = frame.Whole
		}
		if err := checkFraming(out, framing); err != nil {
			return false, err
		}
		for i, e := range dialecttest.Readers(framing)[0].Events(out) {
			tree, err := dialecttest.ParseTree([]byte(e.Data))
			if err != nil {
				return false, fmt.Errorf("element %d: %w", i, err)
			}
			if e.Name != "" {
				return false, fmt.Errorf("element %d: has an event's name", i)
			}
			if c.failed {
				return false, fmt.Errorf("element %d: comes after an error", i)
			}
			if err := c.element(tree, whole); err != nil {
				return false, fmt.Errorf("element %d: %w", i, err)
			}
		}
		if _, err := dialecttest.ParseTree(out); framing == frame.Elements && err != nil {
			return false, nil // it broke off
		}
		return c.over(), nil
	}
}

// checkFraming checks that events end alike: genai-go reads one style only.
func checkFraming(out []byte, in frame.Framing) error {
	if in != frame.Events {
		return nil
	}
	rest := bytes.ReplaceAll(out, []byte("\r\n\r\n"), nil)
	if len(rest) < len(out) && bytes.Contains(rest, []byte("\n")) {
		return errors.New("events end in two ways")
	}
	return nil
}

func (c *checker) over() bool {
	for _, t := range c.turns {
		if !t.finished {
			return c.failed
		}
	}
	return len(c.turns) > 0 || c.failed || c.ended
}

func (c *checker) element(t dialecttest.Tree, whole bool) error {
	if t.Kind != '{' {
		return errors.New("is no object")
	}
	if inner := t.Get("response"); inner.Kind == '{' {
		t = inner
	}
	c.failed = t.Get("error").Kind == '{'
	c.ended = c.ended || t.Get("promptFeedback").Get("blockReason").Text != ""
	for _, v := range t.Get("candidates").Values {
		index := v.Get("index").Literal
		if index == "" {
			index = "0"
		}
		if c.turns[index] == nil {
			c.turns[index] = &checkedTurn{}
		}
		if err := c.turns[index].add(v, whole); err != nil {
			return fmt.Errorf("candidate %s: %w", index, err)
		}
	}
	return nil
}

func (t *checkedTurn) add(v dialecttest.Tree, whole bool) error {
	content := v.Get("content")
	if content.Kind == '{' && content.Get("role").Text != "model" {
		return errors.New("is not of the model")
	}
	for i, p := range content.Get("parts").Values {
		if err := t.part(p); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
		empty := p.Get("text").Kind == '"' && p.Get("text").Text == "" && len(p.Names) == 1
		t.left = t.left || !empty && p.Get("thought").Kind != 't'
	}
	reason := v.Get("finishReason").Text
	t.finished = t.finished || reason != "" || whole
	if reason == "STOP" && !t.left {
		return errors.New("ends with nothing to send back")
	}
	return nil
}

func (t *checkedTurn) part(p dialecttest.Tree) error {
	if p.Kind != '{' || len(p.Names) == 0 {
		return errors.New("is empty")
	}
	if s := p.Get("thoughtSignature"); s.Kind != 0 {
		if _, err := base64.StdEncoding.DecodeString(s.Text); err != nil || len(p.Names) == 1 {
			return errors.New("has a signature that genai-go fails on, or nothing that it signs")
		}
	}
	call := p.Get("functionCall")
	if call.Kind == 0 {
		return nil
	}
	goesOn := t.open
	t.open = call.Get("willContinue").Kind == 't'
	if goesOn && call.Get("name").Kind == 0 {
		return nil
	}
	args := call.Get("args")
	if call.Get("name").Text == "" || args.Kind != 0 && args.Kind != '{' && args.Kind != 'n' {
		return errors.New("has a call without a name, or without an object of arguments")
	}
	return nil
}
