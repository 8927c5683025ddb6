package policycmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

type explainFlags struct {
	inuse.PolicyFlags
	connectionFlags
	surface, server, tool, args string
	who                         map[string]string
	call, store, line           string
	json, all, diff             bool
}

func newExplain() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [COMMAND | ID | FILE:LINE]",
		Short: "Show how the policy decides a call, and why",
		Long: `explain decides a call and shows the decision first, then the rules that matter: those that match, with the parts of
their conditions that hold. --all shows every rule and why it did or did not match.

The call is a command, judged as that of a coding agent's shell (--tool names another tool); a call on record, by weir's
id (call_…) or the provider's (toolu_…, call_…; others with --call); a call in a line of an agent's transcript, as replay
--from names it; or what the flags describe. If the ruling on record differs from today's decision, explain shows both.

--diff compares two policies, each a file or the name of a preset: what decides under each, and what differs.`,
		Example: `  weir policy explain 'git push -f'
  weir policy explain --tool Bash --args '{"command":"sudo ls"}' --all
  weir policy explain --policy policy.yaml --tool Read --args '{"file_path":"/etc/passwd"}' --who team=payments --json
  weir policy explain --surface inbound --server docs --tool mcp --args '{"require_approval":"never"}'
  weir policy explain --surface egress --host api.example.com --address 192.0.2.1 --port 443
  weir policy explain --policy candidate.yaml toolu_01A09q90qw90lq917835lq9
  weir policy explain ~/.claude/projects/-home-ann-app/4f0c.jsonl:17
  weir policy explain --diff balanced policy.yaml 'git push -f'`,
		Args: cobra.MaximumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.PolicyFlags.Register(cmd)
	f.connectionFlags.register(cmd)
	cmd.Flags().StringVar(&f.surface, "surface", string(call.Response), "where the call is seen: "+yamlfile.OneOf(policy.SurfaceWords.Words))
	cmd.Flags().StringVar(&f.server, "server", "", "MCP server that has the tool; on inbound with --tool mcp: a server that is offered with "+
		"all its tools")
	cmd.Flags().StringVar(&f.tool, "tool", "", "name of the tool, as the model calls it (of a command: "+shellTool+"); on egress: connect "+
		"(the default) or resolve")
	cmd.Flags().StringVar(&f.args, "args", "{}", "arguments, as a JSON object; on inbound: the definition of the tool; on egress: the "+
		"connection")
	registerWho(cmd, &f.who)
	cmd.Flags().StringVar(&f.call, "call", "", "a call on record, by weir's id or the provider's")
	cmd.Flags().StringVar(&f.store, "store", "", "store that has the call on record (default: the one that the configuration names)")
	cmd.Flags().StringVar(&f.line, "line", "", "a call in a transcript: "+lineForm)
	cmd.Flags().BoolVar(&f.all, "all", false, "show every rule, and every part of its conditions")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "compare two policies, which are the first arguments: files or presets")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON, with every rule")
	for _, written := range append([]string{"surface", "server", "tool", "args"}, connectionFlagNames...) {
		cmd.MarkFlagsMutuallyExclusive("call", "line", written)
	}
	cmd.MarkFlagsMutuallyExclusive("call", "who")
	cmd.MarkFlagsMutuallyExclusive("diff", "policy")
	for _, part := range connectionFlagNames {
		cmd.MarkFlagsMutuallyExclusive("args", part)
	}
	return cmd
}

func (f *explainFlags) run(cmd *cobra.Command, args []string) error {
	f.note(cmd)
	policies, args, err := f.compared(args)
	if err != nil {
		return exit.WrongInput(err)
	}
	if err := f.argument(cmd, args); err != nil {
		return exit.WrongInput(err)
	}
	a, err := f.asked(cmd)
	if err != nil {
		return err
	}
	if f.diff {
		return f.compare(cmd, policies, a)
	}
	p, name, err := f.Load()
	if err != nil {
		return err
	}
	e, err := f.explain(p, a)
	if err != nil {
		return err
	}
	e.InForce = inForce(cmd.Context(), name, p.Version())
	if f.json {
		return jsonout.Print(cmd.OutOrStdout(), e)
	}
	return e.print(cmd.OutOrStdout(), name, f.all)
}

// argument takes the call that an argument names.
func (f *explainFlags) argument(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if len(args) > 1 {
		return fmt.Errorf("there are %d arguments; quote the command, such as 'git push --force'", len(args))
	}
	if err := f.name(args[0]); err != nil {
		return err
	}
	beside := []string{"args", "call", "line"}
	switch {
	case f.call != "" || f.line != "":
		beside = append(beside, "surface", "server", "tool")
	case f.surface == string(call.Egress):
		return errors.New("--surface egress: a connection is no command; describe it with flags such as --host")
	}
	if f.call != "" {
		beside = append(beside, "who")
	}
	for _, flag := range append(beside, connectionFlagNames...) {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s: %s names the call already; leave one of them out", flag, inert.Name(args[0], 80))
		}
	}
	return nil
}

// asked returns the call that is to be explained.
func (f *explainFlags) asked(cmd *cobra.Command) (act, error) {
	switch {
	case f.call != "":
		return f.recorded(cmd.Context())
	case f.store != "":
		return act{}, exit.WrongInput(errors.New("--store: it is only read for a call on record; name one with --call, or remove --store"))
	case f.line != "":
		return f.fromTranscript(cmd.Context(), cmd.InOrStdin())
	default:
		return f.written()
	}
}

// explain says what a policy says about a call.
func (f *explainFlags) explain(p *policy.Policy, a act) (explained, error) {
	if a.event.Surface != call.Egress {
		out := explainAct(p, a)
		if a.told != nil || a.event.Type != "" {
			out.hide(p)
		}
		return out, nil
	}
	otherwise, err := f.EgressDefault()
	return explainConnection(p, a, otherwise), err
}

// inForce says whether the running weir has the policy; "": no weir runs.
func inForce(ctx context.Context, source, version string) string {
	has := running.Policy(ctx)
	if has == nil {
		return ""
	}
	if differs := running.Differs(*has, source, version); differs != "" {
		return "no: " + differs
	}
	return "yes, the running weir has it"
}

// nameIf is a name for people, if there is one.
func nameIf(name string) string {
	if name == "" {
		return ""
	}
	return inert.Name(name, 120)
}
