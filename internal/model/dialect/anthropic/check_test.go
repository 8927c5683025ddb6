package anthropic_test

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A checker follows a stream as strictly as the strictest client does.
type checker struct {
	started, closing, ended bool
	open                    []bool // by index
	clientCalls             int
}

// checkForm returns what is wrong with a response, and whether it came to its end. Every frame must be in canonical form:
// an event named like its type, and one line of data.
func checkForm(out []byte, whole bool) (ended bool, err error) {
	if whole {
		return checkBody(out)
	}
	c := checker{}
	for i, e := range dialecttest.Framings()[0].Events(out) {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return false, fmt.Errorf("frame %d: %w", i, err)
		}
		if typ := tree.Get("type").Text; typ != e.Name {
			return false, fmt.Errorf("frame %d: event %q has type %q", i, e.Name, typ)
		}
		if err := c.frame(e.Name, tree); err != nil {
			return false, fmt.Errorf("frame %d, %s: %w", i, e.Name, err)
		}
	}
	return c.ended, nil
}

func checkBody(out []byte) (bool, error) {
	if len(out) == 0 {
		return false, nil
	}
	tree, err := dialecttest.ParseTree(out)
	if err != nil {
		return false, err
	}
	if tree.Get("type").Text == "error" {
		return true, nil
	}
	c := checker{}
	return true, c.message(tree)
}

func (c *checker) frame(typ string, f dialecttest.Tree) error {
	if c.ended {
		return errors.New("goes on after its end")
	}
	if !c.started && typ != "message_start" && typ != "ping" && typ != "error" {
		return errors.New("before message_start")
	}
	index, indexErr := strconv.Atoi(f.Get("index").Literal)
	known := indexErr == nil && index >= 0 && index < len(c.open) && c.open[index]
	switch typ {
	case "message_start":
		if c.started {
			return errors.New("a second time")
		}
		c.started = true
		for _, b := range f.Get("message").Get("content").Values {
			c.open = append(c.open, false)
			c.count(b)
		}
	case "content_block_start":
		if c.closing || indexErr != nil || index != len(c.open) {
			return fmt.Errorf("index %q after %d blocks", f.Get("index").Literal, len(c.open))
		}
		c.open = append(c.open, true)
		c.count(f.Get("content_block"))
	case "content_block_delta":
		if !known {
			return errors.New("block is not open")
		}
	case "content_block_stop":
		if !known {
			return errors.New("block is not open")
		}
		c.open[index] = false
	case "message_delta":
		return c.messageDelta(f)
	case "message_stop":
		c.ended = true
		if !c.closing {
			return errors.New("without message_delta")
		}
	case "error":
		c.ended = true
	}
	return nil
}

func (c *checker) messageDelta(f dialecttest.Tree) error {
	for i, open := range c.open {
		if open {
			return fmt.Errorf("block %d is still open", i)
		}
	}
	if c.closing {
		return errors.New("a second time")
	}
	c.closing = true
	return c.stopReason(f.Get("delta").Get("stop_reason").Text)
}

func (c *checker) message(m dialecttest.Tree) error {
	if m.Get("type").Text != "message" || m.Get("role").Text != "assistant" {
		return errors.New("not a message of the assistant")
	}
	for _, b := range m.Get("content").Values {
		c.open = append(c.open, false)
		c.count(b)
	}
	return c.stopReason(m.Get("stop_reason").Text)
}

func (c *checker) count(block dialecttest.Tree) {
	switch typ := block.Get("type").Text; {
	case typ == "server_tool_use", typ == "mcp_tool_use", harmless[typ]:
	default:
		c.clientCalls++
	}
}

func (c *checker) stopReason(reason string) error {
	if reason == "" {
		return errors.New("no stop reason")
	}
	if reason == "tool_use" && c.clientCalls == 0 {
		return errors.New("stop reason tool_use without a call")
	}
	if len(c.open) == 0 {
		return errors.New("no content")
	}
	return nil
}
