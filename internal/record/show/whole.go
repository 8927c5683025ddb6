package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// derivedText says that the client named no session.
func derivedText(a call.Actor) string {
	if !a.SessionDerived {
		return ""
	}
	return "the client names no session: this is all of its key"
}

// remoteOf is the destination of a connection; "": the event is about none.
func remoteOf(e record.Event) string {
	d, _ := e.Detail.(record.Connection)
	return d.RemoteAddr
}

// Whole prints an event with all its members, one on each line.
func (s Style) Whole(out io.Writer, e record.Event) {
	fmt.Fprintf(out, "%s  %s  %s\n", s.when(e.Time), e.Type, outcome(e))
	result := ""
	if r, ok := e.Detail.(record.ToolResult); ok {
		result = resultText(r) + ", " + r.Digest
	}
	for _, m := range []struct {
		title, text string
		limit       int // of a text; 0: text is a name
	}{
		{"call", string(e.CallID), 0},
		{"wire id", e.WireID, 0},
		{"within", string(e.Within), 0},
		{"surface", string(e.Surface), 0},
		{"server", e.Server, 0},
		{"tool", e.Tool, 0},
		{"arguments", argsText(e), 4000},
		{"left out", leftOutText(e), 400},
		{"result", result, 400},
		{"to", remoteOf(e), 0},
		{"code", e.Code, 0},
		{"would be", e.WouldBe, 0},
		{"rule", e.Rule, 0},
		{"from", e.RuleOrigin, 400},
		{"reason", e.Reason, 4000},
		{"policy", e.PolicyVersion, 0},
		{"employee", e.Actor.Employee, 0},
		{"team", e.Actor.Team, 0},
		{"org", e.Actor.Org, 0},
		{"key", e.Actor.Key, 0},
		{"session", e.Actor.Session, 0},
		{"", derivedText(e.Actor), 200},
		{"provider", e.Exchange.Provider, 0},
		{"model", e.Exchange.Model, 0},
		{"request", e.Exchange.RequestID, 0},
		{"response", e.Exchange.ResponseID, 0},
	} {
		switch {
		case m.text == "" && (m.title != "tool" || !isCall(e)):
		case m.limit == 0:
			fmt.Fprintf(out, "  %-10s %s\n", m.title, inert.Name(m.text, 4000))
		default:
			fmt.Fprintf(out, "  %-10s %s\n", m.title, inert.Text(m.text, m.limit))
		}
	}
}

// leftOutText lists the members that were removed from a call.
func leftOutText(e record.Event) string {
	d, _ := e.Detail.(record.ToolCall)
	return strings.Join(d.MembersLeftOut, ", ")
}
