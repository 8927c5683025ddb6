package policy

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Schema is the JSON Schema of a policy. It checks keys, types and words as the loader does. What depends on more than that (a
// regular expression, an expression, a rule that can never match) only the loader can check.
func Schema() yamlfile.Schema {
	root := extendingShape.Schema(map[string]yamlfile.Schema{
		"version": yamlfile.Schema{"const": 1}.Describe("The version of the language."),
		"default": defaultWords.Schema().Describe("What becomes of calls that no rule matches."),
		"lists": yamlfile.Schema{
			"type": "object", "propertyNames": yamlfile.Schema{"pattern": `^[a-z][a-z0-9_-]{0,63}$`},
			"additionalProperties": yamlfile.OneOrMoreSchema(yamlfile.TextSchema()),
		}.Describe("Lists of texts that rules use by name, as $name."),
		keyExtends: yamlfile.TextSchema().Describe(
			"What the policy is written on top of: open, balanced or tight, or the path of a policy in this folder or below."),
		"rules": yamlfile.Schema{"type": "array"}.
			Describe("The order of rules does not matter: a deny wins, then pending_approval, sanitize, cap_cost, audit and allow."),
		"mcp": mcpSchema().Describe("MCP servers: which there are, which may be used, and how their tools are watched."),
		keySilence: yamlfile.ListSchema(silenceSchema(policySilence)).
			Describe("Warnings of weir policy check that are not to be given, and why."),
	})
	root["if"] = yamlfile.Schema{"required": []string{keyExtends}}
	root["then"] = yamlfile.Schema{"properties": yamlfile.Schema{"rules": yamlfile.Schema{"items": yamlfile.RefSchema("change")}}}
	root["else"] = yamlfile.Schema{
		"required":   []string{"default"},
		"properties": yamlfile.Schema{"rules": yamlfile.Schema{"items": yamlfile.RefSchema("rule")}},
	}
	return yamlfile.DocumentSchema("weir policy", root, map[string]yamlfile.Schema{
		"rule": ruleSchema(), "change": changeSchema(), "exception": exceptionSchema(), "condition": condition.Schema(), "who": whoSchema(),
	})
}

// ruleKeys describes the keys of a rule.
func ruleKeys() map[string]yamlfile.Schema {
	globs := yamlfile.OneOrMoreSchema(yamlfile.TextSchema())
	return map[string]yamlfile.Schema{
		"id": yamlfile.Schema{
			"type": "string", "pattern": ruleID.String(),
			"not": yamlfile.Schema{"pattern": `^([mM][cC][pP]|[wW][eE][iI][rR]|[eE][gG][rR][eE][sS][sS])\.`},
		}.
			Describe("Names the rule in records and notices; unique in the policy. mcp., weir. and egress. begin the ids of weir's own rules."),
		"tool": globs.Describe(
			"Names or globs of tools; * and % stand for any run of characters. On egress: connect and resolve, both without it."),
		"not_tool": globs.Describe("Names or globs of tools that the rule is not about, though tool names them."),
		"server":   globs.Describe("Ids or globs of MCP servers; without it the rule is about all tools."),
		"hints": yamlfile.OneOrMoreSchema(HintWords.Schema()).Describe(
			"What the server says of its tool in its definition; one of them is enough."),
		"verdict": VerdictWords.Schema().Describe("What the rule says of calls that it matches."),
		"surface": yamlfile.OneOrMoreSchema(SurfaceWords.Schema()).Describe(
			"Where weir sees the call. Rules about connections are for egress.").Default([]string{string(call.Response), string(call.MCP)}),
		"who":        yamlfile.RefSchema("who").Describe("On whose behalf; all fields that are named must match."),
		"conditions": yamlfile.RefSchema("condition").Describe("Tests of the arguments; without them the rule matches whatever those are."),
		"reason": yamlfile.Schema{"type": "string", "minLength": 1, "maxLength": maxReason}.
			Describe("One line for the model and the person."),
		"shadow":     yamlfile.BoolSchema().Describe("true: record what the rule would have done, do not enforce it.").Default(false),
		"sanitize":   sanitizeSchema().Describe("What to replace in the arguments, for the verdict sanitize."),
		"cap_cost":   capSchema().Describe("What may be spent, for the verdict cap_cost."),
		"approval":   approvalSchema().Describe("Whom to ask and how long to wait, for the verdict pending_approval."),
		"rate_limit": rateSchema().Describe("How often calls that the rule matches may pass."),
		keyUnless:    yamlfile.ListSchema(yamlfile.RefSchema("exception")).Describe("Calls that the rule is not about."),
		keyDisabled:  yamlfile.BoolSchema().Describe("true: the rule is checked, but not used.").Default(false),
		keySilence: yamlfile.ListSchema(silenceSchema(ruleSilence)).
			Describe("Warnings of weir policy check that are not to be given about this rule, and why."),
	}
}

func ruleSchema() yamlfile.Schema {
	out := connectionRuleShape.Schema(ruleKeys())
	demands := []yamlfile.Schema{
		connectionDemands(),
		yamlfile.When("verdict", []string{string(Deny)}, yamlfile.Schema{"properties": yamlfile.Schema{"rate_limit": false}}, nil),
	}
	for _, d := range dutyKeys {
		var needed yamlfile.Schema
		if !d.optional {
			needed = yamlfile.Schema{"required": []string{d.key}}
		}
		demands = append(demands, yamlfile.When("verdict", []string{string(d.verdict)},
			needed, yamlfile.Schema{"properties": yamlfile.Schema{d.key: false}}))
	}
	out["allOf"] = demands
	return out
}

// changeSchema describes a rule of a policy that extends another one: it may be only what it changes.
func changeSchema() yamlfile.Schema {
	return yamlfile.Shape{
		Required: []string{"id"}, Optional: append([]string{"verdict"}, connectionRuleShape.Optional...),
	}.Schema(ruleKeys())
}

func exceptionSchema() yamlfile.Schema {
	keys, values := ruleKeys(), map[string]yamlfile.Schema{}
	for _, key := range exceptionShape.Optional {
		values[key] = keys[key]
	}
	values["until"] = yamlfile.TextSchema().Describe("The last day, or the time, until which the exception holds, such as 2026-12-24.")
	out := exceptionShape.Schema(values)
	out["minProperties"] = 1
	return out
}

// connectionDemands says what a rule about connections can have, and what all other rules must have.
func connectionDemands() yamlfile.Schema {
	egress := yamlfile.Schema{"const": string(call.Egress)}
	unfit := yamlfile.Schema{"verdict": yamlfile.Schema{"not": yamlfile.Schema{"enum": []string{string(Sanitize), string(CapCost)}}}}
	return yamlfile.Schema{
		"if": yamlfile.Schema{
			"required":   []string{"surface"},
			"properties": yamlfile.Schema{"surface": yamlfile.OneOrMoreSchema(egress)},
		},
		"then": yamlfile.Schema{"properties": unfit},
		"else": yamlfile.Schema{"required": []string{"tool"}},
	}
}

func whoSchema() yamlfile.Schema {
	values := map[string]yamlfile.Schema{}
	for _, field := range WhoFields {
		values[field] = yamlfile.OneOrMoreSchema(yamlfile.TextSchema()).Describe(whoMeanings[field])
	}
	out := whoShape.Schema(values)
	out["minProperties"] = 1
	return out
}

func sanitizeSchema() yamlfile.Schema {
	out := sanitizeShape.Schema(map[string]yamlfile.Schema{
		"presets": yamlfile.OneOrMoreSchema(condition.SecretWords.Schema()).Describe("Kinds of secrets that weir knows."),
		"patterns": yamlfile.ListSchema(patternShape.Schema(map[string]yamlfile.Schema{
			"name":  yamlfile.TextSchema().Describe("What stands in place of a match: [redacted:NAME]."),
			"regex": yamlfile.TextSchema().Describe("A regular expression (RE2)."),
		})).Describe("Secrets of your own."),
		"paths": yamlfile.OneOrMoreSchema(yamlfile.TextSchema()).Describe("Where to look, as param_path says it; without it, in all arguments."),
	})
	out["minProperties"] = 1
	return out
}

func capSchema() yamlfile.Schema {
	return capShape.Schema(map[string]yamlfile.Schema{
		"limit":    yamlfile.Schema{"type": "number", "exclusiveMinimum": 0, "maximum": int(maxMoney)}.Describe("The amount, such as 5.00."),
		"currency": currencyWords.Schema().Describe("The currency of the limit.").Default("USD"),
		"per":      capScopes.Schema().Describe("Whose spending is added up."),
		"window":   yamlfile.Schema{"type": "string", "pattern": "^[0-9]+[mhd]$"}.Describe("Over which time, such as 24h or 7d; up to 31 days."),
	})
}

func rateSchema() yamlfile.Schema {
	return rateShape.Schema(map[string]yamlfile.Schema{
		"calls_per_minute": yamlfile.Schema{"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000}.Describe("How many in the long run."),
		"burst": yamlfile.Schema{"type": "integer", "minimum": 1, "maximum": 1_000_000}.
			Describe("How many may come at once; without it, as many as in a minute."),
		"per": yamlfile.OneOrMoreSchema(rateScopes.Schema()).Describe(
			"What is counted separately; without it, all calls of the rule count together."),
	})
}
