package policy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	sanitizeShape = yamlfile.Shape{Optional: []string{"presets", "patterns", "paths"}}
	patternShape  = yamlfile.Shape{Required: []string{"name", "regex"}}
	capShape      = yamlfile.Shape{Required: []string{"limit", "per", "window"}, Optional: []string{"currency"}}
	rateShape     = yamlfile.Shape{Required: []string{"calls_per_minute"}, Optional: []string{"burst", "per"}}
	capScopes     = yamlfile.Choice{What: "a scope", Words: []string{"session", "employee", "team", "org", "key"}}
	currencyWords = yamlfile.Choice{What: "a currency that prices are known in", Words: []string{"USD"}}
	rateScopes    = yamlfile.Choice{What: "a scope", Words: []string{"tool", "server", "session", "employee", "team", "org", "key"}}
)

// dutyKeys are the keys that belong to exactly one verdict. One that is optional has defaults for everything in it.
var dutyKeys = []struct {
	key      string
	verdict  Verdict
	optional bool
	read     func(*compiler, *yamlfile.Node, *rule)
}{
	{"sanitize", Sanitize, false, (*compiler).sanitize},
	{"cap_cost", CapCost, false, (*compiler).capCost},
	{"approval", PendingApproval, true, nil},
}

// duties compiles what a rule demands of calls that pass, and checks that its keys fit its verdict.
func (c *compiler) duties(n *yamlfile.Node, r *rule) {
	for _, k := range dutyKeys {
		v := n.Get(k.key)
		switch {
		case k.optional && r.verdict == k.verdict:
			c.asks(n, r)
		case v == nil && r.verdict == k.verdict:
			c.report.Add(n, fmt.Sprintf("the verdict %s needs the key %s", k.verdict, k.key), "say in it what it is to do")
		case v != nil && r.verdict != k.verdict && r.verdict != "":
			c.report.Add(v, fmt.Sprintf("the key %s is for the verdict %s", k.key, k.verdict), "change the verdict, or remove the key")
		case v != nil && k.read != nil:
			k.read(c, v, r)
		}
	}
	if v := n.Get("rate_limit"); v != nil {
		if r.verdict == Deny {
			c.report.Add(v, "a rule that refuses calls has no rate", "remove rate_limit, or change the verdict")
			return
		}
		c.rateLimit(v, r)
	}
}

func (c *compiler) sanitize(n *yamlfile.Node, r *rule) {
	if !c.report.Mapping(n, sanitizeShape) {
		return
	}
	var cfg redact.Config
	if v := n.Get("presets"); v != nil {
		items, _ := c.report.OneOrMore(v, "the name of a preset")
		for _, item := range items {
			if word, ok := c.report.Word(item, condition.SecretWords); ok {
				cfg.Presets = append(cfg.Presets, word)
			}
		}
	}
	if v := n.Get("patterns"); v != nil {
		items, _ := c.report.List(v)
		for _, item := range items {
			cfg.Patterns = append(cfg.Patterns, c.pattern(item))
		}
	}
	if n.Get("presets") == nil && n.Get("patterns") == nil {
		c.report.Add(n, "nothing is said to be replaced", "name presets, patterns or both")
	}
	if len(cfg.Presets) == 0 && len(cfg.Patterns) == 0 {
		return // the problem is already reported
	}
	s := &sanitizer{rule: r.id}
	if v := n.Get("paths"); v != nil {
		items, _ := c.report.OneOrMore(v, "a path such as command or items[*].path")
		for _, item := range items {
			if place, ok := c.conditions.Path(item, false); ok {
				s.paths = append(s.paths, place)
			}
		}
	}
	var err error
	if s.set, err = redact.New(cfg); err != nil {
		c.redactProblems(n, err)
		return
	}
	r.sanitize = s
}

func (c *compiler) pattern(n *yamlfile.Node) (p redact.Pattern) {
	if !c.report.Mapping(n, patternShape) {
		return p
	}
	if v := n.Get("name"); v != nil {
		p.Name, _ = c.report.String(v, "a name")
	}
	if v := n.Get("regex"); v != nil {
		p.Regex, _ = c.report.String(v, "a regular expression")
	}
	return p
}

// redactProblems reports what is wrong with presets and patterns, at their positions.
func (c *compiler) redactProblems(n *yamlfile.Node, err error) {
	var list []error
	if joined, ok := err.(interface{ Unwrap() []error }); ok { // the error itself is the list
		list = joined.Unwrap()
	} else {
		list = []error{err}
	}
	for _, e := range list {
		var problem *redact.ConfigError
		at := n
		message := e.Error()
		if errors.As(e, &problem) {
			message = problem.Problem
			if field := n.Get(problem.Field); field != nil && problem.Index < len(field.Items) {
				if at = field.Items[problem.Index]; problem.Part != "" && at.Get(problem.Part) != nil {
					at = at.Get(problem.Part)
				}
			}
		}
		text, cure := condition.ProblemOf(errors.New(message))
		c.report.Add(at, text, cure)
	}
}

func (c *compiler) capCost(n *yamlfile.Node, r *rule) {
	if !c.report.Mapping(n, capShape) {
		return
	}
	limit := &Cap{Rule: r.id, Reason: reasonOr(r.reason, reasonCap)}
	if v := n.Get("limit"); v != nil {
		limit.Limit = c.money(v)
	}
	if v := n.Get("currency"); v != nil {
		c.report.Word(v, currencyWords)
	}
	if v := n.Get("per"); v != nil {
		limit.Per, _ = c.report.Word(v, capScopes)
	}
	if v := n.Get("window"); v != nil {
		limit.Window = c.window(v)
	}
	r.cap = limit
}

// maxMoney bounds limits, in dollars.
const maxMoney = 1e9

// money parses an amount of dollars, in millionths.
func (c *compiler) money(n *yamlfile.Node) int64 {
	literal, ok := c.report.Number(n)
	if !ok {
		return 0
	}
	amount, err := strconv.ParseFloat(literal, 64)
	if err != nil || amount <= 0 || amount > maxMoney {
		c.report.Add(n, "this is not an amount", "write dollars, such as 5.00")
		return 0
	}
	return int64(amount*1e6 + 0.5)
}

// maxWindow is the longest time over which spending is added up, in seconds.
const maxWindow = 31 * 24 * 60 * 60

// window parses a time such as 24h or 7d, in seconds.
func (c *compiler) window(n *yamlfile.Node) int64 {
	text, ok := c.report.String(n, "a time such as 24h")
	if !ok {
		return 0
	}
	units := map[string]int64{"m": 60, "h": 60 * 60, "d": 24 * 60 * 60}
	if len(text) > 1 {
		count, err := strconv.ParseInt(text[:len(text)-1], 10, 32)
		if seconds := count * units[text[len(text)-1:]]; err == nil && seconds > 0 && seconds <= maxWindow {
			return seconds
		}
	}
	c.report.Add(n, yamlfile.Quote(text)+" is not a time up to 31 days", "write minutes, hours or days, such as 30m, 24h or 7d")
	return 0
}

func (c *compiler) rateLimit(n *yamlfile.Node, r *rule) {
	if !c.report.Mapping(n, rateShape) {
		return
	}
	limit := &RateLimit{Rule: r.id, Reason: reasonOr(r.reason, reasonRate), Burst: 1, OnResponse: r.covers(call.Response)}
	if v := n.Get("calls_per_minute"); v != nil {
		limit.PerMinute = c.rate(v)
		limit.Burst = max(1, int(limit.PerMinute))
	}
	if v := n.Get("burst"); v != nil {
		limit.Burst = c.burst(v)
	}
	if v := n.Get("per"); v != nil {
		items, _ := c.report.OneOrMore(v, "a scope such as tool or session")
		for _, item := range items {
			word, _ := c.report.Word(item, rateScopes)
			limit.Per = append(limit.Per, word)
		}
	}
	r.rate = limit
}

func reasonOr(reason, fallback string) string {
	if strings.TrimSpace(reason) == "" {
		return fallback
	}
	return reason
}
