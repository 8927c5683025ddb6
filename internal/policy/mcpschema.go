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
			"Which servers may be used.").Default(denylist),
		"allowed_servers": servers.Describe("For server_policy: allowlist."),
		"denied_servers":  servers.Describe("Win over the allowed ones."),
		"tool_policy":     listWords.Schema().Describe("Which tools of servers may be used.").Default(denylist),
		"allowed_tools":   tools.Describe("For tool_policy: allowlist."),
		"denied_tools":    tools.Describe("Win over the allowed ones."),
		"fail_closed": yamlfile.BoolSchema().Default(false).Describe(
			"true: a call passes only if a known server offers its tool, or the tool is one of native_tools."),
		"native_tools": yamlfile.Schema{"anyOf": []yamlfile.Schema{text, list(text)}}.
			Describe("Names or globs of the agents' own tools, in place of those that weir knows."),
		"version_pinning": pinningShape.Schema(map[string]yamlfile.Schema{
			"enabled": yamlfile.BoolSchema().Describe("false switches it off.").Default(true),
			"on_change": onChangeWords.Schema().Describe(
				"What happens with calls of tools that changed, or that are not trusted.").Default(string(BlockChanged)),
			"auto_trust_first": yamlfile.BoolSchema().Describe(
				"true: a tool is trusted as it is first seen, unless its name looks like that of another tool.").Default(true),
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
		"enabled":     yamlfile.BoolSchema().Describe("false switches it off.").Default(true),
		"default_rpm": rate.Describe("Calls in a minute of each server that per_server does not name."),
		"per_server": yamlfile.Schema{
			"type": "object", "minProperties": 1, "propertyNames": yamlfile.Schema{"pattern": "^[^*%]+$"},
			"additionalProperties": serverRateShape.Schema(map[string]yamlfile.Schema{
				"calls_per_minute": rate.Describe("How many in the long run."),
				"burst": yamlfile.Schema{"type": "integer", "minimum": 1, "maximum": 1_000_000}.
					Describe("How many may come at once; without it, as many as in a minute."),
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
			"name":     yamlfile.Schema{"type": "string", "pattern": ruleID.String()}.Describe("Names the pattern in the record."),
			"regex":    yamlfile.TextSchema().Describe("A regular expression (RE2)."),
			"severity": SeverityWords.Schema().Describe("How bad it is.").Default("medium"),
		})).Describe("What to look for beyond what weir finds by itself."),
	})
	out["minProperties"] = 1
	return out
}
