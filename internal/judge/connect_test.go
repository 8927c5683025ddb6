package judge_test

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

const egressRules = `
version: 1
default: deny
rules:
  - id: no-paste
    surface: egress
    conditions: {any: [{param_path: host, operator: host_in, value: ["*.paste.example"]}]}
    verdict: deny
    reason: Nothing is pasted.
  - id: look
    surface: egress
    conditions: {any: [{param_path: address, operator: cidr_in, value: [192.0.2.9/32]}]}
    verdict: audit
  - id: local-db
    surface: egress
    conditions: {all: [{param_path: loopback, operator: equals, value: true}, {param_path: port, operator: equals, value: 5433}]}
    verdict: allow
`

var inSession = call.Actor{Org: "acme", Session: "run-1"}

// to is a connection of a session.
func to(hosts []string, addr string, port uint16) call.Connection {
	c := call.Connection{Actor: inSession, Act: call.Connect, Hosts: hosts, Port: port, Protocol: "tcp", Process: call.Process{PID: 7, Name: "curl"}}
	if addr != "" {
		c.Addr = netip.MustParseAddr(addr)
	}
	if len(hosts) > 0 {
		c.HostFrom = "sni"
	}
	return c
}

func onLoopback(port uint16) call.Connection {
	c := to(nil, "127.0.0.1", port)
	c.Loopback = true
	return c
}

func watching(c *judge.Config) {
	c.Egress = judge.Egress{
		Models:   policy.Audit,
		IsModel:  func(host string) bool { return host == "api.model.example" },
		Loopback: func(session string, port uint16) bool { return session == "run-1" && port == 5432 },
		Server: func(_, host string, port uint16) (string, bool) {
			return "weather", host == "mcp.example" && port == 443
		},
	}
}

// What becomes of connections, and what the record says of them.
func TestConnect(t *testing.T) {
	datagram := to(nil, "192.0.2.1", 4433)
	datagram.Protocol = "udp"
	type seen struct{ Verdict, Code, Rule, WouldBe, Args string }
	for name, tt := range map[string]struct {
		conn   call.Connection
		change func(*judge.Config)
		passes bool
		want   seen
	}{
		"anywhere": {
			conn: to([]string{"example.com"}, "192.0.2.1", 443), passes: true,
			want: seen{Verdict: "allow", Args: `{"host":"example.com","address":"192.0.2.1","port":443,"protocol":"tcp","process":"curl"}`},
		},
		"nowhere by default": {
			conn: to(nil, "192.0.2.1", 443), change: func(c *judge.Config) { c.Egress.Default = policy.Deny },
			want: seen{Verdict: "deny", Code: "connection_denied", Args: `{"address":"192.0.2.1","port":443,"protocol":"tcp","process":"curl"}`},
		},
		"a refused host": {
			conn: to([]string{"a.paste.example"}, "192.0.2.1", 443),
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "no-paste", Args: `{"host":"a.paste.example","address":"192.0.2.1","port":443,"protocol":"tcp","process":"curl"}`},
		},
		"one of two names is refused": {
			conn: to([]string{"example.com", "a.paste.example"}, "192.0.2.1", 443),
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "no-paste", Args: `{"host":["example.com","a.paste.example"],"address":"192.0.2.1","port":443,"protocol":"tcp","process":"curl"}`},
		},
		"a model past weir": {
			conn: to([]string{"api.model.example"}, "192.0.2.1", 443), passes: true,
			want: seen{Verdict: "audit", Rule: "egress.models", Args: `{"host":"api.model.example","address":"192.0.2.1","port":443,"protocol":"tcp","process":"curl"}`},
		},
		"a model past weir, refused": {
			conn: to([]string{"api.model.example"}, "192.0.2.1", 443), change: func(c *judge.Config) { c.Egress.Models = policy.Deny },
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.models", Args: `{"host":"api.model.example","address":"192.0.2.1","port":443,"protocol":"tcp","process":"curl"}`},
		},
		"a model past weir, which a rule flags": {
			conn: to([]string{"api.model.example"}, "192.0.2.9", 443), change: func(c *judge.Config) { c.Egress.Models = policy.Deny },
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.models", Args: `{"host":"api.model.example","address":"192.0.2.9","port":443,"protocol":"tcp","process":"curl"}`},
		},
		"weir's address, asked of a proxy": {
			conn: to([]string{"127.0.0.1", "proxy.example"}, "192.0.2.1", 3128),
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.detour", Args: `{"host":["127.0.0.1","proxy.example"],"address":"192.0.2.1","port":3128,"protocol":"tcp","process":"curl"}`},
		},
		"a service that is not declared": {
			conn: onLoopback(6379),
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.loopback", Args: `{"address":"127.0.0.1","port":6379,"protocol":"tcp","loopback":true,"process":"curl"}`},
		},
		"one that is": {
			conn: onLoopback(5432), passes: true,
			want: seen{Verdict: "allow", Args: `{"address":"127.0.0.1","port":5432,"protocol":"tcp","loopback":true,"process":"curl"}`},
		},
		"one that is not, though a rule allows it": {
			conn: onLoopback(5433),
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.loopback", Args: `{"address":"127.0.0.1","port":5433,"protocol":"tcp","loopback":true,"process":"curl"}`},
		},
		"a datagram, in every mode": {
			conn: datagram, change: func(c *judge.Config) { c.Mode = judge.Shadow },
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.udp", Args: `{"address":"192.0.2.1","port":4433,"protocol":"udp","process":"curl"}`},
		},
		"weir itself, though a rule allows it": {
			conn: onLoopback(5433), change: func(c *judge.Config) { c.Egress.Own = func(port uint16) bool { return port == 5433 } },
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.weir", Args: `{"address":"127.0.0.1","port":5433,"protocol":"tcp","loopback":true,"process":"curl"}`},
		},
		"a service, in shadow mode": {
			conn: onLoopback(6379), change: func(c *judge.Config) { c.Mode = judge.Shadow },
			want: seen{Verdict: "deny", Code: "connection_denied", Rule: "egress.loopback", Args: `{"address":"127.0.0.1","port":6379,"protocol":"tcp","loopback":true,"process":"curl"}`},
		},
	} {
		w := newWithServers(t, egressRules, func(c *judge.Config) {
			watching(c)
			if tt.change != nil {
				tt.change(c)
			}
		})
		ruling := w.Connect(t.Context(), tt.conn)
		e := w.only()
		if ruling.Released != tt.passes || e.Blocked == tt.passes {
			t.Errorf("%s: %+v, blocked %v", name, ruling, e.Blocked)
		}
		got := seen{Verdict: e.Verdict, Code: e.Code, Rule: e.Rule, WouldBe: e.WouldBe, Args: string(e.Args)}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		d, ok := e.Detail.(record.Connection)
		if e.Type != record.Types.Connection || e.Surface != call.Egress || e.Tool != "connect" || !ok || d.PID != 7 || d.Process != "curl" || !strings.HasSuffix(d.RemoteAddr, ":"+portText(tt.conn)) {
			t.Errorf("%s: recorded as %+v", name, e)
		}
	}
}

func portText(c call.Connection) string {
	return strings.TrimPrefix(netip.AddrPortFrom(c.Addr, c.Port).String(), c.Addr.String()+":")
}

// Lookups are on record only if they are refused: the connection that follows says the rest.
func TestResolve(t *testing.T) {
	w := newWithServers(t, egressRules, watching)
	lookup := call.Connection{Actor: inSession, Act: call.Resolve, Hosts: []string{"example.com"}, HostFrom: "dns", Protocol: "udp"}
	if r := w.Connect(t.Context(), lookup); !r.Released {
		t.Errorf("%+v", r)
	}
	if events := w.take(); len(events) > 0 {
		t.Errorf("recorded %+v", events)
	}
	lookup.Hosts = []string{"secret.paste.example"}
	if r := w.Connect(t.Context(), lookup); r.Released {
		t.Error("a refused host is looked up")
	}
	if e := w.only(); e.Tool != "resolve" || !e.Blocked {
		t.Errorf("recorded %+v", e)
	}
}

// A connection that cannot be recorded does not pass.
func TestConnectUnrecorded(t *testing.T) {
	w := newWithServers(t, egressRules, watching)
	w.record.err = errors.New("the disk is full")
	if r := w.Connect(t.Context(), to(nil, "192.0.2.1", 443)); r.Released || r.Code != call.CodeStoreUnavailable {
		t.Errorf("%+v", r)
	}
}

// asks has the model of the session ask for a call.
func (w *withServers) asks(id, name, args string) {
	w.t.Helper()
	c := call.Call{ID: call.ID(id), Surface: call.Response, Actor: inSession, Tool: name, WireID: "wire_" + id, Args: jsontext.Value(args)}
	w.Judge.Judge(w.t.Context(), c, func(r call.Ruling) {
		if !r.Released {
			w.t.Fatalf("%s is refused: %+v", id, r)
		}
	})
	w.take()
}

// answers has the agent bring the result of a call.
func (w *withServers) answers(wireID string) {
	w.RecordResults(w.t.Context(), call.Results{Actor: inSession, List: []call.Result{{
		WireID: wireID, New: true, Measure: func() (int64, string) { return 1, "sha256:00" },
	}}})
}

const everything = "version: 1\ndefault: allow\n"

// A connection has the id of the call that it belongs to, if that can be known.
func TestConnectionOfCall(t *testing.T) {
	curl := to([]string{"a.example"}, "192.0.2.1", 443)
	curl.Process.Command = "curl https://a.example/x"
	server := to([]string{"b.example"}, "192.0.2.2", 443)
	server.Process.Server = "files"
	type linked struct {
		Call  call.ID
		By    string
		Maybe []call.ID
	}
	for name, tt := range map[string]struct {
		before func(w *withServers)
		conn   call.Connection
		want   linked
	}{
		"nothing is under way": {func(*withServers) {}, curl, linked{}},
		"one call is": {
			func(w *withServers) { w.asks("one", "Bash", `{"command":"make"}`) }, curl, linked{Call: "one", By: "only"},
		},
		"it was answered": {
			func(w *withServers) { w.asks("one", "Bash", `{"command":"make"}`); w.answers("wire_one"); w.take() }, curl, linked{},
		},
		"one of two names the host": {
			func(w *withServers) {
				w.asks("one", "Bash", `{"command":"make"}`)
				w.asks("two", "Bash", `{"command":"wget -q A.example"}`)
			}, curl, linked{Call: "two", By: "text"},
		},
		"neither does": {
			func(w *withServers) {
				w.asks("one", "Bash", `{"command":"make"}`)
				w.asks("two", "Bash", `{"command":"make all"}`)
			}, curl, linked{Maybe: []call.ID{"one", "two"}},
		},
		"both name the address, one the command": {
			func(w *withServers) {
				w.asks("one", "Bash", `{"command":"psql -h 192.0.2.1"}`)
				w.asks("two", "Bash", `{"command":"cd x && curl https://a.example/x --resolve a.example:443:192.0.2.1"}`)
			}, curl, linked{Call: "two", By: "text"},
		},
		"it is the server's": {
			func(w *withServers) {
				w.asks("one", "Bash", `{"command":"curl b.example"}`)
				w.asks("two", "mcp__files__read", `{}`)
			}, server, linked{Call: "two", By: "server"},
		},
		"it is the server's, and nobody called it": {
			func(w *withServers) { w.asks("one", "Bash", `{"command":"curl b.example"}`) }, server, linked{},
		},
	} {
		w := newWithServers(t, everything, watching)
		w.lists(files, tool("read", "Reads."))
		w.take()
		tt.before(w)
		w.Connect(t.Context(), tt.conn)
		e := w.only()
		d, _ := e.Detail.(record.Connection)
		got := linked{By: d.LinkedBy, Maybe: d.Maybe}
		if d.LinkedBy != "" {
			got.Call = e.CallID
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if e.CallID == "" {
			t.Errorf("%s: the event has no call id", name)
		}
	}
}

// pages is a record that has nothing.
type pages struct{ entries []record.Entry }

func (p pages) Entries(context.Context, query.Filter) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		for _, e := range p.entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// What no model asked for is told of, in sessions whose model is heard.
func TestUndeclaredActs(t *testing.T) {
	direct := to([]string{"mcp.example"}, "192.0.2.1", 443)
	call1 := func(w *withServers) {
		c := called(files, "read", `{}`)
		c.Actor = inSession
		w.Call(t.Context(), c)
	}
	heard := func(w *withServers) { w.Ended(call.Outcome{Actor: inSession}); w.take() }
	for name, tt := range map[string]struct {
		do   []func(w *withServers)
		want []string
	}{
		"a call of a tool":             {[]func(*withServers){heard, call1}, []string{"tool_called"}},
		"the model is not heard":       {[]func(*withServers){call1}, nil},
		"the model asked for it":       {[]func(*withServers){func(w *withServers) { w.asks("one", "mcp__files__read", `{}`) }, call1}, nil},
		"a declared server, past weir": {[]func(*withServers){heard, func(w *withServers) { w.Connect(t.Context(), direct) }}, []string{"server_reached"}},
		"one while another call is under way": {
			[]func(*withServers){func(w *withServers) { w.asks("one", "Bash", `{"command":"sh x"}`) }, func(w *withServers) { w.Connect(t.Context(), direct) }},
			[]string{"server_reached"},
		},
		"one while a call of it is under way": {
			[]func(*withServers){func(w *withServers) { w.asks("one", "mcp__weather__read", `{}`) }, func(w *withServers) { w.Connect(t.Context(), direct) }}, nil,
		},
		"a result of nothing":            {[]func(*withServers){heard, func(w *withServers) { w.answers("wire_unknown") }}, []string{"tool_result"}},
		"a result of what was asked for": {[]func(*withServers){func(w *withServers) { w.asks("one", "Bash", `{}`) }, func(w *withServers) { w.answers("wire_one") }}, nil},
	} {
		w := newWithServers(t, everything, func(c *judge.Config) { watching(c); c.Record = pages{} })
		w.lists(files, tool("read", "Reads."))
		w.take()
		for _, do := range tt.do {
			do(w)
		}
		var got []string
		for _, e := range w.take() {
			if d, ok := e.Detail.(record.UndeclaredAct); ok && e.Type == record.Types.UndeclaredAct && e.Actor == inSession {
				got = append(got, d.Act)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A session is judged by its own policy, whatever is in force.
func TestSessionPolicy(t *testing.T) {
	strict := parse(t, "version: 1\ndefault: deny\n")
	w := newWithServers(t, everything, func(c *judge.Config) {
		c.SessionPolicy = func(session string) *policy.Policy {
			if session == "run-1" {
				return strict
			}
			return nil
		}
	})
	for session, passes := range map[string]bool{"run-1": false, "run-2": true, "": true} {
		c := call.Call{ID: "one", Surface: call.Response, Actor: call.Actor{Session: session}, Tool: "Bash", Args: jsontext.Value(`{}`)}
		w.Judge.Judge(t.Context(), c, func(r call.Ruling) {
			if r.Released != passes {
				t.Errorf("session %q: %+v", session, r)
			}
		})
		if e := w.only(); (e.PolicyVersion == strict.Version()) == passes {
			t.Errorf("session %q: recorded with policy %s", session, e.PolicyVersion)
		}
	}
}
