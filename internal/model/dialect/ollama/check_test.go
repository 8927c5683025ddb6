package ollama_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A checker follows a response as strictly as the strictest client does.
type checker struct {
	calls int
	ended bool
}

// checkForm returns what is wrong with a response, and whether it came to its end.
func checkForm(out []byte, whole bool) (ended bool, err error) {
	var c checker
	if len(out) == 0 {
		return false, nil
	}
	if whole {
		tree, err := dialecttest.ParseTree(out)
		if err != nil {
			return false, err
		}
		return true, c.line(tree)
	}
	if !bytes.HasSuffix(out, []byte("\n")) {
		return false, errors.New("the last line does not end")
	}
	for i, line := range bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n")) {
		if c.ended {
			return true, fmt.Errorf("line %d: goes on after its end", i)
		}
		tree, err := dialecttest.ParseTree(line)
		if err != nil {
			return false, fmt.Errorf("line %d: %w", i, err)
		}
		if err := c.line(tree); err != nil {
			return false, fmt.Errorf("line %d: %w", i, err)
		}
	}
	return c.ended, nil
}

func (c *checker) line(root dialecttest.Tree) error {
	failure := root.Get("error")
	c.ended = root.Get("done").Kind == 't' || failure.Kind != 0 && failure.Kind != 'n'
	message, answer := root.Get("message"), root.Get("response")
	switch {
	case root.Kind != '{':
		return errors.New("not an object")
	case message.Kind != '{' && answer.Kind != '"' && !c.ended:
		return errors.New("says nothing")
	case message.Kind == '{' && message.Get("role").Text != "assistant":
		return errors.New("a message of nobody")
	case message.Kind == '{' && message.Get("content").Kind != '"':
		return errors.New("a message without content")
	case failure.Kind == 0 && root.Get("model").Text == "" || failure.Kind == 0 && root.Get("created_at").Text == "":
		return errors.New("no model or no time")
	}
	for _, entry := range message.Get("tool_calls").Values {
		if err := c.entry(entry); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) entry(entry dialecttest.Tree) error {
	n := c.calls
	c.calls++
	fn := entry.Get("function")
	if fn.Kind != '{' {
		return nil // of a type that nobody knows
	}
	index := fn.Get("index")
	switch {
	case fn.Get("name").Text == "":
		return errors.New("a call without a name")
	case fn.Get("arguments").Kind != '{':
		return errors.New("a call without arguments")
	case index.Kind != 0 && index.Literal != strconv.Itoa(n):
		return fmt.Errorf("index %s after %d calls", index.Literal, n)
	}
	return nil
}
