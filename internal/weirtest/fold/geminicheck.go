package fold

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// acceptableTurn checks that every candidate says or asks something, that its calls can be read, and that the
// API would take their signatures back.
func acceptableTurn(response jsontext.Value) error {
	var r struct {
		Response   jsontext.Value `json:"response"`
		Candidates []struct {
			FinishReason string `json:"finishReason"`
			Content      struct {
				Role  string   `json:"role"`
				Parts []object `json:"parts"`
			} `json:"content"`
		} `json:"candidates"`
	}
	if err := json.Unmarshal(response, &r, lenient); err != nil {
		return fmt.Errorf("the response: %w", err)
	}
	if r.Response != nil {
		return acceptableTurn(r.Response)
	}
	for i, c := range r.Candidates {
		switch {
		case c.FinishReason == "STOP" && !slices.ContainsFunc(c.Content.Parts, func(p object) bool { return string(p["thought"]) != "true" }):
			return fmt.Errorf("candidate %d says nothing, and agents would ask again", i)
		case len(c.Content.Parts) > 0 && c.Content.Role != "model":
			return fmt.Errorf("candidate %d is of the role %q", i, c.Content.Role)
		}
		if err := acceptableParts(c.Content.Parts); err != nil {
			return fmt.Errorf("candidate %d: %w", i, err)
		}
	}
	return nil
}

func acceptableParts(parts []object) error {
	calls, firstSigned := 0, false
	for _, p := range parts {
		signature := text(p["thoughtSignature"])
		if _, err := base64.StdEncoding.DecodeString(signature); err != nil {
			return fmt.Errorf("a signature: %w", err)
		}
		if len(p) == 0 || len(p) == 1 && signature != "" {
			return errors.New("a part that is empty, or has nothing that it signs")
		}
		if !isThere(p["functionCall"]) {
			continue
		}
		calls++
		switch {
		case calls == 1:
			firstSigned = signature != ""
		case signature != "" && !firstSigned:
			return errors.New("a call is signed, and the first one is not: the API would not take it back")
		}
		if err := acceptableFunctionCall(p["functionCall"]); err != nil {
			return err
		}
	}
	return nil
}

func acceptableFunctionCall(v jsontext.Value) error {
	var c struct {
		Name string `json:"name"`
		Args object `json:"args"`
	}
	switch err := json.Unmarshal(v, &c); {
	case err != nil:
		return fmt.Errorf("a call: %w", err)
	case c.Name == "":
		return errors.New("a call has no name")
	}
	return nil
}
