// Command responses plays clients of the official Go SDK for the Responses API.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/conversations"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

	"github.com/weir-gate/weir/test/clients/go/connect"
	"github.com/weir-gate/weir/test/clients/go/job"
)

func main() {
	job.Serve(map[string]func(*job.Job) error{
		"openai-go-stream": func(j *job.Job) error { return do(j, streamed) },
		"openai-go-whole":  func(j *job.Job) error { return do(j, whole) },
	}, connect.Describe)
}

// An asking is a way to ask for a response.
type asking func(*client, responses.ResponseNewParams) (*responses.Response, error)

// A client does the steps of a job.
type client struct {
	job   *job.Job
	api   openai.Client
	ask   asking
	chain chain
}

// A chain is how far a conversation has got, whichever way it goes on.
type chain struct {
	Next         []json.RawMessage `json:"next"`
	History      []json.RawMessage `json:"history"`
	ID           string            `json:"id"`
	Conversation string            `json:"conversation"`
}

func do(j *job.Job, ask asking) error {
	c := &client{job: j, api: connect.OpenAI(j), ask: ask}
	c.chain.Next = []json.RawMessage{raw(map[string]any{"role": "user", "content": j.Prompt})}
	if j.State != nil {
		if err := json.Unmarshal(j.State, &c.chain); err != nil {
			return err
		}
	}
	steps := j.Options.Steps
	if steps == nil {
		steps = []string{"ask", "ask"}
	}
	for _, name := range steps {
		if err := c.step(name); err != nil {
			return err
		}
	}
	j.Leave(c.chain)
	return nil
}

// step does one step and tells what came of it.
func (c *client) step(name string) error {
	ctx := context.Background()
	switch name {
	case "ask":
		return c.goOn()
	case "get":
		return c.tell(c.api.Responses.Get(ctx, c.chain.ID, responses.ResponseGetParams{}))
	case "replay":
		// The SDK asks for a stream in a body, where the API does not look.
		asked := option.WithQuery("stream", "true")
		stream := c.api.Responses.GetStreaming(ctx, c.chain.ID, responses.ResponseGetParams{StartingAfter: openai.Int(3)}, asked)
		return c.tell(last(stream, func(responses.ResponseStreamEventUnion) {}))
	case "cancel":
		return c.tell(c.api.Responses.Cancel(ctx, c.chain.ID))
	case "poll":
		return c.poll()
	case "input_items":
		page, err := c.api.Responses.InputItems.List(ctx, c.chain.ID, responses.InputItemListParams{Order: "asc"})
		if err != nil {
			return err
		}
		return list(c.job, page.Data)
	case "conversation_items":
		page, err := c.api.Conversations.Items.List(ctx, c.chain.Conversation, conversations.ItemListParams{Order: "asc"})
		if err != nil {
			return err
		}
		return list(c.job, page.Data)
	}
	return fmt.Errorf("there is no step %q", name)
}

// tell notes a response as a turn.
func (c *client) tell(r *responses.Response, err error) error {
	if err != nil {
		return err
	}
	items := []any{}
	for _, item := range r.Output {
		t, err := told(item.RawJSON())
		if err != nil {
			return err
		}
		items = append(items, t)
	}
	c.job.Turn(map[string]any{"status": r.Status, "items": items}, r.Usage.InputTokens, r.Usage.OutputTokens)
	return nil
}

// list notes a list of items as a turn.
func list[T interface{ RawJSON() string }](j *job.Job, data []T) error {
	items := []any{}
	for _, item := range data {
		t, err := told(item.RawJSON())
		if err != nil {
			return err
		}
		items = append(items, t)
	}
	j.Turn(map[string]any{"status": "", "items": items}, 0, 0)
	return nil
}

// goOn asks for the next response of the chain.
func (c *client) goOn() error {
	request := responses.ResponseNewParams{Model: c.job.Model}
	input := c.chain.Next
	switch c.job.Options.Chain {
	case "own":
		input = append(c.chain.History[:len(c.chain.History):len(c.chain.History)], input...)
	case "conversation":
		if c.chain.Conversation == "" {
			made, err := c.api.Conversations.New(context.Background(), conversations.ConversationNewParams{})
			if err != nil {
				return err
			}
			c.chain.Conversation = made.ID
		}
		request.Conversation.OfString = openai.String(c.chain.Conversation)
	default:
		if c.chain.ID != "" {
			request.PreviousResponseID = openai.String(c.chain.ID)
		}
	}
	for _, item := range input {
		request.Input.OfInputItemList = append(request.Input.OfInputItemList, param.Override[responses.ResponseInputItemUnionParam](item))
	}
	r, err := c.ask(c, request)
	if err != nil {
		return err
	}
	if r.Status == responses.ResponseStatusFailed {
		return errors.New(r.Error.Message)
	}
	if err := c.follow(r); err != nil {
		return err
	}
	return c.tell(r, nil)
}

// follow runs the calls of a response and goes on from there.
func (c *client) follow(r *responses.Response) error {
	c.chain.ID = r.ID
	c.chain.History = append(c.chain.History, c.chain.Next...)
	c.chain.Next = nil
	for _, item := range r.Output {
		c.chain.History = append(c.chain.History, json.RawMessage(item.RawJSON()))
		answer, err := c.answer(item.RawJSON())
		if err != nil {
			return err
		}
		if answer != nil {
			c.chain.Next = append(c.chain.Next, raw(answer))
		}
	}
	if c.chain.Next == nil {
		c.chain.Next = []json.RawMessage{raw(map[string]any{"role": "user", "content": "Go on."})}
	}
	return nil
}

// poll reads a response until it is done, and then goes on from what it says.
func (c *client) poll() error {
	for {
		r, err := c.api.Responses.Get(context.Background(), c.chain.ID, responses.ResponseGetParams{})
		if err := c.tell(r, err); err != nil {
			return err
		}
		if r.Status != responses.ResponseStatusQueued && r.Status != responses.ResponseStatusInProgress {
			return c.follow(r)
		}
	}
}

// more are the request's members that the SDK is given as they are.
func (c *client) more() []option.RequestOption {
	list := []option.RequestOption{option.WithJSONSet("tools", c.job.Tools)}
	for name, value := range c.job.Options.Request {
		list = append(list, option.WithJSONSet(name, value))
	}
	return list
}

// streamed reads events. The response is the one that the last of them has.
func streamed(c *client, request responses.ResponseNewParams) (*responses.Response, error) {
	stream := c.api.Responses.NewStreaming(context.Background(), request, c.more()...)
	return last(stream, func(e responses.ResponseStreamEventUnion) {
		c.job.Event(e.RawJSON())
		switch {
		case e.Type == "response.output_text.delta":
			c.job.Progress("text")
		case e.Type == "response.output_item.done" && e.Item.CallID != "":
			c.job.Progress("call")
		}
	})
}

func last(stream *ssestream.Stream[responses.ResponseStreamEventUnion],
	see func(responses.ResponseStreamEventUnion),
) (*responses.Response, error) {
	defer stream.Close() // it was read to its end
	var r *responses.Response
	for stream.Next() {
		e := stream.Current()
		see(e)
		if e.Type == "error" {
			return nil, errors.New(e.Message) // the SDK leaves it to the program
		}
		if e.JSON.Response.Valid() {
			r = &e.Response
		}
	}
	if r == nil && stream.Err() == nil {
		return nil, errors.New("the stream has no response")
	}
	return r, stream.Err()
}

// whole asks for the response in one piece.
func whole(c *client, request responses.ResponseNewParams) (*responses.Response, error) {
	return c.api.Responses.New(context.Background(), request, c.more()...)
}
