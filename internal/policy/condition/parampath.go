package condition

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/wordset"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A compiledPath is a param_path, which may be several paths, and what operators need of its selection.
type compiledPath struct {
	text  string // for people
	paths []argument.Path
	texts bool // some operator needs the texts
	// byTool says that of the selected values only those count that the tool of the call treats as commands, files or patches.
	byTool bool
	// ofCommands says that it is where commands usually are.
	ofCommands bool
	words      []string // some operator holds only if a text has one of these words
	// automaton finds all of words at once; nil: there are none, or too many.
	automaton *wordset.Set
}

// Paths are all param_paths of a policy, without repetition.
type Paths []compiledPath

// Path compiles a param_path once for all conditions that use it.
func (c *Compiler) Path(n *yamlfile.Node, texts bool) (place int, ok bool) {
	items, ok := c.report.OneOrMore(n, "a path such as command, items[*].path or $")
	if !ok {
		return 0, false
	}
	key := string(n.JSON())
	if n == wholeCall {
		key = "the tool" // it selects all arguments, but is another thing to people
	}
	if c.OfConnections {
		key = string(call.Egress) + key // it selects more if a host has several names
	}
	place, known := c.places[key]
	if !known {
		var compiled compiledPath
		for _, item := range items {
			p, err := argument.ParsePath(item.Text)
			if err != nil {
				c.report.Add(item, yamlfile.Quote(item.Text)+" is not a path", err.Error())
				return 0, false
			}
			if c.OfConnections && !connectionPath(&p) {
				c.report.Add(item, "a connection has no such part", "use "+yamlfile.OneOf(connectionParts)+", or $ for all of them")
				return 0, false
			}
			compiled.paths = append(compiled.paths, p)
		}
		compiled.text, compiled.byTool = pathTexts(compiled.paths), n == usePaths
		compiled.ofCommands = n == usePaths || n == commandPaths
		switch n {
		case usePaths:
			compiled.text = "commands and files"
		case commandPaths:
			compiled.text = "commands"
		case wholeCall:
			compiled.text = "the tool"
		}
		place = len(c.list)
		c.places[key] = place
		c.list = append(c.list, compiled)
	}
	if texts {
		c.list[place].texts = true
	}
	return place, true
}

// pathTexts formats the paths of a param_path for people.
func pathTexts(paths []argument.Path) string {
	texts := make([]string, len(paths))
	for i, p := range paths {
		texts[i] = p.Text
	}
	return strings.Join(texts, ", ")
}

// selectFrom returns all values that the paths select.
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

// Done returns the paths of all compiled conditions.
func (c *Compiler) Done() Paths {
	for i := range c.list {
		c.list[i].automaton = wordset.New(c.list[i].words)
	}
	return c.list
}

// TakesAll says that one of the paths at an index is $.
func (p Paths) TakesAll(place int) bool { return p[place].takesAll() }

// Selected are the values that the paths at some indexes select.
func (p Paths) Selected(places []int, args *argument.Value) (out []*argument.Value) {
	for _, place := range places {
		out = append(out, p[place].selectFrom(args).Values...)
	}
	return out
}
