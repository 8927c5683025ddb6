package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// derivedText says that nobody named a session.
func derivedText(a call.Actor) string {
	if !a.SessionDerived {
		return ""
	}
	return "the client names no session: this is all of its key"
}

// remoteOf is the address that a connection was for; "": the event is about none.
func remoteOf(e record.Event) string {
	d, _ := e.Detail.(record.Connection)
	return d.RemoteAddr
}

// Whole prints an event with all its members, one a line.
func Whole(out io.Writer, e record.Entry, asJSON bool) error {
	if asJSON {
		line, err := e.JSON()
		if err == nil {
			_, err = fmt.Fprintln(out, inert.JSON(string(line)))
		}
		return err
	}
	ev, err := e.Event()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s  %s  %s\n", ev.Time.Local().Format("2006-01-02 15:04:05.000"), ev.Type, outcome(ev))
	result := ""
	if r, ok := ev.Detail.(record.ToolResult); ok {
		result = resultText(r) + ", " + r.Digest
	}
	for _, m := range []struct {
		title, text string
		limit       int // of a text; 0: it is a name
	}{
		{"call", string(ev.CallID), 0},
		{"wire id", ev.WireID, 0},
		{"within", string(ev.Within), 0},
		{"surface", string(ev.Surface), 0},
		{"server", ev.Server, 0},
		{"tool", ev.Tool, 0},
		{"arguments", argsText(ev), 4000},
		{"left out", leftOutText(ev), 400},
		{"result", result, 400},
		{"to", remoteOf(ev), 0},
		{"code", ev.Code, 0},
		{"would be", ev.WouldBe, 0},
		{"rule", ev.Rule, 0},
		{"reason", ev.Reason, 4000},
		{"policy", ev.PolicyVersion, 0},
		{"employee", ev.Actor.Employee, 0},
		{"team", ev.Actor.Team, 0},
		{"org", ev.Actor.Org, 0},
		{"key", ev.Actor.Key, 0},
		{"session", ev.Actor.Session, 0},
		{"", derivedText(ev.Actor), 200},
		{"provider", ev.Exchange.Provider, 0},
		{"model", ev.Exchange.Model, 0},
		{"request", ev.Exchange.RequestID, 0},
		{"response", ev.Exchange.ResponseID, 0},
	} {
		switch {
		case m.text == "" && (m.title != "tool" || !isCall(ev)):
		case m.limit == 0:
			fmt.Fprintf(out, "  %-10s %s\n", m.title, inert.Name(m.text, 4000))
		default:
			fmt.Fprintf(out, "  %-10s %s\n", m.title, inert.Text(m.text, m.limit))
		}
	}
	return nil
}

// leftOutText are the members that a call was delivered without.
func leftOutText(e record.Event) string {
	d, _ := e.Detail.(record.ToolCall)
	return strings.Join(d.MembersLeftOut, ", ")
}
