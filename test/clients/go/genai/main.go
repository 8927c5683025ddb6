// Command genai plays clients of the official Google GenAI SDK for Go, for the Gemini API and for Vertex AI, and
// one that has no SDK.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"

	"google.golang.org/genai"

	"github.com/weir-gate/weir/test/clients/go/job"
)

func main() {
	job.Serve(map[string]func(*job.Job) error{
		"genai-go-stream":  func(j *job.Job) error { return converse(j, gemini(j), stream) },
		"genai-go-whole":   func(j *job.Job) error { return converse(j, gemini(j), whole) },
		"genai-go-chat":    func(j *job.Job) error { return chat(j, gemini(j)) },
		"raw-array":        func(j *job.Job) error { return converse(j, gemini(j), raw) },
		"vertex-go-stream": func(j *job.Job) error { return converse(j, vertex(j), stream) },
	}, describe)
}

func gemini(j *job.Job) *genai.ClientConfig {
	return &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: j.APIKey, HTTPClient: j.HTTPClient(),
		HTTPOptions: genai.HTTPOptions{BaseURL: j.BaseURL, Headers: headers(j)},
	}
}

// vertex is for a project. Its users have tokens in the place of keys.
func vertex(j *job.Job) *genai.ClientConfig {
	h := headers(j)
	h.Set("Authorization", "Bearer "+j.APIKey)
	return &genai.ClientConfig{
		Backend: genai.BackendVertexAI, Project: "weir", Location: "europe-west1", HTTPClient: j.HTTPClient(),
		HTTPOptions: genai.HTTPOptions{BaseURL: j.BaseURL, Headers: h},
	}
}

func headers(j *job.Job) http.Header {
	h := http.Header{}
	for name, value := range j.Headers {
		h.Set(name, value)
	}
	return h
}

// connect is a client for a job, and the tools of the job.
func connect(j *job.Job, cfg *genai.ClientConfig) (*genai.Client, *genai.GenerateContentConfig, error) {
	var functions []*genai.FunctionDeclaration
	if err := json.Unmarshal(j.Tools, &functions); err != nil {
		return nil, nil, err
	}
	client, err := genai.NewClient(context.Background(), cfg)
	return client, &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: functions}}}, err
}

type asking func(*job.Job, *genai.Client, []*genai.Content, *genai.GenerateContentConfig) (*turn, error)

// converse asks twice, the second time with the history that the first answer left.
func converse(j *job.Job, cfg *genai.ClientConfig, ask asking) error {
	client, config, err := connect(j, cfg)
	if err != nil {
		return err
	}
	contents := []*genai.Content{genai.NewContentFromText(j.Prompt, genai.RoleUser)}
	for range 2 {
		t, err := ask(j, client, contents, config)
		if err != nil {
			return err
		}
		t.note(j)
		contents = append(contents, t.contents...)
		contents = append(contents, genai.NewContentFromParts(t.answers(j), genai.RoleUser))
	}
	return nil
}

// stream reads chunk by chunk.
func stream(j *job.Job, client *genai.Client, contents []*genai.Content, config *genai.GenerateContentConfig) (*turn, error) {
	return collect(j, client.Models.GenerateContentStream(context.Background(), j.Model, contents, config))
}

// whole asks for the turn in one piece.
func whole(j *job.Job, client *genai.Client, contents []*genai.Content, config *genai.GenerateContentConfig) (*turn, error) {
	response, err := client.Models.GenerateContent(context.Background(), j.Model, contents, config)
	if err != nil {
		return nil, err
	}
	t := &turn{}
	t.add(response, func(string) {})
	return t, nil
}

// chat lets the SDK keep the history.
func chat(j *job.Job, cfg *genai.ClientConfig) error {
	client, config, err := connect(j, cfg)
	if err != nil {
		return err
	}
	session, err := client.Chats.Create(context.Background(), j.Model, config, nil)
	if err != nil {
		return err
	}
	message := []*genai.Part{genai.NewPartFromText(j.Prompt)}
	for range 2 {
		t, err := collect(j, session.SendStream(context.Background(), message...))
		if err != nil {
			return err
		}
		t.note(j)
		message = t.answers(j)
	}
	return nil
}

func collect(j *job.Job, chunks iter.Seq2[*genai.GenerateContentResponse, error]) (*turn, error) {
	t := &turn{}
	for chunk, err := range chunks {
		if err != nil {
			return nil, err
		}
		t.add(chunk, j.Progress)
	}
	return t, nil
}

func describe(err error) job.Raised {
	var api genai.APIError
	if !errors.As(err, &api) {
		return job.Raised{}
	}
	return job.Raised{Status: api.Code, Type: api.Status, Message: api.Message}
}
