package policy

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/wordset"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A compiledPath is a param_path, which is one path or several, and what operators want of what it selects.
type compiledPath struct {
	text  string // for people
	paths []argument.Path
	texts bool     // some operator reads the texts
	words []string // some operator holds only if one of certain words is in a text
	// automaton finds all of words at once; nil: there are none, or too many.
	automaton *wordset.Set
}

// path compiles a param_path once, however many conditions use it.
func (c *compiler) path(n *yamlfile.Node, texts bool) (place int, ok bool) {
	items, ok := c.report.OneOrMore(n, "a path such as command, items[*].path or $")
	if !ok {
		return 0, false
	}
	key := string(n.JSON())
	if c.ofConnections {
		key = string(call.Egress) + key // it selects more where a host has several names
	}
	place, known := c.paths[key]
	if !known {
		var compiled compiledPath
		for _, item := range items {
			p, err := argument.ParsePath(item.Text)
			if err != nil {
				c.report.Add(item, yamlfile.Quote(item.Text)+" is not a path", err.Error())
				return 0, false
			}
			if c.ofConnections && !connectionPath(&p) {
				c.report.Add(item, "a connection has no such part", "use "+yamlfile.OneOf(connectionParts)+", or $ for all of them")
				return 0, false
			}
			compiled.paths = append(compiled.paths, p)
		}
		compiled.text = pathTexts(compiled.paths)
		place = len(c.policy.paths)
		c.paths[key] = place
		c.policy.paths = append(c.policy.paths, compiled)
	}
	if texts {
		c.policy.paths[place].texts = true
	}
	return place, true
}

// pathTexts names the paths of a param_path for people.
func pathTexts(paths []argument.Path) string {
	texts := make([]string, len(paths))
	for i, p := range paths {
		texts[i] = p.Text
	}
	return strings.Join(texts, ", ")
}

// selectFrom is what the paths select together.
func (c *compiledPath) selectFrom(args *argument.Value) argument.Selection {
	found := argument.Select(c.paths[0], args, c.texts)
	for _, p := range c.paths[1:] {
		found.Add(argument.Select(p, args, c.texts))
	}
	return found
}

// takesAll says that one of the paths is $.
func (c *compiledPath) takesAll() bool {
	return slices.ContainsFunc(c.paths, func(p argument.Path) bool { return p.Whole() })
}
