package show

import (
	"fmt"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// lineWidth is how many columns a line of an event takes at most.
const lineWidth = 120

// Event is an event of any type for people: its time, its ruling, its type, and what is particular to it.
func (s Style) Event(e record.Event, result *record.ToolResult) string {
	word := fmt.Sprintf("%-9s", outcome(e))
	when := e.Time.In(s.Zone).Format(time.DateTime)
	rest := fmt.Sprintf("%-14s", inert.Text(string(e.Type), 20))
	for _, part := range eventParts(e) {
		if part != "" {
			rest += "  " + part
		}
	}
	if result != nil {
		rest += "  answered: " + resultText(*result)
	}
	rest = strings.TrimRight(rest, " ")
	return when + "  " + s.As(e, word) + "  " + inert.CutTo(rest, lineWidth-len(when)-len(word)-4)
}

// eventParts say what is particular to an event, the most important first, safe to print.
func eventParts(e record.Event) []string {
	if tell := tellings[e.Type].parts; tell != nil {
		if parts := tell(e); parts != nil {
			return parts
		}
	}
	return append(decidedParts(e), who(e), inert.Text(argsText(e), lineWidth))
}

// nameIf is a name for people, if there is one.
func nameIf(name string) string {
	if name == "" {
		return ""
	}
	return inert.Name(name, lineWidth)
}
