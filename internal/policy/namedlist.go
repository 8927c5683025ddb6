package policy

import (
	_ "embed"
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
		c.namedLists(n.Get("lists"))
	}
	if err := report.Err(); err != nil {
		panic("the lists of weir are wrong: " + err.Error()) // they are part of the program, and tested
	}
	return c.named
}

// namedLists are lists by their names with the dollar sign.
type namedLists map[string][]*yamlfile.Node

// namedLists reads the key lists. A list may use those above it.
func (c *compiler) namedLists(n *yamlfile.Node) {
	c.named = namedLists{}
	if n.Kind != yamlfile.Map {
		c.report.Add(n, "expected names with lists, found "+n.Kind.String(), "write lists: {name: [one, two]}")
		return
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		if !listName.MatchString("$" + e.Name) {
			c.report.Add(e.Value, yamlfile.Quote(e.Name)+" is not the name of a list",
				"use up to 64 small letters, digits, dashes and underscores, a letter first")
			continue
		}
		e.Value = c.expanded(e.Value)
		if items, ok := c.report.OneOrMore(e.Value, "a text"); ok {
			c.named["$"+e.Name] = items
		}
	}
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
func (c *compiler) expanded(n *yamlfile.Node) *yamlfile.Node {
	isName := func(item *yamlfile.Node) bool { return item.Kind == yamlfile.String && listName.MatchString(item.Text) }
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
		named, ok := c.list(item)
		if !ok {
			c.report.Add(item, "there is no list "+yamlfile.Quote(item.Text[1:]), "define it above, under the key lists")
			continue
		}
		out.Items = append(out.Items, named...)
	}
	if len(out.Items) == 0 {
		return n // the problem is already reported
	}
	return &out
}

// list is what is in the list that an item names: one of the policy, or one that comes with weir. What is wrong with the latter is wrong
// where the policy uses it.
func (c *compiler) list(item *yamlfile.Node) ([]*yamlfile.Node, bool) {
	if named, ok := c.named[item.Text]; ok {
		return named, true
	}
	if c.builtin == nil {
		c.builtin = builtin()
	}
	known, ok := c.builtin[item.Text]
	named := make([]*yamlfile.Node, len(known))
	for i := range known {
		use := *item
		use.Kind, use.Text = known[i].Kind, known[i].Text
		named[i] = &use
	}
	return named, ok
}
