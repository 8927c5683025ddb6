package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// agents are the programs of agents, agentSettings the variables that could lead them past weir, and settingsFolders those that say where
// agents and weir find their settings.
var (
	agents          = wordSet(program.Agents)
	agentSettings   = wordSet(strings.ToLower(program.AgentVariables + " " + program.GuardVariables))
	settingsFolders = wordSet(program.SettingsVariables)
)

// leadsPast reports a variable that leads past weir: set for an agent, and to elsewhere than weir; set for weir, which then has another
// configuration; exported, so that all that is started later has other settings; and a proxy that is used for nothing.
func leadsPast(l *line, set shell.Word) bool {
	name, to, ok := strings.Cut(set.Text, "=")
	switch {
	case !ok:
		return false
	case agents[l.name]:
		return agentSettings[strings.ToLower(name)] && !leadsToWeir(to) || setsWeir(name)
	case l.name == weirName:
		return strings.HasPrefix(name, "XDG_")
	case l.name == "export" && setsWeir(name):
		return true
	case l.name == "export" && settingsFolders[name]:
		usual, _ := strings.CutPrefix(program.PlaceVariables[name], "~")
		return set.Known && !(usual != "" && strings.HasSuffix(strings.TrimRight(to, "/"), usual))
	}
	return strings.EqualFold(name, "no_proxy") && to == "*"
}

// setsWeir reports a variable of weir itself, but for those with which a person uses it.
func setsWeir(name string) bool {
	return strings.HasPrefix(name, "WEIR_") && name != "WEIR_PAGER" && name != "WEIR_KEY"
}

// unsetsFound reads unset, if it takes away the variables that a search found.
func unsetsFound(f *finder, l *line) {
	if !l.computed() {
		return
	}
	names, _ := f.searched(l)
	if slices.ContainsFunc(names, func(name string) bool { return containsAny(strings.ToLower(name), wayParts...) }) {
		f.noteWeir(l, truth.Yes)
	}
}

// wayParts are the parts of names by which the variables that lead agents are found.
var wayParts = []string{"proxy", "base_url", "anthropic", "openai", "gemini"}
