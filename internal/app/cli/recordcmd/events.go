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
		Short: "Show all events on record: calls, results, responses, refusals, policies",
		Long: `events shows the newest events that match all filters, of every type, oldest first, one per line. On a terminal
lines are cut to its width; --json, and a pipe, have them in full. It reads the store directly; weir need not be
running.`,
		Example: `  weir events
  weir events --type stream_refused --since 7d
  weir events --request req_01hq2
  weir events --session s1 --follow
  weir events --json | jq .type`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.Run(cmd) },
	}
	l.Register(cmd, "all")
	l.Title = "EVENT"
	l.Line = show.Style.Event
	return cmd
}
