package servecmd

import (
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/demo"
)

func newDemo() *cobra.Command {
	var fast bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show weir at work on a scripted model: no key, no network",
		Long: `demo starts a scripted model and a weir on loopback and sends a few turns through it. Side by side and live it shows
what the model sent, what the agent received, and what weir recorded. It leaves nothing behind.`,
		Example: `  weir demo
  weir demo --fast`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pace := 120 * time.Millisecond
			if fast {
				pace = time.Millisecond
			}
			width, _ := strconv.Atoi(os.Getenv("COLUMNS"))
			out := cmd.OutOrStdout()
			return demo.Run(cmd.Context(), demo.Config{Out: out, Width: width, Color: colorful(out), Pace: pace})
		},
	}
	cmd.Flags().BoolVar(&fast, "fast", false, "without pauses to read")
	return cmd
}

// colorful says whether out is a terminal whose user has not asked for plain text.
func colorful(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
