// Package gemini knows the Gemini CLI: how it is routed through weir, and which MCP servers it has.
package gemini

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/setup"
)

// Agent is Google's Gemini CLI. Environment variables say where it finds models, and override its .env files. Its MCP servers are
// in settings files, which no variable or argument can override, unless root owns them. So for one run it is shown other files in
// place of these.
type Agent struct{}

// Name implements Agent.
func (Agent) Name() string { return "gemini" }

// Title implements Agent.
func (Agent) Title() string { return "Gemini CLI" }

// Programs implements Agent.
func (Agent) Programs() []string { return []string{"gemini"} }

// Format implements Agent.
func (Agent) Format() string { return "gemini" }

// addresses are the variables that say where models are found, except for Vertex AI.
var addresses = []struct{ name, upstream, address string }{
	{"GOOGLE_GEMINI_BASE_URL", "gemini", "https://generativelanguage.googleapis.com"},
	{"CODE_ASSIST_ENDPOINT", "codeassist", "https://cloudcode-pa.googleapis.com"},
}

const vertexAddress = "GOOGLE_VERTEX_BASE_URL"

// Launch implements Agent.
func (Agent) Launch(p agent.Surroundings, w agent.Weir, args []string, scratch string) (agent.Launch, error) {
	c, err := readGemini(p)
	if err != nil {
		return agent.Launch{}, err
	}
	l := agent.Launch{Args: args, Set: map[string]string{}}
	for _, a := range addresses {
		if l.Set[a.name], err = c.routed(w, a.name, w.URL(a.upstream, "")); err != nil {
			return agent.Launch{}, err
		}
	}
	vertex, err := c.vertex(w)
	if err != nil {
		return agent.Launch{}, err
	}
	if vertex != "" {
		l.Set[vertexAddress] = vertex
	}
	l.Notes = c.notes(w)
	choice := c.choose(w, &l, scratch)
	return l, c.cover(w, &l, choice)
}

// routed returns weir's address for the address in a variable; if the variable is not set, it returns byDefault.
func (c *config) routed(w agent.Weir, name, byDefault string) (string, error) {
	value, origin := c.env(name)
	if value == "" {
		return byDefault, nil
	}
	through, ok := w.Route(value)
	if !ok {
		return "", agent.NotUpstream(origin, name, value)
	}
	return through, nil
}

// vertex returns weir's address for Vertex AI; "": weir has no upstream for it, and the user has not chosen it.
func (c *config) vertex(w agent.Weir) (string, error) {
	kind, origin := c.auth()
	location, _ := c.env("GOOGLE_CLOUD_LOCATION")
	host := agent.VertexHost(location)
	byDefault := ""
	if name, ok := w.UpstreamAt(func(h string) bool { return h == host || location == "" && agent.IsVertexHost(h) }); ok {
		byDefault = w.URL(name, "")
	}
	through, err := c.routed(w, vertexAddress, byDefault)
	switch {
	case kind != geminiVertex:
		return byDefault, nil // an address that is not used does no harm
	case err != nil:
		return "", err
	case through == "":
		if location == "" {
			host = "LOCATION-aiplatform.googleapis.com"
		}
		return "", fmt.Errorf("%s: Gemini CLI uses Vertex AI, for which weir has no upstream; declare it under upstreams in weir.yaml: vertex: "+
			"{url: %q}",
			origin, "https://"+agent.Show(host))
	}
	return through, nil
}

const (
	geminiOfSystem = "it is in settings of this machine, which only root may change"
	geminiNotRoots = "Gemini CLI takes settings of the machine from files of root's alone, and sees none in a session of weir's"
)

const bare = "Gemini CLI cannot be given other settings for one run on this machine; weir setup gemini routes it through weir permanently"

// cover shows the agent files in which its servers are routed through weir. This includes files that it does not use now: it may
// use them later.
func (c *config) cover(w agent.Weir, l *agent.Launch, changes map[string][]agent.Replacement) error {
	servers, err := c.servers()
	if err != nil {
		return err
	}
	for _, s := range servers {
		through := w.ThroughRun
		if !w.Covers {
			through = w.Through // a wrapped command stays wrapped, by any weir
		}
		routed := routedEntry(&s, through)
		if len(routed) > 0 && s.Type == "stdio" {
			routed = append(routed, s.in("env", withSocket(agent.At(s.file.Values, "mcpServers", s.Name, "env"))))
		}
		switch {
		case s.file.scope == ofSystem && notRoots(w):
			s.Way, s.Why, routed = agent.Off, geminiNotRoots, nil
		case len(routed) > 0 && !w.Covers:
			s.Way, s.Why, routed = agent.Bare, bare, nil
		}
		changes[s.file.Path] = append(changes[s.file.Path], routed...)
		l.Servers = append(l.Servers, s.Server)
	}
	for _, f := range slices.Concat(c.extensions, c.settings) {
		if len(changes[f.Path]) == 0 {
			continue
		}
		text, err := f.Replaced(changes[f.Path])
		if err != nil {
			return err
		}
		l.Covers = append(l.Covers, agent.File{Path: f.Path, Content: text})
		if f.scope == ofUser || f.scope == ofProject {
			l.Notes = append(l.Notes, f.Path+": what Gemini CLI changes in its settings during this run is lost")
		}
	}
	return nil
}

// routedEntry returns what to change in the file of a server so that it is routed through weir.
func routedEntry(s *mcpServer, through func(*agent.Server) (command []string, address string)) []agent.Replacement {
	command, address := through(&s.Server)
	switch {
	case command != nil:
		return []agent.Replacement{s.in("command", command[0]), s.in("args", command[1:])}
	case address != "" && agent.At(s.file.Values, "mcpServers", s.Name, "httpUrl") != nil:
		return []agent.Replacement{s.in("httpUrl", address)}
	case address != "":
		return []agent.Replacement{s.in("url", address), s.in("type", "http")}
	}
	return nil
}

// in returns a replacement of a setting of the server.
func (s *mcpServer) in(key string, value any) agent.Replacement {
	return agent.Replacement{Keys: []string{"mcpServers", s.Name, key}, Value: value}
}

// withSocket adds the session's socket to the variables of a server, so that the shim asks there whatever the file says. Also, in
// CI Gemini CLI gives its servers only few variables besides those listed in the file.
func withSocket(env any) map[string]any {
	given, _ := env.(map[string]any)
	return agent.Merged(given, map[string]any{agent.SessionSocket: "$" + agent.SessionSocket})
}

// Look implements Agent.
func (Agent) Look(p agent.Surroundings) (agent.Look, error) {
	c, err := readGemini(p)
	if err != nil {
		return agent.Look{}, err
	}
	kind, _ := c.auth()
	var look agent.Look
	add := func(name, byDefault, note string, used bool) {
		route := agent.Route{Setting: name, Origin: "default", URL: byDefault, Note: note}
		if v, origin := c.env(name); v != "" {
			route.URL, route.Origin = v, origin
		}
		if used {
			look.Routes = slices.Insert(look.Routes, 0, route)
		} else {
			look.Routes = append(look.Routes, route)
		}
	}
	location, _ := c.env("GOOGLE_CLOUD_LOCATION")
	add(addresses[0].name, addresses[0].address, "used with an API key", kind == geminiKey || kind == "")
	add(addresses[1].name, addresses[1].address, "used with a Google login", kind == login || kind == aDC)
	add(vertexAddress, "https://"+agent.VertexHost(location), "used with Vertex AI", kind == geminiVertex)
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

// Setup implements Agent. Gemini's settings cannot hold the addresses of models, and the user's .env file counts only where no
// project has one.
func (Agent) Setup(p agent.Surroundings, w agent.Weir) (agent.Setup, error) {
	c, err := readGemini(p)
	if err != nil {
		return agent.Setup{}, err
	}
	var s agent.Setup
	for _, a := range addresses {
		through, err := c.routed(w, a.name, w.URL(a.upstream, ""))
		if err != nil {
			return agent.Setup{}, err
		}
		if v, origin := c.env(a.name); v != through || origin != "environment" {
			s.Notes = append(s.Notes, fmt.Sprintf("Gemini CLI reads the address of its models only from the environment; add to your shell "+
				"profile: export %s=%s", a.name, through))
		}
	}
	vertex, err := c.vertex(w)
	if err != nil {
		return agent.Setup{}, err
	}
	if v, _ := c.env(vertexAddress); vertex != "" && v != vertex {
		s.Notes = append(s.Notes, fmt.Sprintf("for Vertex AI, add to your shell's profile: export %s=%s", vertexAddress, vertex))
	}
	if c.undecided() {
		s.Changes = append(s.Changes, setup.Change{File: c.userSettings(), Format: setup.JSON, Path: geminiChoice, Value: geminiKey})
	}
	s.Notes = append(s.Notes, c.unread()...)
	servers, err := c.servers()
	if err != nil {
		return agent.Setup{}, err
	}
	for _, server := range servers {
		routed := routedEntry(&server, w.Through)
		if server.Way == agent.Bare {
			s.Notes = append(s.Notes, agent.BareNote(server.Server))
		} else if len(routed) > 0 && server.file.scope != ofUser {
			why := [...]string{
				ofSystem: geminiOfSystem, ofProject: "the file belongs to the project; weir run -- gemini routes it",
				ofExtension: "the file belongs to an extension; weir run -- gemini routes it",
			}
			server.Why = why[server.file.scope]
			s.Notes = append(s.Notes, agent.BareNote(server.Server))
			routed = nil
		}
		for _, change := range routed {
			s.Changes = append(s.Changes, setup.Change{
				File: filepath.Clean(server.Origin), Format: setup.JSON, Path: change.Keys,
				Value: change.Value,
			})
		}
	}
	return s, nil
}
