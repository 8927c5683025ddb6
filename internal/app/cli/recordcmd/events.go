package recordcmd

import (
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/record/show"
)

func newEvents() *cobra.Command {
	var l excerpt.Listing
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
		RunE: func(cmd *cobra.Command, _ []string) error { return l.Run(cmd) },
	}
	l.Register(cmd, "all")
	l.Line = show.Style.Event
	return cmd
}
