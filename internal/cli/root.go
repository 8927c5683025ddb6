// Package cli is the command line: one file per command, and the only place that knows all parts of weir.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitFailed = 1 // the command did its work and the answer is no, or something broke
	exitUsage  = 2 // the command line, a policy or a configuration is wrong; nothing was started
)

// A failure carries the exit code of an error.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

// wrongInput marks an error as one of the user's input.
func wrongInput(err error) error {
	if err == nil {
		return nil
	}
	return failure{exitUsage, err}
}

// errSilent ends a command whose output has said everything.
var errSilent = errors.New("")

// Main runs weir and returns its exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(errOut, prefixed(text))
	}
	var f failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitFailed
}

// prefixed puts the program's name before an error of one line; lists of problems begin with their files.
func prefixed(text string) string {
	if strings.Contains(text, "\n") {
		return text
	}
	return "weir: " + text
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "weir",
		Short: "A firewall for the tool calls of AI agents",
		Long: `weir stands between an agent and its model. Text streams through live; a tool call is held until it is
complete, judged against your policy on its name and arguments, recorded, and only then released or refused.`,
		Example: `  weir demo                      # see it work: no key, no network
  weir serve                     # start it on 127.0.0.1:4141
  ANTHROPIC_BASE_URL=http://127.0.0.1:4141/anthropic claude
  weir calls --follow            # watch what the agent asks to do`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return wrongInput(fmt.Errorf("%w; see %s --help", err, cmd.CommandPath()))
	})
	root.AddCommand(
		newServe(), newDemo(), newPolicy(), newCalls(), newAudit(), newConfig(), newVersion(),
	)
	wrapArgErrors(root)
	addCompletionExamples(root)
	return root
}

// wrapArgErrors makes wrong arguments an error of usage, for every command.
func wrapArgErrors(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return wrongInput(fmt.Errorf("%w; see %s --help", err, c.CommandPath()))
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		wrapArgErrors(sub)
	}
}

// addCompletionExamples creates the completion commands now, so that they too have examples.
func addCompletionExamples(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	examples := map[string]string{
		"bash":       "  weir completion bash > /etc/bash_completion.d/weir",
		"zsh":        `  weir completion zsh > "${fpath[1]}/_weir"`,
		"fish":       "  weir completion fish > ~/.config/fish/completions/weir.fish",
		"powershell": "  weir completion powershell | Out-String | Invoke-Expression",
	}
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Example = "  source <(weir completion bash)"
		for _, shell := range cmd.Commands() {
			shell.Example = examples[shell.Name()]
		}
	}
}
