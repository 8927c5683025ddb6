package agent

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/setup"
)

// Gemini is Google's Gemini CLI. Environment variables say where it finds models, and override its .env files. Its MCP servers are
// in settings files, which no variable or argument can override, unless root owns them. So for one run it is shown other files in
// place of these.
type Gemini struct{}

// Name implements Agent.
func (Gemini) Name() string { return "gemini" }

// Title implements Agent.
func (Gemini) Title() string { return "Gemini CLI" }

// Programs implements Agent.
func (Gemini) Programs() []string { return []string{"gemini"} }

// Format implements Agent.
func (Gemini) Format() string { return "gemini" }

// geminiAddresses are the variables that say where models are found, except for Vertex AI.
var geminiAddresses = []struct{ name, upstream, address string }{
	{"GOOGLE_GEMINI_BASE_URL", "gemini", "https://generativelanguage.googleapis.com"},
	{"CODE_ASSIST_ENDPOINT", "codeassist", "https://cloudcode-pa.googleapis.com"},
}

const geminiVertexAddress = "GOOGLE_VERTEX_BASE_URL"

// Launch implements Agent.
func (Gemini) Launch(p Place, w Weir, args []string, scratch string) (Launch, error) {
	c, err := readGemini(p)
	if err != nil {
		return Launch{}, err
	}
	l := Launch{Args: args, Set: map[string]string{}}
	for _, a := range geminiAddresses {
		if l.Set[a.name], err = c.led(w, a.name, w.URL(a.upstream, "")); err != nil {
			return Launch{}, err
		}
	}
	vertex, err := c.vertex(w)
	if err != nil {
		return Launch{}, err
	}
	if vertex != "" {
		l.Set[geminiVertexAddress] = vertex
	}
	l.Notes = c.notes(w)
	choice := c.choose(w, &l, scratch)
	return l, c.cover(w, &l, choice)
}

// led returns weir's address for the address in a variable; if the variable is not set, it returns byDefault.
func (c *geminiConfig) led(w Weir, name, byDefault string) (string, error) {
	value, origin := c.env(name)
	if value == "" {
		return byDefault, nil
	}
	through, ok := w.lead(value)
	if !ok {
		return "", unled(origin, name, value)
	}
	return through, nil
}

// vertex returns weir's address for Vertex AI; "": weir has no upstream for it, and the user has not chosen it.
func (c *geminiConfig) vertex(w Weir) (string, error) {
	kind, origin := c.auth()
	location, _ := c.env("GOOGLE_CLOUD_LOCATION")
	host := vertexHost(location)
	byDefault := ""
	if name, ok := w.upstreamAt(func(h string) bool { return h == host || location == "" && isVertexHost(h) }); ok {
		byDefault = w.URL(name, "")
	}
	through, err := c.led(w, geminiVertexAddress, byDefault)
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
			origin, "https://"+show(host))
	}
	return through, nil
}

// vertexHost returns the host of Vertex AI in a location.
func vertexHost(location string) string {
	switch location {
	case "", "global":
		return "aiplatform.googleapis.com"
	case "us", "eu":
		return "aiplatform." + location + ".rep.googleapis.com"
	default:
		return location + "-aiplatform.googleapis.com"
	}
}

func isVertexHost(host string) bool {
	return strings.HasSuffix(host, "-aiplatform.googleapis.com") || host == vertexHost("") || host == vertexHost("us") ||
		host == vertexHost("eu")
}

const (
	geminiOfSystem = "it is in settings of this machine, which only root may change"
	geminiNotRoots = "Gemini CLI takes settings of the machine from files of root's alone, and sees none in a session of weir's"
)

const geminiBare = "Gemini CLI cannot be given other settings for one run on this machine; weir setup gemini leads it through weir for good"

// cover shows the agent files in which its servers are routed through weir. This includes files that it does not use now: it may
// use them later.
func (c *geminiConfig) cover(w Weir, l *Launch, changes map[string][]replacement) error {
	servers, err := c.servers()
	if err != nil {
		return err
	}
	for _, s := range servers {
		through := w.goThroughRun
		if !w.Covers {
			through = w.goThrough // a wrapped command stays wrapped, by any weir
		}
		led := geminiLed(&s, through)
		if len(led) > 0 && s.Type == "stdio" {
			led = append(led, s.in("env", withSocket(at(s.file.values, "mcpServers", s.Name, "env"))))
		}
		switch {
		case s.file.scope == ofSystem && notRoots(w):
			s.Way, s.Why, led = Off, geminiNotRoots, nil
		case len(led) > 0 && !w.Covers:
			s.Way, s.Why, led = Bare, geminiBare, nil
		}
		changes[s.file.path] = append(changes[s.file.path], led...)
		l.Servers = append(l.Servers, s.Server)
	}
	for _, f := range slices.Concat(c.extensions, c.settings) {
		if len(changes[f.path]) == 0 {
			continue
		}
		text, err := f.replaced(changes[f.path])
		if err != nil {
			return err
		}
		l.Covers = append(l.Covers, File{Path: f.path, Content: text})
		if f.scope == ofUser || f.scope == ofProject {
			l.Notes = append(l.Notes, f.path+": what Gemini CLI changes in its settings during this run is not kept")
		}
	}
	return nil
}

// geminiLed returns what to change in the file of a server so that it is routed through weir.
func geminiLed(s *geminiServer, through func(*Server) (command []string, address string)) []replacement {
	command, address := through(&s.Server)
	switch {
	case command != nil:
		return []replacement{s.in("command", command[0]), s.in("args", command[1:])}
	case address != "" && at(s.file.values, "mcpServers", s.Name, "httpUrl") != nil:
		return []replacement{s.in("httpUrl", address)}
	case address != "":
		return []replacement{s.in("url", address), s.in("type", "http")}
	}
	return nil
}

// in returns a replacement of a setting of the server.
func (s *geminiServer) in(key string, value any) replacement {
	return replacement{keys: []string{"mcpServers", s.Name, key}, value: value}
}

// withSocket adds the session's socket to the variables of a server, so that the shim asks there whatever the file says. Also, in
// CI Gemini CLI gives its servers only few variables besides those listed in the file.
func withSocket(env any) map[string]any {
	given, _ := env.(map[string]any)
	return merged(given, map[string]any{sessionSocket: "$" + sessionSocket})
}

// Look implements Agent.
func (Gemini) Look(p Place) (Look, error) {
	c, err := readGemini(p)
	if err != nil {
		return Look{}, err
	}
	kind, _ := c.auth()
	var look Look
	add := func(name, byDefault, note string, used bool) {
		lead := Lead{Setting: name, Origin: "default", URL: byDefault, Note: note}
		if v, origin := c.env(name); v != "" {
			lead.URL, lead.Origin = v, origin
		}
		if used {
			look.Leads = slices.Insert(look.Leads, 0, lead)
		} else {
			look.Leads = append(look.Leads, lead)
		}
	}
	location, _ := c.env("GOOGLE_CLOUD_LOCATION")
	add(geminiAddresses[0].name, geminiAddresses[0].address, "used with an API key", kind == geminiKey || kind == "")
	add(geminiAddresses[1].name, geminiAddresses[1].address, "used with a Google login", kind == geminiLogin || kind == geminiADC)
	add(geminiVertexAddress, "https://"+vertexHost(location), "used with Vertex AI", kind == geminiVertex)
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

// Setup implements Agent. Gemini's settings cannot hold the addresses of models, and the user's .env file counts only where no
// project has one.
func (Gemini) Setup(p Place, w Weir) (Setup, error) {
	c, err := readGemini(p)
	if err != nil {
		return Setup{}, err
	}
	var s Setup
	for _, a := range geminiAddresses {
		through, err := c.led(w, a.name, w.URL(a.upstream, ""))
		if err != nil {
			return Setup{}, err
		}
		if v, origin := c.env(a.name); v != through || origin != "environment" {
			s.Notes = append(s.Notes, fmt.Sprintf("Gemini CLI reads the address of its models only from the environment; add to your shell "+
				"profile: export %s=%s", a.name, through))
		}
	}
	vertex, err := c.vertex(w)
	if err != nil {
		return Setup{}, err
	}
	if v, _ := c.env(geminiVertexAddress); vertex != "" && v != vertex {
		s.Notes = append(s.Notes, fmt.Sprintf("for Vertex AI, add to your shell's profile: export %s=%s", geminiVertexAddress, vertex))
	}
	if c.undecided() {
		s.Changes = append(s.Changes, setup.Change{File: c.userSettings(), Format: setup.JSON, Path: geminiChoice, Value: geminiKey})
	}
	s.Notes = append(s.Notes, c.unread()...)
	servers, err := c.servers()
	if err != nil {
		return Setup{}, err
	}
	for _, server := range servers {
		led := geminiLed(&server, w.goThrough)
		if server.Way == Bare {
			s.Notes = append(s.Notes, bareNote(server.Server))
		} else if len(led) > 0 && server.file.scope != ofUser {
			why := [...]string{
				ofSystem: geminiOfSystem, ofProject: "the file belongs to the project; weir run -- gemini routes it",
				ofExtension: "the file belongs to an extension; weir run -- gemini routes it",
			}
			server.Why = why[server.file.scope]
			s.Notes = append(s.Notes, bareNote(server.Server))
			led = nil
		}
		for _, change := range led {
			s.Changes = append(s.Changes, setup.Change{
				File: filepath.Clean(server.Origin), Format: setup.JSON, Path: change.keys,
				Value: change.value,
			})
		}
	}
	return s, nil
}
