// Package study examines policies: whether they decide cases as expected, what they would have changed for recorded calls, and
// which policy the recorded calls suggest.
package study

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Case is one call and the decision that is expected of a policy.
type Case struct {
	Name    string
	Line    int
	Surface call.Surface
	Server  string // the MCP server whose tool it is; "": none is named
	Tool    string
	Args    jsontext.Value // empty: no arguments
	Actor   call.Actor
	Expect  policy.Verdict
	Rule    string // the rule expected to decide; "": any
	Code    string // the expected code of a refusal; "": any
	// Known is what the registry is supposed to know of tools that the call could mean; nil: nothing.
	Known []call.Known
	// At is when the call is judged, Model the model that asks for it, and Project the folder that it works for; zero: not known.
	At             when.Moment
	Model, Project string
	// Sanitized are the arguments expected after secrets are replaced; empty: any.
	Sanitized jsontext.Value
}

// A CaseResult is a policy's decision on a case.
type CaseResult struct {
	Case     Case
	Decision policy.Decision
	// Problem says how the decision differs from the expected one; "": it does not.
	Problem string
}

// Passed says that the decision was the expected one.
func (r CaseResult) Passed() bool { return r.Problem == "" }

var (
	caseShape = yamlfile.Shape{
		Required: []string{"name", "tool", "expect"},
		Optional: []string{"args", "who", "rule", "code", "surface", "server", "sanitized", "known", "at", "model", "project"},
	}
	// connectionCaseShape is the shape of a case about a connection. Without a tool, the case opens a connection.
	connectionCaseShape = yamlfile.Shape{
		Required: []string{"name", "expect"},
		Optional: []string{"tool", "args", "who", "rule", "code", "surface", "server", "at"},
	}
	actWords = yamlfile.Choice{What: "an act on the surface egress", Words: []string{string(call.Connect), string(call.Resolve)}}
)

// ParseCases parses a file of cases. The error is yamlfile.Problems.
func ParseCases(file string, data []byte) ([]Case, error) {
	root, report := yamlfile.Parse(file, data)
	if root == nil {
		return nil, report.Err()
	}
	var out []Case
	if report.Mapping(root, yamlfile.Shape{Required: []string{"cases"}}) && root.Get("cases") != nil {
		items, _ := report.List(root.Get("cases"))
		for _, item := range items {
			out = append(out, parseCase(item, report))
		}
	}
	if err := report.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

func parseCase(n *yamlfile.Node, report *yamlfile.Report) Case {
	c := Case{Line: n.Line, Surface: call.Response}
	shape := caseShape
	if policy.NamesEgressAlone(n.Get("surface")) {
		shape = connectionCaseShape
	}
	if !report.Mapping(n, shape) {
		return c
	}
	text := func(key, what string) (value string) {
		if v := n.Get(key); v != nil {
			value, _ = report.String(v, what)
		}
		return value
	}
	c.Name, c.Tool, c.Rule = text("name", "a name"), text("tool", "a tool's name"), text("rule", "the id of a rule")
	c.Server = text("server", "the id of an MCP server")
	c.Model, c.Project = text("model", "the name of a model"), text("project", "the path of a folder")
	if v := n.Get("at"); v != nil {
		c.At = parseMoment(v, report)
	}
	if v := n.Get("code"); v != nil {
		c.Code, _ = report.Word(v, yamlfile.Choice{
			What: "a code a policy gives",
			Words: []string{
				call.CodeToolDenied, call.CodeArgsDenied, call.CodeArgsUnreadable, call.CodeOpaqueCode, call.CodeServerDenied, call.CodeUnknownTool,
				call.CodeToolChanged, call.CodeContentDenied, call.CodeConnectionDenied, call.CodeNotApproved,
			},
		})
	}
	if v := n.Get("surface"); v != nil {
		word, _ := report.Word(v, policy.SurfaceWords)
		c.Surface = call.Surface(word)
		if c.Surface == call.MCP && n.Get("server") == nil {
			report.Add(v, "a call on the surface mcp is made to a server", "name it with the key server")
		}
	}
	if v := n.Get("known"); v != nil && c.Surface != call.Egress {
		c.Known = parseKnown(v, c, report)
	}
	if v := n.Get("expect"); v != nil {
		word, _ := report.Word(v, policy.VerdictWords)
		c.Expect = policy.Verdict(word)
	}
	c.Args = parseArguments(n.Get("args"), report)
	if v := n.Get("sanitized"); v != nil {
		if c.Sanitized = parseArguments(v, report); c.Expect != "" && c.Expect != policy.Sanitize {
			report.Add(v, "sanitized is for cases that expect sanitize", "remove it, or write expect: sanitize")
		}
	}
	if c.Surface == call.Egress {
		parseConnection(n, &c, report)
	}
	if v := n.Get("who"); v != nil && report.Mapping(v, yamlfile.Shape{Optional: policy.WhoFields}) {
		c.Actor = parseActor(v, report)
	}
	return c
}

// parseMoment parses when a call is judged.
func parseMoment(n *yamlfile.Node, report *yamlfile.Report) when.Moment {
	text, ok := report.String(n, "a time such as 2026-12-24T18:00:00Z")
	if !ok {
		return when.Moment{}
	}
	m, err := when.ParseMoment(text)
	if err != nil {
		message, cure := condition.ProblemOf(err)
		report.Add(n, message, cure)
	}
	return m
}

// parseConnection checks the parts that only cases about connections have.
func parseConnection(n *yamlfile.Node, c *Case, report *yamlfile.Report) {
	if v := n.Get("tool"); v != nil {
		report.Word(v, actWords)
	} else {
		c.Tool = string(call.Connect)
	}
	if v := n.Get("args"); v != nil && v.Kind == yamlfile.Map {
		report.Mapping(v, yamlfile.Shape{Optional: condition.ConnectionParts()})
	}
}

func parseArguments(n *yamlfile.Node, report *yamlfile.Report) jsontext.Value {
	if n == nil || !report.Is(n, yamlfile.Map) || !report.Value(n) {
		return nil
	}
	return n.JSON()
}

func parseActor(n *yamlfile.Node, report *yamlfile.Report) call.Actor {
	var a call.Actor
	fields := map[string]*string{"org": &a.Org, "team": &a.Team, "employee": &a.Employee, "key": &a.Key, "session": &a.Session}
	for _, e := range n.Entries {
		if field := fields[e.Name]; field != nil {
			*field, _ = report.String(e.Value, "a name")
		}
	}
	return a
}
