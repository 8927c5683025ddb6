package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/text/scan"
)

// A ScanKind says which texts of an MCP server are scanned: one of the constants.
type ScanKind string

// These are the kinds.
const (
	ScanDefinitions ScanKind = "definitions" // what servers say about their tools
	ScanResults     ScanKind = "results"     // what servers return: results, prompts, resources
)

// A Scan says what happens to texts of MCP servers that could mislead a model.
type Scan struct {
	definitions, results [4]Verdict // by index in severities
	patterns             []scan.Pattern
}

// severities are the severities of findings, the worst first.
var severities = []string{"critical", "high", "medium", "low"}

// defaultScan applies if a policy says nothing.
func defaultScan() Scan {
	return Scan{
		definitions: [4]Verdict{Deny, Audit, Audit, Allow},
		results:     [4]Verdict{Audit, Audit, Allow, Allow},
	}
}

// Scan says what happens to texts of MCP servers that have findings.
func (p *Policy) Scan() Scan { return p.guard.scan }

// Patterns are the policy's own patterns, in addition to those that every scan uses.
func (s Scan) Patterns() []scan.Pattern { return slices.Clone(s.patterns) }

// Verdict is the policy's verdict on a text by its worst finding: allow, audit or deny. The severity is written as in findings; ""
// and "none" mean that nothing was found. An unknown severity counts as the worst.
func (s Scan) Verdict(kind ScanKind, severity string) Verdict {
	if severity == "" || severity == "none" {
		return Allow
	}
	by := s.results
	if kind == ScanDefinitions {
		by = s.definitions
	}
	return by[max(0, slices.Index(severities, severity))]
}

// severityRank orders severities: 0 is none. An unknown severity counts as the worst.
func severityRank(severity string) int {
	if severity == "" || severity == "none" {
		return 0
	}
	return len(severities) - max(0, slices.Index(severities, severity))
}

// reasonMisleading is the reason if the definition of a tool could mislead a model.
const reasonMisleading = "The definition of this tool holds text that could mislead a model. A person can look at it with: weir mcp tools"

// check refuses or flags calls of tools because of findings in their definitions.
func (s Scan) check(line int) check {
	deny := ownRule(ruleScan, Deny, call.CodeContentDenied, reasonMisleading)
	audit := ownRule(ruleScan, Audit, "", reasonMisleading)
	strictest := Allow
	for _, v := range s.definitions {
		if slices.Index(strictness[:], v) > slices.Index(strictness[:], strictest) {
			strictest = v
		}
	}
	return check{
		id: ruleScan, line: line, verdict: strictest, surfaces: calledSurfaces, ofTools: true,
		about: RuleSummary{Conditions: "the definition of a server's tool has findings", Duties: s.duties(), Reason: reasonMisleading},
		meets: func(rd *reading, why *string) *rule {
			severity, verdict := s.worst(rd.known)
			if why != nil {
				*why = "nothing was found in the definition"
				if severity != "" {
					*why = "the worst that was found in the definition is " + severity
				}
			}
			switch verdict {
			case Deny:
				return deny
			case Audit:
				return audit
			default:
				return nil
			}
		},
	}
}

// worst returns the worst severity in definitions, and the strictest verdict on any of them. A policy may be stricter about a lower
// severity.
func (s Scan) worst(known []call.Known) (severity string, verdict Verdict) {
	verdict = Allow
	for i := range known {
		found := known[i].Severity
		if severityRank(found) > severityRank(severity) {
			severity = found
		}
		if v := s.Verdict(ScanDefinitions, found); slices.Index(strictness[:], v) > slices.Index(strictness[:], verdict) {
			verdict = v
		}
	}
	return severity, verdict
}

// duties say what happens to findings.
func (s Scan) duties() (out []string) {
	for _, kind := range []ScanKind{ScanDefinitions, ScanResults} {
		text := string(kind) + ":"
		for _, severity := range severities {
			text += " " + severity + " " + string(s.Verdict(kind, severity))
		}
		out = append(out, text)
	}
	return out
}
