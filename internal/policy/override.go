package policy

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// merge puts a policy on top of what it extends, of which the nearest comes first.
func (l *layering) merge(bases []layer, own layer) layer {
	all := append([]layer{own}, bases...)
	out := all[len(all)-1]
	for _, upper := range slices.Backward(all[:len(all)-1]) { // the lowest first
		out.top = upper.top
		if upper.fallback != nil {
			out.fallback = upper.fallback
		}
		out.mcp = replaceKeys(out.mcp, upper.mcp)
		out.silence = slices.Concat(out.silence, upper.silence)
		out.rules = l.mergeRules(out.rules, upper)
	}
	return out
}

// replaceKeys puts the keys of a mapping on top of those of another one.
func replaceKeys(lower, upper *yamlfile.Node) *yamlfile.Node {
	if lower == nil || upper == nil || lower.Kind != yamlfile.Map || upper.Kind != yamlfile.Map {
		if upper == nil {
			return lower
		}
		return upper
	}
	out := *upper
	out.Entries = slices.Clone(upper.Entries)
	for _, e := range lower.Entries {
		if upper.Get(e.Name) == nil {
			out.Entries = append(out.Entries, e)
		}
	}
	return &out
}

// mergeRules changes and adds rules. A rule with the id of a rule below it changes that rule.
func (l *layering) mergeRules(lower []*yamlfile.Node, upper layer) []*yamlfile.Node {
	out := slices.Clone(lower)
	places := map[string]int{}
	var ids []string
	for i, r := range out {
		if id := idOf(r); id != "" {
			places[id] = i
			ids = append(ids, id)
		}
	}
	changed := map[string]int{}
	for _, r := range upper.rules {
		id := idOf(r)
		place, known := places[id]
		switch {
		case !known && l.isPartial(r):
			l.report.Add(r.Get("id"), fmt.Sprintf("%s has no rule %s that it could change", upper.extends.Text, yamlfile.Quote(id)),
				yamlfile.Suggest(id, ids, "give it a tool and a verdict, or correct the id"))
		case !known:
			out = append(out, r)
		case changed[id] != 0:
			l.report.Add(r.Get("id"), fmt.Sprintf("the rule %s is changed twice, first on line %d", yamlfile.Quote(id), changed[id]),
				"change it in one place")
		default:
			changed[id] = r.Line
			out[place] = l.override(out[place], r)
		}
	}
	return out
}

// idOf is the id of a rule; "": it has none.
func idOf(r *yamlfile.Node) string {
	if id := r.Get("id"); id != nil && id.Kind == yamlfile.String {
		return id.Text
	}
	return ""
}

// isPartial says that a rule with an id has not all that a rule needs.
func (l *layering) isPartial(r *yamlfile.Node) bool {
	missing := func(key string) bool { return r.Get(key) == nil }
	return idOf(r) != "" && (missing("verdict") || missing("tool") && !NamesEgressAlone(r.Get("surface")))
}

// override puts the keys of a rule on top of those of another one. Exceptions, and warnings that are silenced, are added to those that
// there are.
func (l *layering) override(lower, upper *yamlfile.Node) *yamlfile.Node {
	out := *lower
	out.Entries = slices.Clone(lower.Entries)
	changes := slices.Clone(l.changes[lower])
	for _, e := range upper.Entries {
		i := slices.IndexFunc(out.Entries, func(was yamlfile.Entry) bool { return was.Name == e.Name })
		switch {
		case i < 0:
			out.Entries = append(out.Entries, e)
		case isAdded(e.Name) && e.Value.Kind == yamlfile.List && out.Entries[i].Value.Kind == yamlfile.List:
			all := *out.Entries[i].Value
			all.Items = slices.Concat(all.Items, e.Value.Items)
			out.Entries[i].Value = &all
		case bytes.Equal(out.Entries[i].Value.JSON(), e.Value.JSON()):
			continue
		default:
			out.Entries[i] = e
		}
		changes = append(slices.DeleteFunc(changes, func(c change) bool { return c.key == e.Name && !isAdded(e.Name) }),
			change{e.Name, origin{e.Value.File(), e.Line}, upper})
	}
	if len(changes) == len(l.changes[lower]) && !slices.ContainsFunc(changes, func(c change) bool { return c.at.file == upper.File() }) {
		l.report.Add(upper, fmt.Sprintf("this changes nothing of the rule %s (%s:%d)", yamlfile.Quote(idOf(upper)), lower.File(), lower.Line),
			"remove it, or write what is to be different")
	}
	if v := upper.Get("verdict"); v != nil {
		out.Entries = slices.DeleteFunc(out.Entries, func(e yamlfile.Entry) bool { return upper.Get(e.Name) == nil && unfit(e.Name, v.Text) })
	}
	l.changes[&out] = changes
	return &out
}

// isAdded says that what a rule has under a key is added to what the rule below it has, and does not replace it.
func isAdded(key string) bool { return key == keyUnless || key == keySilence }

// unfit says that a key belongs to another verdict.
func unfit(key, verdict string) bool {
	if key == "rate_limit" {
		return verdict == string(Deny)
	}
	for _, d := range dutyKeys {
		if d.key == key {
			return verdict != string(d.verdict)
		}
	}
	return false
}
