// Package warn finds parts of policies that mean something else than they seem to, or nothing. It warns only of what is certain.
package warn

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Warning is one thing that is probably not meant.
type Warning struct {
	ID   string
	Rule string // the id of the rule that it is about; "": it is about another part of the policy
	yamlfile.Problem
}

// A Report is what was found in a policy.
type Report struct {
	Warnings []Warning // by file and line
	Silenced int       // warnings that the policy silences
	// Calls are the calls on record with which the policy was compared; 0: there were none. Unmet are the rules that refuse calls and met
	// none of them, though there were calls of their tools. That is usual.
	Calls int
	Unmet []string
}

// A Finder finds the warnings about one policy. The zero Finder is not usable: use New.
type Finder struct {
	// Egress is the verdict of the configuration on connections that no rule matches; "": it is not known.
	Egress  policy.Verdict
	policy  *policy.Policy
	written policy.Written
	rules   []*rule
	found   []Warning
	met     *history // nil: there is no record
}

// New returns the finder of a policy's warnings.
func New(p *policy.Policy) *Finder {
	f := &Finder{policy: p, written: p.Written()}
	for _, w := range f.written.Rules {
		f.rules = append(f.rules, newRule(w))
	}
	return f
}

// Find returns all warnings about a policy. Now is when it is checked.
func (f *Finder) Find(now when.Moment) Report {
	f.found = nil
	f.checkEffects()
	f.checkExceptions(now)
	f.checkEnded(now)
	f.checkDefault()
	f.checkLists()
	for _, r := range f.rules {
		if r.At == nil {
			continue // presets are tested
		}
		f.checkTools(r)
		f.checkNegations(r)
		f.checkMissing(r)
		r.eachTest(func(t *test, at position) {
			f.checkParameters(r, t)
			f.checkCommands(r, t, at)
			f.checkTexts(r, t, at)
			f.checkEvaded(r, t, at)
			f.checkPlaces(r, t)
			f.checkHosts(r, t, at)
			f.checkOtherWays(r, t, at)
		})
		r.eachBlock(func(t *test, some bool) { f.checkLogic(r, t, some) })
	}
	f.checkHistory()
	out := f.silence()
	if f.met != nil {
		out.Calls, out.Unmet = f.met.calls, f.met.unmet()
	}
	return out
}

// add adds a warning at a part of the policy. What is written in a preset is warned of where the policy changes the rule.
func (f *Finder) add(id string, r *rule, n *yamlfile.Node, message, cure string) {
	w := Warning{ID: id}
	if r != nil {
		w.Rule = r.id
		if r.At != nil && n.File() != r.At.File() && n.File() == r.File() {
			n = r.At
		}
	}
	w.Problem = yamlfile.Problem{File: n.File(), Line: n.Line, Column: n.Column, Key: n.Key(), Message: message, Cure: cure}
	if !slices.Contains(f.found, w) {
		f.found = append(f.found, w)
	}
}

// silence removes the warnings that the policy silences, and warns of entries that silence nothing.
func (f *Finder) silence() (out Report) {
	used := make([]bool, len(f.written.Silences))
	for _, w := range f.found {
		silenced := false
		for i, s := range f.written.Silences {
			if s.Warning == w.ID && (s.Rule == "" || s.Rule == w.Rule) {
				used[i], silenced = true, true
			}
		}
		if silenced {
			out.Silenced++
		} else {
			out.Warnings = append(out.Warnings, w)
		}
	}
	f.found = nil
	for i, s := range f.written.Silences {
		if used[i] || s.Warning == policy.WarnNeverMet && f.met == nil || f.written.OfBase(s.At) {
			continue
		}
		f.add(policy.WarnUnusedSilence, nil, s.At, "there is no warning "+s.Warning+about(s.Rule)+" to silence", "remove the entry")
	}
	out.Warnings = append(out.Warnings, f.found...)
	slices.SortStableFunc(out.Warnings, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return out
}

func about(rule string) string {
	if rule == "" {
		return ""
	}
	return " about the rule " + yamlfile.Quote(rule)
}
