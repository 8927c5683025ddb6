package gateway

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// maxStandInWaits is how many requests of one client may wait for a stand-in of one server.
const maxStandInWaits = 64

// A standIn is the server side of weir's own MCP session, for the requests of one client that has no MCP session. It serves one
// POST at a time, so that ids of requests never collide, whatever ids the client uses. It belongs to one client, and ends soon
// after its last use.
type standIn struct {
	*hosted
	greeted    string // the protocol version that weir has agreed on with the server
	credential string // of the client, if the server gets it
	forget     func() // removes it from its pool
}

func (s *standIn) end() {
	s.hosted.end()
	s.forget()
}

// usable says whether a request can be sent to the server: it is connected or can be, and no response is missing.
func (s *standIn) usable() bool {
	c := s.current()
	return c == nil || c.waiting.isIdle()
}

// A standInKey is the client and the server of stand-ins.
type standInKey struct {
	server *server
	actor  call.Actor
}

// standIns holds all stand-ins. Their MCP sessions are in the table, like all others, which ends them when nobody uses them.
type standIns struct {
	mu  sync.Mutex
	all map[standInKey]*standInPool
}

// A standInPool holds the stand-ins of one client with one server.
type standInPool struct {
	slots chan struct{} // one for each stand-in in use; its capacity is the limit
	users int           // requests that use or wait for a stand-in
	idle  []*session    // the most recently used last
}

var errTooManyWait = errors.New("too many requests without a session are under way; wait for some, or begin a session with initialize")

// enterPool lets a request use the pool until leavePool is called. It waits while all stand-ins are in use.
func (g *Gateway) enterPool(ctx context.Context, key standInKey) (*standInPool, error) {
	in := &g.standIns
	in.mu.Lock()
	if in.all == nil {
		in.all = map[standInKey]*standInPool{}
	}
	p := in.all[key]
	if p == nil {
		p = &standInPool{slots: make(chan struct{}, g.cfg.Bounds.StandIns)}
		in.all[key] = p
	}
	if p.users >= g.cfg.Bounds.StandIns+maxStandInWaits {
		in.mu.Unlock()
		return nil, errTooManyWait
	}
	p.users++
	in.mu.Unlock()
	late := time.NewTimer(key.server.Timeout)
	defer late.Stop()
	err := errTooManyWait
	select {
	case p.slots <- struct{}{}:
		return p, nil
	case <-ctx.Done():
		err = errClientGone
	case <-late.C:
	}
	in.left(key, p)
	return nil, err
}

// leavePool ends the use of a pool.
func (g *Gateway) leavePool(key standInKey, p *standInPool) {
	<-p.slots
	g.standIns.left(key, p)
}

func (in *standIns) left(key standInKey, p *standInPool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	p.users--
	in.tidy(key, p)
}

// tidy removes a pool that nobody needs. The caller holds the lock.
func (in *standIns) tidy(key standInKey, p *standInPool) {
	if p.users == 0 && len(p.idle) == 0 && in.all[key] == p {
		delete(in.all, key)
	}
}

// take returns the most recently used idle stand-in that fits; nil: none fits. If none fits and the limit is reached, it also
// returns the stand-in that was unused for the longest time, which is to be ended.
func (in *standIns) take(p *standInPool, fits func(*standIn) bool) (found, tooMany *session) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for i, s := range slices.Backward(p.idle) {
		if fits(s.side.(*standIn)) {
			p.idle = slices.Delete(p.idle, i, i+1)
			return s, nil
		}
	}
	if len(p.slots)-1+len(p.idle) >= cap(p.slots) && len(p.idle) > 0 {
		tooMany = p.idle[0]
		p.idle = slices.Delete(p.idle, 0, 1)
	}
	return nil, tooMany
}

// putBack puts a stand-in back for the next request.
func (in *standIns) putBack(p *standInPool, s *session) {
	in.mu.Lock()
	defer in.mu.Unlock()
	p.idle = append(p.idle, s)
}

// forget removes a stand-in that has ended from its pool.
func (in *standIns) forget(key standInKey, s *session) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if p := in.all[key]; p != nil {
		p.idle = slices.DeleteFunc(p.idle, func(o *session) bool { return o == s })
		in.tidy(key, p)
	}
}

// postAlone responds to a POST of a client without an MCP session, for a server that needs one.
func (x *exchange) postAlone(p post) {
	if p.requests == 0 {
		// Notifications and responses have no meaning without an MCP session of the client.
		x.respond(piece{status: http.StatusAccepted})
		return
	}
	if f := x.checkBatch(p, ""); f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	key := standInKey{x.server, x.Actor}
	pool, err := x.gw.enterPool(x.R.Context(), key)
	if err != nil {
		x.fail(fail(http.StatusServiceUnavailable, jsonrpc.CodeInternal, err.Error()).about(p.messages[0]))
		return
	}
	defer x.gw.leavePool(key, pool)
	s, f := x.standIn(key, pool)
	if f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	in := s.side.(*standIn)
	defer func() {
		if in.usable() {
			x.gw.standIns.putBack(pool, s)
			x.gw.table.leave(s)
			return
		}
		x.gw.table.end(s)
		x.gw.table.leave(s)
	}()
	x.pass(in.hosted, p)
}

// standIn returns a stand-in of the client, in use: an existing or a new one.
func (x *exchange) standIn(key standInKey, pool *standInPool) (*session, *failure) {
	version, credential := cmp.Or(x.version, streamable.VersionBatches), ""
	if x.server.Type == typeSSE {
		credential = x.credential()
	}
	for {
		found, tooMany := x.gw.standIns.take(pool, func(s *standIn) bool { return s.greeted == version && s.credential == credential })
		if tooMany != nil {
			x.gw.table.end(tooMany)
		}
		if found == nil {
			return x.newStandIn(key, version, credential)
		}
		if s, _ := x.gw.table.enter(found.key, x.Actor); s != nil {
			if s.side.(*standIn).usable() {
				return s, nil
			}
			x.gw.table.end(s)
			x.gw.table.leave(s)
		}
	}
}

func (x *exchange) newStandIn(key standInKey, version, credential string) (*session, *failure) {
	// No server has an empty id, so no client can name this MCP session.
	s := &session{key: sessionKey{"", rand.Text()}, actor: x.Actor, server: x.server, idle: x.gw.cfg.Bounds.StandInIdle}
	in := &standIn{greeted: version, credential: credential, forget: func() { x.gw.standIns.forget(key, s) }}
	if x.server.Type == typeSSE {
		in.hosted = &hosted{gw: x.gw, version: version, mailbox: x.gw.newMailbox(x.Actor)}
		s.side = in
		return s, x.openSession(s)
	}
	in.hosted = x.newProcess(s)
	s.side = in
	c := in.conn
	c.greet = x.gw.greet(version)
	c.respond = offerNothing
	c.onEnd = func() {
		in.mailbox.close()
		in.forget()
	}
	if f := x.openProcess(s, c); f != nil {
		return nil, f
	}
	return s, nil
}
