package mcpcmd

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/show"
)

// The types of events about MCP servers. Some types are always about MCP servers, on every surface; of the other types, only events
// on the surface mcp are.
var (
	mcpCallTypes = record.Types.Where(func(t record.Type) bool {
		return t.Kind().OnlyMCP && t.IsRuling() && !t.IsConnection()
	})
	mcpOnlyTypes  = record.Types.Where(func(t record.Type) bool { return t.Kind().OnlyMCP })
	mcpEventTypes = slices.Concat(mcpOnlyTypes, record.Types.Where(func(t record.Type) bool { return t.Kind().MCP }))
)

func newCalls() *cobra.Command {
	l := excerpt.Listing{Among: mcpCallTypes, Wide: mcpOnlyTypes, Joined: true}
	cmd := &cobra.Command{
		Use:   "calls",
		Short: "Show the calls and other requests to MCP servers",
		Long: `calls shows the newest calls and other requests to MCP servers that match all filters, oldest first, each with
the server's result. It reads the store directly; weir need not be running. --surface response, or --type
mcp_tool_call_intercepted, shows the calls of MCP tools in model responses instead. --json prints events as weir
calls does.`,
		Example: `  weir mcp calls
  weir mcp calls --server filesystem --blocked
  weir mcp calls --surface response --since today --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.Run(cmd) },
	}
	l.Register(cmd, "all")
	l.Usually(cmd, "surface", string(call.MCP))
	l.Title = "EVENT"
	l.Line = show.Style.MCP
	return cmd
}

func newEvents() *cobra.Command {
	l := excerpt.Listing{Among: mcpEventTypes, Wide: mcpOnlyTypes}
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Show the events of MCP servers: calls, requests, new and changed tools",
		Long: `events shows the newest events of MCP servers that match all filters, oldest first, one per line. It reads the
store directly; weir need not be running. --surface response shows the calls of MCP tools in model responses
instead; --type mcp_tool_call_intercepted, and mcp_network_connection for connections, do so without --surface.
--json prints events as weir events does.`,
		Example: `  weir mcp events
  weir mcp events --type mcp_tool_changed --since 7d
  weir mcp events --server filesystem --follow`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.Run(cmd) },
	}
	l.Register(cmd, "all")
	l.Usually(cmd, "surface", string(call.MCP))
	l.Title = "EVENT"
	l.Line = show.Style.MCP
	return cmd
}
