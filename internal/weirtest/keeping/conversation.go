package keeping

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A conversation is items that responses are added to.
type conversation struct {
	id    string
	items []*item
}

func (p *Provider) routeConversation(r scripted.Request, parts []string) (scripted.Answer, *Fault) {
	if len(parts) == 0 && r.Method == http.MethodPost {
		return p.converse(r)
	}
	unknown := notFound("Invalid URL (" + r.Method + " " + r.Path + ")")
	if len(parts) < 1 || len(parts) > 3 || len(parts) > 1 && parts[1] != "items" {
		return scripted.Answer{}, unknown
	}
	c := p.conversations[parts[0]]
	if c == nil {
		return scripted.Answer{}, notFound("Conversation with id '" + parts[0] + "' not found.")
	}
	switch {
	case r.Method == http.MethodGet && len(parts) == 1:
		return c.show(), nil
	case r.Method == http.MethodGet && len(parts) == 2:
		return list(c.items, r.RawQuery), nil
	case r.Method == http.MethodPost && len(parts) == 2:
		added, fault := p.add(c, r.Body)
		return list(added, "order=asc"), fault
	case r.Method == http.MethodGet:
		for _, it := range c.items {
			if it.ID == parts[2] {
				return body(http.StatusOK, it.raw), nil
			}
		}
		return scripted.Answer{}, notFound("Item with id '" + parts[2] + "' not found in conversation '" + c.id + "'.")
	}
	return scripted.Answer{}, unknown
}

// converse opens a conversation.
func (p *Provider) converse(r scripted.Request) (scripted.Answer, *Fault) {
	c := &conversation{id: newID("conv")}
	if len(r.Body) > 0 {
		if _, fault := p.add(c, r.Body); fault != nil {
			return scripted.Answer{}, fault
		}
	}
	p.conversations[c.id] = c
	return c.show(), nil
}

func (c *conversation) show() scripted.Answer {
	return body(http.StatusOK, struct {
		ID        string   `json:"id"`
		Object    string   `json:"object"`
		CreatedAt int64    `json:"created_at"`
		Metadata  struct{} `json:"metadata"`
	}{c.id, "conversation", createdAt, struct{}{}})
}

// add puts a client's items into a conversation. Calls may be left open there until the next response.
func (p *Provider) add(c *conversation, data []byte) ([]*item, *Fault) {
	var sent struct {
		Items []jsontext.Value `json:"items"`
	}
	if err := json.Unmarshal(data, &sent); err != nil {
		return nil, badRequest("items", "Invalid 'items'.")
	}
	h := history{provider: p, there: map[string]bool{}, open: map[string]*item{}, answered: map[string]bool{}}
	for _, it := range c.items {
		h.there[it.ID] = true
		h.follow(it)
	}
	var added []*item
	for _, raw := range sent.Items {
		it, fault := h.next(raw)
		if fault != nil {
			return nil, fault
		}
		p.name(it)
		it.kept = true
		added = append(added, it)
	}
	c.items = append(c.items[:len(c.items):len(c.items)], added...)
	return added, nil
}

// list is an answer of items, the last first unless asked otherwise.
func list(items []*item, query string) scripted.Answer {
	items = slices.Clone(items)
	q, err := url.ParseQuery(query)
	if err != nil || !strings.EqualFold(q.Get("order"), "asc") {
		slices.Reverse(items)
	}
	data := []jsontext.Value{}
	for _, it := range items {
		data = append(data, it.raw)
	}
	first, last := "", ""
	if len(items) > 0 {
		first, last = items[0].ID, items[len(items)-1].ID
	}
	return body(http.StatusOK, struct {
		Object  string           `json:"object"`
		Data    []jsontext.Value `json:"data"`
		FirstID *string          `json:"first_id"`
		LastID  *string          `json:"last_id"`
		HasMore bool             `json:"has_more"`
	}{"list", data, orNull(first), orNull(last), false})
}
