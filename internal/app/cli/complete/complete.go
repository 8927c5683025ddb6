// Package complete completes the values of flags and arguments in shells: words that weir defines, and names from the record.
package complete

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/agent/transcript"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A source returns the values that there are. args are the arguments before the one that is completed.
type source func(cmd *cobra.Command, args []string) []string

// words are values that weir defines.
func words(all ...string) source {
	return func(*cobra.Command, []string) []string { return all }
}

// flags are the sources of flags, by their names. The same name means the same in all commands.
var flags = map[string]source{
	"tool": names(query.By.Tool), "server": names(query.By.Server), "rule": names(query.By.Rule), "session": names(query.By.Session),
	"employee": names(query.By.Employee), "team": names(query.By.Team), "org": names(query.By.Org), "model": names(query.By.Model),
	"provider": names(query.By.Provider), "call": calls,
	"verdict": words("allow", "audit", "deny", "sanitize"),
	"surface": words(string(call.Response), string(call.Inbound), string(call.MCP), string(call.Egress)),
	"code":    words(call.Codes()...),
	"type":    words(append(record.Types.Names(), "all")...),
	"by":      words(query.By.Names()...),
	"format":  words("jsonl", "csv", "ocsf"),
	"preset":  words(preset.Names()...),
	"from":    words(transcript.Agents()...),
	"since":   moments, "until": moments,
	"for":       words("session", "30m", "1h", "7d", "always"),
	"fail-on":   words("low", "medium", "high", "critical"),
	"transport": words("http", "sse"), "protocol": words("tcp", "udp"),
}

var moments = words("1h", "24h", "7d", "today", "yesterday", "monday")

// arguments are the sources of arguments, by the path of the command.
var arguments = map[string]source{
	"weir calls show": first(calls), "weir policy allow": first(calls), "weir policy explain": first(calls),
	"weir run":       first(agents),
	"weir mcp tools": first(names(query.By.Server)), "weir mcp pins list": first(names(query.By.Server)),
	"weir mcp pins diff": serverAndTool, "weir mcp pins trust": serverAndTool, "weir mcp pins reset": serverAndTool,
}

// first is a source for the first argument only.
func first(from source) source {
	return func(cmd *cobra.Command, args []string) []string {
		if len(args) > 0 {
			return nil
		}
		return from(cmd, args)
	}
}

func agents(*cobra.Command, []string) (all []string) {
	for _, a := range roster.All() {
		all = append(all, a.Name()+"\t"+a.Title())
	}
	return all
}

func serverAndTool(cmd *cobra.Command, args []string) []string {
	switch len(args) {
	case 0:
		return names(query.By.Server)(cmd, args)
	case 1:
		return toolsOf(cmd, args[0])
	}
	return nil
}

// Attach gives a command and all commands below it their completions.
func Attach(cmd *cobra.Command) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		switch from, ok := flags[f.Name]; {
		case ok:
			must(cmd.RegisterFlagCompletionFunc(f.Name, completion(from)))
		case f.Name == "config" || f.Name == "policy":
			must(cmd.MarkFlagFilename(f.Name, "yaml", "yml"))
		}
	})
	if from, ok := arguments[cmd.CommandPath()]; ok {
		cmd.ValidArgsFunction = completion(from)
	}
	for _, sub := range cmd.Commands() {
		Attach(sub)
	}
}

// must panics if a flag is not there, or has a completion already: that is a mistake in this file.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// completion makes a function for cobra. Filters take ! before a value: what follows is completed then. A name that a shell or a
// terminal could misread is not offered.
func completion(from source) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		not := ""
		if rest, ok := strings.CutPrefix(begun, "!"); ok {
			not, begun = "!", rest
		}
		var all []cobra.Completion
		for _, value := range from(cmd, args) {
			name, meaning, _ := strings.Cut(value, "\t")
			if name == "" || !strings.HasPrefix(name, begun) || strings.ContainsFunc(name, func(r rune) bool { return !inert.Visible(r) }) {
				continue
			}
			if meaning != "" {
				meaning = "\t" + inert.Text(meaning, 80)
			}
			all = append(all, not+name+meaning)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}
