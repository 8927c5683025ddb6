package runcmd

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/record/summary"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// summaryLines are the summary of a session: a line of numbers, and then lines with the tools and the refusals.
func summaryLines(s summary.Session) []string {
	lines := []string{strings.Join(summaryParts(s), "; ")}
	if s.Trouble != "" {
		lines = append(lines, "not all is counted: "+inert.Text(s.Trouble, 200))
	}
	var tools []string
	for _, t := range s.Tools {
		text := fmt.Sprintf("%s %d", inert.Name(t.Tool, 60), t.Calls)
		if t.Refused > 0 {
			text += fmt.Sprintf(" (%d refused)", t.Refused)
		}
		tools = append(tools, text)
	}
	if len(tools) > 0 {
		lines = append(lines, "tools: "+strings.Join(tools, ", "))
	}
	for _, r := range s.Refusals {
		lines = append(lines, refusalLine(r))
	}
	return lines
}

// summaryParts are the numbers, the most important first.
func summaryParts(s summary.Session) []string {
	parts := []string{fmt.Sprintf("%s, %d released, %d refused", quantity.Count(s.Calls, "call"), s.Calls-s.Refused, s.Refused)}
	if s.MCPCalls > 0 {
		parts = append(parts, fmt.Sprintf("%s to MCP servers, %d refused", quantity.Count(s.MCPCalls, "call"), s.MCPRefused))
	}
	if s.Connections > 0 {
		parts = append(parts, fmt.Sprintf("%s, %d refused", quantity.Count(s.Connections, "connection"), s.Cut))
	}
	if s.Otherwise > 0 {
		parts = append(parts, quantity.Count(s.Otherwise, "other refusal"))
	}
	if s.Undeclared > 0 {
		parts = append(parts, quantity.Count(s.Undeclared, "act")+" that no model asked for")
	}
	return append(parts, fmt.Sprintf("%s, %s", quantity.Count(s.Responses, "response"), quantity.Dollars(s.CostMicros)))
}

func refusalLine(r summary.Refusal) string {
	times := ""
	if r.Times > 1 {
		times = fmt.Sprintf(" (%d times)", r.Times)
	}
	rule := ""
	if r.Rule != "" {
		rule = ", rule " + inert.Name(r.Rule, 80)
	}
	return fmt.Sprintf("refused%s: %s (%s%s): %s", times, inert.Name(r.What, 120), inert.Name(r.Code, 80), rule, inert.Text(r.Reason, 300))
}
