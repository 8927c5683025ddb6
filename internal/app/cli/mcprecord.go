package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record/audit"
	"github.com/weir-gate/weir/internal/text/inert"
)

// The types of events that are about MCP servers. Some are about nothing else, on whichever surface; of the others only those on the
// surface mcp are.
var (
	mcpCallTypes = []audit.Type{audit.TypeMCPIntercepted, audit.TypeMCPCalled, audit.TypeMCPRequest}
	mcpOnlyTypes = slices.Concat(mcpCallTypes, []audit.Type{
		audit.TypeMCPToolSeen, audit.TypeMCPToolChanged, audit.TypeMCPPinChanged, audit.TypeRegistryNoted, audit.TypeMCPConnection,
	})
	mcpEventTypes = slices.Concat(mcpOnlyTypes, []audit.Type{
		audit.TypeToolResult, audit.TypeCallArguments, audit.TypeCallWithdrawn, audit.TypeStreamRefused, audit.TypeUndeclaredAct,
	})
)

func newMCPCalls() *cobra.Command {
	l := listing{among: mcpCallTypes, wide: mcpOnlyTypes, joined: true}
	cmd := &cobra.Command{
		Use:   "calls",
		Short: "Show what was asked of MCP servers",
		Long: `calls reads the record directly, whether weir is running or not. It shows the newest calls and other requests that came to weir's
doors for MCP and fit all of the filters, oldest first, each with what the server gave. --surface response shows the calls of MCP tools
that models asked for instead, and so does --type mcp_tool_call_intercepted. --json prints events as weir calls does.`,
		Example: `  weir mcp calls
  weir mcp calls --server filesystem --blocked
  weir mcp calls --surface response --since today --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	l.register(cmd, "all")
	l.filter.Surface = string(call.MCP)
	cmd.Flags().Lookup("surface").DefValue = l.filter.Surface
	l.line = l.mcpLine
	return cmd
}

func newMCPEvents() *cobra.Command {
	l := listing{among: mcpEventTypes, wide: mcpOnlyTypes}
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Show what is on record about MCP servers: calls, requests, tools that are new or changed",
		Long: `events reads the record directly, whether weir is running or not. It shows the newest events about MCP servers that fit all of the
filters, oldest first, one a line. --surface response shows the calls of MCP tools that models asked for instead; with --type
mcp_tool_call_intercepted, or mcp_network_connection for connections, no surface need be named. --json prints events as weir events does.`,
		Example: `  weir mcp events
  weir mcp events --type mcp_tool_changed --since 7d
  weir mcp events --server filesystem --follow`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	l.register(cmd, "all")
	l.filter.Surface = string(call.MCP)
	cmd.Flags().Lookup("surface").DefValue = l.filter.Surface
	l.line = l.mcpLine
	return cmd
}

// mcpLine is an event about an MCP server for people.
func (l *listing) mcpLine(e audit.Event, result *audit.ToolResult) string {
	parts := []string{
		l.show(e.Time), l.paint.outcome(fmt.Sprintf("%-8s", outcome(e)), e), fmt.Sprintf("%-8s", mcpWord(e)), nameIf(e.Server),
	}
	e.Server = "" // it has a column of its own
	if d, ok := e.Detail.(audit.Connection); ok {
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
func mcpWord(e audit.Event) string {
	switch d := e.Detail.(type) {
	case audit.ToolChanged:
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
	case audit.TypeMCPIntercepted:
		return "asked"
	case audit.TypeMCPCalled:
		return "called"
	case audit.TypeMCPRequest:
		return "request"
	case audit.TypeMCPToolSeen:
		return "new"
	case audit.TypeMCPToolChanged:
		return "changed"
	case audit.TypeMCPPinChanged:
		return "pin"
	case audit.TypeRegistryNoted:
		return "tools"
	case audit.TypeToolResult:
		return "answer"
	case audit.TypeStreamRefused:
		return "message"
	case audit.TypeUndeclaredAct:
		return "undeclared"
	case audit.TypeMCPConnection:
		return "network"
	case audit.TypeCallArguments:
		return "args"
	case audit.TypeCallWithdrawn:
		return "withdrawn"
	}
	return inert.Text(string(e.Type), 20)
}

// mcpDetail is what is particular to an event about an MCP server.
func mcpDetail(e audit.Event) (parts []string) {
	var findings []audit.Finding
	switch d := e.Detail.(type) {
	case audit.ToolCall:
		findings = d.Findings
		if d.Declared {
			parts = append(parts, "asked for by a model")
		}
	case audit.PinChanged:
		parts = append(parts, map[string]string{audit.PinTrusted: "trusted by", audit.PinForgotten: "forgotten by"}[d.Action]+" "+inert.Name(d.By, shownName))
	case audit.RegistryNoted:
		parts = append(parts, "took note of "+count(len(d.Servers), "server"), namesOf("changed by something else:", d.Differ))
	case audit.ToolSeen:
		findings = d.Findings
		if d.Trusted {
			parts = append(parts, "trusted")
		}
		if d.RenamedFrom != "" {
			parts = append(parts, "was "+inert.Name(d.RenamedFrom, shownName))
		}
		parts = append(parts, namesOf("looks like", d.LookAlikes), namesOf("also of", d.Collisions))
	case audit.ToolChanged:
		findings = d.Findings
	case audit.UndeclaredAct:
		parts = append(parts, undeclaredText(e, d))
	case audit.ToolResult:
		findings = d.Findings
		parts = append(parts, inert.Text(d.Method, shownName), resultText(d))
	}
	if e.Type == audit.TypeStreamRefused {
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
		shown = append(shown, inert.Name(n, shownName))
	}
	text := what + " " + strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// findingsText is the first finding, and how many there are. They are on record with the worst first.
func findingsText(all []audit.Finding) string {
	if len(all) == 0 {
		return ""
	}
	text := inert.Text(all[0].Severity, 20) + " " + inert.Name(all[0].Rule, shownName)
	if len(all) > 1 {
		text += fmt.Sprintf(" and %d more", len(all)-1)
	}
	return text
}
