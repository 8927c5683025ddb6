package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/inert"
)

// notServed says why a server with an address is not routed through weir.
const notServed = "weir's gateway does not serve this address; declare the server under mcp.servers in the policy"

// SessionSocket is the variable with the socket that the shim uses.
const SessionSocket = "WEIR_SOCKET"

// shimID returns the id of a server for policies and the record, made from the agent's name for it. Different names get different
// ids.
func shimID(name string) string {
	const longestID = 64
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '-'
	}, name)
	// An id begins with a letter or digit.
	if begins := strings.TrimLeft(id, "-._"); begins == name && id != "" && len(id) <= longestID {
		return id
	} else if begins != id || id == "" {
		id = "s" + id
	}
	sum := sha256.Sum256([]byte(name))
	mark := "-" + hex.EncodeToString(sum[:4])
	return id[:min(len(id), longestID-len(mark))] + mark
}

// gateway returns the gateway's address for the server at an address, which may be an address of the gateway itself.
func (w Weir) gateway(address string) (string, bool) {
	u, ok := parseAddress(address)
	if !ok {
		return "", false
	}
	for _, own := range append([]string{w.Base}, w.Own...) {
		if rest, ok := below(u, own, ""); ok {
			rest = withoutKey(rest)
			return w.Base + rest, strings.HasPrefix(rest, "/mcp/")
		}
	}
	if w.Served == nil {
		return "", false
	}
	id, ok := w.Served(address)
	return w.URL("mcp", "/"+id), ok
}

// Through returns how a server is reached through weir: the command of the shim, or the address of the gateway. Neither: it is
// reached as before.
func (w Weir) Through(s *Server) (command []string, address string) {
	switch {
	case s.Way == Off:
	case s.Type != "stdio":
		through, ok := w.gateway(s.URL)
		if !ok {
			s.Way, s.Why = Bare, notServed
			break
		}
		s.Way = Gateway
		if through != s.URL {
			return nil, through
		}
	case IsShim(s.Command):
		s.Way = Wrapped
	default:
		s.Way = Wrapped
		return w.Shim(shimID(s.Name), slices.Clone(s.Command)), ""
	}
	return nil, ""
}

// Show returns a name or value of the user for errors and notes.
func Show(s string) string { return inert.Text(s, longest) }
