package agent

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/run/setup"
)

// OpenCode is opencode. For one run, a variable holds configuration that overrides its files.
type OpenCode struct{}

// Name implements Agent.
func (OpenCode) Name() string { return "opencode" }

// Title implements Agent.
func (OpenCode) Title() string { return "opencode" }

// Programs implements Agent.
func (OpenCode) Programs() []string { return []string{"opencode"} }

// Format implements Agent.
func (OpenCode) Format() string { return "" }

// maxVariable is how long a variable may be: less than Linux allows, including the name.
const maxVariable = 120 << 10

// Launch implements Agent.
func (OpenCode) Launch(p Place, w Weir, args []string, _ string) (Launch, error) {
	c, err := readOpenCode(p)
	if err != nil {
		return Launch{}, err
	}
	l := Launch{Args: args}
	over, err := c.leadAll(w, &l)
	if err != nil {
		return Launch{}, err
	}
	if c.inline != nil {
		over = merged(c.inline.values, over)
	}
	text, err := json.Marshal(over, json.Deterministic(true))
	if err != nil {
		return Launch{}, fmt.Errorf("write the settings of opencode: %w", err)
	}
	if len(text) > maxVariable {
		return Launch{}, fmt.Errorf("%s: the settings for this run are too long for an environment variable; use fewer MCP servers, or shorter "+
			"commands", inlineConfig)
	}
	l.Set = map[string]string{inlineConfig: string(text)}
	return l, nil
}

// leadAll returns the configuration that routes providers and servers through weir. It adds servers and notes to l.
func (c *openCodeConfig) leadAll(w Weir, l *Launch) (map[string]any, error) {
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
		over = merged(over, nested(p.through, "provider", p.id, "options", "baseURL"))
	}
	l.Notes = append(l.Notes, c.elsewhere(providers)...)
	servers, err := c.servers()
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		through := w.goThroughRun
		if s.managed {
			through = w.goThrough // a wrapped command stays wrapped, by any weir
		}
		command, address := through(&s.Server)
		switch {
		case (command != nil || address != "") && s.managed:
			s.Way, s.Why = Bare, setForMachine
		case command != nil:
			for i := range command {
				command[i] = moved(command[i], s.file)
			}
			over = merged(over, nested(map[string]any{
				"type": "local", "command": command,
				// The shim asks at this socket, whatever another file says.
				"environment": map[string]any{sessionSocket: "{env:" + sessionSocket + "}"},
			}, "mcp", s.Name))
		case address != "":
			over = merged(over, nested(map[string]any{"type": "remote", "url": address}, "mcp", s.Name))
		}
		l.Servers = append(l.Servers, s.Server)
	}
	return over, nil
}

// elsewhere returns notes about what is in none of the files: opencode's own models, unless the provider is listed already, and the
// configuration that it downloads.
func (c *openCodeConfig) elsewhere(providers []providerLead) []string {
	var notes []string
	if !slices.ContainsFunc(providers, func(p providerLead) bool { return p.id == "opencode" }) {
		notes = append(notes, "opencode's own models (opencode/…) and providers that are not in its settings bypass weir, which sees only "+
			"their connections")
	}
	for _, id := range slices.Sorted(maps.Keys(c.logins)) {
		if at(c.logins, id, "type") == "wellknown" {
			notes = append(notes, fmt.Sprintf("login: providers and MCP servers in the settings that opencode downloads from %s bypass weir",
				show(id)))
		}
	}
	return notes
}

// nested returns a map with the value below the keys.
func nested(value any, keys ...string) map[string]any {
	for _, key := range slices.Backward(keys) {
		value = map[string]any{key: value}
	}
	m, _ := value.(map[string]any)
	return m
}

// Look implements Agent.
func (OpenCode) Look(p Place) (Look, error) {
	c, err := readOpenCode(p)
	if err != nil {
		return Look{}, err
	}
	providers, err := c.providers(Weir{})
	if err != nil {
		return Look{}, err
	}
	var look Look
	for _, p := range providers {
		lead := Lead{Setting: "provider." + p.id + ".options.baseURL", Origin: "default", Note: "in use: " + p.origin}
		if lead.URL = openCodeProviders[p.id].address; p.address != "" {
			lead.URL, _ = c.expand(p.address)
			lead.Origin = p.origin
		}
		if p.file != nil {
			lead.Origin = p.file.path
		}
		look.Leads = append(look.Leads, lead)
	}
	servers, err := c.servers()
	if err != nil {
		return Look{}, err
	}
	for _, s := range servers {
		looked(&s.Server)
		look.Servers = append(look.Servers, s.Server)
	}
	return look, nil
}

// Setup implements Agent. It changes only the user's own files: those of a project are shared with others.
func (OpenCode) Setup(p Place, w Weir) (Setup, error) {
	c, err := readOpenCode(p)
	if err != nil {
		return Setup{}, err
	}
	providers, err := c.providers(w)
	if err != nil {
		return Setup{}, err
	}
	var s Setup
	change := func(file string, value any, keys ...string) {
		s.Changes = append(s.Changes, setup.Change{File: file, Format: setup.JSON, Path: keys, Value: value})
	}
	for _, p := range providers {
		file := c.userFile()
		if p.file != nil {
			file = p.file.path
		}
		switch {
		case p.through == "":
			s.Notes = append(s.Notes, p.passes())
		case p.address == p.through:
		case !c.isUsers(file):
			s.Notes = append(s.Notes, fmt.Sprintf("%s: the provider %s bypasses weir: the file is not yours alone; weir run -- opencode routes it",
				file, show(p.id)))
		default:
			change(file, p.through, "provider", p.id, "options", "baseURL")
		}
	}
	servers, err := c.servers()
	if err != nil {
		return Setup{}, err
	}
	for _, server := range servers {
		command, address := w.goThrough(&server.Server)
		switch {
		case command == nil && address == "":
			if server.Way == Bare {
				s.Notes = append(s.Notes, bareNote(server.Server))
			}
		case server.managed:
			server.Why = setForMachine
			s.Notes = append(s.Notes, bareNote(server.Server))
		case !c.isUsers(server.Origin):
			server.Why = "the file is not yours alone; weir run -- opencode routes it"
			s.Notes = append(s.Notes, bareNote(server.Server))
		case command != nil:
			change(server.Origin, command, "mcp", server.Name, "command")
		default:
			change(server.Origin, address, "mcp", server.Name, "url")
		}
	}
	return s, nil
}

// isUsers says whether a file is in the folder of the user's configuration.
func (c *openCodeConfig) isUsers(path string) bool { return filepath.Dir(path) == c.globalDir() }

// userFile returns the user's file that overrides the others, or the file to be made.
func (c *openCodeConfig) userFile() string {
	path := filepath.Join(c.globalDir(), "opencode.json")
	for _, f := range c.files {
		if c.isUsers(f.path) && filepath.Base(f.path) != "config.json" {
			path = f.path
		}
	}
	return path
}
