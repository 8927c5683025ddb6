package weirtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A mcpClient follows the script of a client. What it got is kept in the order in which the script asks for it: messages that nothing
// orders would come in another one each time.
type mcpClient struct {
	to      io.WriteCloser
	arrived chan string // lines; closed when there are no more
	open    []string    // lines that arrived and that the script has not asked for
	got     []string
}

// A directive is a line of a script that is no message.
type directive struct {
	Send      jsontext.Value `json:"send"`      // a message, or a text that is none, that is sent without waiting for an answer
	Wait      jsontext.Value `json:"wait"`      // the id of an answer to wait for; null: of an error that is none's answer
	Await     string         `json:"await"`     // the method of a message of the server to wait for
	Unordered bool           `json:"unordered"` // what the server got and what is recorded has no order
}

// newMCPClient returns a client that writes to one end and reads from the other.
func newMCPClient(to io.WriteCloser, from io.Reader) *mcpClient {
	c := &mcpClient{to: to, arrived: make(chan string, 1024)}
	go func() {
		defer close(c.arrived)
		in := bufio.NewScanner(from)
		in.Buffer(nil, 32<<20)
		for in.Scan() {
			c.arrived <- in.Text()
		}
	}()
	return c
}

// follow does what a script says, and ends the input of the server. A message that asks for something is answered before the next one
// is sent.
func (c *mcpClient) follow(script string) (unordered bool, err error) {
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		var d directive
		if json.Unmarshal([]byte(line), &d, json.RejectUnknownMembers(true), sloppy) == nil {
			unordered = unordered || d.Unordered
			err = c.obey(d)
		} else {
			err = c.ask(line)
		}
		if err != nil {
			return unordered, fmt.Errorf("client.jsonl: %s: %w", line, err)
		}
	}
	return unordered, c.to.Close()
}

// obey does what a directive says.
func (c *mcpClient) obey(d directive) error {
	switch {
	case d.Send != nil:
		var text string
		if json.Unmarshal(d.Send, &text, sloppy) != nil {
			text = string(d.Send)
		}
		return c.send(text)
	case d.Wait != nil:
		return c.wait(func(m wireMessage) bool { return m.Method == "" && bytes.Equal(m.ID, d.Wait) })
	case d.Await != "":
		return c.wait(func(m wireMessage) bool { return m.Method == d.Await })
	}
	return nil
}

// ask sends a message, and waits for the answer if it is a request.
func (c *mcpClient) ask(line string) error {
	var m wireMessage
	if err := json.Unmarshal([]byte(line), &m, sloppy); err != nil {
		return errors.New("this is neither a message nor a directive")
	}
	if err := c.send(line); err != nil || m.ID == nil || m.Method == "" {
		return err
	}
	return c.wait(func(answer wireMessage) bool { return answer.Method == "" && bytes.Equal(answer.ID, m.ID) })
}

func (c *mcpClient) send(line string) error {
	_, err := io.WriteString(c.to, line+"\n")
	return err
}

// wait waits for a message, alone or in an array.
func (c *mcpClient) wait(fits func(wireMessage) bool) error {
	late := time.After(patience)
	for {
		if i := slices.IndexFunc(c.open, func(line string) bool { return slices.ContainsFunc(messagesIn(line), fits) }); i >= 0 {
			c.got = append(c.got, c.open[i])
			c.open = slices.Delete(c.open, i, i+1)
			return nil
		}
		select {
		case line, ok := <-c.arrived:
			if !ok {
				return fmt.Errorf("it never came, but %q", c.open)
			}
			c.open = append(c.open, line)
		case <-late:
			return fmt.Errorf("it does not come, but %q", c.open)
		}
	}
}

// messagesIn are the messages of a line.
func messagesIn(line string) (out []wireMessage) {
	if json.Unmarshal([]byte(line), &out, sloppy) == nil {
		return out
	}
	var one wireMessage
	_ = json.Unmarshal([]byte(line), &one, sloppy) // what cannot be read fits nothing
	return []wireMessage{one}
}

// all is what the client got in all, once the server has ended: what the script asked for, then the rest.
func (c *mcpClient) all() []string {
	for line := range c.arrived {
		c.open = append(c.open, line)
	}
	slices.Sort(c.open)
	return slices.Concat(c.got, c.open)
}
