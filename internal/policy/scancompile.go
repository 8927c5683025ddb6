package policy

import (
	"fmt"
	"regexp"

	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/scan"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	scanShape        = yamlfile.Shape{Optional: []string{string(ScanDefinitions), string(ScanResults), "patterns"}}
	severityShape    = yamlfile.Shape{Optional: severities}
	scanPatternShape = yamlfile.Shape{Required: []string{"name", "regex"}, Optional: []string{"severity"}}
	scanWords        = yamlfile.Choice{What: "what becomes of a finding", Words: defaultWords.Words}
	// SeverityWords are the severities of findings as written in a policy.
	SeverityWords = yamlfile.Choice{What: "a severity", Words: severities}
)

// scan compiles what happens to findings.
func (c *compiler) scan(n *yamlfile.Node) {
	s := &c.policy.guard.scan
	if !c.report.Mapping(n, scanShape) {
		return
	}
	if len(n.Entries) == 0 {
		c.report.Add(n, "scan says nothing", "write definitions, results or patterns, or remove the key")
	}
	for kind, verdicts := range map[ScanKind]*[4]Verdict{ScanDefinitions: &s.definitions, ScanResults: &s.results} {
		v := n.Get(string(kind))
		if v == nil || !c.report.Mapping(v, severityShape) {
			continue
		}
		if len(v.Entries) == 0 {
			c.report.Add(v, "no severity is named", "name one of "+yamlfile.OneOf(severities)+", or remove the key")
		}
		for i, severity := range severities {
			if v := v.Get(severity); v != nil {
				word, _ := c.report.Word(v, scanWords)
				verdicts[i] = Verdict(word)
			}
		}
	}
	if v := n.Get("patterns"); v != nil {
		s.patterns = c.scanPatterns(v)
	}
}

func (c *compiler) scanPatterns(n *yamlfile.Node) (out []scan.Pattern) {
	items, _ := c.report.List(n)
	lines := map[string]int{}
	for _, item := range items {
		if !c.report.Mapping(item, scanPatternShape) {
			continue
		}
		p := scan.Pattern{Severity: scan.Medium}
		if v := item.Get("name"); v != nil {
			p.Name, _ = c.report.String(v, "a name")
			switch first, twice := lines[p.Name]; {
			case p.Name == "":
			case !ruleID.MatchString(p.Name):
				c.report.Add(v, yamlfile.Quote(p.Name)+" is not a name", "use up to 64 letters, digits, dots, dashes and underscores")
			case twice:
				c.report.Add(v, fmt.Sprintf("the name %s is used twice, first on line %d", yamlfile.Quote(p.Name), first),
					"give each pattern its own name")
			default:
				lines[p.Name] = item.Line
			}
		}
		if v := item.Get("regex"); v != nil {
			p.Regexp = c.scanRegexp(v)
		}
		if v := item.Get("severity"); v != nil {
			if word, ok := c.report.Word(v, SeverityWords); ok {
				p.Severity = scan.Severity(severityRank(word))
			}
		}
		out = append(out, p)
	}
	return out
}

// scanRegexp compiles a pattern. It refuses a pattern that matches every text.
func (c *compiler) scanRegexp(n *yamlfile.Node) *regexp.Regexp {
	text, ok := c.report.String(n, "a regular expression")
	if !ok {
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		condition.NotRegexp(c.report, n, err)
		return nil
	}
	if re.MatchString("") {
		c.report.Add(n, "this is found in every text", "write what is to be found")
		return nil
	}
	return re
}
