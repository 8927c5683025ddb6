package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Written is a policy as it is written: what it extends is part of it, and the names of lists in rules are replaced by what is in them.
type Written struct {
	Rules []WrittenRule  // those that are in use, as Rules has them
	MCP   *yamlfile.Node // the mcp block; nil: there is none
	// Lists are lists of the policy that nothing uses.
	Lists    []*yamlfile.Node
	Silences []Silence
	bases    []string // the files that it extends
}

// OfBase says whether a part is written in a file that the policy extends.
func (w Written) OfBase(n *yamlfile.Node) bool { return slices.Contains(w.bases, n.File()) }

// A WrittenRule is a rule as it is written, with what other files change of it.
type WrittenRule struct {
	*yamlfile.Node
	// At is where the policy speaks of the rule; nil: it is a rule of a preset, which the policy does not change.
	At *yamlfile.Node
}

// Until returns the end in the time of the rule's conditions; nil: they have none.
func (r WrittenRule) Until() *yamlfile.Node {
	n := r.Node
	for _, key := range []string{"conditions", "time", "until"} {
		if n = n.Get(key); n == nil {
			return nil
		}
	}
	return n
}

// Ended says whether that end has surely passed.
func (r WrittenRule) Ended(now when.Moment) bool {
	until := r.Until()
	if until == nil {
		return false
	}
	end, err := when.ParseEnd(until.Text)
	return err == nil && end.Passed(now) == truth.Yes
}

// Written is what the policy was compiled from. It must not be changed.
func (p *Policy) Written() Written { return p.written }

// written is a rule with where the policy speaks of it.
func (c *compiler) written(n *yamlfile.Node) WrittenRule {
	out := WrittenRule{Node: n, At: n}
	if !slices.Contains(c.presets, n.File()) {
		return out
	}
	out.At = nil
	for _, ch := range c.changes[n] {
		if ch.key != keySilence {
			out.At = ch.rule
		}
	}
	return out
}

// unusedLists are the lists of the policy, without those of presets, that no rule and no other list uses.
func (c *compiler) unusedLists(presets []string) (out []*yamlfile.Node) {
	for name, levels := range c.defined {
		if last := levels[len(levels)-1].node; !c.used[name] && !slices.Contains(presets, last.File()) {
			out = append(out, last)
		}
	}
	return out
}
