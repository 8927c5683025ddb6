package control

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/app/project"
	"github.com/weir-gate/weir/internal/call"
)

// A client is not trusted for facts that only the judge can know: the ids of calls, and for which server a shim of a session asks.

// maxIssued is how many ids of calls are remembered at least.
const maxIssued = 8192

// issued are the ids of calls of shims, with their actors: the result of a call must come from the actor that made the call.
type issued struct {
	mu       sync.Mutex
	new, old map[call.ID]call.Actor
}

// add remembers an id.
func (i *issued) add(id call.ID, who call.Actor) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.new == nil || len(i.new) >= maxIssued {
		i.new, i.old = map[call.ID]call.Actor{}, i.new
	}
	i.new[id] = who
}

// has says whether an id belongs to an actor.
func (i *issued) has(id call.ID, who call.Actor) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	whose, ok := i.new[id]
	if !ok {
		whose, ok = i.old[id]
	}
	return ok && whose == who
}

// calledBy returns the call of a request for the judge, with the actor that asks and a new id. It is not ok if its arguments are
// not JSON.
func (q callRequest) calledBy(who call.Actor) (c call.Call, ok bool) {
	c = q.call()
	c.Actor, c.Surface, c.ID = who, call.MCP, call.NewID(time.Now())
	c.Folder = project.Folder(c.Folder)
	return c, isJSON(c.Args) && isJSON(c.MCP.Beside)
}

// isJSON says that a text is empty or JSON.
func isJSON(text jsontext.Value) bool {
	return len(text) == 0 || text.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// plain returns a shim's own refusal for the record: with a known code, and without a rule of any policy.
func plain(r call.Ruling) call.Ruling {
	if !slices.Contains(call.Codes(), r.Code) {
		r.Code = call.CodeMalformed
	}
	return call.Ruling{Code: r.Code, Reason: r.Reason}
}

// Peers says which processes may be shims at a socket.
type Peers struct {
	// Trust says whether a process may be a shim; nil: every process may.
	Trust func(pid int) bool

	mu      sync.Mutex
	entered map[int]string
}

// enter remembers that a process is the shim of a server.
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

// Server returns the MCP server for which a process is the shim; "": none.
func (p *Peers) Server(pid int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.entered[pid]
}

// peerKey is the context key of the process that asks.
type peerKey struct{}

// withPeer adds the process at the other end of a connection to a context; 0: it is not known.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, peerOf(c))
}

// speaksFor says whether the client may ask for a server. Without Peers, everybody may.
func (s *Server) speaksFor(w http.ResponseWriter, r *http.Request, server string) bool {
	if s.cfg.Peers == nil {
		return true
	}
	pid, _ := r.Context().Value(peerKey{}).(int)
	if s.cfg.Peers.Server(pid) == server && server != "" {
		return true
	}
	http.Error(w, "this process may not serve for this MCP server", http.StatusForbidden)
	return false
}

// largeRequest is the size from which a request is large; maxLarge is how many large requests are read at once.
const (
	largeRequest = 1 << 20
	maxLarge     = 4
)

// turn waits until a large request, which needs much memory, may be read. Its turn ends when done is called.
func (s *Server) turn(r *http.Request) (done func(), ok bool) {
	if r.ContentLength >= 0 && r.ContentLength < largeRequest {
		return func() {}, true
	}
	select {
	case s.large <- struct{}{}:
		return func() { <-s.large }, true
	case <-r.Context().Done():
		return nil, false
	}
}
