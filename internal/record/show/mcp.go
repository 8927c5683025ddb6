package show

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// nameLength is how much of a name of strangers such a line shows, in characters.
const nameLength = 64

// MCP is an event about an MCP server for people.
func (s Style) MCP(e record.Event, result *record.ToolResult) string {
	parts := []string{
		s.when(e.Time), s.paint(fmt.Sprintf("%-8s", outcome(e)), e), fmt.Sprintf("%-8s", mcpWord(e)), NameIf(e.Server),
	}
	e.Server = "" // it has a column of its own
	if d, ok := e.Detail.(record.Connection); ok {
		parts = append(parts, connectionParts(e, d)...)
		e.Args = nil // they say the same
	} else {
		parts = append(append(parts, decidedParts(e)...), mcpDetail(e)...)
	}
	if args := argsText(e); args != "" {
		parts = append(parts, inert.Text(args, 160))
	}
	if result != nil {
		parts = append(parts, "answered: "+resultText(*result))
	}
	var shown []string
	for _, p := range parts {
		if p != "" {
			shown = append(shown, p)
		}
	}
	return strings.Join(shown, "  ")
}

// mcpWord says in one word what happened.
func mcpWord(e record.Event) string {
	switch d := e.Detail.(type) {
	case record.ToolChanged:
		switch {
		case d.Gone:
			return "gone"
		case d.Back:
			return "back"
		case d.Noted:
			return "noted"
		}
	}
	switch e.Type {
	case record.TypeMCPIntercepted:
		return "asked"
	case record.TypeMCPCalled:
		return "called"
	case record.TypeMCPRequest:
		return "request"
	case record.TypeMCPToolSeen:
		return "new"
	case record.TypeMCPToolChanged:
		return "changed"
	case record.TypeMCPPinChanged:
		return "pin"
	case record.TypeRegistryNoted:
		return "tools"
	case record.TypeToolResult:
		return "answer"
	case record.TypeStreamRefused:
		return "message"
	case record.TypeUndeclaredAct:
		return "undeclared"
	case record.TypeMCPConnection:
		return "network"
	case record.TypeCallArguments:
		return "args"
	case record.TypeCallWithdrawn:
		return "withdrawn"
	}
	return inert.Text(string(e.Type), 20)
}

// mcpDetail is what is particular to an event about an MCP server.
func mcpDetail(e record.Event) (parts []string) {
	var findings []record.Finding
	switch d := e.Detail.(type) {
	case record.ToolCall:
		findings = d.Findings
		if d.Declared {
			parts = append(parts, "asked for by a model")
		}
	case record.PinChanged:
		parts = append(parts, map[string]string{record.PinTrusted: "trusted by", record.PinForgotten: "forgotten by"}[d.Action]+" "+inert.Name(d.By, nameLength))
	case record.RegistryNoted:
		parts = append(parts, "took note of "+quantity.Count(len(d.Servers), "server"), namesOf("changed by something else:", d.Differ))
	case record.ToolSeen:
		findings = d.Findings
		if d.Trusted {
			parts = append(parts, "trusted")
		}
		if d.RenamedFrom != "" {
			parts = append(parts, "was "+inert.Name(d.RenamedFrom, nameLength))
		}
		parts = append(parts, namesOf("looks like", d.LookAlikes), namesOf("also of", d.Collisions))
	case record.ToolChanged:
		findings = d.Findings
	case record.UndeclaredAct:
		parts = append(parts, undeclaredText(e, d))
	case record.ToolResult:
		findings = d.Findings
		parts = append(parts, inert.Text(d.Method, nameLength), resultText(d))
	}
	if e.Type == record.TypeStreamRefused {
		parts = append(parts, inert.Text(e.Reason, 200))
	}
	return append(parts, findingsText(findings))
}

// namesOf are the first of some names.
func namesOf(what string, names []string) string {
	const most = 3
	if len(names) == 0 {
		return ""
	}
	shown := make([]string, 0, most)
	for _, n := range names[:min(most, len(names))] {
		shown = append(shown, inert.Name(n, nameLength))
	}
	text := what + " " + strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// findingsText is the first finding, and how many there are. They are on record with the worst first.
func findingsText(all []record.Finding) string {
	if len(all) == 0 {
		return ""
	}
	text := inert.Text(all[0].Severity, 20) + " " + inert.Name(all[0].Rule, nameLength)
	if len(all) > 1 {
		text += fmt.Sprintf(" and %d more", len(all)-1)
	}
	return text
}
