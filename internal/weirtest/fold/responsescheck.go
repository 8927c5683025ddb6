package fold

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// acceptableResponse checks that every item can be read and taken back, and that calls may be run.
func acceptableResponse(response jsontext.Value) {
	r := parse[struct {
		Output []object `json:"output"`
	}](response, "the response")
	ids := map[string]bool{}
	for i, item := range r.Output {
		id := text(item["id"])
		if id != "" && ids[id] {
			stumblef("item %d has an id that another one has", i)
		}
		ids[id] = true
		acceptableItem(item)
	}
}

func acceptableItem(item object) {
	var arguments object
	switch text(item["type"]) {
	case "":
		stumblef("it has no type")
	case "message":
		var parts []object
		if err := json.Unmarshal(item["content"], &parts, lenient); err != nil || text(item["role"]) != "assistant" {
			stumblef("a message without a role or content")
		}
		if len(parts) == 0 && text(item["status"]) != "incomplete" {
			stumblef("a message that is complete and says nothing")
		}
	case "function_call":
		if text(item["call_id"]) == "" || text(item["name"]) == "" {
			stumblef("a call without an id or a name")
		}
		if status := item["status"]; isThere(status) && text(status) != "completed" {
			stumblef("a call whose status is %s", status)
		}
		if err := json.Unmarshal([]byte(text(item["arguments"])), &arguments); err != nil {
			stumblef("the arguments of a call: %w", err)
		}
	}
}
