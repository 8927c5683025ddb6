package model

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// Gemini is Google's format.
type Gemini struct {
	// Signed: as Gemini 3 has it, the first call of a response is signed and must come back so.
	Signed bool
}

// Dialect names the format.
func (Gemini) Dialect() string { return "gemini" }

// A geminiPart is a part of a turn.
type geminiPart struct {
	Text             string `json:"text"`
	ThoughtSignature string `json:"thoughtSignature"`
	FunctionCall     *struct {
		ID   string         `json:"id"`
		Name string         `json:"name"`
		Args jsontext.Value `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string         `json:"id"`
		Name     string         `json:"name"`
		Response jsontext.Value `json:"response"`
	} `json:"functionResponse"`
}

// Read wants as many responses as calls, in their order, in the turn that follows them, and the signatures back.
func (w Gemini) Read(r scripted.Request) (History, error) {
	model, verb, _ := strings.Cut(r.Path, ":")
	if r.Method != "POST" || !strings.HasPrefix(model, "/v1beta/models/") || !strings.HasSuffix(verb, "enerateContent") {
		return History{}, errNoEndpoint
	}
	var body struct {
		Tools []struct {
			FunctionDeclarations []jsontext.Value `json:"functionDeclarations"`
		} `json:"tools"`
		Contents []struct {
			Role  string       `json:"role"`
			Parts []geminiPart `json:"parts"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return History{}, fmt.Errorf("read the request: %w", err)
	}
	h := History{Stream: verb == "streamGenerateContent", Key: r.Header.Get("X-Goog-Api-Key")}
	for _, t := range body.Tools {
		h.Tools += len(t.FunctionDeclarations)
	}
	open := pending{}
	for i, c := range body.Contents {
		if err := h.readTurn(c.Role, c.Parts, &open); err != nil {
			return History{}, fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	if !w.Signed { // the Gemini CLI puts something in the place of signatures that it did not get
		for i := range h.Calls {
			h.Calls[i].signed, h.Calls[i].signature = false, ""
		}
	}
	return h, open.none()
}

// readTurn adds a turn to the conversation. open are the calls of the one before.
func (h *History) readTurn(role string, parts []geminiPart, open *pending) error {
	if len(parts) == 0 {
		return errors.New("it is empty")
	}
	h.Prompt = ""
	var texts []string
	for _, p := range parts {
		switch {
		case p.FunctionCall != nil && role == "model":
			h.Calls = append(h.Calls, Past{
				ID: p.FunctionCall.ID, Name: p.FunctionCall.Name, Args: string(p.FunctionCall.Args),
				signed: len(open.calls) == 0, signature: p.ThoughtSignature,
			})
			open.add(len(h.Calls) - 1)
		case p.FunctionResponse != nil && role == "user":
			if err := h.readResponse(p, open); err != nil {
				return err
			}
		default:
			texts = append(texts, p.Text)
		}
	}
	if role == "model" {
		h.Said = append(h.Said, strings.Join(texts, ""))
		return nil
	}
	if h.Prompt = strings.Join(texts, "\n"); h.Prompt != "" {
		for i := range h.Calls {
			h.Calls[i].signed = false // signatures count in the turn that goes on
		}
	}
	return open.none()
}

// readResponse gives the output of a call.
func (h *History) readResponse(p geminiPart, open *pending) error {
	id, name, output := p.FunctionResponse.ID, p.FunctionResponse.Name, string(p.FunctionResponse.Response)
	if id != "" && slices.ContainsFunc(h.Calls, func(c Past) bool { return c.ID == id && c.Output == output }) {
		return nil // the Gemini CLI says outputs twice when it resumes a conversation
	}
	if len(open.calls) == 0 || h.Calls[open.calls[0]].Name != name {
		return fmt.Errorf("it has a response for %s, for which no call waits", name)
	}
	if id == "" {
		id = h.Calls[open.calls[0]].ID
	}
	return h.answered(open, id, output)
}

// signatureOf is the signature of a thought that led to a call.
func signatureOf(id string) string {
	return base64.StdEncoding.EncodeToString([]byte("thought of " + id))
}

// Play is the answer as the wire has it, a part in each element of a stream.
func (w Gemini) Play(a Answer, h History, id string) scripted.Answer {
	blocks := a.blocks()
	if first := len(blocks) - len(a.Calls); w.Signed && len(a.Calls) > 0 {
		blocks[first].Signature = signatureOf(a.Calls[0].ID)
	}
	return play(&wire.Gemini, a, h, id, blocks)
}
