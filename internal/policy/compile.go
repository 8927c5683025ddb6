package policy

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	documentShape = yamlfile.Shape{
		Required: []string{"version", "default"},
		Optional: []string{"lists", "rules", "mcp", keyExtends, keySilence},
	}
	ruleShape = yamlfile.Shape{
		Required: []string{"id", "tool", "verdict"},
		Optional: []string{
			"not_tool", "server", "hints", "surface", "who", "conditions", "reason", "shadow", "sanitize", "cap_cost", "approval", "rate_limit",
			keyUnless, keyDisabled, keySilence,
		},
	}
	// WhoFields are the fields of an actor that rules can test.
	WhoFields = []string{"org", "team", "employee", "key", "session"}
	whoShape  = yamlfile.Shape{Optional: WhoFields}
	// VerdictWords are the verdicts as written in a policy.
	VerdictWords = yamlfile.Choice{
		What:     "a verdict",
		Words:    []string{string(Allow), string(Audit), string(Deny), string(PendingApproval), string(Sanitize), string(CapCost)},
		Meanings: verdictMeanings,
	}
	// HintWords are what a server can say of its tool.
	HintWords = yamlfile.Choice{
		What:     "a hint",
		Words:    []string{string(call.HintDestructive), string(call.HintReadOnly), string(call.HintOpenWorld), string(call.HintIdempotent)},
		Meanings: hintMeanings,
	}
	defaultWords = yamlfile.Choice{
		What: "a default", Words: []string{string(Allow), string(Audit), string(Deny)}, Meanings: verdictMeanings,
	}
	// SurfaceWords are the surfaces that rules can be about.
	SurfaceWords = yamlfile.Choice{
		What:     "a surface",
		Words:    []string{string(call.Response), string(call.MCP), string(call.Inbound), string(call.Egress)},
		NotBuilt: []string{"text"},
		Meanings: surfaceMeanings,
	}
)

// These describe patterns.
const (
	aTool   = "a tool name or glob"
	aServer = "the id of an MCP server, or a glob"
)

// ruleID matches valid ids: they are shown to models and people, and written in tables.
var ruleID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// maxReason bounds the characters of a reason: it is one line in the assistant's turn.
const maxReason = 300

// A compiler compiles the nodes of one policy and reports what is wrong.
type compiler struct {
	own        []string // see Sources.Own
	report     *yamlfile.Report
	policy     *Policy
	conditions *condition.Compiler
	builtin    namedLists // that come with weir, once one is used
	defined    listDefinitions
	changes    map[*yamlfile.Node][]change // of rules, by other files
	several    bool                        // the policy is more than one file
	folder     string                      // of the policy
	presets    []string                    // that it extends
	used       map[string]bool             // the lists that rules and other lists use
}

// document compiles a policy, with what it extends.
func (c *compiler) document(l layer) {
	if v := l.fallback; v != nil {
		word, _ := c.report.Word(v, defaultWords)
		c.policy.fallback = Verdict(word)
	}
	if v := l.mcp; v != nil {
		c.mcp(v)
	}
	c.checkLists()
	c.rules(l.rules)
	for _, list := range l.silence {
		c.silence(list, rule{})
	}
}

func (c *compiler) rules(rules []*yamlfile.Node) {
	firsts := map[string]origin{}
	for _, item := range rules {
		r := c.rule(item)
		if !r.disabled {
			c.policy.written.Rules = append(c.policy.written.Rules, c.written(item))
		}
		if first, twice := firsts[r.id]; twice && r.id != "" {
			c.report.Add(item.Get("id"), fmt.Sprintf("the id %s is used twice, first %s", yamlfile.Quote(r.id), first.beside(item)),
				"give each rule its own id")
		}
		firsts[r.id] = origin{item.File(), item.Line}
		if v := item.Get(keySilence); v != nil {
			c.silence(v, r)
		}
		if r.disabled {
			c.policy.disabled = append(c.policy.disabled, r)
			continue
		}
		r.place = len(c.policy.rules)
		c.policy.rules = append(c.policy.rules, r)
	}
}

func (c *compiler) rule(n *yamlfile.Node) rule {
	r := rule{line: n.Line, from: c.from(n), changed: c.changed(n), surfaces: calledSurfaces}
	shape := ruleShape
	if NamesEgressAlone(n.Get("surface")) {
		shape, r.tools = connectionRuleShape, []toolname.Glob{toolname.NewGlob("*")}
	}
	if !c.report.Mapping(n, shape) {
		return r
	}
	c.expand(n)
	if v := n.Get("id"); v != nil {
		r.id = c.id(v)
	}
	if v := n.Get("verdict"); v != nil {
		word, _ := c.report.Word(v, VerdictWords)
		r.verdict = Verdict(word)
	}
	if v := n.Get("tool"); v != nil {
		r.tools = c.globs(v, aTool)
	}
	if v := n.Get("not_tool"); v != nil {
		r.notTools = c.globs(v, aTool)
	}
	if v := n.Get("server"); v != nil {
		r.servers = c.globs(v, aServer)
	}
	if v := n.Get("surface"); v != nil {
		r.surfaces = c.surfaces(v)
	}
	if v := n.Get("who"); v != nil {
		r.who = c.who(v)
	}
	if v := n.Get("hints"); v != nil {
		r.hints = c.hints(v, &r)
	}
	c.connections(n, &r)
	if r.verdict == Allow && r.onlyOn(call.Inbound) {
		c.report.Add(n.Get("verdict"), "a rule that allows what requests offer changes nothing: all that no rule denies may be offered",
			"remove the rule, or use audit or deny")
	}
	if r.verdict == PendingApproval && r.covers(call.Inbound) {
		c.report.Add(n.Get("verdict"), "nobody is asked about what requests offer: it is not called yet",
			"use audit or deny for surface: inbound, in a rule of its own")
	}
	if v := n.Get("conditions"); v != nil {
		c.conditions.OfConnections = r.onlyOn(call.Egress)
		r.conditions = c.conditions.Compile(v)
		c.conditions.OfConnections = false
		r.secrets = sanitizersOf(r.conditions.Secrets())
		c.separateSurfaces(n, &r)
	}
	if v := n.Get("reason"); v != nil {
		r.reason = c.reason(v)
	}
	if v := n.Get("shadow"); v != nil {
		r.shadow, _ = c.report.Bool(v)
	}
	if v := n.Get(keyDisabled); v != nil {
		r.disabled, _ = c.report.Bool(v)
	}
	if v := n.Get(keyUnless); v != nil {
		c.exceptions(v, &r)
	}
	c.duties(n, &r)
	return r
}

func (c *compiler) id(n *yamlfile.Node) string {
	id, ok := c.report.String(n, "an id")
	if ok && !ruleID.MatchString(id) {
		c.report.Add(n, yamlfile.Quote(id)+" is not an id", "use up to 64 letters, digits, dots, dashes and underscores")
	}
	for _, prefix := range ownPrefixes {
		if len(id) >= len(prefix) && strings.EqualFold(id[:len(prefix)], prefix) {
			c.report.Add(n, "ids that begin with "+prefix+" are those of weir's own rules", "use another id")
		}
	}
	return id
}

func (c *compiler) reason(n *yamlfile.Node) string {
	reason, ok := c.report.String(n, "a sentence")
	if !ok {
		return ""
	}
	reason = strings.TrimSpace(reason)
	if strings.ContainsFunc(reason, func(r rune) bool { return !unicode.IsPrint(r) }) {
		c.report.Add(n, "a reason is one line of printable characters", "put it on one line")
	}
	if utf8.RuneCountInString(reason) > maxReason {
		c.report.Add(n, "the reason is too long", fmt.Sprintf("keep it to %d characters", maxReason))
	}
	return reason
}

func (c *compiler) globs(n *yamlfile.Node, what string) []toolname.Glob {
	items, ok := c.report.OneOrMore(n, what)
	if !ok {
		return nil
	}
	var out []toolname.Glob
	for _, item := range items {
		out = append(out, c.glob(item, what))
	}
	return out
}

// glob parses one name or glob.
func (c *compiler) glob(n *yamlfile.Node, what string) toolname.Glob {
	text, ok := c.report.String(n, what)
	g := toolname.NewGlob(text)
	if only, exact := g.Exact(); ok && exact && only == "" {
		c.report.Add(n, "nothing of this pattern can be seen", "write "+what)
	}
	return g
}

func (c *compiler) surfaces(n *yamlfile.Node) []call.Surface {
	items, ok := c.report.OneOrMore(n, "a surface")
	if !ok {
		return nil
	}
	var out []call.Surface
	for _, item := range items {
		if word, ok := c.report.Word(item, SurfaceWords); ok {
			out = append(out, call.Surface(word))
		}
	}
	return out
}

// hints parses what a server says of its tool.
func (c *compiler) hints(n *yamlfile.Node, r *rule) []call.Hint {
	out := ParseHints(n, c.report)
	if r.covers(call.Inbound) || r.covers(call.Egress) {
		c.report.Add(n, "hints are known only of tools that are called", "use hints in a rule of its own, for surface: response and mcp")
	}
	return out
}

// ParseHints parses one hint or a list of them.
func ParseHints(n *yamlfile.Node, report *yamlfile.Report) (out []call.Hint) {
	items, _ := report.OneOrMore(n, "a hint")
	for _, item := range items {
		if word, ok := report.Word(item, HintWords); ok {
			out = append(out, call.Hint(word))
		}
	}
	return out
}

func (c *compiler) who(n *yamlfile.Node) []whoTest {
	if !c.report.Mapping(n, whoShape) {
		return nil
	}
	if len(n.Entries) == 0 {
		c.report.Add(n, "who names nobody", "name one of "+yamlfile.OneOf(WhoFields)+", or remove the key")
	}
	var out []whoTest
	for _, field := range WhoFields {
		if v := n.Get(field); v != nil {
			out = append(out, whoTest{field: field, globs: c.globs(v, "a name or glob")})
		}
	}
	return out
}
