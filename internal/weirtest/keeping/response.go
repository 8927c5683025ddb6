package keeping

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A response is one that was asked for.
type response struct {
	id       string
	request  request
	turn     Turn
	usage    Usage
	previous *response
	talk     *conversation // that it belongs to; nil: none
	earlier  []*item       // what the conversation held before
	input    []*item
	output   []*item
	polled   int
	canceled bool
}

// object is a response as the API shows it.
type object struct {
	ID                 string           `json:"id"`
	Object             string           `json:"object"`
	CreatedAt          int64            `json:"created_at"`
	Status             string           `json:"status"`
	Background         bool             `json:"background"`
	Error              *failure         `json:"error"`
	IncompleteDetails  *incomplete      `json:"incomplete_details"`
	Instructions       *string          `json:"instructions"`
	MaxOutputTokens    *int             `json:"max_output_tokens"`
	Model              string           `json:"model"`
	Output             []jsontext.Value `json:"output"`
	ParallelToolCalls  bool             `json:"parallel_tool_calls"`
	PreviousResponseID *string          `json:"previous_response_id"`
	Conversation       *named           `json:"conversation,omitzero"`
	Reasoning          jsontext.Value   `json:"reasoning"`
	Store              bool             `json:"store"`
	Temperature        int              `json:"temperature"`
	Text               jsontext.Value   `json:"text"`
	ToolChoice         string           `json:"tool_choice"`
	Tools              []jsontext.Value `json:"tools"`
	TopP               int              `json:"top_p"`
	Truncation         string           `json:"truncation"`
	Usage              jsontext.Value   `json:"usage"`
	Metadata           struct{}         `json:"metadata"`
}

type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type incomplete struct {
	Reason string `json:"reason"`
}

type named struct {
	ID string `json:"id"`
}

// createdAt is when everything was made.
const createdAt = 1762300000

// end is the status that the response ends with.
func (r *response) end() string {
	if r.turn.Status == "" {
		return "completed"
	}
	return r.turn.Status
}

// show is the response in one of its states.
func (r *response) show(status string, output []jsontext.Value) object {
	o := object{
		ID: r.id, Object: "response", CreatedAt: createdAt, Status: status, Background: r.request.Background, Model: r.request.Model,
		Output: output, ParallelToolCalls: true, PreviousResponseID: orNull(r.request.Previous), Store: r.request.stored(),
		Reasoning: jsontext.Value(`{"effort":"medium","summary":null}`), Temperature: 1, Text: jsontext.Value(`{"format":{"type":"text"}}`),
		ToolChoice: "auto", Tools: r.request.Tools, TopP: 1, Truncation: "disabled", Usage: jsontext.Value("null"),
	}
	if r.talk != nil {
		o.Conversation = &named{r.talk.id}
	}
	if status == "queued" || status == "in_progress" || status == "cancelled" {
		return o
	}
	o.Usage = jsontext.Value(fmt.Sprintf(
		`{"input_tokens":%d,"input_tokens_details":{"cached_tokens":0},"output_tokens":%d,`+
			`"output_tokens_details":{"reasoning_tokens":0},"total_tokens":%d}`,
		r.usage.Input, r.usage.Output, r.usage.Input+r.usage.Output,
	))
	switch status {
	case "failed":
		o.Error = &failure{"server_error", "The model produced an error."}
	case "incomplete":
		o.IncompleteDetails = &incomplete{"max_output_tokens"}
	}
	return o
}

// done is the output as it is in the end.
func (r *response) done() []jsontext.Value {
	list := []jsontext.Value{}
	for _, it := range r.turn.Output {
		list = append(list, jsontext.Value(it.whole()))
	}
	return list
}

// underWay is the output when the last item is not done yet.
func (r *response) underWay() []jsontext.Value {
	list := r.done()
	if last := len(list) - 1; last >= 0 {
		list[last] = jsontext.Value(r.turn.Output[last].partly())
	}
	return list
}

// events are those of the whole response, in order.
func (r *response) events() []Event {
	var list []Event
	add := func(typ string, index int, members string) {
		data := fmt.Sprintf(`{"type":%q,"sequence_number":%d,%s}`, typ, len(list), members)
		list = append(list, Event{Type: typ, Index: index, Data: data})
	}
	shown := func(status string, output []jsontext.Value) string {
		return `"response":` + marshal(r.show(status, output))
	}
	none := []jsontext.Value{}
	if r.request.Background {
		add("response.created", -1, shown("queued", none))
		add("response.queued", -1, shown("queued", none))
	} else {
		add("response.created", -1, shown("in_progress", none))
	}
	add("response.in_progress", -1, shown("in_progress", none))
	for i, it := range r.turn.Output {
		index := fmt.Sprintf(`"output_index":%d`, i)
		add("response.output_item.added", i, index+`,"item":`+it.json("in_progress", it.Added))
		for _, s := range it.Steps {
			members := `"item_id":` + quote(it.ID) + "," + index
			if s.Members != "" {
				members += "," + s.Members
			}
			add(s.Event, i, members)
		}
		add("response.output_item.done", i, index+`,"item":`+it.whole())
	}
	add("response."+r.end(), -1, shown(r.end(), r.done()))
	return list
}

// Play is a response that nobody stores, with these items.
func Play(id string, usage Usage, items ...Item) Form {
	stored := false
	r := &response{id: id, usage: usage, turn: Turn{Output: items}, request: request{Model: "scripted", Store: &stored}}
	return Form{Events: r.events(), Body: marshal(r.show(r.end(), r.done()))}
}

// send answers the request that asked for the response.
func (r *response) send() scripted.Answer {
	form := Form{Streamed: r.request.Stream, Events: r.events(), Body: marshal(r.show(r.end(), r.done()))}
	if r.turn.Stream != nil {
		form.Events = r.turn.Stream(form.Events)
	}
	switch {
	case r.turn.Send != nil:
		return r.turn.Send(form)
	case r.request.Stream:
		return stream(form.Events)
	case r.request.Background:
		return body(http.StatusOK, r.show("queued", []jsontext.Value{}))
	}
	return body(http.StatusOK, jsontext.Value(form.Body))
}

// read answers a request for what is kept.
func (r *response) read(query string) (scripted.Answer, *Fault) {
	q, err := url.ParseQuery(query)
	if err != nil {
		return scripted.Answer{}, badRequest("stream", "Invalid query.")
	}
	if q.Get("stream") != "true" {
		return r.poll(), nil
	}
	after := -1
	if text := q.Get("starting_after"); text != "" {
		if after, err = strconv.Atoi(text); err != nil {
			return scripted.Answer{}, badRequest("starting_after", "Invalid 'starting_after'.")
		}
	}
	events := r.events()
	return stream(events[min(after+1, len(events)):]), nil
}

// poll shows the response, which is one state further each time.
func (r *response) poll() scripted.Answer {
	switch {
	case r.canceled:
		return body(http.StatusOK, r.show("cancelled", r.underWay()))
	case r.request.Background && r.polled < r.turn.Polls:
		r.polled++
		return body(http.StatusOK, r.show("in_progress", r.underWay()))
	}
	return body(http.StatusOK, r.show(r.end(), r.done()))
}

func (r *response) cancel() (scripted.Answer, *Fault) {
	if !r.request.Background {
		return scripted.Answer{}, badRequest("", "Cannot cancel a synchronous response.")
	}
	r.canceled = r.canceled || r.polled < r.turn.Polls
	return r.poll(), nil
}

// context is all that came before the response's own input.
func (r *response) context() []*item {
	if r.previous == nil {
		return slices.Clone(r.earlier)
	}
	return slices.Concat(r.previous.context(), r.previous.input, r.previous.output)
}

// stream is an answer of events.
func stream(events []Event) scripted.Answer {
	a := scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}}
	for _, e := range events {
		a.Steps = append(a.Steps, scripted.Write([]byte(e.SSE())))
	}
	return a
}

func marshal(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // what is marshalled here was read from JSON or is written in this package
	}
	return string(data)
}
