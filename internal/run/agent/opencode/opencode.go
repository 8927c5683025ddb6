// Package opencode knows opencode: how it is routed through weir, and which MCP servers it has.
package opencode

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/setup"
)

// Agent is opencode. For one run, a variable holds configuration that overrides its files.
type Agent struct{}

// Name implements Agent.
func (Agent) Name() string { return "opencode" }

// Title implements Agent.
func (Agent) Title() string { return "opencode" }

// Programs implements Agent.
func (Agent) Programs() []string { return []string{"opencode"} }

// Format implements Agent.
func (Agent) Format() string { return "" }

// maxVariable is how long a variable may be: less than Linux allows, including the name.
const maxVariable = 120 << 10

// Launch implements Agent.
func (Agent) Launch(p agent.Surroundings, w agent.Weir, args []string, _ string) (agent.Launch, error) {
	c, err := readConfig(p)
	if err != nil {
		return agent.Launch{}, err
	}
	l := agent.Launch{Args: args}
	over, err := c.leadAll(w, &l)
	if err != nil {
		return agent.Launch{}, err
	}
	if c.inline != nil {
		over = agent.Merged(c.inline.Values, over)
	}
	text, err := json.Marshal(over, json.Deterministic(true))
	if err != nil {
		return agent.Launch{}, fmt.Errorf("write the settings of opencode: %w", err)
	}
	if len(text) > maxVariable {
		return agent.Launch{}, fmt.Errorf("%s: the settings for this run are too long for an environment variable; "+
			"use fewer MCP servers, or shorter "+
			"commands", inlineConfig)
	}
	l.Set = map[string]string{inlineConfig: string(text)}
	return l, nil
}

// leadAll returns the configuration that routes providers and servers through weir. It adds servers and notes to l.
func (c *config) leadAll(w agent.Weir, l *agent.Launch) (map[string]any, error) {
	providers, err := c.providers(w)
	if err != nil {
		return nil, err
	}
	over := map[string]any{}
	for _, p := range providers {
		if p.through == "" {
			l.Notes = append(l.Notes, p.passes())
			continue
		}
		over = agent.Merged(over, agent.Nested(p.through, "provider", p.id, "options", "baseURL"))
	}
	l.Notes = append(l.Notes, c.elsewhere(providers)...)
	servers, err := c.servers()
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		through := w.ThroughRun
		if s.managed {
			through = w.Through // a wrapped command stays wrapped, by any weir
		}
		command, address := through(&s.Server)
		switch {
		case (command != nil || address != "") && s.managed:
			s.Way, s.Why = agent.Bare, setForMachine
		case command != nil:
			for i := range command {
				command[i] = moved(command[i], s.file)
			}
			over = agent.Merged(over, agent.Nested(map[string]any{
				"type": "local", "command": command,
				// The shim asks at this socket, whatever another file says.
				"environment": map[string]any{agent.SessionSocket: "{env:" + agent.SessionSocket + "}"},
			}, "mcp", s.Name))
		case address != "":
			over = agent.Merged(over, agent.Nested(map[string]any{"type": "remote", "url": address}, "mcp", s.Name))
		}
		l.Servers = append(l.Servers, s.Server)
	}
	return over, nil
}

// elsewhere returns notes about what is in none of the files: opencode's own models, unless the provider is listed already, and the
// configuration that it downloads.
func (c *config) elsewhere(providers []usedProvider) []string {
	var notes []string
	if !slices.ContainsFunc(providers, func(p usedProvider) bool { return p.id == "opencode" }) {
		notes = append(notes, "opencode's own models (opencode/…) and providers that are not in its settings bypass weir, which sees only "+
			"their connections")
	}
	for _, id := range slices.Sorted(maps.Keys(c.logins)) {
		if agent.At(c.logins, id, "type") == "wellknown" {
			notes = append(notes, fmt.Sprintf("login: providers and MCP servers in the settings that opencode downloads from %s bypass weir",
				agent.Show(id)))
		}
	}
	return notes
}

// Look implements Agent.
func (Agent) Look(p agent.Surroundings) (agent.Look, error) {
	c, err := readConfig(p)
	if err != nil {
		return agent.Look{}, err
	}
	providers, err := c.providers(agent.Weir{})
	if err != nil {
		return agent.Look{}, err
	}
	var look agent.Look
	for _, p := range providers {
		route := agent.Route{Setting: "provider." + p.id + ".options.baseURL", Origin: "default", Note: "in use: " + p.origin}
		if route.URL = openCodeProviders[p.id].address; p.address != "" {
			route.URL, _ = c.expand(p.address)
			route.Origin = p.origin
		}
		if p.file != nil {
			route.Origin = p.file.Path
		}
		look.Routes = append(look.Routes, route)
	}
	servers, err := c.servers()
	if err != nil {
		return agent.Look{}, err
	}
	for _, s := range servers {
		agent.MarkRead(&s.Server)
		look.Servers = append(look.Servers, s.Server)
	}
	return look, nil
}

// Setup implements Agent. It changes only the user's own files: those of a project are shared with others.
func (Agent) Setup(p agent.Surroundings, w agent.Weir) (agent.Setup, error) {
	c, err := readConfig(p)
	if err != nil {
		return agent.Setup{}, err
	}
	providers, err := c.providers(w)
	if err != nil {
		return agent.Setup{}, err
	}
	var s agent.Setup
	change := func(file string, value any, keys ...string) {
		s.Changes = append(s.Changes, setup.Change{File: file, Format: setup.JSON, Path: keys, Value: value})
	}
	for _, p := range providers {
		file := c.userFile()
		if p.file != nil {
			file = p.file.Path
		}
		switch {
		case p.through == "":
			s.Notes = append(s.Notes, p.passes())
		case p.address == p.through:
		case !c.isUsers(file):
			s.Notes = append(s.Notes, fmt.Sprintf("%s: the provider %s bypasses weir: the file is not yours alone; weir run -- opencode routes it",
				file, agent.Show(p.id)))
		default:
			change(file, p.through, "provider", p.id, "options", "baseURL")
		}
	}
	servers, err := c.servers()
	if err != nil {
		return agent.Setup{}, err
	}
	for _, server := range servers {
		command, address := w.Through(&server.Server)
		switch {
		case command == nil && address == "":
			if server.Way == agent.Bare {
				s.Notes = append(s.Notes, agent.BareNote(server.Server))
			}
		case server.managed:
			server.Why = setForMachine
			s.Notes = append(s.Notes, agent.BareNote(server.Server))
		case !c.isUsers(server.Origin):
			server.Why = "the file is not yours alone; weir run -- opencode routes it"
			s.Notes = append(s.Notes, agent.BareNote(server.Server))
		case command != nil:
			change(server.Origin, command, "mcp", server.Name, "command")
		default:
			change(server.Origin, address, "mcp", server.Name, "url")
		}
	}
	return s, nil
}

// isUsers says whether a file is in the folder of the user's configuration.
func (c *config) isUsers(path string) bool { return filepath.Dir(path) == c.globalDir() }

// userFile returns the user's file that overrides the others, or the file to be made.
func (c *config) userFile() string {
	path := filepath.Join(c.globalDir(), "opencode.json")
	for _, f := range c.files {
		if c.isUsers(f.Path) && filepath.Base(f.Path) != "config.json" {
			path = f.Path
		}
	}
	return path
}
