package show

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// Call says on one line what a call is, why it was refused, and what came of it.
func (s Style) Call(e record.Event, result *record.ToolResult) string {
	var parts []string
	switch {
	case e.Type.IsCalled():
		parts = append(parts, "called")
	case e.Type.IsConnection():
		d, _ := e.Detail.(record.Connection)
		return strings.Join(append(parts, connectionParts(e, d)...), "  ")
	case !e.Type.IsCall():
		parts = append(parts, inert.Text(string(e.Type), 80))
	case e.Surface != call.Response:
		parts = append(parts, inert.Text(string(e.Surface), 80))
	}
	parts = append(parts, decidedParts(e)...)
	if args := argsText(e); args != "" {
		parts = append(parts, s.clip(args))
	}
	if e.Reason != "" && !e.Type.IsCall() {
		parts = append(parts, s.clip(e.Reason))
	}
	if r, ok := e.Detail.(record.ToolResult); ok {
		parts = append(parts, resultText(r))
	}
	if result != nil {
		parts = append(parts, "answered: "+resultText(*result))
	}
	return strings.Join(parts, "  ")
}

// Brief is a call in the fewest words, without a time: what became of it, the tool, why, and the arguments.
func (s Style) Brief(e record.Event) string {
	why := ""
	if e.Blocked {
		why = inert.Name(e.Code, 80) + " (" + inert.Name(e.Rule, 80) + ") "
	}
	return fmt.Sprintf("%-9s %s %s%s", outcome(e), inert.Name(e.Tool, 80), why, inert.Text(argsText(e), 160))
}

// decidedParts are the tool of an event, as far as it is about one, and what was decided.
func decidedParts(e record.Event) (parts []string) {
	switch {
	case e.Server != "" && e.Tool != "" && !strings.Contains(e.Tool, e.Server):
		parts = append(parts, inert.Name(e.Server, 80)+"/"+inert.Name(e.Tool, 80))
	case e.Tool != "" || isCall(e):
		parts = append(parts, inert.Name(e.Tool, 80))
	}
	if e.Code != "" {
		parts = append(parts, inert.Name(e.Code, 80))
	}
	if e.Rule != "" {
		parts = append(parts, "rule="+inert.Name(e.Rule, 80))
	}
	return parts
}

// isCall says that an event is about a call, which has a tool, even if its name is empty.
func isCall(e record.Event) bool { return e.Type.IsRuling() }

// argsText are the arguments of a call for people.
func argsText(e record.Event) string {
	d, _ := e.Detail.(record.ToolCall)
	text := string(e.Args)
	switch {
	case d.Omitted.SizeBytes > 0:
		text = fmt.Sprintf("(%s, %s) %s…", quantity.Count(d.Omitted.SizeBytes, "byte"), d.Omitted.Digest, d.Omitted.Begin)
	case d.ArgsFollow:
		text = "(refused before its arguments came)"
	}
	if d.ArgsCode != "" {
		text = strings.TrimSpace(text + " (" + d.ArgsCode + ")")
	}
	return text
}

// resultText is a result for people.
func resultText(r record.ToolResult) string {
	if r.Failed {
		return "an error of " + quantity.Count(r.SizeBytes, "byte")
	}
	return quantity.Count(r.SizeBytes, "byte")
}

// outcome is the ruling in one word.
func outcome(e record.Event) string {
	switch {
	case e.Blocked:
		return "refused"
	case e.WouldBe != "":
		return "would:" + inert.Text(e.WouldBe, 20)
	case e.Verdict == "audit":
		return "flagged"
	case e.Verdict == "sanitize":
		return "sanitised"
	case e.Verdict == "allow":
		return "released"
	}
	return "-"
}
