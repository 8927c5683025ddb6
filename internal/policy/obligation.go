package policy

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/redact"
)

// Obligations are what must be done before a call that the policy lets pass is released.
type Obligations struct {
	sanitizers []*sanitizer
	// Caps are the budgets that must not be used up.
	Caps []Cap
	// Rates are the rates that must not be exceeded.
	Rates []RateLimit
}

// A Cap refuses calls once a scope has spent its limit.
type Cap struct {
	Rule   string
	Reason string // one line; never empty
	Limit  int64  // in millionths of a US dollar
	Per    string // session, employee, team, org or key
	Window int64  // in seconds
}

// A RateLimit refuses calls that come too often.
type RateLimit struct {
	Rule      string
	Reason    string // one line; never empty
	PerMinute float64
	Burst     int
	Per       []string // tool, server, session, employee, team, org, key: calls that differ in one of them are counted separately
	// Server is the server whose calls are counted, folded; "": the server in the name of the call.
	Server string
	// OnResponse says that calls are also counted where a model asks for them. A call that was counted there is not counted again
	// where it is made.
	OnResponse bool
}

// These are the reasons if a rule gives none.
const (
	reasonCap  = "The budget is used up."
	reasonRate = "Calls of this kind come too often; wait before the next."
)

// A sanitizer replaces secrets in the arguments of calls.
type sanitizer struct {
	rule string
	set  *redact.Set
	// paths are indexes in Policy.paths of the arguments to search; nil: all arguments.
	paths []int
}

// obligationsOf returns what matching rules demand, in the order of the file, without repetition; nil: nothing.
func obligationsOf(rules []*rule) *Obligations {
	o := &Obligations{}
	for _, r := range rules {
		switch {
		case r.sanitize != nil && !slices.Contains(o.sanitizers, r.sanitize):
			o.sanitizers = append(o.sanitizers, r.sanitize)
		case r.cap != nil && !slices.Contains(o.Caps, *r.cap):
			o.Caps = append(o.Caps, *r.cap)
		}
		if l := r.rate; l != nil && !slices.ContainsFunc(o.Rates, l.same) {
			o.Rates = append(o.Rates, *l)
		}
	}
	if o.sanitizers == nil && o.Caps == nil && o.Rates == nil {
		return nil
	}
	return o
}

// same says that two rates belong to one rule and count the same calls.
func (l *RateLimit) same(other RateLimit) bool {
	return l.Rule == other.Rule && l.Server == other.Server
}

// Sanitized is the result of sanitizing arguments.
type Sanitized struct {
	Args jsontext.Value
	// Replaced has the names of presets and patterns and how often each was replaced, sorted by name.
	Replaced []Replacement
	Rule     string // the first rule that replaced something
}

// A Replacement is one kind of secret that was replaced.
type Replacement struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// ErrUnsanitizable says that arguments have a secret that cannot be replaced, most often a number.
var ErrUnsanitizable = errors.New("the arguments hold what must be replaced in a place that cannot be")

// Sanitize replaces secrets in the arguments, rule by rule. Arguments without secrets are returned unchanged.
func (p *Policy) Sanitize(o *Obligations, args jsontext.Value) (Sanitized, error) {
	return p.replace(o.sanitizers, args)
}

// SanitizeBeside replaces secrets in the params that an MCP server gets beside the arguments. It applies the rules that look at all
// arguments.
func (p *Policy) SanitizeBeside(o *Obligations, beside jsontext.Value) (Sanitized, error) {
	var whole []*sanitizer
	for _, s := range o.sanitizers {
		if s.paths == nil || slices.ContainsFunc(s.paths, func(place int) bool { return p.paths.TakesAll(place) }) {
			whole = append(whole, &sanitizer{rule: s.rule, set: s.set})
		}
	}
	return p.replace(whole, beside)
}

// Add adds the replacements made elsewhere.
func (s *Sanitized) Add(more Sanitized) {
	s.Rule = cmp.Or(s.Rule, more.Rule)
	for _, r := range more.Replaced {
		if at := slices.IndexFunc(s.Replaced, func(have Replacement) bool { return have.Name == r.Name }); at >= 0 {
			s.Replaced[at].Count += r.Count
		} else {
			s.Replaced = append(s.Replaced, r)
		}
	}
	slices.SortFunc(s.Replaced, func(a, b Replacement) int { return cmp.Compare(a.Name, b.Name) })
}

func (p *Policy) replace(sanitizers []*sanitizer, args jsontext.Value) (Sanitized, error) {
	out := Sanitized{Args: args}
	counts := map[string]int{}
	for _, s := range sanitizers {
		spans, err := p.spans(s.paths, out.Args)
		if err != nil {
			return out, err
		}
		if s.paths != nil && spans == nil {
			continue // the arguments have none of its paths
		}
		r, err := s.set.ReplaceJSON(out.Args, spans)
		if err != nil {
			return out, fmt.Errorf("sanitize: %w", err)
		}
		if len(r.Kept) > 0 {
			return out, ErrUnsanitizable
		}
		for _, f := range r.Replaced {
			counts[f.Name]++
		}
		if len(r.Replaced) > 0 {
			out.Args, out.Rule = bytes.Clone(r.JSON), cmp.Or(out.Rule, s.rule)
		}
	}
	for name, count := range counts {
		out.Replaced = append(out.Replaced, Replacement{name, count})
	}
	slices.SortFunc(out.Replaced, func(a, b Replacement) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// spans are the positions of the values that paths select; nil: all arguments.
func (p *Policy) spans(paths []int, args jsontext.Value) ([]redact.Span, error) {
	if paths == nil {
		return nil, nil
	}
	decoded, err := argument.Decode(args)
	if err != nil {
		return nil, err
	}
	var out []redact.Span
	for _, v := range p.paths.Selected(paths, &decoded) {
		out = append(out, redact.Span{Start: v.Start, End: v.End})
	}
	return out, nil
}

// SanitizesUnknown says whether secrets would have to be replaced in unknown parts of a call's arguments.
func (p *Policy) SanitizesUnknown(o *Obligations, q Query) bool {
	f := p.facts(&q)
	return slices.ContainsFunc(o.sanitizers, func(s *sanitizer) bool {
		return s.paths == nil || slices.ContainsFunc(s.paths, f.HoleAt)
	})
}
