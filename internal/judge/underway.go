package judge

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// underway are the released calls of sessions that have no result yet. What happens in a session meanwhile is most likely caused by
// them. The zero value is empty and safe for concurrent use.
type underway struct {
	mu       sync.Mutex
	sessions map[string]*activity // of weir run, which says when they end
	// own are the sessions that clients named and whose models were heard lately. Their calls are not remembered: connections are
	// known of sessions of weir run only.
	own recent[struct{}]
}

// activity is what is known of one session.
type activity struct {
	heard bool // its model was heard through weir
	calls []underwayCall
}

// An underwayCall is one that the agent is making.
type underwayCall struct {
	id     call.ID
	server string // folded; "": a tool of the agent's own
	text   string // its arguments, in which hosts and commands are looked for
	time   time.Time
}

// The bounds of what is remembered.
const (
	maxUnderway     = 256       // calls of one session
	maxUnderwayText = 64 << 10  // bytes of the arguments of one
	underwayFor     = time.Hour // an agent may have to ask its user first
)

// of is what is known of a session. It is locked.
func (u *underway) of(session string) *activity {
	if u.sessions == nil {
		u.sessions = map[string]*activity{}
	}
	a := u.sessions[session]
	if a == nil {
		a = &activity{}
		u.sessions[session] = a
	}
	return a
}

// hear notes that weir sees what the model of a session says. A session that nobody named may be several.
func (u *underway) hear(a call.Actor) {
	switch {
	case a.Session == "" || a.SessionDerived:
		return
	case a.OwnSession():
		u.own.update(a.Session, func(struct{}) struct{} { return struct{}{} })
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.of(a.Session).heard = true
}

// heard says whether weir sees what the model of a session says: only then does it know what the model asked for.
func (u *underway) heard(a call.Actor) bool {
	switch {
	case a.Session == "" || a.SessionDerived:
		return false
	case a.OwnSession():
		return u.own.has(a.Session)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.of(a.Session).heard
}

// begin takes note of a released call.
func (u *underway) begin(c call.Call) {
	if c.Actor.Session == "" || c.Actor.OwnSession() || c.Surface != call.Response || c.Ran {
		return
	}
	server := c.Server
	if k, ok := onlyKnown(c); ok {
		server = k.Server
	} else if s, _, certain := toolname.Divide(c.Tool); server == "" && certain {
		server = s
	}
	text := string(c.Args[:min(len(c.Args), maxUnderwayText)])
	u.mu.Lock()
	defer u.mu.Unlock()
	a := u.of(c.Actor.Session)
	a.calls = append(a.calls[max(0, len(a.calls)+1-maxUnderway):len(a.calls):len(a.calls)], underwayCall{
		id: c.ID, server: toolname.Fold(server), text: strings.ToLower(text), time: time.Now(),
	})
}

// end takes note that a call was answered.
func (u *underway) end(a call.Actor, id call.ID) {
	if a.Session == "" || a.OwnSession() {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	s := u.of(a.Session)
	s.calls = slices.DeleteFunc(s.calls, func(c underwayCall) bool { return c.id == id })
}

// now are the calls of a session that are being made.
func (u *underway) now(session string) []underwayCall {
	u.mu.Lock()
	defer u.mu.Unlock()
	a, since := u.of(session), time.Now().Add(-underwayFor)
	a.calls = slices.DeleteFunc(a.calls, func(c underwayCall) bool { return c.time.Before(since) })
	return slices.Clone(a.calls)
}

// forget lets go of a session that has ended.
func (u *underway) forget(session string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.sessions, session)
}

// A link says which call a connection belongs to.
type link struct {
	call   call.ID // "": it is not known
	server string  // of that call, folded
	by     string
	maybe  []call.ID
}

// How a link is known.
const (
	linkedByServer = "server"
	linkedByText   = "text"
	linkedByOnly   = "only"
)

// maxMaybe bounds the calls that a connection may belong to.
const maxMaybe = 8

// linkOf finds the call that a connection belongs to: one of the MCP server that makes it; else one that names the host, the address or
// the very command of the program; else the only one that is under way.
func (u *underway) linkOf(c call.Connection) link {
	calls := u.now(c.Actor.Session)
	if server := toolname.Fold(c.Process.Server); server != "" {
		calls = slices.DeleteFunc(calls, func(c underwayCall) bool { return c.server != server })
		return one(calls, linkedByServer)
	}
	for _, names := range []func(underwayCall, call.Connection) bool{underwayCall.namesHost, underwayCall.namesAddress} {
		named := slices.DeleteFunc(slices.Clone(calls), func(u underwayCall) bool { return !names(u, c) })
		if len(named) > 0 {
			return one(named, linkedByText)
		}
	}
	return one(calls, linkedByOnly)
}

// one is the link to the only call there is, or the doubt between several.
func one(calls []underwayCall, by string) link {
	switch len(calls) {
	case 0:
		return link{}
	case 1:
		return link{call: calls[0].id, server: calls[0].server, by: by}
	}
	var l link
	for _, c := range calls[max(0, len(calls)-maxMaybe):] {
		l.maybe = append(l.maybe, c.id)
	}
	return l
}

// namesHost says whether the arguments of a call name the host of a connection, or the very command that wants it.
func (c underwayCall) namesHost(conn call.Connection) bool {
	for _, host := range conn.Hosts {
		if strings.Contains(c.text, strings.ToLower(host)) {
			return true
		}
	}
	command := strings.ToLower(conn.Process.Command)
	return len(command) > 3 && strings.Contains(c.text, command)
}

// namesAddress says whether the arguments of a call have the address of a connection in them.
func (c underwayCall) namesAddress(conn call.Connection) bool {
	return conn.Addr.IsValid() && strings.Contains(c.text, conn.Addr.String())
}
