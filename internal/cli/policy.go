package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/config"
	"github.com/weir-gate/weir/internal/daemon"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/yamlfile"
)

func newPolicy() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "policy",
		Short:   "Check, explain and test a policy",
		Example: "  weir policy check policy.yaml",
	}
	cmd.AddCommand(newPolicyCheck(), newPolicyExplain(), newPolicyTest())
	return cmd
}

// policyFlags say which policy a command means.
type policyFlags struct {
	config string
	policy string
}

func (f *policyFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.config, "config", "", "configuration that names the policy (default: the policy in the state folder, or the starter policy)")
	cmd.Flags().StringVar(&f.policy, "policy", "", "policy file")
	cmd.MarkFlagsMutuallyExclusive("config", "policy")
}

// load returns the policy and where it came from.
func (f *policyFlags) load() (*policy.Policy, string, error) {
	if f.policy != "" {
		p, err := policyFile(f.policy).Load()
		return p, f.policy, wrongInput(err)
	}
	cfg, err := loadConfig(f.config)
	if err != nil {
		return nil, "", err
	}
	if cfg.Policy.Inline != nil {
		return cfg.Policy.Inline, f.config, nil
	}
	p, err := policyFile(cfg.Policy.Path).Load()
	if errors.Is(err, os.ErrNotExist) && inStateFolder(cfg.Policy.Path) {
		return policy.Starter(), "the starter policy", nil
	}
	return p, cfg.Policy.Path, wrongInput(err)
}

// policyFile is a policy in a file of its own.
func policyFile(path string) daemon.PolicySource {
	return daemon.PolicySource{Path: path, Parse: func(data []byte) (*policy.Policy, error) { return policy.Parse(path, data) }}
}

// inStateFolder says that path is the policy's place in the state folder, where weir serve puts the starter policy.
func inStateFolder(path string) bool {
	dir, err := config.StateDir(os.LookupEnv)
	return err == nil && path == config.Default(dir).Policy.Path
}

func newPolicyCheck() *cobra.Command {
	var f policyFlags
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Say whether a policy can be loaded, and everything that is wrong with it",
		Example: `  weir policy check policy.yaml
  weir policy check --config weir.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if f.policy != "" || f.config != "" {
					return wrongInput(errors.New("give a file, --policy or --config, not several"))
				}
				f.policy = args[0]
			}
			p, name, err := f.load()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, %s, version %s\n", name, count(p.Len(), "rule"), p.Version())
			return err
		},
	}
	f.register(cmd)
	return cmd
}

// count writes a number with its noun.
func count[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func newPolicyExplain() *cobra.Command {
	var f policyFlags
	var q queryFlags
	var who map[string]string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Show what the policy says of a call, and why",
		Example: `  weir policy explain --tool Bash --args '{"command":"sudo ls"}'
  weir policy explain --policy policy.yaml --tool Read --args '{"file_path":"/etc/passwd"}' --who team=payments --json
  weir policy explain --surface inbound --server docs --tool mcp --args '{"require_approval":"never"}'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			query, err := newQuery(q, who)
			if err != nil {
				return wrongInput(err)
			}
			p, name, err := f.load()
			if err != nil {
				return err
			}
			e := p.Explain(query)
			if asJSON {
				return printJSON(cmd.OutOrStdout(), e)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "policy: %s\n%s", name, e)
			return err
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&q.surface, "surface", string(call.Response), "where the tool shows itself: "+strings.Join(policy.SurfaceNames(), " or "))
	cmd.Flags().StringVar(&q.server, "server", "", "MCP server whose tool it is; on inbound with --tool mcp: a server of which all tools are offered")
	cmd.Flags().StringVar(&q.tool, "tool", "", "name of the tool, as the model calls it")
	cmd.Flags().StringVar(&q.args, "args", "{}", "arguments, as a JSON object; on inbound the tool's declaration")
	cmd.Flags().StringToStringVar(&who, "who", nil, "on whose behalf: org=…,team=…,employee=…,key=…,session=…")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.MarkFlagRequired("tool") //nolint:errcheck // the flag exists
	return cmd
}

func printJSON(out io.Writer, v any) error {
	text, err := json.Marshal(v, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Fprintln(out, inertJSON(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

// queryFlags describe a call.
type queryFlags struct{ surface, server, tool, args string }

func newQuery(f queryFlags, who map[string]string) (policy.Query, error) {
	q := policy.Query{Surface: call.Surface(f.surface), Server: f.server, Tools: []string{f.tool}, Args: jsontext.Value(f.args)}
	q.Open = q.Surface == call.Inbound && f.server != "" && f.tool == dialect.ServerName
	if !slices.Contains(policy.SurfaceNames(), f.surface) {
		return q, fmt.Errorf("--surface: %q is not a surface; use %s", f.surface, strings.Join(policy.SurfaceNames(), " or "))
	}
	if f.tool == "" {
		return q, errors.New("--tool: the name is empty; give the tool's name as the model calls it")
	}
	if err := strictjson.CheckArguments(q.Args); err != nil {
		return q, fmt.Errorf("--args: %w; such a call is refused as %s, whatever the policy says", err, call.CodeArgsUnreadable)
	}
	for k, v := range who {
		field, ok := map[string]*string{
			"org": &q.Actor.Org, "team": &q.Actor.Team, "employee": &q.Actor.Employee, "key": &q.Actor.Key, "session": &q.Actor.Session,
		}[k]
		if !ok {
			return q, fmt.Errorf("--who: %q is not known; use org, team, employee, key or session", k)
		}
		*field = v
	}
	return q, nil
}

func newPolicyTest() *cobra.Command {
	var f policyFlags
	cmd := &cobra.Command{
		Use:   "test CASES",
		Short: "Check that a policy decides a file of cases as expected",
		Long: `test decides every case of a file and compares. It ends with exit code 1 if one differs, so it can stand in CI.

  cases:
    - name: no recursive removal of the root
      tool: Bash
      args: {command: "rm -rf /"}
      expect: deny`,
		Example: `  weir policy test cases.yaml --policy policy.yaml`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := yamlfile.ReadFile(args[0])
			if err != nil {
				return wrongInput(fmt.Errorf("read cases: %w", err))
			}
			cases, err := policy.ParseCases(args[0], data)
			if err != nil {
				return wrongInput(err)
			}
			p, _, err := f.load()
			if err != nil {
				return err
			}
			return printResults(cmd, args[0], p.RunCases(cases))
		},
	}
	f.register(cmd)
	return cmd
}

func printResults(cmd *cobra.Command, file string, results []policy.CaseResult) error {
	out := cmd.OutOrStdout()
	failed := 0
	for _, r := range results {
		if r.Passed() {
			fmt.Fprintf(out, "ok    %s\n", printable(r.Case.Name, 120))
			continue
		}
		failed++
		fmt.Fprintf(out, "FAIL  %s (%s:%d): %s\n", printable(r.Case.Name, 120), file, r.Case.Line, printable(r.Problem, 300))
	}
	fmt.Fprintf(out, "%d passed, %d failed\n", len(results)-failed, failed)
	if failed > 0 {
		return failure{exitFailed, errSilent}
	}
	return nil
}
