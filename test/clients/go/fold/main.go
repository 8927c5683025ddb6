// Command fold folds one answer a job with the official Go SDKs, and tells every call that they hand out, with all of its members.
package main

import (
	"encoding/json"

	"github.com/weir-gate/weir/test/clients/go/job"
)

func main() {
	job.Serve(map[string]func(*job.Job) error{
		"messages stream anthropic-go": folding(messagesStream),
		"messages whole anthropic-go":  folding(messagesWhole),
		"chat stream openai-go":        folding(chatStream),
		"chat whole openai-go":         folding(chatWhole),
		"responses stream openai-go":   folding(responsesStream),
		"responses whole openai-go":    folding(responsesWhole),
		"gemini stream genai-go":       folding(geminiStream),
		"gemini whole genai-go":        folding(geminiWhole),
	}, func(error) job.Raised { return job.Raised{} })
}

// A fold is what an SDK handed out.
type fold struct {
	Calls  []given           `json:"calls"`
	Events []json.RawMessage `json:"events"`
}

// A given call is one that an SDK handed out.
type given struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args any    `json:"args"`
	All  any    `json:"all"`
}

// folding is a kind. What was handed out before an error counts.
func folding(ask func(*job.Job, *fold) error) func(*job.Job) error {
	return func(j *job.Job) error {
		f := &fold{}
		err := ask(j, f)
		j.Turn(f, 0, 0)
		return err
	}
}

func (f *fold) call(id, name string, args, all any) {
	f.Calls = append(f.Calls, given{id, name, args, all})
}

// event keeps what an SDK handed out as JSON, if it is.
func (f *fold) event(text string) {
	if json.Valid([]byte(text)) {
		f.Events = append(f.Events, json.RawMessage(text))
	}
}

// arguments reads a text, as a program would.
func arguments(text string) any {
	if text == "" {
		return map[string]any{}
	}
	var args any
	if json.Unmarshal([]byte(text), &args) != nil {
		return map[string]any{"unreadable": text}
	}
	return args
}

// raw is JSON that an SDK keeps; nil if there is none.
func raw(text string) any {
	if !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}
