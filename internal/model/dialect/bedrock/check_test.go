package bedrock_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A checker follows a stream as strictly as the strictest client does.
type checker struct {
	started, stopped, ended bool
	open                    []bool // by index
	clientCalls, content    int
}

// checkForm returns what is wrong with a response, and whether it came to its end.
func checkForm(out []byte, whole bool) (ended bool, err error) {
	if whole {
		return checkBody(out)
	}
	c := checker{}
	for i, e := range dialecttest.Readers(frame.Binary)[0].Events(out) {
		data := e.Data
		if data == "" && strings.HasPrefix(e.Name, dialecttest.FailureName) {
			data = "{}" // an error has no payload
		}
		tree, err := dialecttest.ParseTree([]byte(data))
		if err != nil {
			return false, fmt.Errorf("frame %d: %w", i, err)
		}
		if err := c.frame(e.Name, tree); err != nil {
			return false, fmt.Errorf("frame %d, %s: %w", i, e.Name, err)
		}
	}
	return c.stopped || c.ended, nil
}

func checkBody(out []byte) (bool, error) {
	if len(out) == 0 {
		return false, nil
	}
	tree, err := dialecttest.ParseTree(out)
	if err != nil {
		return false, err
	}
	if tree.Get("output").Kind == 0 {
		return true, nil // an error
	}
	message := tree.Get("output").Get("message")
	if message.Get("role").Text != "assistant" || tree.Get("usage").Get("totalTokens").Kind != '0' {
		return false, errors.New("not a message of the assistant, or without its cost")
	}
	c := checker{}
	for _, b := range message.Get("content").Values {
		if err := c.unit(b); err != nil {
			return false, err
		}
	}
	return true, c.stopReason(tree.Get("stopReason").Text)
}

func (c *checker) frame(typ string, f dialecttest.Tree) error {
	if c.ended {
		return errors.New("goes on after its end")
	}
	if strings.HasPrefix(typ, dialecttest.FailureName) {
		c.ended = true
		return nil
	}
	if c.stopped && typ != "metadata" {
		return errors.New("goes on after its end")
	}
	switch typ {
	case "messageStart":
		if c.started || f.Get("role").Text != "assistant" {
			return errors.New("a second time, or not of the assistant")
		}
		c.started = true
		return nil
	case "contentBlockStart", "contentBlockDelta", "contentBlockStop":
		return c.block(typ, f)
	case "messageStop":
		c.stopped = true
		return c.stopReason(f.Get("stopReason").Text)
	}
	return nil
}

// block follows a block: its index is the next one, or that of an open block.
func (c *checker) block(typ string, f dialecttest.Tree) error {
	index, err := strconv.Atoi(f.Get("contentBlockIndex").Literal)
	if err != nil || index < 0 || index > len(c.open) || !c.started {
		return fmt.Errorf("index %q after %d blocks", f.Get("contentBlockIndex").Literal, len(c.open))
	}
	isNew := index == len(c.open)
	if isNew {
		c.open = append(c.open, true)
	}
	switch {
	case !c.open[index]:
		return errors.New("block is not open")
	case typ == "contentBlockStop":
		c.open[index] = false
		return nil
	case typ == "contentBlockStart":
		if !isNew {
			return errors.New("a second start")
		}
		return c.unit(f.Get("start"))
	case isNew:
		return c.unit(f.Get("delta"))
	case len(f.Get("delta").Values) != 1:
		return errors.New("a delta of not one member")
	}
	return nil
}

// unit counts a block by what it begins with.
func (c *checker) unit(u dialecttest.Tree) error {
	set := ""
	for i, name := range u.Names {
		if u.Values[i].Kind != 'n' {
			set += name
		}
	}
	c.content++
	switch {
	case set == "":
		return errors.New("a union with nothing set")
	case harmless[strings.ToLower(set)], u.Get("toolUse").Get("type").Text == "server_tool_use":
	default:
		c.clientCalls++
	}
	return nil
}

func (c *checker) stopReason(reason string) error {
	switch {
	case reason == "":
		return errors.New("no stop reason")
	case reason == "tool_use" && c.clientCalls == 0:
		return errors.New("stop reason tool_use without a call")
	case c.content == 0:
		return errors.New("no content")
	}
	return nil
}
