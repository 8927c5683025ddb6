package study

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	knownShape = yamlfile.Shape{Required: []string{"state"}, Optional: []string{"server", "tool", "severity", "hints"}}
	stateWords = yamlfile.Choice{
		What:  "a state of a tool",
		Words: []string{string(call.ToolTrusted), string(call.ToolUnknown), string(call.ToolChanged)},
	}
)

// parseKnown parses what the registry is supposed to know of the tools of a case: one tool or a list.
func parseKnown(n *yamlfile.Node, c Case, report *yamlfile.Report) (out []call.Known) {
	if c.Surface == call.Inbound {
		report.Add(n, "what is known of a tool does not count for what requests offer", "remove the key")
	}
	if c.Surface == call.MCP && policy.IsMethod(c.Tool) {
		report.Add(n, "the request calls no tool", "remove the key")
	}
	items := []*yamlfile.Node{n}
	if n.Kind == yamlfile.List {
		items, _ = report.List(n)
	}
	for _, item := range items {
		if report.Mapping(item, knownShape) {
			out = append(out, parseKnownTool(item, c, report))
		}
	}
	return out
}

// parseKnownTool parses one tool. Without a name it is the tool that the case itself surely names.
func parseKnownTool(n *yamlfile.Node, c Case, report *yamlfile.Report) call.Known {
	k := call.Known{Server: c.Server, Tool: c.Tool}
	if ids := toolname.Identities(c.Server, c.Tool); len(ids) == 1 {
		k.Server, k.Tool = ids[0].Server, ids[0].Tool
	}
	for key, field := range map[string]*string{"server": &k.Server, "tool": &k.Tool} {
		v := n.Get(key)
		if v == nil {
			continue
		}
		if *field, _ = report.String(v, "a name"); c.Surface == call.MCP {
			report.Add(v, "on the surface mcp it is certain which tool is called", "remove the key")
		}
	}
	if k.Server == "" {
		report.Add(n, "the case does not say of which server the tool is", "add the key server, and tool if it is called otherwise there")
	}
	if v := n.Get("state"); v != nil {
		word, _ := report.Word(v, stateWords)
		k.State = call.ToolState(word)
	}
	if v := n.Get("severity"); v != nil {
		k.Severity, _ = report.Word(v, policy.SeverityWords)
	}
	if v := n.Get("hints"); v != nil {
		k.Hints = policy.ParseHints(v, report)
	}
	k.Bare = c.Server == "" && toolname.Fold(k.Tool) == toolname.Fold(c.Tool)
	return k
}
