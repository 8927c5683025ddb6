package fold

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// acceptableResponse checks that every item can be read and taken back, and that calls may be run.
func acceptableResponse(response jsontext.Value) error {
	var r struct {
		Output []object `json:"output"`
	}
	if err := json.Unmarshal(response, &r, lenient); err != nil {
		return fmt.Errorf("the response: %w", err)
	}
	ids := map[string]bool{}
	for i, item := range r.Output {
		id := text(item["id"])
		if id != "" && ids[id] {
			return fmt.Errorf("item %d has an id that another one has", i)
		}
		ids[id] = true
		if err := acceptableItem(item); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}

func acceptableItem(item object) error {
	var arguments object
	switch text(item["type"]) {
	case "":
		return errors.New("it has no type")
	case "message":
		var parts []object
		if err := json.Unmarshal(item["content"], &parts, lenient); err != nil || text(item["role"]) != "assistant" {
			return errors.New("a message without a role or content")
		}
		if len(parts) == 0 && text(item["status"]) != "incomplete" {
			return errors.New("a message that is complete and says nothing")
		}
	case "function_call":
		if text(item["call_id"]) == "" || text(item["name"]) == "" {
			return errors.New("a call without an id or a name")
		}
		if status := item["status"]; isThere(status) && text(status) != "completed" {
			return fmt.Errorf("a call whose status is %s", status)
		}
		if err := json.Unmarshal([]byte(text(item["arguments"])), &arguments); err != nil {
			return fmt.Errorf("the arguments of a call: %w", err)
		}
	}
	return nil
}
