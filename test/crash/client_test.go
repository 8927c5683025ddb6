package crash

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A ledger is what reached the clients of one weir.
type ledger struct {
	mu       sync.Mutex
	seen     map[string]bool   // ids of calls of which a client got the id, whatever else
	complete map[string]string // ids and arguments of calls that a client got whole
}

func newLedger() *ledger { return &ledger{seen: map[string]bool{}, complete: map[string]string{}} }

var wireID = regexp.MustCompile(`"(toolu_[0-9_]+)"`)

// note keeps the ids that stand in bytes a client got, understood or not.
func (l *ledger) note(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range wireID.FindAllSubmatch(p, -1) {
		l.seen[string(m[1])] = true
	}
}

func (l *ledger) received(id, args string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.complete[id] = args
}

// contents returns copies.
func (l *ledger) contents() (seen map[string]bool, complete map[string]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.seen), maps.Clone(l.complete)
}

// A client asks for turns, streamed or whole, as an agent does.
type client struct {
	base    string
	streams bool
	http    *http.Client
	ledger  *ledger
	arrived func() // told when a call has arrived whole, at that very moment
}

// errUnanswered says that a turn came to its end and was not what the model had sent.
var errUnanswered = errors.New("the turn ended without its calls")

// turn asks for one turn and reads it to its end, or to where it breaks off.
func (c *client) turn(ctx context.Context) error {
	text := fmt.Sprintf(`{"model":"scripted","max_tokens":64,"stream":%t,"messages":[{"role":"user","content":"Look."}]}`, c.streams)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/anthropic/v1/messages", strings.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read to its end, or is broken
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %s", resp.Status)
	}
	read := c.readBody
	if c.streams {
		read = c.readStream
	}
	calls, err := read(resp.Body)
	if err == nil && calls == 0 {
		err = errUnanswered
	}
	return err
}

func (c *client) complete(id, args string) {
	c.ledger.received(id, args)
	c.arrived()
}

// readBody reads a whole message. It counts for nothing unless it is complete.
func (c *client) readBody(r io.Reader) (calls int, err error) {
	data, err := io.ReadAll(r)
	c.ledger.note(data)
	if err != nil {
		return 0, err
	}
	var message struct {
		Content []struct {
			Type  string         `json:"type"`
			ID    string         `json:"id"`
			Input jsontext.Value `json:"input"`
		} `json:"content"`
	}
	if err := json.Unmarshal(data, &message); err != nil {
		return 0, fmt.Errorf("read message: %w", err)
	}
	for _, block := range message.Content {
		if block.Type == "tool_use" {
			c.complete(block.ID, string(block.Input))
			calls++
		}
	}
	return calls, nil
}

// An event is what a client reads of a frame.
type event struct {
	Type  string `json:"type"`
	Block struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	} `json:"content_block"`
	Delta struct {
		Piece string `json:"partial_json"`
	} `json:"delta"`
}

// readStream reads events as they come. A call is complete with its content_block_stop.
func (c *client) readStream(r io.Reader) (calls int, err error) {
	lines := bufio.NewReader(r)
	var id, args string
	for {
		line, err := lines.ReadBytes('\n')
		c.ledger.note(line)
		if err == io.EOF { //nolint:errorlint // a body that is cut off does not end with io.EOF
			return calls, nil
		}
		if err != nil {
			return calls, err
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var e event
		if err := json.Unmarshal(data, &e); err != nil {
			return calls, fmt.Errorf("read event: %w", err)
		}
		switch e.Type {
		case "content_block_start":
			id, args = e.Block.ID, ""
		case "content_block_delta":
			args += e.Delta.Piece
		case "content_block_stop":
			if id != "" {
				c.complete(id, args)
				calls++
			}
		}
	}
}
