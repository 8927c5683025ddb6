package keeping

import (
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A Turn is what the model says in one response.
type Turn struct {
	Output []Item
	// Status is what the response ends as: completed, incomplete or failed. "": completed.
	Status string
	// Fault is an error that the API answers with in place of the response, of which nothing is kept; nil: none.
	Fault *Fault
	// Polls is how often a background response is read before it is complete.
	Polls int
	// Stream changes the events that are sent. What is kept, and read again, is as it should be. nil: they are sent as they are.
	Stream func([]Event) []Event
	// Send sends the response. nil: plainly.
	Send func(Form) scripted.Answer
}

// An Event is one of a stream.
type Event struct {
	Type  string
	Index int    // of the item that it is about; -1: of none
	Data  string // in JSON
}

// SSE is the event as it is on the wire.
func (e Event) SSE() string { return "event: " + e.Type + "\ndata: " + e.Data + "\n\n" }

// A Form is a turn in both of the forms that it can be sent in.
type Form struct {
	Streamed bool // the client asks for a stream
	Events   []Event
	Body     string
}

// An Item is one of a turn's output. The members of the type come as JSON, without braces.
type Item struct {
	ID, Type string
	Status   string // "": completed
	Bare     bool   // items of this type have no status
	Added    string // members when it is added
	Partly   string // members when it is under way; "": those of Added
	Done     string // members when it is done
	Steps    []Step // events between
}

// A Step is an event in the middle of an item.
type Step struct {
	Event   string
	Members string // beside those that say which item it is; "": none
}

// Message is text that comes in pieces.
func Message(id string, pieces ...string) Item {
	part := func(text string) string {
		return `{"type":"output_text","annotations":[],"logprobs":[],"text":` + quote(text) + `}`
	}
	text := strings.Join(pieces, "")
	steps := []Step{{"response.content_part.added", `"content_index":0,"part":` + part("")}}
	for _, piece := range pieces {
		members := `"content_index":0,"delta":` + quote(piece) + `,"logprobs":[],"obfuscation":"q8Zr"`
		steps = append(steps, Step{"response.output_text.delta", members})
	}
	steps = append(
		steps, Step{"response.output_text.done", `"content_index":0,"text":` + quote(text) + `,"logprobs":[]`},
		Step{"response.content_part.done", `"content_index":0,"part":` + part(text)},
	)
	return Item{
		ID: id, Type: "message", Steps: steps,
		Added: `"content":[],"role":"assistant"`, Done: `"content":[` + part(text) + `],"role":"assistant"`,
	}
}

// Reasoning is a thought with a summary.
func Reasoning(id, summary string) Item {
	part := func(text string) string { return `{"type":"summary_text","text":` + quote(text) + `}` }
	return Item{
		ID: id, Type: "reasoning", Bare: true,
		Added: `"summary":[],"encrypted_content":"gAAAAauthored=="`,
		Done:  `"summary":[` + part(summary) + `],"encrypted_content":"gAAAAauthored=="`,
		Steps: []Step{
			{"response.reasoning_summary_part.added", `"summary_index":0,"part":` + part("")},
			{"response.reasoning_summary_text.delta", `"summary_index":0,"delta":` + quote(summary)},
			{"response.reasoning_summary_text.done", `"summary_index":0,"text":` + quote(summary)},
			{"response.reasoning_summary_part.done", `"summary_index":0,"part":` + part(summary)},
		},
	}
}

// A Call names a call of a function or custom tool.
type Call struct{ ID, CallID, Namespace, Name string }

// Function is a call whose arguments come in pieces.
func Function(c Call, pieces ...string) Item {
	members := func(text string) string { return `"arguments":` + quote(text) + c.members() }
	item := Item{ID: c.ID, Type: "function_call", Added: members(""), Done: members(strings.Join(pieces, ""))}
	for i, piece := range pieces {
		item.Steps = append(item.Steps, Step{"response.function_call_arguments.delta", `"delta":` + quote(piece) + `,"obfuscation":"xxxx"`})
		if i == 0 {
			item.Partly = members(piece)
		}
	}
	done := `"name":` + quote(c.Name) + `,"arguments":` + quote(strings.Join(pieces, ""))
	item.Steps = append(item.Steps, Step{"response.function_call_arguments.done", done})
	return item
}

// Custom is a call whose input is free text that comes in pieces.
func Custom(c Call, pieces ...string) Item {
	members := func(text string) string { return strings.TrimPrefix(c.members(), ",") + `,"input":` + quote(text) }
	item := Item{ID: c.ID, Type: "custom_tool_call", Added: members(""), Done: members(strings.Join(pieces, ""))}
	for i, piece := range pieces {
		item.Steps = append(item.Steps, Step{"response.custom_tool_call_input.delta", `"delta":` + quote(piece)})
		if i == 0 {
			item.Partly = members(piece)
		}
	}
	item.Steps = append(item.Steps, Step{"response.custom_tool_call_input.done", `"input":` + quote(strings.Join(pieces, ""))})
	return item
}

func (c Call) members() string {
	m := `,"call_id":` + quote(c.CallID)
	if c.Namespace != "" {
		m += `,"namespace":` + quote(c.Namespace)
	}
	return m + `,"name":` + quote(c.Name)
}

// Whole is an item that has no events but those of all items. members are the same from the beginning.
func Whole(id, typ, members string) Item {
	return Item{ID: id, Type: typ, Added: members, Done: members}
}

// Cut is an item that the response ends in: it stays as it was when its first piece had come.
func (it Item) Cut() Item {
	it.Status = "incomplete"
	for i, s := range it.Steps {
		if strings.HasSuffix(s.Event, ".delta") {
			it.Steps = it.Steps[:i+1]
			break
		}
	}
	if it.Partly != "" {
		it.Done = it.Partly
	}
	return it
}

// json is the item with the given status and members.
func (it Item) json(status, members string) string {
	head := `{"id":` + quote(it.ID) + `,"type":` + quote(it.Type)
	if !it.Bare {
		head += `,"status":` + quote(status)
	}
	if members != "" {
		head += "," + members
	}
	return head + "}"
}

// whole is the item as it is in the end.
func (it Item) whole() string {
	status := it.Status
	if status == "" {
		status = "completed"
	}
	return it.json(status, it.Done)
}

// partly is the item while it is under way.
func (it Item) partly() string {
	if it.Partly != "" {
		return it.json("in_progress", it.Partly)
	}
	return it.json("in_progress", it.Added)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // texts of scripts are UTF-8
	}
	return string(b)
}
