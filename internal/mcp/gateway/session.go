package gateway

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// A sessionKey identifies an MCP session. Servers of type http choose the ids of their MCP sessions themselves, so two servers may
// use the same id.
type sessionKey struct{ server, id string }

// A session is an MCP session of a client with a server, from the response to initialize until either ends it.
type session struct {
	key    sessionKey
	actor  call.Actor // its owner; nobody else may use it
	server *server
	// side is ended once, when the MCP session ends.
	side serverSide
	idle time.Duration // after which it ends if nobody uses it; 0: Bounds.Idle

	// Guarded by the table.
	users int // requests under way
	timer *time.Timer
	since time.Time // when it was last left
	ended bool
}

// A serverSide is the part of an MCP session that is about its server: remote, hosted, or a stand-in.
type serverSide interface {
	// end ends everything that the server side has open. It does not wait.
	end()
}

// A table holds the open MCP sessions.
type table struct {
	bounds Bounds

	mu       sync.Mutex
	sessions map[sessionKey]*session
	byActor  map[call.Actor]int // by account
	closed   bool
}

func newTable(b Bounds) *table {
	return &table{bounds: b, sessions: map[sessionKey]*session{}, byActor: map[call.Actor]int{}}
}

// A refusedSession is the reason for which an MCP session cannot be opened.
type refusedSession uint8

const (
	sessionOpened refusedSession = iota
	sessionTaken                 // another MCP session has that id
	tooManySessions
	gatewayClosed
)

// add adds an MCP session. The caller uses it until it calls leave. If there are too many, the one that was unused for the longest
// time ends.
func (t *table) add(s *session) refusedSession {
	t.mu.Lock()
	var evicted []*session
	defer func() {
		t.mu.Unlock()
		endSides(evicted)
	}()
	if t.closed {
		return gatewayClosed
	}
	if old := t.sessions[s.key]; old != nil {
		if old.actor != s.actor || old.users > 0 {
			return sessionTaken
		}
		evicted = t.drop(evicted, old)
	}
	if t.byActor[s.actor.Account()] >= t.bounds.ActorSessions {
		evicted = t.drop(evicted, t.stalest(func(o *session) bool { return o.actor.Account() == s.actor.Account() }))
	}
	if len(t.sessions) >= t.bounds.Sessions {
		evicted = t.drop(evicted, t.stalest(func(*session) bool { return true }))
	}
	if t.byActor[s.actor.Account()] >= t.bounds.ActorSessions || len(t.sessions) >= t.bounds.Sessions {
		return tooManySessions
	}
	t.sessions[s.key] = s
	t.byActor[s.actor.Account()]++
	s.users = 1
	return sessionOpened
}

// stalest returns the MCP session that was unused for the longest time, among those for which fits returns true; nil: none.
func (t *table) stalest(fits func(*session) bool) (found *session) {
	for _, s := range t.sessions {
		if s.users == 0 && fits(s) && (found == nil || s.since.Before(found.since)) {
			found = s
		}
	}
	return found
}

// enter returns an MCP session of an actor, to be used until leave is called. foreign says that the MCP session with that id
// belongs to another actor.
func (t *table) enter(key sessionKey, actor call.Actor) (s *session, foreign bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s = t.sessions[key]
	if s == nil {
		return nil, false
	}
	if s.actor != actor {
		return nil, true
	}
	s.users++
	if s.timer != nil {
		s.timer.Stop()
	}
	return s, false
}

// leave notes that a request no longer uses the MCP session. An MCP session that nobody uses ends after its idle time.
func (t *table) leave(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.users--
	if s.users > 0 || s.ended {
		return
	}
	s.since = time.Now()
	since := s.since
	s.timer = time.AfterFunc(cmp.Or(s.idle, t.bounds.Idle), func() { t.expire(s, since) })
}

// expire ends an MCP session that nobody has used since it was left.
func (t *table) expire(s *session, since time.Time) {
	t.mu.Lock()
	var ended []*session
	if s.users == 0 && s.since.Equal(since) {
		ended = t.drop(nil, s)
	}
	t.mu.Unlock()
	endSides(ended)
}

// end ends an MCP session, even if it is in use. It may be called again.
func (t *table) end(s *session) {
	t.mu.Lock()
	ended := t.drop(nil, s)
	t.mu.Unlock()
	endSides(ended)
}

// forget removes an MCP session, whose server side ends on its own, from the table. It may be called again.
func (t *table) forget(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(nil, s)
}

// endWhere ends the MCP sessions for which fits returns true.
func (t *table) endWhere(fits func(*session) bool) {
	t.mu.Lock()
	var ended []*session
	for _, s := range t.sessions {
		if fits(s) {
			ended = t.drop(ended, s)
		}
	}
	t.mu.Unlock()
	endSides(ended)
}

// close ends all MCP sessions. No more can be opened.
func (t *table) close() {
	t.mu.Lock()
	t.closed = true
	var ended []*session
	for _, s := range t.sessions {
		ended = t.drop(ended, s)
	}
	t.mu.Unlock()
	endSides(ended)
}

// drop removes an MCP session, if it is not nil, from the table, and appends it to those whose server sides are to be ended. The
// caller holds the lock.
func (t *table) drop(to []*session, s *session) []*session {
	if s == nil || s.ended {
		return to
	}
	s.ended = true
	if s.timer != nil {
		s.timer.Stop()
	}
	if t.sessions[s.key] == s {
		delete(t.sessions, s.key)
		if t.byActor[s.actor.Account()]--; t.byActor[s.actor.Account()] == 0 {
			delete(t.byActor, s.actor.Account())
		}
	}
	return append(to, s)
}

func endSides(sessions []*session) {
	for _, s := range sessions {
		s.side.end()
	}
}

// sessionOf enters the MCP session that the request names; nil: it names none. It fails if there is no such MCP session, or it
// belongs to another actor.
func (x *exchange) sessionOf() (*session, *failure) {
	if x.version == streamable.VersionStateless || x.R.Header[streamable.HeaderSession] == nil {
		return nil, nil
	}
	id, ok := single(x.R.Header, streamable.HeaderSession)
	if !ok {
		return nil, badRequest("the header Mcp-Session-Id is there twice")
	}
	s, foreign := x.gw.table.enter(sessionKey{x.server.ID, id}, x.Actor)
	if foreign {
		x.refused("A client named a session that is another's.")
	}
	if s == nil || s.server != x.server {
		if s != nil {
			x.gw.table.leave(s)
		}
		return nil, noSession()
	}
	return s, nil
}

// newSession returns an MCP session that is not open yet, and has no server side.
func (x *exchange) newSession(id string) *session {
	return &session{key: sessionKey{x.server.ID, id}, actor: x.Actor, server: x.server}
}

// openSession puts a new MCP session into the table, in use.
func (x *exchange) openSession(s *session) *failure {
	switch x.gw.table.add(s) {
	case sessionTaken:
		return fail(http.StatusBadGateway, jsonrpc.CodeInternal, "the server gave the session an id that another has")
	case tooManySessions:
		return fail(http.StatusServiceUnavailable, jsonrpc.CodeInternal, "too many sessions are open; end some, or try again later")
	case gatewayClosed:
		return fail(http.StatusServiceUnavailable, jsonrpc.CodeInternal, "weir is shutting down")
	}
	return nil
}

// needsSession is the failure of a request that names no MCP session and begins none.
func needsSession() *failure {
	return badRequest("the header Mcp-Session-Id is missing; begin a session with initialize")
}
