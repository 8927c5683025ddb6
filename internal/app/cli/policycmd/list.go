package policycmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newList() *cobra.Command {
	var f inuse.PolicyFlags
	var who map[string]string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show which rules apply to whom",
		Long: `list prints the rules that apply to a caller, in groups: calls that are always refused, calls that depend on
their arguments, rules for MCP servers, calls that are always released, rules that every policy has, and the
default. Without --who the caller is unknown.`,
		Example: `  weir policy list
  weir policy list --who employee=ann@acme.com,team=payments --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			actor, err := parseWho(who)
			if err != nil {
				return exit.WrongInput(err)
			}
			p, name, err := f.Load()
			if err != nil {
				return err
			}
			list := p.List(actor)
			return terminal.Show(cmd, func(s *terminal.Screen) error {
				if asJSON {
					return jsonout.Print(s, list)
				}
				return printList(s, name, list)
			})
		},
	}
	f.Register(cmd)
	registerWho(cmd, &who)
	terminal.RegisterScreen(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func registerWho(cmd *cobra.Command, who *map[string]string) {
	cmd.Flags().StringToStringVar(who, "who", nil, "who makes the call: org=…,team=…,employee=…,key=…,session=…")
}

func parseWho(who map[string]string) (a call.Actor, err error) {
	for k, v := range who {
		field, ok := map[string]*string{"org": &a.Org, "team": &a.Team, "employee": &a.Employee, "key": &a.Key, "session": &a.Session}[k]
		if !ok {
			return a, fmt.Errorf("--who: %q is not known; use org, team, employee, key or session", k)
		}
		*field = v
	}
	return a, nil
}

// groupNames are the names of the groups of rules for people.
var groupNames = map[policy.RuleGroup]string{
	policy.GroupRefused:     "refused",
	policy.GroupConditional: "conditional",
	policy.GroupMCP:         "MCP",
	policy.GroupPassed:      "passed",
}

func printList(out io.Writer, name string, l policy.Listing) error {
	var b strings.Builder
	fmt.Fprintf(&b, "policy: %s, version %s\n", name, l.Policy)
	var last policy.RuleGroup
	for _, r := range l.Rules {
		if r.Group != last {
			last = r.Group
			fmt.Fprintf(&b, "\n%s\n", groupNames[last])
		}
		writeRule(&b, r)
	}
	b.WriteString("\nin every policy\n")
	for _, r := range l.Own {
		writeRule(&b, r)
	}
	for i, s := range l.Servers {
		if i == 0 {
			b.WriteString("\nMCP servers\n")
		}
		fmt.Fprintf(&b, "  %s: %s %s\n", s.ID, s.Type, inert.Text(s.Address, 200))
	}
	for i, r := range l.Disabled {
		if i == 0 {
			b.WriteString("\nswitched off\n")
		}
		writeRule(&b, r)
	}
	fmt.Fprintf(&b, "\ndefault: %s\n", l.Default)
	if l.Others > 0 {
		fmt.Fprintf(&b, "%s for others: see --who\n", quantity.Count(l.Others, "more rule"))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func writeRule(b *strings.Builder, r policy.RuleSummary) {
	fmt.Fprintf(b, "  %s: %s %s", r.ID, r.Verdict, inert.Text(strings.Join(r.Tools, ", "), 200))
	if r.NotTools != nil {
		fmt.Fprintf(b, " except %s", inert.Text(strings.Join(r.NotTools, ", "), 200))
	}
	if r.Servers != nil {
		fmt.Fprintf(b, " of server %s", inert.Text(strings.Join(r.Servers, ", "), 200))
	}
	if r.Hints != nil {
		hints := make([]string, len(r.Hints))
		for i, h := range r.Hints {
			hints[i] = string(h)
		}
		fmt.Fprintf(b, " that is %s", strings.Join(hints, " or "))
	}
	if !slices.Equal(r.Surfaces, []call.Surface{call.Response, call.MCP}) {
		surfaces := make([]string, len(r.Surfaces))
		for i, s := range r.Surfaces {
			surfaces[i] = string(s)
		}
		fmt.Fprintf(b, " on %s", strings.Join(surfaces, ", "))
	}
	if r.Shadow {
		b.WriteString(" (shadow: not enforced)")
	}
	b.WriteString("\n")
	lines := [][2]string{{"for", r.Who}, {"if", r.Conditions}}
	for _, x := range r.Unless {
		lines = append(lines, [2]string{"unless", x.String()})
	}
	lines = append(lines, [2]string{"then", strings.Join(r.Duties, "; ")}, [2]string{"reason", r.Reason})
	if r.From != "" {
		lines = append(lines, [2]string{"from", r.Where()})
	}
	for _, line := range lines {
		if line[1] != "" {
			fmt.Fprintf(b, "      %s: %s\n", line[0], inert.Text(line[1], 400))
		}
	}
}
