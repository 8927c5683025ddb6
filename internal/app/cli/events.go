package cli

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

func newEvents() *cobra.Command {
	var l listing
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Show everything on record: calls, results, responses, refusals, policies",
		Long: `events reads the record directly, whether weir is running or not. It shows the newest events of every type that fit all
of the filters, oldest first, one a line. A line is cut to 120 columns; --json shows events whole.`,
		Example: `  weir events
  weir events --type stream_refused --since 7d
  weir events --request req_01hq2
  weir events --session s1 --follow
  weir events --json | jq .type`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	l.register(cmd, "all")
	l.line = l.eventLine
	return cmd
}

// lineWidth is how many columns a line of an event takes at most.
const lineWidth = 120

// eventLine is an event of any type for people: when, what became of it, its type, and what is particular to it.
func (l *listing) eventLine(e record.Event, result *record.ToolResult) string {
	word := fmt.Sprintf("%-9s", outcome(e))
	when := e.Time.In(l.zone()).Format(time.DateTime)
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
	return when + "  " + l.paint.outcome(word, e) + "  " + cutTo(rest, lineWidth-len(when)-len(word)-4)
}

// eventParts say what is particular to an event, the most important first, as it can be printed.
func eventParts(e record.Event) []string {
	who := nameIf(cmp.Or(e.Actor.Employee, e.Actor.Key))
	from := e.Exchange.Provider
	if e.Exchange.Model != "" {
		from = strings.TrimPrefix(from+"/"+e.Exchange.Model, "/")
	}
	from = nameIf(from)
	switch d := e.Detail.(type) {
	case record.ToolResult:
		return []string{nameIf(e.Tool), resultText(d), who}
	case record.CallWarning:
		return []string{nameIf(e.Tool), fmt.Sprintf("arguments of %s, more than %d", count(d.SizeBytes, "byte"), d.LimitBytes), who}
	case record.ResponseDone:
		return append(responseParts(d), who, from)
	case record.RecordGap:
		return []string{count(d.Events, "event") + " could not be recorded"}
	case record.PolicyLoaded:
		return []string{count(d.Rules, "rule"), nameIf(d.Source), nameIf(d.Enforcement)}
	case record.Connection:
		return append(connectionParts(e, d), who)
	case record.UndeclaredAct:
		return []string{undeclaredText(e, d), who}
	case record.SessionStarted:
		return []string{nameIf(e.Actor.Session), nameIf(d.Program), "watched by " + nameIf(d.Isolation), who}
	case record.SessionEnded:
		return []string{nameIf(e.Actor.Session), sessionEndText(d), who}
	}
	if e.Type == record.TypeStreamRefused {
		return []string{nameIf(e.Code), inert.Text(e.Reason, lineWidth), who, from}
	}
	return append(decidedParts(e), who, inert.Text(argsText(e), lineWidth))
}

// nameIf is a name for people, if there is one.
func nameIf(name string) string {
	if name == "" {
		return ""
	}
	return inert.Name(name, lineWidth)
}

func responseParts(d record.ResponseDone) []string {
	calls := count(d.Released, "call")
	if d.Refused > 0 {
		calls += fmt.Sprintf(", %d refused", d.Refused)
	}
	parts := []string{
		calls,
		fmt.Sprintf("%s in %s out", thousands(d.Usage.Input+d.Usage.CacheRead+d.Usage.CacheCreation), thousands(d.Usage.Output)),
	}
	if d.CostMicros > 0 {
		parts = append(parts, dollars(d.CostMicros))
	}
	if t := d.Timings; t.TotalMicros > 0 {
		parts = append(parts, duration(t.TotalMicros))
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

// duration is microseconds for people, in three digits.
func duration(micros int64) string {
	d := time.Duration(micros) * time.Microsecond
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.2fs", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.0fms", float64(d)/float64(time.Millisecond))
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1fms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%dµs", micros)
}
