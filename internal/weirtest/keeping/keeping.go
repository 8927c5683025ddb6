// Package keeping is an upstream that speaks OpenAI Responses from a script and keeps responses, items and conversations, as
// strict as the real one about what the next request must say of them.
package keeping

import (
	"bytes"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// Config sets up a Provider.
type Config struct {
	// Turns are what the model says, one for each response that is asked for. Past the last one it says that again.
	Turns []Turn
	// Usage is what every response reports.
	Usage Usage
}

// Usage is a number of tokens.
type Usage struct{ Input, Output int }

// A Provider answers requests. Its Answer is for scripted.Config, or for whoever routes requests to several.
type Provider struct {
	cfg Config

	mu            sync.Mutex
	taken         int // turns that were said
	responses     map[string]*response
	conversations map[string]*conversation
	items         map[string]*item // all that ever had an id, kept or not
	calls         map[string]*item // all calls that the model ever made, by call id
}

// New returns a Provider that has said nothing yet.
func New(cfg Config) *Provider {
	return &Provider{
		cfg: cfg, responses: map[string]*response{}, conversations: map[string]*conversation{},
		items: map[string]*item{}, calls: map[string]*item{},
	}
}

// Answer answers one request. It may be called from many goroutines.
func (p *Provider) Answer(r scripted.Request) scripted.Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer, err := p.route(r)
	if err != nil {
		return err.answer()
	}
	return answer
}

// invented are beginnings of ids that only weir gives out. No API knows them.
var invented = [][]byte{[]byte(`"msg_weir_`), []byte(`"resp_weir_`)}

func (p *Provider) route(r scripted.Request) (scripted.Answer, *Fault) {
	for _, id := range invented {
		if bytes.Contains(r.Body, id) || bytes.Contains([]byte(r.Path), id[1:]) {
			return scripted.Answer{}, badRequest("input", "Invalid id: it begins with '"+string(id[1:])+"'.")
		}
	}
	path, ok := strings.CutPrefix(r.Path, "/v1/")
	if !ok {
		return scripted.Answer{}, notFound("Invalid URL (" + r.Method + " " + r.Path + ")")
	}
	parts := strings.Split(path, "/")
	switch {
	case parts[0] == "responses":
		return p.routeResponse(r, parts[1:])
	case parts[0] == "conversations":
		return p.routeConversation(r, parts[1:])
	}
	return scripted.Answer{}, notFound("Invalid URL (" + r.Method + " " + r.Path + ")")
}

func (p *Provider) routeResponse(r scripted.Request, parts []string) (scripted.Answer, *Fault) {
	if len(parts) == 0 && r.Method == http.MethodPost {
		return p.ask(r)
	}
	if len(parts) == 0 || len(parts) > 2 {
		return scripted.Answer{}, notFound("Invalid URL (" + r.Method + " " + r.Path + ")")
	}
	kept := p.responses[parts[0]]
	if kept == nil {
		return scripted.Answer{}, notFound("Response with id '" + parts[0] + "' not found.")
	}
	switch strings.Join(append([]string{r.Method}, parts[1:]...), " ") {
	case "GET":
		return kept.read(r.RawQuery)
	case "DELETE":
		return p.forget(kept), nil
	case "GET input_items":
		return list(append(kept.context(), kept.input...), r.RawQuery), nil
	case "POST cancel":
		return kept.cancel()
	}
	return scripted.Answer{}, notFound("Invalid URL (" + r.Method + " " + r.Path + ")")
}

// newID makes an id that nothing else has: what is kept of one provider must not be taken for another's.
func newID(prefix string) string { return prefix + "_" + strings.ToLower(rand.Text()) }
