// Package cli is the command line: the root command and what applies to all commands. The commands are in subpackages: recordcmd,
// policycmd, approvalcmd, mcpcmd, runcmd, servecmd, clientcmd and topcmd.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/weir-gate/weir/internal/app/cli/approvalcmd"
	"github.com/weir-gate/weir/internal/app/cli/clientcmd"
	"github.com/weir-gate/weir/internal/app/cli/complete"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/mcpcmd"
	"github.com/weir-gate/weir/internal/app/cli/policycmd"
	"github.com/weir-gate/weir/internal/app/cli/recordcmd"
	"github.com/weir-gate/weir/internal/app/cli/runcmd"
	"github.com/weir-gate/weir/internal/app/cli/servecmd"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/app/cli/topcmd"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Main runs weir and returns its exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := interruptible()
	defer stop()
	root := Root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil, errors.Is(err, terminal.ErrLeft):
		return 0
	case pipeClosed(err):
		return exit.Pipe
	}
	if text := message(ctx, err); text != "" {
		fmt.Fprintln(errOut, text)
	}
	return exit.Code(err)
}

// pipeClosed says that nobody reads the output any more, as in weir calls | head. Mostly the signal SIGPIPE ends weir before; it is
// an error if whoever started weir ignores that signal.
func pipeClosed(err error) bool {
	failed, ok := errors.AsType[*fs.PathError](err)
	return ok && failed.Path == os.Stdout.Name() && errors.Is(failed.Err, syscall.EPIPE)
}

// message returns the text of an error for the user. Problems of a file begin with its name, as in compilers, so that editors find
// the position. Other errors begin with the name of the program.
func message(ctx context.Context, err error) string {
	if problems, ok := errors.AsType[yamlfile.Problems](err); ok {
		return problems.Error()
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return "weir: interrupted"
	}
	if err.Error() == "" {
		return ""
	}
	return "weir: " + err.Error()
}

// Root returns the command weir, with all commands below it.
func Root() *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "weir",
		Short: "A firewall for the tool calls of AI agents",
		Long: `weir stands between an agent, its model and its tools. Text streams through live; a tool call is held until it is
complete. Then weir judges it by your policy, records the ruling, and only then releases or refuses the call.`,
		Example: `  weir demo                      # see it work: no key, no network
  weir run -- claude             # run an agent behind weir
  weir verify                    # test that it works here
  weir serve                     # only weir, on 127.0.0.1:4141
  weir calls --follow            # watch the calls of agents`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return printVersion(cmd)
			}
			return cmd.Help()
		},
	}
	// Not cobra's own flag: setting its text links text/template, and with it every exported method of the program.
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return wrongUsage(cmd, err, nil)
	})
	root.AddCommand(newVersion())
	recordcmd.Add(root)
	policycmd.Add(root)
	approvalcmd.Add(root)
	mcpcmd.Add(root)
	runcmd.Add(root)
	servecmd.Add(root)
	clientcmd.Add(root)
	topcmd.Add(root)
	complete.Attach(root)
	finishBuiltIns(root)
	demandGoodUsage(root)
	return root
}

// demandGoodUsage makes wrong arguments and flags an error of usage, for every command. Without it, cobra responds to a misspelt
// subcommand with the help of the command above it, and with success.
func demandGoodUsage(cmd *cobra.Command) {
	if !cmd.Runnable() {
		cmd.Args = cobra.NoArgs
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			if err := cmp.Or(check(c, args), c.ValidateRequiredFlags(), c.ValidateFlagGroups(), demandValues(c, args)); err != nil {
				return wrongUsage(c, err, args)
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		demandGoodUsage(sub)
	}
}

// wrongUsage is the error for a mistaken command line: it says what was probably meant, and where help is.
func wrongUsage(cmd *cobra.Command, err error, args []string) error {
	if guess := meant(cmd, err, args); guess != "" {
		return exit.WrongInput(fmt.Errorf("%w: %sSee %s --help", err, guess, cmd.CommandPath()))
	}
	return exit.WrongInput(fmt.Errorf("%w; see %s --help", err, cmd.CommandPath()))
}

// demandValues refuses empty arguments and flags. They often come from a shell variable that is not set. If they were ignored, the
// command would do something else than the user wanted.
func demandValues(cmd *cobra.Command, args []string) (err error) {
	const cure = "is a variable of the shell not set?"
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args = args[:dash] // the rest is for another program
	}
	for i, arg := range args {
		if arg == "" {
			return fmt.Errorf("argument %d is empty: %s", i+1, cure)
		}
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.String() == "" && f.Value.Type() == "string" {
			err = fmt.Errorf("--%s is empty: %s Give it a value, or leave it out", f.Name, cure)
		}
	})
	return err
}

// finishBuiltIns creates cobra's own commands now, so that the same rules apply to them as to weir's.
func finishBuiltIns(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	examples := map[string]string{
		"help":       "  weir help policy explain",
		"completion": "  source <(weir completion bash)",
		"bash":       "  weir completion bash > /etc/bash_completion.d/weir",
		"zsh":        `  weir completion zsh > "${fpath[1]}/_weir"`,
		"fish":       "  weir completion fish > ~/.config/fish/completions/weir.fish",
		"powershell": "  weir completion powershell | Out-String | Invoke-Expression",
	}
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = knownTopic
		case "completion":
			for _, shell := range cmd.Commands() {
				shell.Example = examples[shell.Name()]
			}
		default:
			continue
		}
		cmd.Example = examples[cmd.Name()]
	}
}

// knownTopic checks that the arguments name a command.
func knownTopic(cmd *cobra.Command, args []string) error {
	_, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return fmt.Errorf("there is no command %q", "weir "+strings.Join(args, " "))
	}
	return nil
}
