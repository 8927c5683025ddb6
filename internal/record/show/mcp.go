package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// nameLength is how many characters of a stranger's name a line shows.
const nameLength = 64

// MCP says on one line what happened at an MCP server.
func (s Style) MCP(e record.Event, result *record.ToolResult) string {
	parts := []string{fmt.Sprintf("%-8s", mcpWord(e)), nameIf(e.Server)}
	e.Server = "" // it is said
	if d, ok := e.Detail.(record.Connection); ok {
		parts = append(parts, connectionParts(e, d)...)
		e.Args = nil // the parts say the same
	} else {
		parts = append(parts, decidedParts(e)...)
		if tell := tellings[e.Type].more; tell != nil {
			parts = append(parts, tell(e)...)
		}
	}
	if args := argsText(e); args != "" {
		parts = append(parts, s.clip(args))
	}
	if result != nil {
		parts = append(parts, "answered: "+resultText(*result))
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, "  ")
}

// mcpWord says in one word what happened.
func mcpWord(e record.Event) string {
	d, _ := e.Detail.(record.ToolChanged)
	switch {
	case d.Gone:
		return "gone"
	case d.Back:
		return "back"
	case d.Noted:
		return "noted"
	}
	return cmp.Or(tellings[e.Type].word, inert.Text(string(e.Type), 20))
}

// namesOf lists the first of some names.
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

// findingsText is the first finding, and how many there are. They are recorded with the worst first.
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
