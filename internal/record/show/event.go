package show

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Event says on one line of which type an event is, and what is particular to it.
func (s Style) Event(e record.Event, result *record.ToolResult) string {
	line := fmt.Sprintf("%-14s", inert.Text(string(e.Type), 40))
	for _, part := range s.eventParts(e) {
		if part != "" {
			line += "  " + part
		}
	}
	if result != nil {
		line += "  answered: " + resultText(*result)
	}
	return strings.TrimRight(line, " ")
}

// eventParts say what is particular to an event, the most important first, safe to print.
func (s Style) eventParts(e record.Event) []string {
	if tell := tellings[e.Type].parts; tell != nil {
		if parts := tell(e); parts != nil {
			return parts
		}
	}
	return append(decidedParts(e), s.clip(argsText(e)))
}

// longestName is how many characters of a name a line shows.
const longestName = 120

// nameIf is a name for people, if there is one.
func nameIf(name string) string {
	if name == "" {
		return ""
	}
	return inert.Name(name, longestName)
}
