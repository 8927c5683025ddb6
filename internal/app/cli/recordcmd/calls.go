package recordcmd

import (
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/show"
)

func newCalls() *cobra.Command {
	var l excerpt.Listing
	cmd := &cobra.Command{
		Use:   "calls",
		Short: "Show the calls of agents",
		Long: `calls shows the newest calls that match all filters, oldest first, each with the result the agent returned for
it. It reads the store directly; weir need not be running. A filter with ! before its value leaves out what it
names, and may be given more than once; a value that begins with ! is written \!.`,
		Example: `  weir calls
  weir calls --blocked --since yesterday
  weir calls --employee ann@acme.com --since monday
  weir calls --tool 'Bash' --json | jq .args.command
  weir calls --surface egress --session run-3kq7m2x9fa
  weir calls --tool '!Read' --tool '!Grep' --employee '!ci@acme.com'
  weir calls --follow
  weir calls show call_1q3n8k0c9g5t2`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if l.Wants("surface") == string(call.Egress) {
				l.Usual = record.Types.Where(record.Type.IsConnection) // a connection is a call there
			}
			return l.Run(cmd)
		},
	}
	cmd.AddCommand(newCallsShow())
	l.Usual, l.Joined = record.Types.Where(record.Type.IsCall), true
	l.Register(cmd, "")
	cmd.Flags().Lookup("type").Usage = "only events of this type; all: every type (default: tool calls)"
	l.Title = "CALL"
	l.Line = show.Style.Call
	return cmd
}
