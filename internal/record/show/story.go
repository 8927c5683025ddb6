package show

import (
	"fmt"
	"io"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Story prints what became of a call in a line for each step: declared by a model, executed by a client, connected to the network,
// answered.
func Story(out io.Writer, events []record.Event) {
	if len(events) < 2 {
		return // there is nothing to tell that the event itself does not say
	}
	fmt.Fprintf(out, "story of %s\n", inert.Name(string(events[0].CallID), 80))
	for _, e := range events {
		if text := storyStep(e); text != "" {
			fmt.Fprintf(out, "  %s  %s\n", e.Time.Local().Format("2006-01-02 15:04:05.000"), text)
		}
	}
	fmt.Fprintln(out)
}

// storyStep says what an event adds to the story of its call; "": nothing.
func storyStep(e record.Event) string {
	ruled := outcome(e)
	if e.Rule != "" {
		ruled += " by rule " + inert.Name(e.Rule, 80)
	}
	switch d := e.Detail.(type) {
	case record.Connection:
		parts := connectionParts(e, d)
		by := map[string]string{"server": ", by the server of the call", "text": ", which the call names", "only": ", while no other call was under way"}[d.LinkedBy]
		text := "connected " + parts[0]
		if e.Blocked {
			text = "tried to connect " + parts[0]
		}
		if d.Process != "" {
			text += fmt.Sprintf(" by %s (process %d)", inert.Name(d.Process, 80), d.PID)
		}
		return text + by + ": " + ruled
	case record.UndeclaredAct:
		return undeclaredText(e, d)
	case record.ToolResult:
		who := "the agent brought the answer to the model"
		if e.Surface == call.MCP {
			who = "the server answered"
		}
		return who + ": " + resultText(d)
	}
	switch e.Type {
	case record.TypeToolCall, record.TypeMCPIntercepted:
		if e.Surface == call.Inbound {
			return ""
		}
		return "the model asked for " + inert.Name(e.Tool, 80) + ": " + ruled
	case record.TypeMCPCalled:
		return "the client called " + inert.Name(e.Tool, 80) + " of the MCP server " + inert.Name(e.Server, 80) + ": " + ruled
	case record.TypeCallArguments:
		if e.Code != "" {
			return "its arguments did not come whole: " + inert.Name(e.Code, 80)
		}
		return "its arguments were complete"
	case record.TypeCallWithdrawn:
		return "it was not delivered: " + ruled
	case record.TypeReread:
		return "it was read again: " + ruled
	}
	return ""
}
