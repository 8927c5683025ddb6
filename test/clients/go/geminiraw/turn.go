package main

import (
	"encoding/json"

	"github.com/weir-gate/weir/test/clients/go/job"
)

// A turn of the model, as it comes.
type turn struct {
	candidates    []*candidate
	parts         []json.RawMessage // of the first candidate, for the history
	calls         []functionCall    // in them
	blocked       string
	input, output int64
}

// A candidate is what one of a turn's candidates says, in words that all clients share.
type candidate struct {
	Parts   []object `json:"parts"`
	Finish  string   `json:"finish"`
	Message string   `json:"message"`
}

type functionCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args object `json:"args"`
}

// add adds an element.
func (t *turn) add(j *job.Job, raw json.RawMessage) error {
	var r response
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	if r.Error != nil {
		return r.Error
	}
	j.Event(string(raw))
	t.blocked += r.PromptFeedback.BlockReason
	t.input, t.output = r.UsageMetadata.Input, r.UsageMetadata.Output
	for _, c := range r.Candidates {
		for len(t.candidates) <= c.Index {
			t.candidates = append(t.candidates, &candidate{Parts: []object{}})
		}
		told := t.candidates[c.Index]
		told.Finish, told.Message = told.Finish+c.FinishReason, told.Message+c.FinishMessage
		for _, p := range c.Content.Parts {
			calls, err := told.add(j, p)
			if err != nil {
				return err
			}
			if c.Index == 0 {
				t.parts, t.calls = append(t.parts, p), append(t.calls, calls...)
			}
		}
	}
	return nil
}

// add tells what a part says. Text that came in pieces is one.
func (c *candidate) add(j *job.Job, raw json.RawMessage) (calls []functionCall, err error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	var p struct {
		Text      string        `json:"text"`
		Thought   bool          `json:"thought"`
		Signature string        `json:"thoughtSignature"`
		Call      *functionCall `json:"functionCall"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	if p.Text != "" {
		c.say(j, p.Text, p.Thought)
	}
	if p.Call != nil {
		told := object{"type": "call", "id": p.Call.ID, "name": p.Call.Name, "input": p.Call.args(), "signature": p.Signature}
		c.Parts, calls = append(c.Parts, told), append(calls, *p.Call)
		j.Progress("call")
	}
	for name := range members {
		switch name {
		case "text", "thought", "thoughtSignature", "functionCall":
		default:
			c.Parts = append(c.Parts, object{"type": name})
		}
	}
	return calls, nil
}

func (c *candidate) say(j *job.Job, text string, thought bool) {
	typ := "text"
	if thought {
		typ = "thought"
	} else {
		j.Progress("text")
	}
	if n := len(c.Parts); n > 0 && c.Parts[n-1]["type"] == typ {
		c.Parts[n-1]["text"] = c.Parts[n-1]["text"].(string) + text
		return
	}
	c.Parts = append(c.Parts, object{"type": typ, "text": text})
}

// args are those of a call, which may leave them out.
func (f functionCall) args() object {
	if f.Args == nil {
		return object{}
	}
	return f.Args
}

// answers runs the calls of a turn and returns the parts that follow it.
func (t *turn) answers(j *job.Job) []any {
	var list []any
	for _, f := range t.calls {
		result := object{"name": f.Name, "response": object{"output": j.Execute(f.Name, f.args())}}
		if f.ID != "" {
			result["id"] = f.ID
		}
		list = append(list, object{"functionResponse": result})
	}
	if len(list) == 0 {
		return []any{object{"text": "Go on."}}
	}
	return list
}
