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
)

// maxStandInWaits is how many requests of one client may wait for a stand-in of one server.
const maxStandInWaits = 64

// A standIn is the server side of an MCP session of weir's own, behind the requests of one client that has none. It serves one POST
// at a time: so ids of requests never meet, whatever ids the client uses. It belongs to one client, and ends soon after its last use.
type standIn struct {
	*hosted
	greeted    string // the version that the server was greeted in
	credential string // of the client, where the server is shown it
	forget     func() // takes it out of its pool
}

func (s *standIn) end() {
	s.hosted.end()
	s.forget()
}

// usable says that a request can be sent to the server: it is there, or can be connected with, and owes no response.
func (s *standIn) usable() bool {
	c := s.current()
	if c == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.gone && len(c.pending) == 0
}

// A standInKey says whose stand-ins some are, and of which server.
type standInKey struct {
	server *server
	actor  call.Actor
}

// standIns are all that there are. The MCP sessions themselves are in the table, with all others, and end there when nobody uses them.
type standIns struct {
	mu  sync.Mutex
	all map[standInKey]*standInPool
}

// A standInPool has the stand-ins of one client with one server.
type standInPool struct {
	slots chan struct{} // as many as there may be in use
	users int           // requests that use one, or wait for one
	idle  []*session    // the one that was used last comes last
}

var errTooManyWait = errors.New("too many requests without a session are under way; wait for some, or begin a session with initialize")

// enter has a request use the pool until leave is called. It waits while all stand-ins are in use.
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

// tidy forgets a pool that nobody needs. The caller has the lock.
func (in *standIns) tidy(key standInKey, p *standInPool) {
	if p.users == 0 && len(p.idle) == 0 && in.all[key] == p {
		delete(in.all, key)
	}
}

// take returns a stand-in that nobody uses, the one used last first; nil: none fits. If there are as many as there may be, but none
// fits, the one that was not used for the longest time is to be ended.
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

// putBack has a stand-in wait for the next request.
func (in *standIns) putBack(p *standInPool, s *session) {
	in.mu.Lock()
	defer in.mu.Unlock()
	p.idle = append(p.idle, s)
}

// forget takes a stand-in that has ended out of its pool.
func (in *standIns) forget(key standInKey, s *session) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if p := in.all[key]; p != nil {
		p.idle = slices.DeleteFunc(p.idle, func(o *session) bool { return o == s })
		in.tidy(key, p)
	}
}

// postAlone responds to a POST of a client that has no MCP session with a server that needs one.
func (x *exchange) postAlone(p post) {
	if p.requests == 0 {
		// An MCP session that begins and ends here has no use for what is not a request.
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

// standIn returns a stand-in of the client, entered: one that it has, or a new one.
func (x *exchange) standIn(key standInKey, pool *standInPool) (*session, *failure) {
	version, credential := cmp.Or(x.version, versionBatches), ""
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
	// No server has this id, so that no client can name the MCP session.
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
