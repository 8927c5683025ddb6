package agents

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// checkConnections wants every connection on record, with the call that it belongs to where a call names the address, refused unless
// it is declared.
func (g siege) checkConnections(t *testing.T, events []Event) {
	t.Helper()
	calls := map[string]string{} // ids by those of the wire
	loaded := 0
	for _, e := range events {
		switch e.Type {
		case "tool_call":
			calls[e.WireID] = e.CallID
		case "policy_loaded":
			loaded++
		}
	}
	if loaded != 1 {
		t.Errorf("%d policies were loaded", loaded)
	}
	for _, c := range []struct {
		what, remote, host, call string
		rule                     string // that refuses it; "": none does
		doubtful                 bool   // not every kernel tells of it
	}{
		{what: "the declared service", remote: g.declared.addr()},
		{what: "the hidden service", remote: g.hidden.addr(), rule: "egress.loopback"},
		{what: "an address", remote: g.direct, call: "call_direct", rule: "no-strangers"},
		{what: "an address of IPv6", remote: g.direct6, call: "call_direct6", rule: "no-strangers"},
		{what: "a name", host: g.name, call: "call_lookup", rule: "no-strangers"},
		{what: "an address, when all calls had ended", remote: g.late, rule: "no-strangers"},
		// The kernel tells of it when it will, perhaps when its call has been answered.
		{what: "a datagram", remote: g.sent, rule: "no-strangers", doubtful: true},
	} {
		found := connections(t, events, c.remote, c.host)
		if len(found) == 0 {
			if !c.doubtful {
				t.Errorf("%s: no connection is on record", c.what)
			}
			continue
		}
		for _, e := range found {
			if e.Blocked != (c.rule != "") || e.Rule != c.rule || e.Session == "" {
				t.Errorf("%s: the connection of session %q was refused: %v, by rule %q", c.what, e.Session, e.Blocked, e.Rule)
			}
			if want := calls[c.call]; c.call != "" && (e.CallID != want || e.Detail.Linked != "text") {
				t.Errorf("%s: the connection belongs to call %s by %q, want %s", c.what, e.CallID, e.Detail.Linked, want)
			}
		}
	}
}

// connections are those to an address, or to a host of a name.
func connections(t *testing.T, events []Event, remote, host string) []Event {
	t.Helper()
	var found []Event
	for _, e := range events {
		if e.Type != "network_connection" {
			continue
		}
		var args struct {
			Host any `json:"host"`
		}
		if err := json.Unmarshal(e.Args, &args); err != nil {
			t.Fatal(err)
		}
		name, _ := args.Host.(string)
		if remote != "" && e.Detail.Remote == remote || host != "" && strings.EqualFold(strings.TrimSuffix(name, "."), host) {
			found = append(found, e)
		}
	}
	return found
}
