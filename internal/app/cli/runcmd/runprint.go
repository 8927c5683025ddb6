package runcmd

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/text/inert"
)

// printOutcome prints what happened in a run.
func printOutcome(out io.Writer, o run.Outcome, quiet bool) {
	for _, t := range o.Troubles {
		fmt.Fprintln(out, "weir: "+inert.Text(t, 400))
	}
	if quiet {
		return
	}
	if o.Summary == nil {
		fmt.Fprintf(out, "weir: session %s: there is no summary; see weir events --session %s\n", o.Session, o.Session)
		return
	}
	lines := summaryLines(*o.Summary)
	fmt.Fprintf(out, "weir: session %s: %s\n", o.Session, lines[0])
	for _, line := range lines[1:] {
		fmt.Fprintf(out, "weir:   %s\n", line)
	}
	if o.Summary.Calls+o.Summary.MCPCalls+o.Summary.Connections+o.Summary.Otherwise > 0 {
		fmt.Fprintf(out, "weir:   all events: weir events --session %s\n", o.Session)
	}
}

// preview prints what a run would set.
func (f *runFlags) preview(cmd *cobra.Command, cfg run.Config) error {
	weir, err := f.configuredWeir()
	if err != nil {
		return err
	}
	p, err := run.DryRun(cfg, weir)
	if err != nil {
		return exit.WrongInput(err)
	}
	out := cmd.OutOrStdout()
	name := p.Agent
	if name == "" {
		name = "unknown to weir: routed with the environment variables of SDKs"
	}
	fmt.Fprintf(out, "agent      %s\n", name)
	fmt.Fprintf(out, "command    %s\n", shellWords(p.Command))
	fmt.Fprintf(out, "watched    by %s\n", p.Watch)
	if p.Warning != "" {
		fmt.Fprintf(out, "           %s\n", p.Warning)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Set)) {
		fmt.Fprintf(out, "set        %s=%s\n", name, inert.Text(masked(p.Set[name]), 4000))
	}
	for _, name := range p.Unset {
		fmt.Fprintf(out, "unset      %s\n", name)
	}
	printFiles(out, "file", p.Files)
	printFiles(out, "seen as", p.Covers)
	printServers(out, p.Servers)
	for _, note := range p.Notes {
		fmt.Fprintf(out, "note       %s\n", note)
	}
	fmt.Fprintln(out, "PORT, SESSION, SCRATCH, SOCKET and ID are different in each run.")
	return nil
}

// printFiles prints files with their content.
func printFiles(out io.Writer, title string, files []agent.File) {
	for _, file := range files {
		fmt.Fprintf(out, "%-9s  %s\n", title, file.Path)
		for line := range strings.Lines(masked(string(file.Content))) {
			fmt.Fprintf(out, "           | %s\n", inert.Text(strings.TrimRight(line, "\n"), 400))
		}
	}
}

// printServers prints how MCP servers are reached.
func printServers(out io.Writer, servers []agent.Server) {
	for _, s := range servers {
		why := ""
		if s.Why != "" {
			why = ": " + s.Why
		}
		fmt.Fprintf(out, "MCP        %s (%s, %s) %s%s\n", inert.Name(s.Name, 80), s.Type, s.Origin, s.Way, why)
	}
}

// configuredWeir returns the weir of the configuration, through which agents are routed.
func (f *runFlags) configuredWeir() (agent.Weir, error) {
	cfg, err := inuse.Config(f.config)
	if err != nil {
		return agent.Weir{}, err
	}
	rules, _, err := (&inuse.PolicyFlags{Config: f.config}).Load()
	if err != nil {
		return agent.Weir{}, err
	}
	w := agent.Weir{Upstreams: map[string]string{}, Served: servedBy(rules), Own: []string{cfg.ClientBase()}}
	for name, u := range cfg.Upstreams {
		w.Upstreams[name] = u.URL.String()
	}
	return w, nil
}

// shellWords quotes words for a shell.
func shellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = inert.Text(w, 4000)
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`{}[]()<>|&;*?#~!") {
			quoted[i] = "'" + strings.ReplaceAll(quoted[i], "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
