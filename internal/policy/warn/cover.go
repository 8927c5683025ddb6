package warn

import (
	"bytes"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// coversGlob says whether every name that the glob narrow matches is one that wide matches. A wildcard of narrow can only be matched by a
// wildcard of wide, so the answer is never wrongly yes.
func coversGlob(wide, narrow *yamlfile.Node) bool {
	g := toolname.NewGlob(wide.Text)
	return g.MatchesFolded(toolname.Fold(strings.ReplaceAll(narrow.Text, "%", "*")))
}

// coverGlobs says whether each of some globs is covered by one of others.
func coverGlobs(wide, narrow []*yamlfile.Node) bool {
	return !slices.ContainsFunc(narrow, func(n *yamlfile.Node) bool {
		return !slices.ContainsFunc(wide, func(w *yamlfile.Node) bool { return coversGlob(w, n) })
	})
}

// covers says whether the scope has all calls of another one.
func (s *scope) covers(other *scope) bool {
	if s.tools == nil || slices.ContainsFunc(s.tools, isAnything) {
		return s.coversRest(other)
	}
	// A rule that names a server also matches names that could be of its tools: only a rule with that server does, too.
	if other.tools == nil || other.servers != nil && (s.servers == nil || slices.ContainsFunc(s.servers, isAnything)) {
		return false
	}
	return coverGlobs(s.tools, other.tools) && s.coversRest(other)
}

// coversRest is covers without the tools.
func (s *scope) coversRest(other *scope) bool {
	if s.hints != nil || !coverGlobs(other.notTools, s.notTools) {
		return false
	}
	if s.servers != nil && !slices.ContainsFunc(s.servers, isAnything) && (other.servers == nil || !coverGlobs(s.servers, other.servers)) {
		return false
	}
	for _, e := range s.who {
		i := slices.IndexFunc(other.who, func(o yamlfile.Entry) bool { return o.Name == e.Name })
		if i < 0 && !slices.ContainsFunc(items(e.Value), isAnything) {
			return false
		}
		if i >= 0 && !coverGlobs(items(e.Value), items(other.who[i].Value)) {
			return false
		}
	}
	return true
}

// covers says whether the rule matches all calls that another rule matches. The rule must hold for one value, as rules that restrict do:
// what holds for all values holds for one.
func (r *rule) covers(other *rule) bool {
	if len(r.unless) > 0 || r.shadow && !other.shadow {
		return false
	}
	for _, s := range other.surfaces {
		if !slices.Contains(r.surfaces, s) {
			return false
		}
	}
	refused := r.verdict == policy.Deny && other.verdict == policy.Allow
	return r.scope.covers(&other.scope) && implies(other.conditions, r.conditions, refused)
}

// implies says whether a condition holds wherever another one holds; nil always holds. It looks at how they are written, and so says no to
// many that do. Refused says that a is of a rule that allows, and b of one that refuses: then a must hold surely and for all values, and b
// only may hold, for one.
func implies(a, b *test, refused bool) bool {
	switch {
	case b == nil:
		return true
	case a == nil:
		return false
	case a.block == b.block && bytes.Equal(a.node.JSON(), b.node.JSON()):
		return true
	case a.block == blockAny:
		return !slices.ContainsFunc(a.of, func(part *test) bool { return !implies(part, b, refused) })
	case b.block == blockAll:
		return !slices.ContainsFunc(b.of, func(part *test) bool { return !implies(a, part, refused) })
	case a.block == blockAll && slices.ContainsFunc(a.of, func(part *test) bool { return implies(part, b, refused) }):
		return true
	case b.block == blockAny:
		return slices.ContainsFunc(b.of, func(part *test) bool { return implies(a, part, refused) })
	default:
		return a.block == "" && b.block == "" && a.impliesTest(b, refused)
	}
}

// listed are the operators that hold for a value if one of their own values does.
var listed = strings.Fields(`in matches within path_in host_in cidr_in runs surely_runs reads writes removes surely_reads surely_writes
	surely_removes secret acts connects`)

// impliesTest is implies for single tests: the same operator with fewer values, or more if it is negated. With refused, values that contain
// others count, too.
func (t *test) impliesTest(other *test, refused bool) bool {
	if t.operator != other.operator || t.negated != other.negated || !slices.Equal(t.paths, other.paths) ||
		!slices.Contains(listed, t.operator) {
		return false
	}
	few, many := t, other
	if t.negated {
		few, many = other, t
	}
	contains := containments[t.operator]
	return !slices.ContainsFunc(few.values, func(v *yamlfile.Node) bool {
		return !slices.ContainsFunc(many.values, func(m *yamlfile.Node) bool { return sameValue(m, v) }) &&
			(!refused || t.negated || contains == nil ||
				!slices.ContainsFunc(many.values, func(m *yamlfile.Node) bool { return contains(m.Text, v.Text) }))
	})
}

// strictness orders the verdicts, the mildest first.
var strictness = []policy.Verdict{policy.Allow, policy.Audit, policy.CapCost, policy.Sanitize, policy.PendingApproval, policy.Deny}
