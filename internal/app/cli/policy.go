package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/daemon"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/inert"
)

func newPolicy() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "policy",
		Short:   "Check, explain, test, replay, suggest and list policies",
		Example: "  weir policy check policy.yaml",
	}
	cmd.AddCommand(newPolicyCheck(), newPolicyExplain(), newPolicyTest(), newPolicyReplay(), newPolicySuggest(), newPolicyList())
	cmd.AddCommand(newPolicyPreset(), newPolicySchema())
	return cmd
}

// policyFlags say which policy a command means.
type policyFlags struct {
	config string
	policy string
}

func (f *policyFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.config, "config", "", "configuration that names the policy (default: weir.yaml in the configuration folder, else the policy in the state folder, or the starter policy)")
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
		return cfg.Policy.Inline, configInUse(f.config), nil
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

// printJSON prints a value that may hold text of strangers.
func printJSON(out io.Writer, v any) error {
	text, err := json.Marshal(v, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Fprintln(out, inert.JSON(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
