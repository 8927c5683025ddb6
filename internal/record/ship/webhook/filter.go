package webhook

import (
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/record"
)

// A Filter selects events. Each list that is not empty narrows the selection to events that match one of its entries;
// the zero Filter selects everything. Globs match as in policies: * matches any run of characters, case does not matter, and a tool
// matches in every spelling of its server and name.
type Filter struct {
	Types     []record.Type
	Verdicts  []string
	Codes     []string
	Rules     []string
	Tools     []string // globs
	Servers   []string // globs
	Employees []string // globs
	Teams     []string // globs
}

// check finds entries that could never match.
func (f Filter) check() error {
	for _, t := range f.Types {
		if !t.Known() {
			return fmt.Errorf("filter: %q is no type of events", t)
		}
	}
	for what, list := range map[string][]string{
		"verdict": f.Verdicts, "code": f.Codes, "rule": f.Rules, "tool": f.Tools, "server": f.Servers, "employee": f.Employees, "team": f.Teams,
	} {
		if slices.Contains(list, "") {
			return fmt.Errorf("filter: a %s is empty", what)
		}
	}
	return nil
}

// A matcher is a compiled Filter.
type matcher struct {
	filter                           Filter
	tools, servers, employees, teams []toolname.Glob
}

func (f Filter) compile() matcher {
	return matcher{
		filter: f, tools: patterns(f.Tools), servers: patterns(f.Servers), employees: patterns(f.Employees),
		teams: patterns(f.Teams),
	}
}

func patterns(globs []string) []toolname.Glob {
	list := make([]toolname.Glob, len(globs))
	for i, g := range globs {
		list[i] = toolname.NewGlob(g)
	}
	return list
}

func (m matcher) matches(e *record.Event) bool {
	f := m.filter
	return allows(f.Types, e.Type) && allows(f.Verdicts, e.Verdict) && allows(f.Codes, e.Code) && allows(f.Rules, e.Rule) &&
		names(m.servers, e.Server) && names(m.employees, e.Actor.Employee) && names(m.teams, e.Actor.Team) && m.namesTool(e)
}

// allows says whether a list is empty or has the value.
func allows[T comparable](list []T, value T) bool {
	return len(list) == 0 || slices.Contains(list, value)
}

// names says whether there are no patterns or one matches. An empty name matches no pattern.
func names(list []toolname.Glob, name string) bool {
	return len(list) == 0 || name != "" && slices.ContainsFunc(list, func(p toolname.Glob) bool { return p.Matches(name) })
}

// namesTool is names for the event's tool, and for the other names that a client could read.
func (m matcher) namesTool(e *record.Event) bool {
	if len(m.tools) == 0 {
		return true
	}
	if e.Tool == "" {
		return false
	}
	readings := []string{e.Tool}
	if d, ok := e.Detail.(record.ToolCall); ok {
		readings = append(append(readings, d.Aliases...), d.Spellings...)
	}
	for _, p := range m.tools {
		for _, name := range readings {
			if p.MatchesTool(e.Server, name) {
				return true
			}
		}
	}
	return false
}
