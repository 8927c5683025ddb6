package mcpcmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/scan"
	"github.com/weir-gate/weir/internal/text/table"
)

func newTools() *cobra.Command {
	var f registryFlags
	cmd := &cobra.Command{
		Use:   "tools [SERVER]",
		Short: "Show the tools of MCP servers and findings about them",
		Long: `tools prints one line for each tool that an MCP server offers or has offered: its state, since when, the
beginning of its hash, the worst finding in its definition, and the first line of its description. The state is
trusted (the current definition is trusted), unknown (nobody trusts the tool), changed (another definition is
trusted) or gone (the server no longer offers it).

With --json a tool has the members server, tool, state, hash, first, since (when it was first seen with that
hash), gone (since when the server no longer offers it), severity (of the worst finding), findings (rule,
severity, where, excerpt, why), title, description, input_schema, output_schema, annotations, meta and other.`,
		Example: `  weir mcp tools
  weir mcp tools filesystem --json | jq 'select(.state == "changed").tool'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.read(cmd.Context())
			if err != nil {
				return err
			}
			servers, err := serversOf(r, args)
			if err != nil {
				return err
			}
			all, err := toolLines(r, servers)
			if err != nil {
				return err
			}
			return terminal.Show(cmd, func(s *terminal.Screen) error {
				if f.json {
					return jsonout.PrintLines(s, all)
				}
				return f.printTools(s, all)
			})
		},
	}
	f.register(cmd)
	terminal.RegisterScreen(cmd)
	return cmd
}

// A toolLine is what is shown about a tool.
type toolLine struct {
	Server         string         `json:"server"`
	Tool           string         `json:"tool"`
	State          registry.State `json:"state"`
	Hash           registry.Hash  `json:"hash"`
	First          time.Time      `json:"first"`
	Since          time.Time      `json:"since"`
	Gone           time.Time      `json:"gone,omitzero"`
	Severity       string         `json:"severity,omitzero"`
	Findings       []scan.Finding `json:"findings,omitzero"`
	definitionJSON `json:",inline"`
}

// definitionJSON is a server's definition of a tool, for programs.
type definitionJSON struct {
	Title        string         `json:"title,omitzero"`
	Description  string         `json:"description,omitzero"`
	InputSchema  jsontext.Value `json:"input_schema,omitzero"`
	OutputSchema jsontext.Value `json:"output_schema,omitzero"`
	Annotations  jsontext.Value `json:"annotations,omitzero"`
	Meta         jsontext.Value `json:"meta,omitzero"`
	Other        jsontext.Value `json:"other,omitzero"`
}

func definitionJSONOf(d registry.Definition) definitionJSON {
	return definitionJSON{
		Title: d.Title, Description: d.Description, InputSchema: d.InputSchema, OutputSchema: d.OutputSchema,
		Annotations: d.Annotations, Meta: d.Meta, Other: d.Other,
	}
}

func toolLines(r *registry.Registry, servers []string) ([]toolLine, error) {
	scanner, err := scan.New(scan.Config{})
	if err != nil {
		return nil, err
	}
	var all []toolLine
	for _, server := range servers {
		for _, t := range r.Tools(server) {
			l := toolLine{
				Server: server, Tool: t.Name, State: r.State(server, t.Name).State, Hash: t.Hash, First: t.First, Since: t.Since, Gone: t.Gone,
				Findings: findingsIn(scanner, t.Definition), definitionJSON: definitionJSONOf(t.Definition),
			}
			if worst := scan.Worst(l.Findings); worst != 0 {
				l.Severity = worst.String()
			}
			all = append(all, l)
		}
	}
	return all, nil
}

// findingsIn returns what could mislead a model in a definition, the worst first.
func findingsIn(s *scan.Scanner, d registry.Definition) []scan.Finding {
	found := s.Definition(scan.Definition{
		Server: d.Server, Name: d.Name, Title: d.Title, Description: d.Description,
		InputSchema: d.InputSchema, OutputSchema: d.OutputSchema, Annotations: d.Annotations, Meta: d.Meta, Other: d.Other,
	})
	slices.SortStableFunc(found, func(a, b scan.Finding) int { return int(b.Severity) - int(a.Severity) })
	return found
}

func (f *registryFlags) printTools(out *terminal.Screen, all []toolLine) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "no tool of an MCP server was seen yet")
		return err
	}
	t := table.New(out, out.Width,
		table.Column{Title: "SERVER", Min: 8}, table.Column{Title: "TOOL", Min: 10}, table.Column{Title: "STATE"},
		table.Column{Title: "SINCE", Rank: 2}, table.Column{Title: "HASH", Rank: 3}, table.Column{Title: "FINDING", Min: 8, Rank: 1},
		table.Column{Title: "DESCRIPTION", Min: 12, Rank: 4})
	for _, l := range all {
		since := l.Since
		if l.State == registry.Gone {
			since = l.Gone
		}
		finding := "-"
		if len(l.Findings) > 0 {
			finding = l.Severity + " " + l.Findings[0].Rule
		}
		if err := t.Line(inert.Name(l.Server, shownName), inert.Name(l.Tool, shownName), string(l.State), f.when(since),
			shortHash(l.Hash), finding, dash(firstLine(l.Description))); err != nil {
			return err
		}
	}
	return t.Flush()
}

// firstLine returns the first line of a foreign text that is not blank.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return inert.Text(line, shownDescription)
		}
	}
	return ""
}
