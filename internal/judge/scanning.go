package judge

import (
	"hash/maphash"
	"strconv"
	"sync"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/scan"
)

// scans look for what could mislead a model, by the patterns of the policy in force. The zero value is ready to use.
type scans struct {
	mu      sync.Mutex
	version string // of the policy whose patterns scanner has
	scanner *scan.Scanner
	// found is what definitions have in them, so that a call need not wait for that.
	found recent[[]scan.Finding]
}

// of returns the scanner with the patterns of a policy.
func (s *scans) of(p *policy.Policy) *scan.Scanner {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scanner != nil && s.version == p.Version() {
		return s.scanner
	}
	scanner, err := scan.New(scan.Config{Custom: p.Scan().Patterns()})
	if err != nil {
		panic("a policy that was loaded has a pattern without a name: " + err.Error())
	}
	s.scanner, s.version = scanner, p.Version()
	return scanner
}

// seed is for keys of definitions: nobody can find two that are taken for one.
var seed = maphash.MakeSeed()

// definition is what the definition of a tool has in it.
func (s *scans) definition(p *policy.Policy, t registry.Tool) []scan.Finding {
	var rest maphash.Hash
	rest.SetSeed(seed)
	rest.Write(t.Meta)
	rest.WriteByte(0)
	rest.Write(t.Other)
	key := p.Version() + "\x00" + t.Server + "\x00" + string(t.Hash) + "\x00" + strconv.FormatUint(rest.Sum64(), 36)
	if found := s.found.get(key); found != nil {
		return *found
	}
	out := s.of(p).Definition(definitionOf(t.Definition))
	s.found.update(key, func([]scan.Finding) []scan.Finding { return out })
	return out
}

// definitionOf is a definition as the scanner reads it.
func definitionOf(d registry.Definition) scan.Definition {
	return scan.Definition{
		Server: d.Server, Name: d.Name, Title: d.Title, Description: d.Description,
		InputSchema: d.InputSchema, OutputSchema: d.OutputSchema, Annotations: d.Annotations, Meta: d.Meta, Other: d.Other,
	}
}

// severity names the severity of the worst finding; "": there is none.
func severity(found []scan.Finding) string {
	if worst := scan.Worst(found); worst != 0 {
		return worst.String()
	}
	return ""
}

// maxFindings is how many findings an event has: the worst ones.
const maxFindings = 20

// recorded are findings as events have them.
func recorded(found []scan.Finding) []record.Finding {
	var out []record.Finding
	for level := scan.Critical; level >= scan.Low; level-- {
		for _, f := range found {
			if f.Severity == level && len(out) < maxFindings {
				out = append(out, record.Finding{Rule: f.Rule, Severity: f.Severity.String(), Where: f.Where, Excerpt: f.Excerpt})
			}
		}
	}
	return out
}

// speaking are the requests with which a server speaks to the client's model or to its user.
var speaking = map[string]bool{"sampling/createMessage": true, "elicitation/create": true}

// scanRequest looks for what a server asks of the client could mislead. It refuses the request if the policy says so.
func (j *Judge) scanRequest(f *finding, p *policy.Policy) {
	t := &f.parts[0]
	if !speaking[t.call.MCP.Method] {
		return
	}
	found := j.scans.of(p).ResultJSON("params", t.call.Args)
	t.found = recorded(found)
	verdict := p.Scan().Verdict(policy.ScanResults, severity(found))
	if verdict == policy.Allow || f.denied != nil && f.denied.enforced {
		return
	}
	if verdict == policy.Audit {
		if t.decision.Verdict == policy.Allow {
			t.decision.Verdict, t.decision.Rule, t.decision.Reason = policy.Audit, policy.RuleScan, reasonScanned
		}
		return
	}
	f.refuse(j, t, call.Ruling{Code: call.CodeContentDenied, Reason: reasonScanned, Rule: policy.RuleScan, Policy: p.Version()})
}

// reasonScanned is given when what a server says could mislead.
const reasonScanned = "The server's text has signs of hidden or misleading instructions."
