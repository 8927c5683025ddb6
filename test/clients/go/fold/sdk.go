package main

import (
	"context"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"

	"github.com/weir-gate/weir/test/clients/go/connect"
	"github.com/weir-gate/weir/test/clients/go/job"
)

func messages(j *job.Job) (anthropic.Client, anthropic.MessageNewParams) {
	options := []anthropicoption.RequestOption{
		anthropicoption.WithoutEnvironmentDefaults(), anthropicoption.WithBaseURL(j.BaseURL), anthropicoption.WithAPIKey(j.APIKey),
		anthropicoption.WithHTTPClient(j.HTTPClient()), anthropicoption.WithMaxRetries(0),
	}
	for name, value := range j.Headers {
		options = append(options, anthropicoption.WithHeader(name, value))
	}
	return anthropic.NewClient(options...), anthropic.MessageNewParams{
		Model: anthropic.Model(j.Model), MaxTokens: 1000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(j.Prompt))},
	}
}

func addBlock(f *fold, b anthropic.ContentBlockUnion) {
	if b.Type == "tool_use" {
		f.call(b.ID, b.Name, arguments(string(b.Input)), raw(b.RawJSON()))
	}
}

func messagesStream(j *job.Job, f *fold) error {
	client, request := messages(j)
	stream := client.Messages.NewStreaming(context.Background(), request)
	defer stream.Close() // it was read to its end
	var message anthropic.Message
	for stream.Next() {
		event := stream.Current()
		f.event(event.RawJSON())
		if err := message.Accumulate(event); err != nil {
			return err
		}
		if stop, ok := event.AsAny().(anthropic.ContentBlockStopEvent); ok && int(stop.Index) < len(message.Content) {
			addBlock(f, message.Content[stop.Index])
		}
	}
	return stream.Err()
}

func messagesWhole(j *job.Job, f *fold) error {
	client, request := messages(j)
	message, err := client.Messages.New(context.Background(), request)
	if err != nil {
		return err
	}
	for _, b := range message.Content {
		addBlock(f, b)
	}
	return nil
}

func chatRequest(j *job.Job) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: j.Model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(j.Prompt)}}
}

func addMessage(f *fold, m openai.ChatCompletionMessage) {
	for _, c := range m.ToolCalls {
		if c.Type == "custom" {
			f.call(c.ID, c.Custom.Name, map[string]any{"input": c.Custom.Input}, raw(c.RawJSON()))
			continue
		}
		f.call(c.ID, c.Function.Name, arguments(c.Function.Arguments), raw(c.RawJSON()))
	}
}

func chatStream(j *job.Job, f *fold) error {
	client := connect.OpenAI(j)
	stream := client.Chat.Completions.NewStreaming(context.Background(), chatRequest(j))
	defer stream.Close() // it was read to its end
	var sum openai.ChatCompletionAccumulator
	for stream.Next() {
		f.event(stream.Current().RawJSON())
		if !sum.AddChunk(stream.Current()) {
			break
		}
	}
	if err := stream.Err(); err != nil {
		return err
	}
	for _, c := range sum.Choices {
		addMessage(f, c.Message)
	}
	return nil
}

func chatWhole(j *job.Job, f *fold) error {
	client := connect.OpenAI(j)
	completion, err := client.Chat.Completions.New(context.Background(), chatRequest(j))
	if err != nil {
		return err
	}
	for _, c := range completion.Choices {
		addMessage(f, c.Message)
	}
	return nil
}

func responsesRequest(j *job.Job) responses.ResponseNewParams {
	return responses.ResponseNewParams{Model: j.Model, Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(j.Prompt)}}
}

func addItem(f *fold, item responses.ResponseOutputItemUnion) {
	if item.Type == "function_call" {
		c := item.AsFunctionCall()
		f.call(c.CallID, c.Name, arguments(c.Arguments), raw(item.RawJSON()))
	}
}

func responsesStream(j *job.Job, f *fold) error {
	client := connect.OpenAI(j)
	stream := client.Responses.NewStreaming(context.Background(), responsesRequest(j))
	defer stream.Close() // it was read to its end
	for stream.Next() {
		event := stream.Current()
		f.event(event.RawJSON())
		switch event.Type {
		case "response.output_item.done":
			addItem(f, event.Item)
		case "response.completed":
			for _, item := range event.Response.Output {
				addItem(f, item)
			}
		}
	}
	return stream.Err()
}

func responsesWhole(j *job.Job, f *fold) error {
	client := connect.OpenAI(j)
	response, err := client.Responses.New(context.Background(), responsesRequest(j))
	if err != nil {
		return err
	}
	for _, item := range response.Output {
		addItem(f, item)
	}
	return nil
}

func gemini(j *job.Job) (*genai.Client, error) {
	h := http.Header{}
	for name, value := range j.Headers {
		h.Set(name, value)
	}
	return genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: j.APIKey, HTTPClient: j.HTTPClient(),
		HTTPOptions: genai.HTTPOptions{BaseURL: j.BaseURL, Headers: h},
	})
}

func addContent(f *fold, r *genai.GenerateContentResponse) {
	for _, c := range r.Candidates {
		if c == nil || c.Content == nil {
			continue
		}
		for _, p := range c.Content.Parts {
			if p != nil && p.FunctionCall != nil {
				f.call(p.FunctionCall.ID, p.FunctionCall.Name, p.FunctionCall.Args, p)
			}
		}
	}
}

func geminiStream(j *job.Job, f *fold) error {
	client, err := gemini(j)
	if err != nil {
		return err
	}
	for r, err := range client.Models.GenerateContentStream(context.Background(), j.Model, genai.Text(j.Prompt), nil) {
		if err != nil {
			return err
		}
		addContent(f, r)
	}
	return nil
}

func geminiWhole(j *job.Job, f *fold) error {
	client, err := gemini(j)
	if err != nil {
		return err
	}
	r, err := client.Models.GenerateContent(context.Background(), j.Model, genai.Text(j.Prompt), nil)
	if err != nil {
		return err
	}
	addContent(f, r)
	return nil
}
