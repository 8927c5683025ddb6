package policy

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

const keyExtends = "extends"

// A layering puts the files of a policy on top of what they extend. It works on what is written, so that everything is compiled once,
// and each part knows where it is written.
type layering struct {
	report  *yamlfile.Report
	sources Sources
	inline  bool     // the policy is part of another file
	presets []string // that were extended
	visited []string // what is extended, for finding cycles
	changes map[*yamlfile.Node][]change
}

// A change is a key of a rule that another file changes.
type change struct {
	key  string
	at   origin
	rule *yamlfile.Node // as the other file has it
}

// A layer is what one policy says, without what it extends.
type layer struct {
	top      *yamlfile.Node // nil: it could not be read
	fallback *yamlfile.Node // its default
	mcp      *yamlfile.Node
	lists    []yamlfile.Entry
	rules    []*yamlfile.Node
	extends  *yamlfile.Node
	silence  []*yamlfile.Node // lists of warnings that are silenced
}

var (
	layerKeys      = []string{"version", "default", "lists", "rules", "mcp", keyExtends, keySilence}
	extendingShape = yamlfile.Shape{Required: layerKeys[:1], Optional: layerKeys[1:]}
	partShape      = yamlfile.Shape{Optional: layerKeys}
)

// compile compiles the documents of the policy's own files. It returns nil if there are problems.
func (l *layering) compile(docs []*yamlfile.Node) *Policy {
	own := l.combined(docs)
	bases := l.basesOf(own)
	if !l.report.Clean() && len(bases)+len(docs) > 1 {
		return nil
	}
	c := compiler{
		report: l.report, policy: &Policy{guard: newGuard()}, conditions: condition.NewCompiler(l.report), changes: l.changes,
		several: len(docs) > 1 || len(bases) > 0, presets: l.presets, used: map[string]bool{}, own: l.sources.Own,
	}
	if own.top != nil {
		c.folder = filepath.Dir(own.top.File())
	}
	whole := own
	for _, base := range slices.Backward(bases) {
		c.define(base.lists)
	}
	c.define(own.lists)
	if len(bases) > 0 {
		whole = l.merge(bases, own)
	}
	c.document(whole)
	if !l.report.Clean() {
		return nil
	}
	c.finish()
	c.policy.version = l.sources.version(l.presets)
	c.policy.written.MCP, c.policy.written.Lists = whole.mcp, c.unusedLists(l.presets)
	for _, base := range bases {
		c.policy.written.bases = append(c.policy.written.bases, base.top.File())
	}
	return c.policy
}

// layerOf reads the parts of one document.
func (l *layering) layerOf(doc *yamlfile.Node, shape yamlfile.Shape) (out layer) {
	if !l.report.Mapping(doc, shape) {
		return out
	}
	if v := doc.Get("version"); v != nil && (v.Kind != yamlfile.Number || v.Text != "1") {
		l.report.Add(v, "only version 1 is known", "write version: 1")
	}
	out = layer{top: doc, fallback: doc.Get("default"), mcp: doc.Get("mcp"), extends: doc.Get(keyExtends)}
	if v := doc.Get(keySilence); v != nil {
		out.silence = []*yamlfile.Node{v}
	}
	if v := doc.Get("lists"); v != nil {
		if v.Kind == yamlfile.Map {
			out.lists = v.Entries
		} else {
			l.report.Add(v, "expected names with lists, found "+v.Kind.String(), "write lists: {name: [one, two]}")
		}
	}
	if v := doc.Get("rules"); v != nil {
		if v.Kind == yamlfile.List {
			out.rules = v.Items
		} else {
			l.report.Add(v, "expected a list of rules", "write each rule as a list item, or rules: []")
		}
	}
	return out
}

// single reads a policy in one file.
func (l *layering) single(doc *yamlfile.Node) layer {
	shape := documentShape
	if doc.Kind == yamlfile.Map && doc.Get(keyExtends) != nil {
		shape = extendingShape
	}
	return l.layerOf(doc, shape)
}

// combined reads a policy in one file, or in all files of a folder. What only one file may say is an error in a second one.
func (l *layering) combined(docs []*yamlfile.Node) layer {
	if len(docs) == 1 {
		return l.single(docs[0])
	}
	var out layer
	versioned := false
	once := func(have **yamlfile.Node, v *yamlfile.Node, key string) {
		switch {
		case v == nil:
		case *have == nil:
			*have = v
		default:
			l.report.Add(v, fmt.Sprintf("%s is given twice, first in %s on line %d", key, filepath.Base((*have).File()), (*have).Line),
				"give it in one file of the folder")
		}
	}
	for _, doc := range docs {
		part := l.layerOf(doc, partShape)
		if part.top == nil {
			continue
		}
		versioned = versioned || part.top.Get("version") != nil
		if out.top == nil {
			out.top = part.top
		}
		once(&out.fallback, part.fallback, "default")
		once(&out.extends, part.extends, keyExtends)
		out.rules = append(out.rules, part.rules...)
		out.lists = append(out.lists, part.lists...)
		out.silence = append(out.silence, part.silence...)
		out.mcp = l.joinMCP(out.mcp, part.mcp)
	}
	l.onlyOnce(out.lists, "the list")
	if out.top != nil && !versioned {
		l.report.Add(out.top, `no file of the folder has the key "version"`, "add it to one of them: version: 1")
	}
	if out.top != nil && out.fallback == nil && out.extends == nil {
		l.report.Add(out.top, `no file of the folder has the key "default"`, "add it to one of them")
	}
	return out
}

// onlyOnce reports names that several files of a folder define.
func (l *layering) onlyOnce(entries []yamlfile.Entry, what string) {
	first := map[string]yamlfile.Entry{}
	for _, e := range entries {
		if was, twice := first[e.Name]; twice {
			l.report.Add(e.Value, fmt.Sprintf("%s %s is defined twice, first in %s on line %d", what, yamlfile.Quote(e.Name),
				filepath.Base(was.Value.File()), was.Line), "define it in one file of the folder")
			continue
		}
		first[e.Name] = e
	}
}

// joinMCP joins the mcp blocks of the files of a folder. Servers may be declared in several of them.
func (l *layering) joinMCP(have, more *yamlfile.Node) *yamlfile.Node {
	if have == nil || more == nil || have.Kind != yamlfile.Map || more.Kind != yamlfile.Map {
		if have == nil {
			return more
		}
		return have
	}
	out := *have
	out.Entries = slices.Clone(have.Entries)
	for _, e := range more.Entries {
		i := slices.IndexFunc(out.Entries, func(was yamlfile.Entry) bool { return was.Name == e.Name })
		switch {
		case i < 0:
			out.Entries = append(out.Entries, e)
		case e.Name == "servers" && e.Value.Kind == yamlfile.List && out.Entries[i].Value.Kind == yamlfile.List:
			joined := *out.Entries[i].Value
			joined.Items = slices.Concat(joined.Items, e.Value.Items)
			out.Entries[i].Value = &joined
		default:
			l.onlyOnce([]yamlfile.Entry{out.Entries[i], e}, "the key")
		}
	}
	return &out
}

// basesOf are what a policy extends, the nearest first.
func (l *layering) basesOf(own layer) (bases []layer) {
	for at := own; at.extends != nil; {
		name, ok := l.report.String(at.extends, "the name of a preset, or the path of a policy")
		if !ok {
			return bases
		}
		base, ok := l.base(at.extends, name)
		if !ok {
			return bases
		}
		bases = append(bases, base)
		at = base
	}
	return bases
}

// base reads what a policy extends.
func (l *layering) base(n *yamlfile.Node, name string) (layer, bool) {
	if slices.Contains(preset.Names(), name) {
		text, _ := preset.Text(name) // it exists
		l.presets = append(l.presets, name)
		return l.read(n, Text{Name: name, Data: text})
	}
	const cure = "use open, balanced or tight, or the path of a policy such as base.yaml, in this folder or below"
	if why := notBase(name); why != "" {
		l.report.Add(n, why, cure)
		return layer{}, false
	}
	if l.inline {
		l.report.Add(n, "a policy in weir.yaml can only extend a preset", "write the policy in a file of its own, and its path as policy")
		return layer{}, false
	}
	path := filepath.Join(filepath.Dir(n.File()), filepath.FromSlash(name))
	switch {
	case slices.Contains(l.visited, path) || slices.ContainsFunc(l.sources.Files, func(t Text) bool { return t.Name == path }):
		l.report.Add(n, "the policy would extend itself", "remove the key from one of the files")
		return layer{}, false
	case len(l.visited) >= maxExtends:
		l.report.Add(n, fmt.Sprintf("more than %d policies extend one another", maxExtends), "put some of them together")
		return layer{}, false
	}
	l.visited = append(l.visited, path)
	i := slices.IndexFunc(l.sources.Bases, func(t Text) bool { return t.Name == path })
	switch {
	case i < 0:
		l.report.Add(n, "this file is not at hand", "use a policy that extends a preset, or none")
		return layer{}, false
	case l.sources.Bases[i].Trouble != "":
		l.report.Add(n, "the file cannot be read: "+l.sources.Bases[i].Trouble, "correct the path, or write the policy there")
		return layer{}, false
	}
	return l.read(n, l.sources.Bases[i])
}

// read parses what a policy extends.
func (l *layering) read(n *yamlfile.Node, t Text) (layer, bool) {
	root, report := parseText(t)
	l.report.Join(report)
	if root == nil {
		return layer{}, false
	}
	out := l.single(root)
	return out, out.top != nil
}
