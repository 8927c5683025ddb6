package mcpcmd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/table"
)

// serversFlags are the flags of servers.
type serversFlags struct {
	registryFlags
	policy string
}

func newServers() *cobra.Command {
	var f serversFlags
	cmd := &cobra.Command{
		Use:   "servers",
		Short: "Show the MCP servers that are declared or were seen",
		Long: `servers prints one line for each MCP server that the policy declares or that weir has seen: its id, its type and
address, whether it is declared, how many tools it offers, how many of them changed since they were trusted, and
when weir last saw it, to the hour. The policy is the one that weir serve would use. With --store no policy is
read, unless --policy names one.

With --json a server has the members id, type, addr, declared, name and version (its own), tools (how many it
offers), trusted, unknown and changed (how many of these), gone (how many it offered before), first and last
(when weir saw it).`,
		Example: `  weir mcp servers
  weir mcp servers --store postgres://auditor@db.example/weir --policy policy.yaml
  weir mcp servers --json | jq 'select(.changed > 0).id'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := f.read(cmd.Context())
			if err != nil {
				return err
			}
			declared, err := f.declared()
			if err != nil {
				return err
			}
			all := serverLines(r, declared)
			return terminal.Show(cmd, func(s *terminal.Screen) error {
				if f.json {
					return jsonout.PrintLines(s, all)
				}
				return f.printServers(s, all)
			})
		},
	}
	f.register(cmd)
	terminal.RegisterScreen(cmd)
	cmd.Flags().StringVar(&f.policy, "policy", "", "policy file that declares servers (default: the one that the configuration names)")
	return cmd
}

// declared returns the servers of the policy that the flags mean, if there is one.
func (f *serversFlags) declared() ([]policy.Server, error) {
	if f.Store != "" && f.policy == "" {
		return nil, nil
	}
	p, _, err := (&inuse.PolicyFlags{Config: f.Config, Policy: f.policy}).Load()
	if err != nil {
		return nil, err
	}
	if p.MCP() == nil {
		return nil, nil
	}
	return p.MCP().Servers, nil
}

// A serverLine is what is shown about a server.
type serverLine struct {
	ID       string    `json:"id"`
	Type     string    `json:"type,omitzero"`
	Addr     string    `json:"addr,omitzero"`
	Declared bool      `json:"declared,omitzero"`
	Name     string    `json:"name,omitzero"`
	Version  string    `json:"version,omitzero"`
	Tools    int       `json:"tools"`
	Trusted  int       `json:"trusted"`
	Unknown  int       `json:"unknown"`
	Changed  int       `json:"changed"`
	Gone     int       `json:"gone"`
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
}

// serverLines returns the lines of all servers that are declared, were met, or have known tools, sorted by id. For a server that
// was met, type and address are those of that time.
func serverLines(r *registry.Registry, declared []policy.Server) []serverLine {
	all := map[string]serverLine{}
	for _, s := range r.Known() {
		all[s.ID] = serverLine{ID: s.ID, Type: s.Type, Addr: s.Addr, Name: s.Name, Version: s.Version, First: s.First, Last: s.Last}
	}
	for _, id := range r.Servers() {
		l := all[id]
		l.ID = id
		for _, t := range r.Tools(id) {
			l.count(r.State(id, t.Name))
		}
		all[id] = l
	}
	for _, s := range declared {
		l := all[s.ID]
		l.ID, l.Declared = s.ID, true
		if l.Last.IsZero() {
			l.Type, l.Addr = s.Type, s.Address()
		}
		all[s.ID] = l
	}
	var out []serverLine
	for _, id := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[id])
	}
	return out
}

// count adds a tool.
func (l *serverLine) count(s registry.Standing) {
	if s.Offered {
		l.Tools++
	}
	switch s.State {
	case registry.Trusted:
		l.Trusted++
	case registry.Unknown:
		l.Unknown++
	case registry.Changed:
		l.Changed++
	case registry.Gone:
		l.Gone++
	}
}

func (f *registryFlags) printServers(out *terminal.Screen, all []serverLine) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "no MCP server is declared, and none was seen yet")
		return err
	}
	t := table.New(out, out.Width,
		table.Column{Title: "SERVER", Min: 8}, table.Column{Title: "TYPE", Rank: 3}, table.Column{Title: "DECLARED", Rank: 2},
		table.Column{Title: "TOOLS"}, table.Column{Title: "CHANGED"}, table.Column{Title: "LAST MET", Rank: 1},
		table.Column{Title: "ADDRESS", Min: 12, Rank: 4})
	for _, l := range all {
		declared := ""
		if l.Declared {
			declared = "yes"
		}
		if err := t.Line(inert.Name(l.ID, shownName), dash(inert.Text(l.Type, 16)), dash(declared), strconv.Itoa(l.Tools),
			strconv.Itoa(l.Changed), f.when(l.Last), dash(inert.Text(l.Addr, shownLine))); err != nil {
			return err
		}
	}
	return t.Flush()
}

// dash returns a dash for an empty cell.
func dash(cell string) string {
	if cell == "" {
		return "-"
	}
	return cell
}
