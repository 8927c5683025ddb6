package show

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// connectionParts say which connection or lookup a program wanted, and what was decided.
func connectionParts(e record.Event, d record.Connection) (parts []string) {
	what := "to " + goal(e, d)
	if e.Tool == string(call.Resolve) {
		what = "lookup of " + goal(e, d)
	}
	parts = append(parts, what)
	if d.Process != "" {
		parts = append(parts, "by "+inert.Name(d.Process, 80))
	}
	if e.Server != "" {
		parts = append(parts, "server "+inert.Name(e.Server, 80))
	}
	if d.Unread && e.Tool == string(call.Connect) {
		parts = append(parts, "unread")
	}
	for _, m := range [][2]string{{"", e.Code}, {"rule=", e.Rule}} {
		if m[1] != "" {
			parts = append(parts, m[0]+inert.Name(m[1], 80))
		}
	}
	return parts
}

// goal names the destination of a connection: the names of the host, if they are known, and the address.
func goal(e record.Event, d record.Connection) string {
	names := e.Hosts()
	host := inert.Name(strings.Join(names, " or "), 200)
	switch {
	case len(names) == 0:
		return inert.Name(cmp.Or(d.RemoteAddr, "nowhere"), 80)
	case d.RemoteAddr == "":
		return host
	}
	return host + " (" + inert.Name(d.RemoteAddr, 80) + ")"
}

// undeclaredText says what was done without a model asking for it.
func undeclaredText(e record.Event, d record.UndeclaredAct) string {
	tool := inert.Name(strings.Trim(e.Server+"/"+e.Tool, "/"), 120)
	switch d.Act {
	case "tool_called":
		return "no model asked for this call of " + tool
	case "server_reached":
		return "the MCP server " + inert.Name(e.Server, 80) + " was reached past weir"
	case "tool_result":
		return "a result came for a call that was never released: " + inert.Name(e.WireID, 80)
	}
	return inert.Text(d.Act, 80)
}

// sessionEndText says how a session ended.
func sessionEndText(d record.SessionEnded) string {
	if d.Lost {
		return "weir run is gone"
	}
	return fmt.Sprintf("status %d", d.Exit)
}
