package servecmd

import (
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/app/demo"
	"github.com/weir-gate/weir/internal/record/show"
)

func newDemo() *cobra.Command {
	var fast bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show weir at work with a scripted model: no key, no network",
		Long: `demo starts a scripted model and a weir on loopback, and sends a few turns through it. It shows live, side by
side, what the model sent, what the agent received, and what weir recorded. It leaves nothing behind.`,
		Example: `  weir demo
  weir demo --fast`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pace := 120 * time.Millisecond
			if fast {
				pace = time.Millisecond
			}
			out := cmd.OutOrStdout()
			width, err := strconv.Atoi(os.Getenv("COLUMNS"))
			if err != nil {
				width = terminal.Width(out)
			}
			return demo.Run(cmd.Context(), demo.Config{Out: out, Width: width, Style: show.Style{Colours: terminal.WantsColours(out)}, Pace: pace})
		},
	}
	cmd.Flags().BoolVar(&fast, "fast", false, "do not pause between steps")
	return cmd
}
