package control

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// Who asks is not believed in what only the judge can know: ids of calls, and of a session's shims, whose server they speak for.

// maxIssued is how many ids of calls are remembered for sure.
const maxIssued = 8192

// issued are the ids that calls of shims were given, and whose they are: what answers a call must come from who made it.
type issued struct {
	mu       sync.Mutex
	new, old map[call.ID]call.Actor
}

// add takes note of an id.
func (i *issued) add(id call.ID, who call.Actor) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.new == nil || len(i.new) >= maxIssued {
		i.new, i.old = map[call.ID]call.Actor{}, i.new
	}
	i.new[id] = who
}

// has says whether an id was given to somebody.
func (i *issued) has(id call.ID, who call.Actor) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	whose, ok := i.new[id]
	if !ok {
		whose, ok = i.old[id]
	}
	return ok && whose == who
}

// calledBy is what a shim wants to have ruled, as the judge may see it: in the name of who asks, under an id of our own. It is not ok
// if its arguments are no JSON.
func (q callQuestion) calledBy(who call.Actor) (c call.Call, ok bool) {
	c = q.call()
	c.Actor, c.Surface, c.ID = who, call.MCP, call.NewID(time.Now())
	return c, isJSON(c.Args) && isJSON(c.MCP.Beside)
}

// isJSON says that a text is none, or JSON.
func isJSON(text jsontext.Value) bool {
	return len(text) == 0 || text.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// plain is a refusal of a shim's own as it may stand in the record: with a code that there is, and no rule of any policy.
func plain(r call.Ruling) call.Ruling {
	if !slices.Contains(call.Codes(), r.Code) {
		r.Code = call.CodeMalformed
	}
	return call.Ruling{Code: r.Code, Reason: r.Reason}
}

// Peers says who may stand in for MCP servers at a socket, by their processes.
type Peers struct {
	// Trust says whether a process may; nil: every one may.
	Trust func(pid int) bool

	mu      sync.Mutex
	entered map[int]string
}

// enter takes note that a process stands in for a server.
func (p *Peers) enter(pid int, server string) (trusted bool) {
	if p.Trust != nil && !p.Trust(pid) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entered == nil {
		p.entered = map[int]string{}
	}
	p.entered[pid] = server
	return true
}

// Server is the MCP server that a process stands in for; "": none.
func (p *Peers) Server(pid int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.entered[pid]
}

// peerKey is where the context of a request has the process that asks.
type peerKey struct{}

// withPeer has a context say which process is at the other end of a connection; 0: that is not known.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, peerOf(c))
}

// speaksFor says whether who asks may speak for a server. Where peers are not looked at, everybody may.
func (s *Server) speaksFor(w http.ResponseWriter, r *http.Request, server string) bool {
	if s.cfg.Peers == nil {
		return true
	}
	pid, _ := r.Context().Value(peerKey{}).(int)
	if s.cfg.Peers.Server(pid) == server && server != "" {
		return true
	}
	http.Error(w, "who asks does not stand in for this server", http.StatusForbidden)
	return false
}

// largeQuestion is the size of a question of which few are read at once, and maxLarge how many.
const (
	largeQuestion = 1 << 20
	maxLarge      = 4
)

// turn waits for the turn of a large question, which takes memory. It is over when done is called.
func (s *Server) turn(r *http.Request) (done func(), ok bool) {
	if r.ContentLength >= 0 && r.ContentLength < largeQuestion {
		return func() {}, true
	}
	select {
	case s.large <- struct{}{}:
		return func() { <-s.large }, true
	case <-r.Context().Done():
		return nil, false
	}
}
