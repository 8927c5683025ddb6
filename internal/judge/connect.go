package judge

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/record"
)

// Egress says what becomes of connections that no rule speaks of.
type Egress struct {
	Default policy.Verdict // "": allow
	// Loopback says whether a session may reach a port of the machine's own; nil: none.
	Loopback func(session string, port uint16) bool
	// Own says whether a port of the machine is weir's own, which sessions reach at their own addresses only; nil: none is.
	Own func(port uint16) bool
	// Models is what becomes of connections to models past weir; "": allow.
	Models policy.Verdict
	// IsModel says whether a host is a model's; nil: none is.
	IsModel func(host string) bool
	// Server finds the MCP server that the policy of a session declares at a host and port; nil: there is none.
	Server func(session, host string, port uint16) (id string, ok bool)
}

// The rules about connections that are weir's own.
const (
	ruleLoopback = "egress.loopback"
	ruleModels   = "egress.models"
	ruleOwn      = "egress.weir"
	ruleUDP      = "egress.udp"
	ruleDetour   = "egress.detour"
	ruleUnread   = "egress.unread"
)

// The reasons that they give.
const (
	reasonLoopback = "This service of the machine is not declared: add its port to egress.loopback in weir.yaml, or give weir run --loopback."
	reasonOwn      = "This is weir's own address; in a session it is reached by the address that the session was given."
	reasonModels   = "This connection leads to a model past weir."
	reasonDetour   = "This asks somebody else for a service of this machine, past weir."
	reasonUnread   = "What the program says first looks like TLS or HTTP, and the host that it names cannot be read for certain."
	reasonUDP      = "UDP is refused, except for DNS."
)

// Connect rules on a connection, or a lookup of a name, that a program of a session asks for. When it returns, the ruling is recorded. A
// lookup that is allowed is not: the connection that follows is.
func (j *Judge) Connect(ctx context.Context, conn call.Connection) call.Ruling {
	p := j.policyOf(conn.Actor)
	f, reached := j.decideConnection(conn, p)
	j.guard(f, conn, p)
	j.fulfil(f, p)
	if conn.Act == call.Resolve && f.ruling.Released && f.denied == nil {
		return f.ruling
	}
	answer := j.askAndWait(ctx, f, p) // not about a lookup: people are asked about the connection that follows
	c := f.parts[0].call
	events := f.events(p)
	linked := j.underway.linkOf(conn)
	describe(&events[0], conn, linked)
	if reached {
		events[0].Type = record.Types.MCPConnection
	}
	if reached && f.ruling.Released && linked.server != toolname.Fold(c.Server) && j.underway.heard(conn.Actor) {
		events = append(events, undeclared(events[0], "server_reached"))
	}
	ruled := make(chan call.Ruling, 1)
	j.conclude(judgement{call: c, ruling: f.ruling, events: events, answer: answer}, func(r call.Ruling) { ruled <- r })
	select {
	case r := <-ruled:
		r.Call = events[0].CallID
		return r
	case <-ctx.Done():
		return call.Ruling{Code: call.CodeCutShort, Reason: "Nobody waits for the connection any more.", Call: c.ID}
	}
}

// egressHold is how long a connection is held for a person's decision: programs give up a while after that.
const egressHold = 20 * time.Second

// decideConnection asks the policy about a connection, and says whether it reaches a declared MCP server past weir. Of several that it may
// reach, one that is refused counts.
func (j *Judge) decideConnection(conn call.Connection, p *policy.Policy) (f *finding, reached bool) {
	c := call.Call{
		ID: call.NewID(time.Now()), Surface: call.Egress, Actor: conn.Actor, Tool: string(conn.Act), Server: conn.Process.Server,
		Args: connectionArgs(conn), HoldUntil: j.now().Add(egressHold),
	}
	if c.Server != "" {
		c.MCP.ServerType, c.MCP.ServerAddr = j.serverOf(c.Server, p)
	}
	if j.cfg.Egress.Server == nil || conn.Act != call.Connect {
		return j.decide(c, p, nil, true), false
	}
	for _, host := range append(conn.Hosts[:len(conn.Hosts):len(conn.Hosts)], conn.Addr.String()) {
		id, ok := j.cfg.Egress.Server(conn.Actor.Session, host, conn.Port)
		if !ok || f != nil && f.parts[0].call.Server == id {
			continue
		}
		c.Server = id
		c.MCP.ServerType, c.MCP.ServerAddr = j.serverOf(id, p)
		if found := j.decide(c, p, nil, true); f == nil || found.denied != nil {
			f = found
		}
		if f.denied != nil {
			break
		}
	}
	if f == nil {
		return j.decide(c, p, nil, true), false
	}
	return f, true
}

// connectionArgs are what rules see of a connection.
func connectionArgs(conn call.Connection) jsontext.Value {
	args := struct {
		Host     any    `json:"host,omitempty"`
		Address  string `json:"address,omitzero"`
		Port     uint16 `json:"port,omitzero"`
		Protocol string `json:"protocol,omitzero"`
		Loopback bool   `json:"loopback,omitzero"`
		Process  string `json:"process,omitzero"`
	}{Port: conn.Port, Protocol: conn.Protocol, Loopback: conn.Loopback, Process: conn.Process.Name}
	switch len(conn.Hosts) {
	case 0:
	case 1:
		args.Host = conn.Hosts[0]
	default:
		args.Host = conn.Hosts
	}
	if conn.Addr.IsValid() {
		args.Address = conn.Addr.String()
	}
	text, err := json.Marshal(args, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return jsontext.Value(`{}`) // it is made of plain texts and numbers
	}
	return text
}

// guard applies weir's own rules about connections. They protect the services of the machine itself, whatever the policy says and
// however far it is enforced. Rules of the policy can only refuse more.
func (j *Judge) guard(f *finding, conn call.Connection, p *policy.Policy) {
	t := &f.parts[0]
	if conn.Act != call.Connect {
		return
	}
	e := j.cfg.Egress
	if conn.Doubt && (e.Models == policy.Deny || p.NamesHosts(conn.Actor)) {
		// The real host name is not known, so the policy cannot decide on it.
		f.refuse(j, t, call.Ruling{Code: call.CodeMalformed, Reason: reasonUnread, Rule: ruleUnread, Policy: p.Version()})
	}
	if f.denied != nil && f.denied.enforced {
		return
	}
	ruling := func(rule, reason string) call.Ruling {
		return call.Ruling{Code: call.CodeConnectionDenied, Reason: reason, Rule: rule, Policy: p.Version()}
	}
	switch {
	case conn.Protocol == "udp":
		f.overrule(ruling(ruleUDP, reasonUDP)) // nobody passes it on, whatever is enforced
	case j.cfg.Mode == Observe:
	case conn.Loopback && e.Own != nil && e.Own(conn.Port):
		f.overrule(ruling(ruleOwn, reasonOwn)) // requests there would not be counted for the session
	case conn.Loopback && (e.Loopback == nil || !e.Loopback(conn.Actor.Session, conn.Port)):
		f.overrule(ruling(ruleLoopback, reasonLoopback))
	case isDetour(conn):
		f.overrule(ruling(ruleDetour, reasonDetour))
	case !j.leadsToModel(conn), t.decision.Refused():
	case e.Models == policy.Deny:
		f.refuse(j, t, ruling(ruleModels, reasonModels))
	case e.Models == policy.Audit && t.decision.Verdict != policy.Audit:
		t.decision.Verdict, t.decision.Rule, t.decision.Reason = policy.Audit, ruleModels, reasonModels
	}
}

// isDetour says that a connection asks another machine, such as a proxy, for what is on this one: for weir's own address, perhaps, with
// the credentials that are meant for weir.
func isDetour(conn call.Connection) bool {
	if conn.Loopback || conn.Addr.IsLoopback() {
		return false
	}
	return slices.ContainsFunc(conn.Hosts, func(host string) bool {
		addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
		return err == nil && (addr.Unmap().IsLoopback() || addr.IsUnspecified()) || host == "localhost" || strings.HasSuffix(host, ".localhost")
	})
}

func (j *Judge) leadsToModel(conn call.Connection) bool {
	if j.cfg.Egress.IsModel == nil {
		return false
	}
	// If a host name is known too, or in doubt, the loopback address alone does not show which service is meant.
	beside := conn.Loopback && (len(conn.Hosts) > 1 || conn.Doubt)
	return slices.ContainsFunc(conn.Hosts, func(host string) bool {
		return j.cfg.Egress.IsModel(host) && !(beside && host == conn.Addr.String())
	})
}

// describe turns the event of a call into that of a connection, with the id of the call that the connection belongs to.
func describe(e *record.Event, conn call.Connection, l link) {
	e.Type = record.Types.Connection
	d := record.Connection{
		HostFrom: conn.HostFrom, Unread: conn.Unread, PID: conn.Process.PID, Process: conn.Process.Name, LinkedBy: l.by, Maybe: l.maybe,
	}
	if conn.Addr.IsValid() {
		d.RemoteAddr = netip.AddrPortFrom(conn.Addr, conn.Port).String()
	}
	e.Detail = d
	if l.call != "" {
		e.CallID = l.call
	}
}

// undeclared marks an event: no model asked for what it records.
func undeclared(of record.Event, act string) record.Event {
	return record.Event{
		Time: of.Time, Type: record.Types.UndeclaredAct, Actor: of.Actor, CallID: of.CallID, Surface: of.Surface,
		Server: of.Server, Tool: of.Tool, MCP: record.MCP{ServerType: of.MCP.ServerType, ServerAddr: of.MCP.ServerAddr},
		Exchange: call.Exchange{Trace: of.Exchange.Trace}, WireID: of.WireID,
		Ruling: record.Ruling{PolicyVersion: of.PolicyVersion}, Detail: record.UndeclaredAct{Act: act},
	}
}

// SessionEnded forgets a session.
func (j *Judge) SessionEnded(session string) { j.underway.forget(session) }
