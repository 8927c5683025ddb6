package loadtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// A Client asks for turns, streamed or whole, as an agent does.
type Client struct {
	Base    string // weir's address
	Streams bool
	HTTP    *http.Client
	Ledger  *Ledger
	Arrived func() // told when a call has arrived whole, at that very moment; nil: nobody is
}

// A Turn is what a client got of a turn that came to its end.
type Turn struct {
	Calls   int
	Notices []string // what weir said in place of calls
}

// ErrUnfit says that a turn came to its end and is not what a client can use.
var ErrUnfit = errors.New("the answer came to its end and is not whole")

// Turn asks for one turn and reads it to its end, or to where it breaks off. A turn that an SDK would stumble over, or that
// lacks some of the model's words, is ErrUnfit.
func (c *Client) Turn(ctx context.Context) (Turn, error) {
	text := fmt.Sprintf(`{"model":"scripted","max_tokens":64,"stream":%t,"messages":[{"role":"user","content":"Look."}]}`, c.Streams)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Base+"/anthropic/v1/messages", strings.NewReader(text))
	if err != nil {
		return Turn{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return Turn{}, err
	}
	defer resp.Body.Close() // it was read to its end, or is broken
	if resp.StatusCode != http.StatusOK {
		return Turn{}, fmt.Errorf("status %s", resp.Status)
	}
	if c.Streams {
		return c.readStream(resp.Body)
	}
	return c.readBody(resp.Body)
}

func (c *Client) received(id, args string) {
	c.Ledger.received(id, args)
	if c.Arrived != nil {
		c.Arrived()
	}
}

// A message is what clients make of an answer.
type message struct {
	StopReason string `json:"stop_reason"`
	Content    []struct {
		Type  string         `json:"type"`
		ID    string         `json:"id"`
		Text  string         `json:"text"`
		Input jsontext.Value `json:"input"`
	} `json:"content"`
}

// read makes a message of a whole response.
func read(answer []byte, kind fold.Kind) (m message, err error) {
	whole, err := fold.Read(answer, kind)
	if err == nil && whole == nil {
		err = errors.New("it is an error, or no message")
	}
	if err == nil {
		err = json.Unmarshal(whole.JSON, &m)
	}
	if err != nil {
		return m, fmt.Errorf("%w: %w\n%s", ErrUnfit, err, answer[:min(len(answer), 4000)])
	}
	return m, nil
}

// turn says what a message brought. It must hold all that the model said.
func (m message) turn() (t Turn, err error) {
	said := ""
	for _, block := range m.Content {
		switch {
		case block.Type == "tool_use":
			t.Calls++
		case strings.HasPrefix(block.Text, "[weir] "):
			t.Notices = append(t.Notices, block.Text)
		default:
			said += block.Text
		}
	}
	switch {
	case said != Text:
		return t, fmt.Errorf("%w: the model's words became %q", ErrUnfit, said)
	case (m.StopReason == "tool_use") != (t.Calls > 0):
		return t, fmt.Errorf("%w: the stop reason is %q with %d calls", ErrUnfit, m.StopReason, t.Calls)
	case t.Calls == 0 && len(t.Notices) == 0:
		return t, fmt.Errorf("%w: there are no calls, and not a word of why", ErrUnfit)
	}
	return t, nil
}

// readBody reads a whole message. It counts for nothing unless it is complete.
func (c *Client) readBody(r io.Reader) (Turn, error) {
	data, err := io.ReadAll(r)
	c.Ledger.note(data)
	if err != nil {
		return Turn{}, err
	}
	m, err := read(data, fold.Whole)
	if err != nil {
		return Turn{}, err
	}
	for _, block := range m.Content {
		if block.Type == "tool_use" {
			c.received(block.ID, string(block.Input))
		}
	}
	return m.turn()
}

// An event is what a client reads of a frame.
type event struct {
	Type  string `json:"type"`
	Block struct {
		ID string `json:"id"`
	} `json:"content_block"`
	Delta struct {
		Piece string `json:"partial_json"`
	} `json:"delta"`
}

// readStream reads events as they come. A call is complete with its content_block_stop.
func (c *Client) readStream(r io.Reader) (Turn, error) {
	lines := bufio.NewReader(r)
	var answer bytes.Buffer
	var id string
	var args strings.Builder
	for {
		line, err := lines.ReadBytes('\n')
		c.Ledger.note(line)
		answer.Write(line)
		if err == io.EOF { // a body that is cut off does not end with io.EOF
			break
		}
		if err != nil {
			return Turn{}, err
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var e event
		if err := json.Unmarshal(data, &e); err != nil {
			return Turn{}, fmt.Errorf("%w: read event: %w", ErrUnfit, err)
		}
		switch e.Type {
		case "content_block_start":
			id = e.Block.ID
			args.Reset()
		case "content_block_delta":
			args.WriteString(e.Delta.Piece)
		case "content_block_stop":
			if id != "" {
				c.received(id, args.String())
			}
		}
	}
	m, err := read(answer.Bytes(), fold.Events)
	if err != nil {
		return Turn{}, err
	}
	return m.turn()
}
