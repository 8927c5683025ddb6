package warn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// checkTools warns of names of tools that nothing has.
func (f *Finder) checkTools(r *rule) {
	if !r.ofCalls() {
		return
	}
	for _, n := range slices.Concat(r.tools, r.notTools, r.servers) {
		if odd := regexpSign(n.Text); odd != "" {
			f.add(policy.WarnRegexp, r, n, fmt.Sprintf("%s has no special meaning in a glob: names that have it are rare", yamlfile.Quote(odd)),
				"write * for any run of characters, and a list for several names")
		}
	}
	if len(r.servers) > 0 || r.hints != nil {
		return
	}
	for _, n := range r.tools {
		g := toolname.NewGlob(n.Text)
		if _, exact := g.Exact(); !exact || regexpSign(n.Text) != "" || f.met.saw(n.Text) {
			continue
		}
		if server, ok := strings.CutPrefix(n.Text, "mcp__"); ok && server != "" && !strings.Contains(server, "__") {
			f.add(policy.WarnTool, r, n, fmt.Sprintf("%s names a server, and no tool of it", yamlfile.Quote(n.Text)),
				fmt.Sprintf("write %s for all of its tools", yamlfile.Quote(n.Text+"__*")))
			continue
		}
		if isSpelling(n.Text) || isKnownTool(n.Text) || f.listsTool(n) {
			continue
		}
		f.add(policy.WarnTool, r, n, fmt.Sprintf("no agent that weir knows has a tool %s", yamlfile.Quote(n.Text)),
			yamlfile.Suggest(n.Text, likely(n.Text),
				`if it is a tool of an MCP server, say which: server: NAME, or "*"; if it is a tool of your own agent, silence the warning`))
	}
}

// likely are the known tools that a name may be a typing mistake of: mistakes at the first letter are rare.
func likely(name string) []string {
	return slices.DeleteFunc(policy.KnownTools(), func(known string) bool { return !strings.EqualFold(known[:1], name[:1]) })
}

// listsTool says whether the mcp block names a tool as an agent's own, or as one of a server.
func (f *Finder) listsTool(n *yamlfile.Node) bool {
	if f.written.MCP == nil {
		return false
	}
	names := items(f.written.MCP.Get("native_tools"))
	for _, list := range []string{"allowed_tools", "denied_tools"} {
		for _, entry := range items(f.written.MCP.Get(list)) {
			if v := entry.Get("tool"); v != nil && !isAnything(v) {
				names = append(names, v)
			}
		}
	}
	return slices.ContainsFunc(names, func(name *yamlfile.Node) bool { return coversGlob(name, n) })
}

// regexpSign is a part of a glob that means something in regular expressions only; "": there is none.
func regexpSign(glob string) string {
	for _, sign := range []string{"|", "^", "(", ")", "[", "]", "?", `\`, "{", "}"} {
		if strings.Contains(glob, sign) {
			return sign
		}
	}
	// functions.* is a namespace, but nothing ends with __ or begins with a dot.
	for _, sign := range []string{"__.*", "_.*"} {
		if strings.Contains(glob, sign) {
			return ".*"
		}
	}
	if strings.HasPrefix(glob, ".*") {
		return ".*"
	}
	return ""
}

// checkParameters warns of tests that look where the tools of the rule have nothing.
func (f *Finder) checkParameters(r *rule, t *test) {
	known := r.known()
	if len(known) == 0 {
		return
	}
	if subjects := condition.SubjectsOf(t.operator); t.paths == nil && subjects != condition.OfParameter {
		for _, k := range known {
			if condition.RunsCommands(k.name, k.paramsOf()) || subjects == condition.OfUses && condition.UsesFiles(k.name) {
				return
			}
		}
		f.add(policy.WarnNoCommands, r, t.node.Get("operator"),
			fmt.Sprintf("%s looks at %s, and no tool of the rule has any", t.operator,
				map[condition.Subjects]string{condition.OfCommands: "commands", condition.OfUses: "commands and files"}[subjects]),
			"name tools that run commands, such as Bash, or test a parameter with param_path")
		return
	}
	meant := ""
	for _, path := range t.paths {
		first, _, _ := strings.Cut(path, ".")
		first = lastName(first)
		group := groupOf(first)
		if first == "" || group == nil {
			return
		}
		for _, k := range known {
			if k.has(first) {
				return
			}
			for _, p := range k.paramsOf() {
				if slices.Contains(group, p) && meant == "" {
					meant = p
				}
			}
		}
	}
	if meant != "" {
		f.add(policy.WarnParameter, r, t.node.Get("param_path"),
			fmt.Sprintf("%s has no such parameter, so the test sees nothing", yamlfile.OneOf(names(known))), "did you mean "+meant+"?")
	}
}

func names(tools []knownTool) (out []string) {
	for _, t := range tools {
		out = append(out, t.name)
	}
	return out
}
