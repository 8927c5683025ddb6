// Package claude knows Claude Code: how it is routed through weir, and which MCP servers it has.
package claude

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/setup"
)

// Agent is Claude Code. Its settings override its environment. So for one run it gets settings on its command line, which override
// all others except those of the machine. It also gets a file with all its MCP servers, and then uses only these.
type Agent struct{}

// Name implements Agent.
func (Agent) Name() string { return "claude" }

// Title implements Agent.
func (Agent) Title() string { return "Claude Code" }

// Programs implements Agent.
func (Agent) Programs() []string { return []string{"claude"} }

// Format implements Agent.
func (Agent) Format() string { return "anthropic" }

// elsewhere are the commands that use agents outside of the session.
var elsewhere = map[string]bool{
	"agents": true, "attach": true, "daemon": true, "remote-control": true, "rc": true,
	"ultrareview": true,
}

// Launch implements Agent.
func (Agent) Launch(p agent.Surroundings, w agent.Weir, args []string, scratch string) (agent.Launch, error) {
	parsed := parseArgs(args)
	if what := parsed.command; elsewhere[what] || parsed.background {
		if parsed.background {
			what = "--bg"
		}
		return agent.Launch{}, fmt.Errorf("claude %s: it starts agents outside this session, where weir does not see them; "+
			"start each with weir run "+
			"-- claude", what)
	}
	if slices.ContainsFunc(args, func(arg string) bool {
		return strings.Contains(arg, `"mcpServers"`) && strings.Contains(strings.Join(args, " "), "--agents")
	}) {
		return agent.Launch{}, errors.New("claude --agents: its MCP servers would bypass weir; move them to .mcp.json, or remove them")
	}
	c, err := readConfig(p, parsed)
	if err != nil {
		return agent.Launch{}, err
	}
	variable, through, err := c.routed(w)
	if err != nil {
		return agent.Launch{}, err
	}
	l := agent.Launch{Args: args, Set: map[string]string{variable: through}, Notes: c.notes(), Sandboxes: c.boxes()}
	if err := c.overrule(w, &l, variable, through); err != nil {
		return agent.Launch{}, err
	}
	if parsed.command == "" && !parsed.plain {
		err = c.take(w, &l, scratch)
	} else if parsed.command == "mcp" || parsed.command == "doctor" {
		l.Notes = append(l.Notes, fmt.Sprintf("claude %s starts MCP servers to check them, as they are in the configuration", parsed.command))
	}
	return l, err
}

// boxes says whether Claude Code runs commands in a sandbox.
func (c *config) boxes() bool {
	return slices.ContainsFunc(c.settings, func(f settingsFile) bool { return agent.At(f.Values, "sandbox", "enabled") == true })
}

// overrule covers settings of the machine that would override weir's, so that they show weir's value.
func (c *config) overrule(w agent.Weir, l *agent.Launch, variable, through string) error {
	for _, f := range c.against(variable, through) {
		if !w.Covers || f.Path == "--managed-settings" {
			return fmt.Errorf("%s: %s is set for the whole machine, and weir cannot change it for one run; remove it there", f.Path, variable)
		}
		text, err := f.Replaced([]agent.Replacement{{Keys: []string{"env", variable}, Value: through}})
		if err != nil {
			return err
		}
		l.Covers = append(l.Covers, agent.File{Path: f.Path, Content: text})
	}
	return nil
}

// take replaces the settings and servers on the command line by weir's own.
func (c *config) take(w agent.Weir, l *agent.Launch, scratch string) error {
	servers, err := c.servers()
	if err != nil {
		return err
	}
	settings := map[string]any{}
	for _, f := range c.settings {
		if f.scope == claudeGiven {
			settings = maps.Clone(f.Values)
		}
	}
	env := map[string]any{}
	if given, ok := settings["env"].(map[string]any); ok {
		env = maps.Clone(given)
	}
	for name, value := range l.Set {
		env[name] = value
	}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		// Settings override the environment: a proxy in the settings of a project must not be used for weir's address.
		value, _ := c.env(name)
		env[name] = strings.TrimPrefix(value+","+agent.LoopbackNames, ",")
	}
	settings["env"] = env
	if c.exclusive == nil {
		settings["disableClaudeAiConnectors"] = true // claude.ai itself connects to these servers, so weir does not see them
	}
	file, err := scratchFile(filepath.Join(scratch, "claude-settings.json"), settings)
	if err != nil {
		return err
	}
	l.Files = append(l.Files, file)
	ours := []string{"--settings=" + file.Path}
	if c.exclusive != nil {
		// Then Claude Code refuses servers on the command line.
		for _, given := range c.args.servers {
			ours = append(ours, "--mcp-config="+given)
		}
		l.Args = append(ours, c.args.kept...)
		return c.coverManaged(w, l, servers)
	}
	entries := map[string]any{}
	for _, s := range servers {
		entry := s.routed(c.around, w.ThroughRun)
		if entry == nil {
			entry = s.Entry
		}
		if s.Way != agent.Off {
			entries[s.Name] = entry
		}
		l.Servers = append(l.Servers, s.Server)
	}
	if file, err = scratchFile(filepath.Join(scratch, "claude-mcp.json"), map[string]any{"mcpServers": entries}); err != nil {
		return err
	}
	l.Files = append(l.Files, file)
	ours = append(ours, "--mcp-config="+file.Path, "--strict-mcp-config")
	l.Args = append(ours, c.args.kept...)
	if names := c.plugins(); len(names) > 0 && !c.args.strict {
		l.Notes = append(l.Notes, "MCP servers of plugins are not started in this run: "+agent.Show(strings.Join(names, ", ")))
	}
	return nil
}

// coverManaged routes the servers of the machine through weir.
func (c *config) coverManaged(w agent.Weir, l *agent.Launch, servers []mcpServer) error {
	var changes []agent.Replacement
	for _, s := range servers {
		entry := s.routed(c.around, w.ThroughRun)
		switch {
		case entry == nil:
		case w.Covers:
			changes = append(changes, agent.Replacement{Keys: []string{"mcpServers", s.Name}, Value: entry})
		default:
			s.Way, s.Why = agent.Bare, "it is of this machine, which weir cannot change for one run here"
		}
		l.Servers = append(l.Servers, s.Server)
	}
	if len(changes) == 0 {
		return nil
	}
	text, err := c.exclusive.Replaced(changes)
	if err != nil {
		return err
	}
	l.Covers = append(l.Covers, agent.File{Path: c.exclusive.Path, Content: text})
	return nil
}

// scratchFile returns a JSON file that is made for a run.
func scratchFile(path string, v any) (agent.File, error) {
	text, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return agent.File{}, fmt.Errorf("write %s: %w", path, err)
	}
	return agent.File{Path: path, Content: append(text, '\n')}, nil
}

// Look implements Agent.
func (Agent) Look(p agent.Surroundings) (agent.Look, error) {
	c, err := readConfig(p, commandLine{})
	if err != nil {
		return agent.Look{}, err
	}
	used, chosenBy := c.provider()
	route := agent.Route{Setting: used.address, Origin: "default", Note: "used with " + used.title}
	if used.chosen == "" {
		route.URL, route.Note = anthropicAddress, ""
	} else {
		route.Note += ", chosen by " + used.chosen + " (" + chosenBy + ")"
	}
	if v, origin := c.env(used.address); v != "" {
		route.URL, route.Origin = v, origin
	}
	look := agent.Look{Routes: []agent.Route{route}}
	servers, err := c.servers()
	if err != nil {
		return agent.Look{}, err
	}
	for _, s := range servers {
		agent.MarkRead(&s.Server)
		look.Servers = append(look.Servers, s.Server)
	}
	if names := c.plugins(); len(names) > 0 {
		look.Notes = append(look.Notes,
			"plugins may have MCP servers of their own, which weir does not see: "+agent.Show(strings.Join(names, ", ")))
	}
	return look, nil
}

// Setup implements Agent. Files of a project are shared with others, so Setup does not change them, but adds notes.
func (Agent) Setup(p agent.Surroundings, w agent.Weir) (agent.Setup, error) {
	c, err := readConfig(p, commandLine{})
	if err != nil {
		return agent.Setup{}, err
	}
	variable, through, err := c.routed(w)
	if err != nil {
		return agent.Setup{}, err
	}
	s := agent.Setup{Notes: c.notes()}
	user := filepath.Join(c.dir, "settings.json")
	set := false
	for _, f := range c.settings {
		switch v, ok := envSetting(f.JSONFile, variable); {
		case !ok:
		case f.scope == claudeUser:
			set = v == through
		case v != through:
			s.Notes = append(s.Notes, fmt.Sprintf("%s: %s is %q, which overrides your settings; remove it there", f.Path, variable, agent.Show(v)))
		}
	}
	if !set {
		s.Changes = append(s.Changes, setup.Change{File: user, Format: setup.JSON, Path: []string{"env", variable}, Value: through})
	}
	servers, err := c.servers()
	if err != nil {
		return agent.Setup{}, err
	}
	if c.state != nil {
		// A server of the user that is replaced here by another one is still used elsewhere.
		users := map[string]mcpServer{}
		if err := put(users, c.state, claudeUser, "mcpServers"); err != nil {
			return agent.Setup{}, err
		}
		servers = slices.DeleteFunc(servers, func(s mcpServer) bool { return s.scope == claudeUser })
		servers = append(servers, sortedServers(users)...)
	}
	for _, server := range servers {
		c.setUp(w, server, &s)
	}
	if names := c.plugins(); len(names) > 0 {
		s.Notes = append(s.Notes, "MCP servers of plugins are not routed through weir: "+agent.Show(strings.Join(names, ", ")))
	}
	return s, nil
}

// setUp routes a server through weir permanently, if it is the user's.
func (c *config) setUp(w agent.Weir, server mcpServer, s *agent.Setup) {
	entry := server.routed(c.around, w.Through)
	switch {
	case server.Way == agent.Bare:
		s.Notes = append(s.Notes, agent.BareNote(server.Server))
	case entry == nil:
	case server.scope == claudeUser:
		for _, key := range []string{"command", "args", "url", "type"} {
			if v, ok := entry[key]; ok && (key == "command" || key == "args") == (server.Type == "stdio") &&
				(key != "type" || v != server.Entry[key]) {
				s.Changes = append(s.Changes, setup.Change{
					File: server.Origin, Format: setup.JSON, Path: []string{"mcpServers", server.Name, key},
					Value: v,
				})
			}
		}
	case server.scope == claudeManaged:
		server.Why = "it is declared for the whole machine; weir run -- claude routes it"
		s.Notes = append(s.Notes, agent.BareNote(server.Server))
	default:
		server.Why = "it is declared for this project only; weir run -- claude routes it"
		s.Notes = append(s.Notes, agent.BareNote(server.Server))
	}
}
