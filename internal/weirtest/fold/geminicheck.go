package fold

import (
	"encoding/base64"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// acceptableTurn checks that every candidate says or asks something, that its calls can be read, and that the
// API would take their signatures back.
func acceptableTurn(response jsontext.Value) {
	r := parse[struct {
		Response   jsontext.Value `json:"response"`
		Candidates []struct {
			FinishReason string `json:"finishReason"`
			Content      struct {
				Role  string   `json:"role"`
				Parts []object `json:"parts"`
			} `json:"content"`
		} `json:"candidates"`
	}](response, "the response")
	if r.Response != nil {
		acceptableTurn(r.Response)
		return
	}
	for i, c := range r.Candidates {
		switch {
		case c.FinishReason == "STOP" && !slices.ContainsFunc(c.Content.Parts, func(p object) bool { return string(p["thought"]) != "true" }):
			stumblef("candidate %d says nothing, and agents would ask again", i)
		case len(c.Content.Parts) > 0 && c.Content.Role != "model":
			stumblef("candidate %d is of the role %q", i, c.Content.Role)
		}
		acceptableParts(c.Content.Parts)
	}
}

func acceptableParts(parts []object) {
	calls, firstSigned := 0, false
	for _, p := range parts {
		signature := text(p["thoughtSignature"])
		if _, err := base64.StdEncoding.DecodeString(signature); err != nil {
			stumblef("a signature: %w", err)
		}
		if len(p) == 0 || len(p) == 1 && signature != "" {
			stumblef("a part that is empty, or has nothing that it signs")
		}
		if !isThere(p["functionCall"]) {
			continue
		}
		calls++
		switch {
		case calls == 1:
			firstSigned = signature != ""
		case signature != "" && !firstSigned:
			stumblef("a call is signed, and the first one is not: the API would not take it back")
		}
		acceptableFunctionCall(p["functionCall"])
	}
}

func acceptableFunctionCall(v jsontext.Value) {
	var c struct {
		Name string `json:"name"`
		Args object `json:"args"`
	}
	switch err := json.Unmarshal(v, &c); {
	case err != nil:
		stumblef("a call: %w", err)
	case c.Name == "":
		stumblef("a call has no name")
	}
}
