package main

import (
	"encoding/base64"
	"encoding/json"

	"google.golang.org/genai"

	"github.com/weir-gate/weir/test/clients/go/job"
)

// A turn of the model, as it comes.
type turn struct {
	candidates []*candidate
	contents   []*genai.Content // what the first candidate leaves in the history
	blocked    string
	usage      genai.GenerateContentResponseUsageMetadata
}

// A candidate is what one of a turn's candidates says, in words that all clients share.
type candidate struct {
	Parts   []part `json:"parts"`
	Finish  string `json:"finish"`
	Message string `json:"message"`
}

type part struct {
	Type      string `json:"type"`
	Text      string `json:"text,omitempty"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Input     any    `json:"input,omitempty"`
	Signature string `json:"signature,omitempty"`
}

// add adds a response: all of it, or a chunk.
func (t *turn) add(r *genai.GenerateContentResponse, progress func(string)) {
	if r.UsageMetadata != nil {
		t.usage = *r.UsageMetadata
	}
	if r.PromptFeedback != nil {
		t.blocked = string(r.PromptFeedback.BlockReason)
	}
	for _, c := range r.Candidates {
		for len(t.candidates) <= int(c.Index) {
			t.candidates = append(t.candidates, &candidate{})
		}
		told := t.candidates[c.Index]
		if c.FinishReason != "" {
			told.Finish, told.Message = string(c.FinishReason), c.FinishMessage
		}
		if c.Content == nil {
			continue
		}
		for _, p := range c.Content.Parts {
			told.add(p, progress)
		}
		if c.Index == 0 {
			t.keep(c.Content)
		}
	}
}

// keep adds a content to the history, without parts that say nothing: this SDK would send them without any member.
func (t *turn) keep(c *genai.Content) {
	kept := &genai.Content{Role: c.Role}
	for _, p := range c.Parts {
		if text, err := json.Marshal(p); err != nil || string(text) != "{}" {
			kept.Parts = append(kept.Parts, p)
		}
	}
	if len(kept.Parts) > 0 {
		t.contents = append(t.contents, kept)
	}
}

// add tells what a part says. Text that came in pieces is one.
func (c *candidate) add(p *genai.Part, progress func(string)) {
	if p.Text != "" {
		typ := "text"
		if p.Thought {
			typ = "thought"
		} else {
			progress("text")
		}
		if n := len(c.Parts); n > 0 && c.Parts[n-1].Type == typ {
			c.Parts[n-1].Text += p.Text
		} else {
			c.Parts = append(c.Parts, part{Type: typ, Text: p.Text})
		}
	}
	if f := p.FunctionCall; f != nil {
		c.Parts = append(c.Parts, callOf(f, p.ThoughtSignature))
		progress("call")
	}
	for typ, there := range map[string]bool{
		"executableCode": p.ExecutableCode != nil, "codeExecutionResult": p.CodeExecutionResult != nil,
		"functionResponse": p.FunctionResponse != nil, "toolCall": p.ToolCall != nil, "toolResponse": p.ToolResponse != nil,
	} {
		if there {
			c.Parts = append(c.Parts, part{Type: typ})
		}
	}
}

func callOf(f *genai.FunctionCall, signature []byte) part {
	p := part{Type: "call", ID: f.ID, Name: f.Name, Input: f.Args, Signature: base64.StdEncoding.EncodeToString(signature)}
	if f.Args == nil {
		p.Input = map[string]any{}
	}
	if len(f.PartialArgs) > 0 || f.WillContinue != nil {
		p.Type = "piece"
	}
	return p
}

// note notes that the turn is over.
func (t *turn) note(j *job.Job) {
	j.Turn(map[string]any{"candidates": t.candidates, "blocked": t.blocked},
		int64(t.usage.PromptTokenCount), int64(t.usage.CandidatesTokenCount))
}

// answers runs the calls of a turn and returns the parts that follow it.
func (t *turn) answers(j *job.Job) []*genai.Part {
	var list []*genai.Part
	for _, c := range t.contents {
		for _, p := range c.Parts {
			if f := p.FunctionCall; f != nil {
				args := f.Args
				if args == nil {
					args = map[string]any{}
				}
				list = append(list, &genai.Part{FunctionResponse: &genai.FunctionResponse{
					ID: f.ID, Name: f.Name, Response: map[string]any{"output": j.Execute(f.Name, args)},
				}})
			}
		}
	}
	if len(list) == 0 {
		return []*genai.Part{genai.NewPartFromText("Go on.")}
	}
	return list
}
