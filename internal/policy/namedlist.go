package policy

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"

	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// listName matches the name of a list, as it is used.
var listName = regexp.MustCompile(`^\$[a-z][a-z0-9_-]{0,63}$`)

// Lists is the text of the lists that come with weir, which every policy can use.
//
//go:embed lists.yaml
var Lists []byte

// builtin are the lists that come with weir.
func builtin() namedLists {
	n, report := yamlfile.Parse("lists.yaml", Lists)
	c := compiler{report: report, builtin: namedLists{}}
	if report.Clean() {
		c.define(n.Get("lists").Entries)
		c.checkLists()
	}
	if err := report.Err(); err != nil {
		panic("the lists of weir are wrong: " + err.Error()) // they are part of the program, and tested
	}
	out := namedLists{}
	for name, levels := range c.defined {
		out[name] = levels[0].items
	}
	return out
}

// namedLists are lists by their names with the dollar sign.
type namedLists map[string][]*yamlfile.Node

// listDefinitions are the definitions of lists by their names with the dollar sign. A definition replaces those before it, and may use
// the one just before it by its own name.
type listDefinitions map[string][]*listDefinition

// A listDefinition is one definition of a list.
type listDefinition struct {
	node  *yamlfile.Node
	state listState
	items []*yamlfile.Node // without names of lists, once it is ready
}

// A listState says how far a definition is expanded.
type listState int

const (
	listWritten listState = iota
	listInWork            // a list that uses it now contains itself
	listReady
)

// define adds definitions of lists.
func (c *compiler) define(entries []yamlfile.Entry) {
	if c.defined == nil {
		c.defined = listDefinitions{}
	}
	for _, e := range entries {
		if !listName.MatchString("$" + e.Name) {
			c.report.Add(e.Value, yamlfile.Quote(e.Name)+" is not the name of a list",
				"use up to 64 small letters, digits, dashes and underscores, a letter first")
			continue
		}
		c.defined["$"+e.Name] = append(c.defined["$"+e.Name], &listDefinition{node: e.Value})
	}
}

// checkLists expands all lists, so that everything that is wrong with one is reported.
func (c *compiler) checkLists() {
	for _, name := range slices.Sorted(maps.Keys(c.defined)) {
		for level := range c.defined[name] {
			c.ready(name, level)
		}
	}
}

// ready expands a definition of a list, and says whether it can be used now.
func (c *compiler) ready(name string, level int) bool {
	d := c.defined[name][level]
	if d.state == listWritten {
		d.state = listInWork
		if items, ok := c.report.OneOrMore(c.expandedIn(d.node, name, level), "a text"); ok {
			d.items = items
		}
		d.state = listReady
	}
	return d.state == listReady
}

// expand replaces the names of lists in a rule by what is in them: among its tools, servers and actors, and in the values of conditions
// that take several texts.
func (c *compiler) expand(rule *yamlfile.Node) {
	for i := range rule.Entries {
		switch e := &rule.Entries[i]; e.Name {
		case "tool", "not_tool", "server":
			e.Value = c.expanded(e.Value)
		case "who":
			for j := range e.Value.Entries {
				e.Value.Entries[j].Value = c.expanded(e.Value.Entries[j].Value)
			}
		case "conditions":
			c.expandConditions(e.Value)
		}
	}
}

func (c *compiler) expandConditions(n *yamlfile.Node) {
	for i := range n.Entries {
		e := &n.Entries[i]
		if e.Name == "value" && n.Get("operator") != nil && condition.TakesLists(n.Get("operator").Text) {
			e.Value = c.expanded(e.Value)
		}
		for _, item := range e.Value.Items {
			c.expandConditions(item)
		}
	}
}

// expanded returns a text or a list of texts without names of lists.
func (c *compiler) expanded(n *yamlfile.Node) *yamlfile.Node { return c.expandedIn(n, "", 0) }

// expandedIn is expanded for a part of a definition of a list: its own name means the definition before it.
func (c *compiler) expandedIn(n *yamlfile.Node, list string, level int) *yamlfile.Node {
	// levelOf is the definition that a name means; -1: the list that comes with weir.
	levelOf := func(name string) int {
		if name == list {
			return level - 1
		}
		return len(c.defined[name]) - 1
	}
	isName := func(item *yamlfile.Node) bool {
		return item.Kind == yamlfile.String && listName.MatchString(item.Text) && (item.Text != condition.Project || levelOf(item.Text) >= 0)
	}
	items := n.Items
	if n.Kind == yamlfile.String {
		items = []*yamlfile.Node{n}
	}
	if !slices.ContainsFunc(items, isName) {
		return n
	}
	out := *n
	out.Kind, out.Text, out.Items = yamlfile.List, "", nil
	for _, item := range items {
		if !isName(item) {
			out.Items = append(out.Items, item)
			continue
		}
		if item.Text != list && c.used != nil {
			c.used[item.Text] = true
		}
		out.Items = append(out.Items, c.list(item, levelOf(item.Text))...)
	}
	if len(out.Items) == 0 {
		return n // the problem is already reported
	}
	return &out
}

// list is what is in the list that an item names: one of the policy, or one that comes with weir. What is wrong with the latter is wrong
// where the policy uses it.
func (c *compiler) list(item *yamlfile.Node, level int) []*yamlfile.Node {
	if level >= 0 {
		if !c.ready(item.Text, level) {
			c.report.Add(item, "the list "+yamlfile.Quote(item.Text[1:])+" contains itself", "remove its name from one of the lists")
		}
		return c.defined[item.Text][level].items
	}
	if c.builtin == nil {
		c.builtin = builtin()
	}
	known, ok := c.builtin[item.Text]
	if !ok {
		c.report.Add(item, "there is no list "+yamlfile.Quote(item.Text[1:]), "define it under the key lists")
	}
	texts := make([]string, len(known))
	for i := range known {
		texts[i] = known[i].Text
	}
	if item.Text == weirList {
		texts = append(texts, ownPlaces(c.own)...)
	}
	named := make([]*yamlfile.Node, len(texts))
	for i := range texts {
		use := *item
		use.Kind, use.Text = yamlfile.String, texts[i]
		named[i] = &use
	}
	return named
}

// weirList is the list of weir's own files.
const weirList = "$weir"

// ownPlaces are paths of weir's own files as patterns: the path itself, and everything below it.
func ownPlaces(paths []string) (out []string) {
	for _, path := range paths {
		place := condition.QuotePlace(path)
		out = append(out, place, place+"/**")
	}
	return out
}
