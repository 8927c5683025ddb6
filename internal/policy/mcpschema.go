package policy

import (
	"github.com/weir-gate/weir/internal/policy/declared"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// mcpSchema describes the mcp block.
func mcpSchema() yamlfile.Schema {
	list := func(item yamlfile.Schema) yamlfile.Schema { return yamlfile.Schema{"type": "array", "items": item} }
	text := yamlfile.TextSchema()
	servers := list(serverShape.Schema(map[string]yamlfile.Schema{"id": text.Describe("An id or glob.")}))
	tools := list(toolShape.Schema(map[string]yamlfile.Schema{
		"tool": text.Describe("A name or glob."), "server": text.Describe("An id or glob; any server without it."),
	}))
	out := mcpShape.Schema(map[string]yamlfile.Schema{
		"servers": list(declared.Schema()).Describe("The servers that weir reaches for its clients, at /mcp/ID."),
		"server_policy": listWords.Schema().Describe(
			"allowlist: only the allowed servers; denylist: all but the denied ones, the default; none: all."),
		"allowed_servers": servers.Describe("For server_policy: allowlist."),
		"denied_servers":  servers.Describe("Win over the allowed ones."),
		"tool_policy":     listWords.Schema().Describe("The same for the tools of servers."),
		"allowed_tools":   tools.Describe("For tool_policy: allowlist."),
		"denied_tools":    tools.Describe("Win over the allowed ones."),
		"fail_closed":     yamlfile.BoolSchema().Describe("true: a call passes only if its tool is a known server's or one of native_tools."),
		"native_tools": yamlfile.Schema{"anyOf": []yamlfile.Schema{text, list(text)}}.
			Describe("Names or globs of the agents' own tools, in place of those that weir knows."),
		"version_pinning": pinningShape.Schema(map[string]yamlfile.Schema{
			"enabled": yamlfile.BoolSchema(),
			"on_change": onChangeWords.Schema().Describe(
				"What becomes of calls of tools that changed, or that nobody trusts: block unless said otherwise."),
			"auto_trust_first": yamlfile.BoolSchema().Describe(
				"true, the default: a tool is trusted as it is first seen, unless its name looks like that of another one."),
		}).Describe("Notices tools that are not defined as they were when they were trusted."),
		"rate_limits": serverRatesSchema().Describe("How often the tools of a server may be called."),
		"scan":        scanSchema().Describe("What becomes of texts of servers that could mislead a model."),
	})
	out["minProperties"] = 1
	return out
}

func serverRatesSchema() yamlfile.Schema {
	rate := yamlfile.Schema{"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000}
	out := ratesShape.Schema(map[string]yamlfile.Schema{
		"enabled":     yamlfile.BoolSchema(),
		"default_rpm": rate.Describe("Calls in a minute of each server that per_server does not name."),
		"per_server": yamlfile.Schema{
			"type": "object", "minProperties": 1, "propertyNames": yamlfile.Schema{"pattern": "^[^*%]+$"},
			"additionalProperties": serverRateShape.Schema(map[string]yamlfile.Schema{
				"calls_per_minute": rate,
				"burst": yamlfile.Schema{"type": "integer", "minimum": 1, "maximum": 1_000_000}.
					Describe("How many may come at once; as many as in a minute unless said otherwise."),
			}),
		}.Describe("By the ids of servers."),
	})
	out["anyOf"] = []yamlfile.Schema{{"required": []string{"default_rpm"}}, {"required": []string{"per_server"}}}
	return out
}

func scanSchema() yamlfile.Schema {
	verdicts := map[string]yamlfile.Schema{}
	for _, severity := range severities {
		verdicts[severity] = scanWords.Schema()
	}
	by := severityShape.Schema(verdicts)
	by["minProperties"] = 1
	out := scanShape.Schema(map[string]yamlfile.Schema{
		string(ScanDefinitions): by.Describe("Of the definitions of tools; critical is denied, high and medium flagged unless said otherwise."),
		string(ScanResults):     by.Describe("Of what servers give; critical and high are flagged unless said otherwise."),
		"patterns": yamlfile.ListSchema(scanPatternShape.Schema(map[string]yamlfile.Schema{
			"name":     {"type": "string", "pattern": ruleID.String()},
			"regex":    yamlfile.TextSchema().Describe("RE2."),
			"severity": SeverityWords.Schema().Describe("medium unless said otherwise."),
		})).Describe("What to look for beyond what weir finds by itself."),
	})
	out["minProperties"] = 1
	return out
}
