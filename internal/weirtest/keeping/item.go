package keeping

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An item is one of a history: said by the model, or sent by a client.
type item struct {
	Type      string         `json:"type"`
	ID        string         `json:"id"`
	Role      string         `json:"role"`
	Status    string         `json:"status"`
	CallID    string         `json:"call_id"`
	Execution string         `json:"execution"`
	Approval  string         `json:"approval_request_id"`
	Content   jsontext.Value `json:"content"`

	raw         jsontext.Value
	said, kept  bool  // by the model; it can be referred to
	prior, next *item // its neighbours in the model's output
}

func readItem(raw jsontext.Value) (*item, error) {
	it := &item{raw: raw.Clone()}
	if err := json.Unmarshal(raw, it); err != nil {
		return nil, err
	}
	if it.Type == "" && it.Role != "" {
		it.Type = "message"
	}
	return it, nil
}

func mustRead(raw jsontext.Value) *item {
	it, err := readItem(raw)
	if err != nil {
		panic(fmt.Sprintf("%v: %s", err, raw)) // items of scripts are JSON
	}
	return it
}

// hosted are the calls that the provider runs itself.
var hosted = map[string]bool{
	"web_search_call": true, "file_search_call": true, "code_interpreter_call": true, "image_generation_call": true, "mcp_call": true,
}

// call is the id of a call that a client is to run, by which its output names it; "" for all else.
func (it *item) call() string {
	switch {
	case it.Type == "mcp_approval_request":
		return it.ID
	case hosted[it.Type] || strings.HasSuffix(it.Type, "_output"), it.Type == "tool_search_call" && it.Execution != "client":
		return ""
	case strings.HasSuffix(it.Type, "_call"):
		return it.CallID
	}
	return ""
}

// answers is the id of the call whose output an item is; "" if it is none.
func (it *item) answers() string {
	switch {
	case it.Type == "mcp_approval_response":
		return it.Approval
	case it.Type == "local_shell_call_output" && it.CallID == "":
		return it.ID
	case strings.HasSuffix(it.Type, "_output"):
		return it.CallID
	}
	return ""
}

// outputOf is the type of the output of a call of the given type.
func outputOf(typ string) string {
	switch typ {
	case "mcp_approval_request":
		return "mcp_approval_response"
	case "tool_search_call":
		return "tool_search_output"
	}
	return typ + "_output"
}

// words are how the API speaks of a type of call.
func words(typ string) string { return strings.ReplaceAll(typ, "_", " ") }

// repeats says whether an item that a client sends back is what the model had said. Only what makes it that call is compared:
// clients leave out what they do not know.
func (it *item) repeats(orig *item) bool {
	if it.Type != orig.Type {
		return false
	}
	var got, want map[string]any
	if json.Unmarshal(it.raw, &got) != nil || json.Unmarshal(orig.raw, &want) != nil {
		return false
	}
	for _, name := range []string{"call_id", "name", "namespace", "arguments", "input", "operation", "server_label", "code"} {
		if !sameMember(name, got[name], want[name]) {
			return false
		}
	}
	return true
}

// sameMember compares members. Arguments are compared as what they say: clients write them anew.
func sameMember(name string, got, want any) bool {
	g, isText := got.(string)
	w, wasText := want.(string)
	if name != "arguments" || !isText || !wasText {
		return reflect.DeepEqual(got, want)
	}
	var a, b any
	if json.Unmarshal([]byte(g), &a) != nil || json.Unmarshal([]byte(w), &b) != nil {
		return g == w
	}
	return reflect.DeepEqual(a, b)
}

// text is what a message says.
func (it *item) text() string {
	if it.Content.Kind() == '"' {
		var s string
		_ = json.Unmarshal(it.Content, &s) // a text was read before
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(it.Content, &parts) // what has no parts says nothing
	all := ""
	for _, p := range parts {
		all += p.Text
	}
	return all
}
