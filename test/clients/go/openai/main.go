// Command openai plays clients of the official Go SDK for Chat Completions.
package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/weir-gate/weir/test/clients/go/connect"
	"github.com/weir-gate/weir/test/clients/go/job"
)

func main() {
	job.Serve(map[string]func(*job.Job) error{
		"openai-go-helper": func(j *job.Job) error { return converse(j, helper) },
		"openai-go-whole":  func(j *job.Job) error { return converse(j, whole) },
	}, connect.Describe)
}

type asking func(*job.Job, openai.Client, openai.ChatCompletionNewParams) (*openai.ChatCompletion, error)

// converse asks twice, the second time with the history that the first answer left.
func converse(j *job.Job, ask asking) error {
	client := connect.OpenAI(j, option.WithJSONSet("tools", j.Tools))
	request := openai.ChatCompletionNewParams{
		Model:    j.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(j.Prompt)},
	}
	for range 2 {
		completion, err := ask(j, client, request)
		if err != nil {
			return err
		}
		if len(completion.Choices) == 0 {
			return errors.New("the completion has no choice")
		}
		j.Turn(turnOf(completion.Choices), completion.Usage.PromptTokens, completion.Usage.CompletionTokens)
		message := completion.Choices[0].Message
		request.Messages = append(request.Messages, message.ToParam())
		request.Messages = append(request.Messages, answers(j, message)...)
	}
	return nil
}

// helper lets the SDK put the completion together.
func helper(j *job.Job, client openai.Client, request openai.ChatCompletionNewParams) (*openai.ChatCompletion, error) {
	request.StreamOptions.IncludeUsage = openai.Bool(true)
	stream := client.Chat.Completions.NewStreaming(context.Background(), request)
	defer stream.Close() // it was read to its end
	var sum openai.ChatCompletionAccumulator
	for stream.Next() {
		chunk := stream.Current()
		j.Event(chunk.RawJSON())
		if !sum.AddChunk(chunk) {
			return nil, errors.New("the accumulator does not take a chunk")
		}
		for _, c := range sum.Choices {
			tell(j, c.Message)
		}
	}
	return &sum.ChatCompletion, stream.Err()
}

// whole asks for the completion in one piece.
func whole(_ *job.Job, client openai.Client, request openai.ChatCompletionNewParams) (*openai.ChatCompletion, error) {
	return client.Chat.Completions.New(context.Background(), request)
}

// tell tells of progress: the first text, and the first call whose arguments are all there.
func tell(j *job.Job, m openai.ChatCompletionMessage) {
	if m.Content != "" {
		j.Progress("text")
	}
	for _, c := range m.ToolCalls {
		if json.Valid([]byte(c.Function.Arguments)) {
			j.Progress("call")
		}
	}
}

// A choice is what one of a completion's choices says, in words that all clients share.
type choice struct {
	Content      string `json:"content"`
	Calls        []call `json:"tool_calls"`
	FunctionCall *call  `json:"function_call,omitempty"`
	FinishReason string `json:"finish_reason"`
}

type call struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input any    `json:"input"`
}

func turnOf(choices []openai.ChatCompletionChoice) any {
	said := []choice{}
	for _, c := range choices {
		one := choice{Content: c.Message.Content, FinishReason: c.FinishReason}
		for _, t := range c.Message.ToolCalls {
			one.Calls = append(one.Calls, callOf(t))
		}
		if f := c.Message.FunctionCall; f.Name != "" { // old servers still send it
			one.FunctionCall = &call{Name: f.Name, Input: json.RawMessage(f.Arguments)}
		}
		said = append(said, one)
	}
	return map[string]any{"choices": said}
}

func callOf(t openai.ChatCompletionMessageToolCallUnion) call {
	if t.Type == "custom" {
		return call{t.ID, t.Custom.Name, map[string]string{"input": t.Custom.Input}}
	}
	return call{t.ID, t.Function.Name, json.RawMessage(t.Function.Arguments)}
}

// answers runs the calls of a message and returns the messages that follow it.
func answers(j *job.Job, m openai.ChatCompletionMessage) []openai.ChatCompletionMessageParamUnion {
	if f := m.FunctionCall; f.Name != "" { // old servers still send it
		return []openai.ChatCompletionMessageParamUnion{{OfFunction: &openai.ChatCompletionFunctionMessageParam{
			Name: f.Name, Content: openai.String(j.Execute(f.Name, json.RawMessage(f.Arguments))),
		}}}
	}
	var list []openai.ChatCompletionMessageParamUnion
	for _, t := range m.ToolCalls {
		c := callOf(t)
		list = append(list, openai.ToolMessage(j.Execute(c.Name, c.Input), c.ID))
	}
	if len(list) == 0 {
		return []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Go on.")}
	}
	return list
}
