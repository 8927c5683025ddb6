package show

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// LineWidth is how many columns a line of an event takes at most.
const LineWidth = 120

// Event is an event of any type for people: when, what became of it, its type, and what is particular to it.
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
	return when + "  " + s.paint(word, e) + "  " + CutTo(rest, LineWidth-len(when)-len(word)-4)
}

// eventParts say what is particular to an event, the most important first, as it can be printed.
func eventParts(e record.Event) []string {
	who := NameIf(cmp.Or(e.Actor.Employee, e.Actor.Key))
	from := e.Exchange.Provider
	if e.Exchange.Model != "" {
		from = strings.TrimPrefix(from+"/"+e.Exchange.Model, "/")
	}
	from = NameIf(from)
	switch d := e.Detail.(type) {
	case record.ToolResult:
		return []string{NameIf(e.Tool), resultText(d), who}
	case record.CallWarning:
		return []string{NameIf(e.Tool), fmt.Sprintf("arguments of %s, more than %d", quantity.Count(d.SizeBytes, "byte"), d.LimitBytes), who}
	case record.ResponseDone:
		return append(responseParts(d), who, from)
	case record.RecordGap:
		return []string{quantity.Count(d.Events, "event") + " could not be recorded"}
	case record.PolicyLoaded:
		return []string{quantity.Count(d.Rules, "rule"), NameIf(d.Source), NameIf(d.Enforcement)}
	case record.Connection:
		return append(connectionParts(e, d), who)
	case record.UndeclaredAct:
		return []string{undeclaredText(e, d), who}
	case record.SessionStarted:
		return []string{NameIf(e.Actor.Session), NameIf(d.Program), "watched by " + NameIf(d.Isolation), who}
	case record.SessionEnded:
		return []string{NameIf(e.Actor.Session), sessionEndText(d), who}
	}
	if e.Type == record.TypeStreamRefused {
		return []string{NameIf(e.Code), inert.Text(e.Reason, LineWidth), who, from}
	}
	return append(decidedParts(e), who, inert.Text(argsText(e), LineWidth))
}

// NameIf is a name for people, if there is one.
func NameIf(name string) string {
	if name == "" {
		return ""
	}
	return inert.Name(name, LineWidth)
}

func responseParts(d record.ResponseDone) []string {
	calls := quantity.Count(d.Released, "call")
	if d.Refused > 0 {
		calls += fmt.Sprintf(", %d refused", d.Refused)
	}
	parts := []string{
		calls,
		fmt.Sprintf("%s in %s out", quantity.Thousands(d.Usage.Input+d.Usage.CacheRead+d.Usage.CacheCreation), quantity.Thousands(d.Usage.Output)),
	}
	if d.CostMicros > 0 {
		parts = append(parts, quantity.Dollars(d.CostMicros))
	}
	if t := d.Timings; t.TotalMicros > 0 {
		parts = append(parts, quantity.Duration(t.TotalMicros))
	}
	switch {
	case d.Timings.Status >= http.StatusBadRequest:
		parts = append(parts, fmt.Sprintf("status %d", d.Timings.Status))
	case d.Timings.Status == 0 && !d.Timings.Started.IsZero():
		parts = append(parts, "no answer")
	case !d.Clean:
		parts = append(parts, "cut short")
	}
	return parts
}
