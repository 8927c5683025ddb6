package clients

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/fold"
	"github.com/weir-gate/weir/internal/weirtest/notation"
)

// Streams says how events that a client read from streams are put back into the streams that they came in.
type Streams struct {
	Format *fold.Format
	Kind   fold.Kind
	// Begins says whether an event is the first of a stream; before is the one ahead of it.
	Begins func(before, event Event) bool
	// Also says what is wrong with the events of a stream beyond what the format's reader finds; nil: nothing can be.
	Also func(stream []Event) error
	// Unseen is how a stream ends that comes to its end, as far as clients do not show it.
	Unseen string
}

// An Event is one of a stream, as a client has it.
type Event map[string]jsontext.Value

// Text is a member that is a text; "" if it is none.
func (e Event) Text(member string) string {
	var s string
	_ = json.Unmarshal(e[member], &s) // it may be missing
	return s
}

// Check says what is wrong with the events of streams that follow each other. All but the last must come to their end, and the last too if
// it is said to be whole.
func (s Streams) Check(events []jsontext.Value, whole bool) error {
	var body bytes.Buffer
	var stream []Event
	for i, raw := range events {
		var e Event
		if err := json.Unmarshal(raw, &e, lenient); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		if i > 0 && s.Begins(stream[len(stream)-1], e) {
			if err := s.check(&body, stream, true); err != nil {
				return err
			}
			body.Reset()
			stream = nil
		}
		s.write(&body, raw, e)
		stream = append(stream, e)
	}
	return s.check(&body, stream, whole)
}

// check says what is wrong with one stream.
func (s Streams) check(body *bytes.Buffer, stream []Event, whole bool) error {
	if len(stream) == 0 {
		return nil
	}
	if whole {
		body.WriteString(s.Unseen)
	}
	ended, err := s.Format.Check(body.Bytes(), s.Kind)
	if err == nil && whole && !ended {
		err = errors.New("the stream has no end")
	}
	if err == nil && s.Also != nil {
		err = s.Also(stream)
	}
	if err != nil {
		return fmt.Errorf("%w:\n%s", err, body)
	}
	return nil
}

// write writes an event as it came.
func (s Streams) write(to *bytes.Buffer, raw jsontext.Value, e Event) {
	switch {
	case s.Kind == fold.Lines:
		fmt.Fprintf(to, "%s\n", raw)
	case s.Kind == fold.Packets: // the SDKs of the service have the name of an event as its only member
		for name, payload := range e {
			to.Write(notation.Packet{Name: name, Payload: payload}.Bytes())
		}
	case e["type"] != nil:
		fmt.Fprintf(to, "event: %s\ndata: %s\n\n", e.Text("type"), raw)
	default:
		fmt.Fprintf(to, "data: %s\n\n", raw)
	}
}

// The streams of each format.
var (
	MessagesStreams  = Streams{Format: &fold.Messages, Kind: fold.Events, Begins: byType("message_start")}
	ResponsesStreams = Streams{Format: &fold.Responses, Kind: fold.Events, Begins: byType("response.created"), Also: numbered}
	GeminiStreams    = Streams{Format: &fold.Gemini, Kind: fold.Events, Begins: byID("responseId"), Also: saysMuch}
	ConverseStreams  = Streams{Format: &fold.Converse, Kind: fold.Packets, Also: documented, Begins: func(_, event Event) bool {
		return event["messageStart"] != nil
	}}
	OllamaStreams = Streams{Format: &fold.Ollama, Kind: fold.Lines, Also: complete, Begins: func(before, _ Event) bool {
		return string(before["done"]) == "true"
	}}
	// Azure begins with an event that has no id. No client shows [DONE].
	ChatStreams = Streams{Format: &fold.Chat, Kind: fold.Events, Unseen: "data: [DONE]\n\n", Begins: func(before, event Event) bool {
		return event["prompt_filter_results"] != nil || byID("id")(before, event)
	}}
)

// byID has a stream begin where the id of its events changes, which is in a member.
func byID(member string) func(before, event Event) bool {
	return func(before, event Event) bool {
		return event.Text(member) != "" && before.Text(member) != "" && event.Text(member) != before.Text(member)
	}
}

// byType has a stream begin with an event of a type.
func byType(typ string) func(before, event Event) bool {
	return func(_, event Event) bool { return event.Text("type") == typ }
}

// numbered wants the numbers of events to grow. Signs of life have none.
func numbered(stream []Event) error {
	last := -1
	for _, e := range stream {
		n := 0
		if e.Text("type") == "keepalive" {
			continue
		}
		if err := json.Unmarshal(e["sequence_number"], &n); err != nil || n <= last {
			return fmt.Errorf("the number %s follows %d", e["sequence_number"], last)
		}
		last = n
	}
	return nil
}

// saysMuch wants contents to be the model's and to say something, and no candidate to go on after its end: clients that keep the history
// take others for invalid, and the turn with them.
func saysMuch(stream []Event) error {
	over := map[int]bool{}
	for _, e := range stream {
		var candidates []struct {
			Index   int `json:"index"`
			Content *struct {
				Role  string           `json:"role"`
				Parts []jsontext.Value `json:"parts"`
			} `json:"content"`
			FinishReason string `json:"finishReason"`
		}
		if list := e["candidates"]; list != nil {
			if err := json.Unmarshal(list, &candidates, lenient); err != nil {
				return err
			}
		}
		for _, c := range candidates {
			switch {
			case c.Content != nil && (c.Content.Role != "model" || len(c.Content.Parts) == 0):
				return errors.New("a content without parts, or not of the model")
			case c.Content == nil && c.FinishReason == "":
				return errors.New("a candidate without anything")
			case over[c.Index]:
				return errors.New("a candidate goes on after its end")
			}
			over[c.Index] = c.FinishReason != ""
		}
	}
	return nil
}

// documented wants events to be ones that the API has.
func documented(stream []Event) error {
	for _, e := range stream {
		for name := range e {
			switch name {
			case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
			default:
				return fmt.Errorf("there is no event %s", name)
			}
		}
	}
	return nil
}

// complete wants lines to say whether they are the last, and to be of one endpoint.
func complete(stream []Event) error {
	for _, e := range stream {
		if e["done"] == nil || (e["message"] == nil) == (e["response"] == nil) {
			return errors.New("a line says not what it is")
		}
	}
	return nil
}
