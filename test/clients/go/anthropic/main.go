// Command anthropic plays clients of the official Go SDK for the Messages API.
package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/weir-gate/weir/test/clients/go/job"
)

func main() {
	job.Serve(map[string]func(*job.Job) error{
		"go-helper": func(j *job.Job) error { return converse(j, helper) },
		"go-whole":  func(j *job.Job) error { return converse(j, whole) },
	}, describe)
}

type asking func(*job.Job, anthropic.Client, anthropic.MessageNewParams) (*anthropic.Message, error)

// converse asks twice, the second time with the history that the first answer left.
func converse(j *job.Job, ask asking) error {
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), option.WithBaseURL(j.BaseURL), option.WithAPIKey(j.APIKey),
		option.WithHTTPClient(j.HTTPClient()), option.WithJSONSet("tools", j.Tools),
	}
	for name, value := range j.Headers {
		options = append(options, option.WithHeader(name, value))
	}
	if j.Retries != nil {
		options = append(options, option.WithMaxRetries(*j.Retries))
	}
	client := anthropic.NewClient(options...)
	request := anthropic.MessageNewParams{
		Model: anthropic.Model(j.Model), MaxTokens: 1000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(j.Prompt))},
	}
	for range 2 {
		message, err := ask(j, client, request)
		if err != nil {
			return err
		}
		said := message.ToParam()
		j.Turn(map[string]any{"content": said.Content, "stop_reason": message.StopReason}, message.Usage.InputTokens, message.Usage.OutputTokens)
		request.Messages = append(request.Messages, said, anthropic.NewUserMessage(answers(j, message)...))
	}
	return nil
}

// helper lets the SDK put the message together.
func helper(j *job.Job, client anthropic.Client, request anthropic.MessageNewParams) (*anthropic.Message, error) {
	stream := client.Messages.NewStreaming(context.Background(), request)
	defer stream.Close() // it was read to its end
	message := &anthropic.Message{}
	for stream.Next() {
		event := stream.Current()
		j.Event(event.RawJSON())
		if err := message.Accumulate(event); err != nil {
			return nil, err
		}
		switch e := event.AsAny().(type) {
		case anthropic.ContentBlockDeltaEvent:
			if e.Delta.Type == "text_delta" {
				j.Progress("text")
			}
		case anthropic.ContentBlockStopEvent:
			if message.Content[e.Index].Type == "tool_use" {
				j.Progress("call")
			}
		}
	}
	return message, stream.Err()
}

// whole asks for the message in one piece.
func whole(_ *job.Job, client anthropic.Client, request anthropic.MessageNewParams) (*anthropic.Message, error) {
	return client.Messages.New(context.Background(), request)
}

// answers runs the calls of a message.
func answers(j *job.Job, message *anthropic.Message) []anthropic.ContentBlockParamUnion {
	var list []anthropic.ContentBlockParamUnion
	for _, block := range message.Content {
		if use, ok := block.AsAny().(anthropic.ToolUseBlock); ok {
			list = append(list, anthropic.NewToolResultBlock(use.ID, j.Execute(use.Name, json.RawMessage(use.Input)), false))
		}
	}
	if len(list) == 0 {
		return []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock("Go on.")}
	}
	return list
}

func describe(err error) job.Raised {
	var told struct {
		Error struct {
			Type string `json:"type"`
		} `json:"error"`
	}
	var api *anthropic.Error
	if !errors.As(err, &api) {
		return job.Raised{}
	}
	if json.Unmarshal([]byte(api.RawJSON()), &told) != nil {
		return job.Raised{Status: api.StatusCode}
	}
	return job.Raised{Status: api.StatusCode, Type: told.Error.Type}
}
