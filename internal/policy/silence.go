package policy

import (
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

const keySilence = "silence"

// These are the warnings about policies. A policy can silence all but the last: an entry that silences nothing is to be removed.
const (
	WarnRule          = "rule-without-effect"
	WarnException     = "exception-without-effect"
	WarnDefault       = "default-without-effect"
	WarnList          = "list-without-effect"
	WarnUnusedList    = "unused-list"
	WarnServer        = "server-refused"
	WarnNegated       = "negated-allow"
	WarnNoHost        = "missing-host"
	WarnNoParameter   = "missing-parameter"
	WarnAlways        = "always-true"
	WarnNever         = "never-true"
	WarnNoCommands    = "no-commands"
	WarnTrailingStar  = "trailing-star"
	WarnExactCommand  = "exact-command"
	WarnProgramStar   = "program-star"
	WarnTextMatch     = "text-match"
	WarnLiteralStar   = "literal-star"
	WarnRelative      = "relative-place"
	WarnFolder        = "folder-only"
	WarnHostGlob      = "host-glob"
	WarnOtherWay      = "other-way"
	WarnTool          = "unknown-tool"
	WarnParameter     = "unknown-parameter"
	WarnRegexp        = "glob-as-regexp"
	WarnNeverMet      = "never-met"
	WarnUnusedSilence = "unused-silence"
)

// Warnings are the names of all warnings about policies, in the order in which they are documented.
var Warnings = []string{
	WarnRule, WarnException, WarnDefault, WarnList, WarnUnusedList, WarnServer, WarnNegated, WarnNoHost, WarnNoParameter, WarnAlways,
	WarnNever, WarnNoCommands, WarnTrailingStar, WarnExactCommand, WarnProgramStar, WarnTextMatch, WarnLiteralStar, WarnRelative, WarnFolder,
	WarnHostGlob, WarnOtherWay, WarnTool, WarnParameter, WarnRegexp, WarnNeverMet, WarnUnusedSilence,
}

var (
	ruleSilence   = yamlfile.Shape{Required: []string{"warning", "reason"}}
	policySilence = yamlfile.Shape{Required: ruleSilence.Required, Optional: []string{"rule"}}
	// silencedWords are the warnings that a policy can silence.
	silencedWords = yamlfile.Choice{What: "a warning that can be silenced", Words: Warnings[:len(Warnings)-1]}
)

// A Silence says that a warning is not to be given.
type Silence struct {
	Warning string
	Rule    string // the id of the rule that it is about; "": the whole policy
	Reason  string
	At      *yamlfile.Node
}

// silence compiles the key silence of a rule, or of the policy if the rule has no id. There are no warnings about a rule that is switched
// off.
func (c *compiler) silence(n *yamlfile.Node, of rule) {
	items, _ := c.report.List(n)
	shape := ruleSilence
	if of.id == "" {
		shape = policySilence
	}
	for _, item := range items {
		if !c.report.Mapping(item, shape) {
			continue
		}
		s := Silence{Rule: of.id, At: item}
		if v := item.Get("warning"); v != nil {
			s.Warning, _ = c.report.Word(v, silencedWords)
		}
		if v := item.Get("reason"); v != nil {
			if s.Reason = c.reason(v); v.Kind == yamlfile.String && s.Reason == "" {
				c.report.Add(v, "the reason is empty", "say why the policy is right as it is")
			}
		}
		if v := item.Get("rule"); v != nil && of.id == "" {
			s.Rule, _ = c.report.String(v, "the id of a rule")
		}
		if !of.disabled {
			c.policy.written.Silences = append(c.policy.written.Silences, s)
		}
	}
}

// silenceSchema describes an entry of the key silence.
func silenceSchema(shape yamlfile.Shape) yamlfile.Schema {
	keys := map[string]yamlfile.Schema{
		"warning": silencedWords.Schema().Describe("The name of the warning."),
		"reason":  yamlfile.Schema{"type": "string", "minLength": 1, "maxLength": maxReason}.Describe("Why it is right as it is."),
		"rule":    yamlfile.TextSchema().Describe("The id of the rule that it is about; all rules without it."),
	}
	if len(shape.Optional) == 0 {
		delete(keys, "rule")
	}
	return shape.Schema(keys)
}
