package keeping

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A request is what a client asks of the model.
type request struct {
	Model        string           `json:"model"`
	Stream       bool             `json:"stream"`
	Background   bool             `json:"background"`
	Store        *bool            `json:"store"`
	Previous     string           `json:"previous_response_id"`
	Conversation jsontext.Value   `json:"conversation"`
	Input        jsontext.Value   `json:"input"`
	Tools        []jsontext.Value `json:"tools"`
}

func (r request) stored() bool { return r.Store == nil || *r.Store }

// ask has the model say its next turn, if the request is in order.
func (p *Provider) ask(r scripted.Request) (scripted.Answer, *Fault) {
	var req request
	if err := json.Unmarshal(r.Body, &req); err != nil {
		return scripted.Answer{}, badRequest("", "We could not parse the JSON body of your request: "+err.Error())
	}
	next := &response{request: req, usage: p.cfg.Usage}
	if fault := p.link(next); fault != nil {
		return scripted.Answer{}, fault
	}
	list, fault := inputItems(req.Input)
	if fault != nil {
		return scripted.Answer{}, fault
	}
	if next.input, fault = p.check(next.context(), list); fault != nil {
		return scripted.Answer{}, fault
	}
	if req.Background && !req.stored() {
		return scripted.Answer{}, badRequest("background", "Background mode requires 'store' to be true.")
	}
	next.id = newID("resp")
	next.turn = p.cfg.Turns[min(p.taken, len(p.cfg.Turns)-1)]
	p.taken++
	if next.turn.Fault != nil {
		return scripted.Answer{}, next.turn.Fault
	}
	next.output = p.issue(next.turn.Output, req.stored())
	p.keep(next)
	return next.send(), nil
}

// link finds what the response goes on from.
func (p *Provider) link(next *response) *Fault {
	id, fault := conversationID(next.request.Conversation)
	if fault != nil {
		return fault
	}
	previous := next.request.Previous
	switch {
	case id != "" && previous != "":
		return badRequest("conversation", "Mutually exclusive parameters: 'previous_response_id' and 'conversation'.")
	case id != "":
		if next.talk = p.conversations[id]; next.talk == nil {
			return notFound("Conversation with id '" + id + "' not found.")
		}
		next.earlier = next.talk.items
	case previous != "":
		if next.previous = p.responses[previous]; next.previous == nil {
			return &Fault{
				Status: http.StatusBadRequest, Message: "Previous response with id '" + previous + "' not found.",
				Param: "previous_response_id", Code: "previous_response_not_found",
			}
		}
	}
	return nil
}

func conversationID(v jsontext.Value) (string, *Fault) {
	var n named
	switch v.Kind() {
	case '"':
		if err := json.Unmarshal(v, &n.ID); err != nil {
			return "", badRequest("conversation", "Invalid 'conversation'.")
		}
	case '{':
		if err := json.Unmarshal(v, &n); err != nil {
			return "", badRequest("conversation", "Invalid 'conversation'.")
		}
	}
	return n.ID, nil
}

// inputItems are the items of a request; a text is one from the user.
func inputItems(v jsontext.Value) ([]jsontext.Value, *Fault) {
	switch v.Kind() {
	case '"':
		message := `{"type":"message","role":"user","content":[{"type":"input_text","text":` + string(v) + `}]}`
		return []jsontext.Value{jsontext.Value(message)}, nil
	case '[':
		var list []jsontext.Value
		if err := json.Unmarshal(v, &list); err == nil {
			return list, nil
		}
	}
	return nil, badRequest("input", "Invalid type for 'input': expected a string or an array.")
}

// issue makes the items of an output known.
func (p *Provider) issue(output []Item, kept bool) []*item {
	list := make([]*item, len(output))
	for i, o := range output {
		list[i] = mustRead(jsontext.Value(o.whole()))
		list[i].said = true
		list[i].kept = kept
		if i > 0 {
			list[i-1].next, list[i].prior = list[i], list[i-1]
		}
		p.items[list[i].ID] = list[i]
		if id := list[i].call(); id != "" {
			p.calls[id] = list[i]
		}
	}
	return list
}

// keep stores the response and adds it to its conversation, unless it came to nothing.
func (p *Provider) keep(r *response) {
	if r.request.stored() {
		p.responses[r.id] = r
	}
	for _, it := range r.input {
		p.name(it)
		it.kept = it.kept || r.request.stored()
	}
	if r.talk != nil && r.end() != "failed" {
		r.talk.items = append(append(r.talk.items[:len(r.talk.items):len(r.talk.items)], r.input...), r.output...)
	}
}

// name gives an item of a client's an id, as all have that are stored. Messages are stored in parts, however they came.
func (p *Provider) name(it *item) {
	if it.ID != "" {
		return
	}
	if it.Type != "message" {
		it.ID = newID("out")
		it.raw = jsontext.Value(`{"id":` + quote(it.ID) + "," + strings.TrimPrefix(string(it.raw), "{"))
		p.items[it.ID] = it
		return
	}
	it.ID = newID("msg")
	part := `{"type":"input_text","text":` + quote(it.text()) + `}`
	if it.Role == "assistant" {
		part = `{"type":"output_text","annotations":[],"logprobs":[],"text":` + quote(it.text()) + `}`
	}
	it.raw = jsontext.Value(`{"id":` + quote(it.ID) + `,"type":"message","status":"completed","content":[` + part +
		`],"role":` + quote(it.Role) + `}`)
	p.items[it.ID] = it
}

// forget deletes a response.
func (p *Provider) forget(r *response) scripted.Answer {
	delete(p.responses, r.id)
	return body(http.StatusOK, struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Deleted bool   `json:"deleted"`
	}{r.id, "response", true})
}
