// Package codex knows Codex: how it is routed through weir, and which MCP servers it has.
package codex

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/setup"
)

// Agent is OpenAI's Codex CLI. For one run it gets settings on its command line, after those of the user. The setting of its own
// provider's address works for both logins, with a ChatGPT account and with a key. So sessions stay with the same provider and can
// be resumed without weir.
type Agent struct{}

// Name implements Agent.
func (Agent) Name() string { return "codex" }

// Title implements Agent.
func (Agent) Title() string { return "Codex CLI" }

// Programs implements Agent.
func (Agent) Programs() []string { return []string{"codex"} }

// Format implements Agent.
func (Agent) Format() string { return "openai-responses" }

// Launch implements Agent.
func (Agent) Launch(p agent.Surroundings, w agent.Weir, args []string, scratch string) (agent.Launch, error) {
	parsed := parseArgs(args)
	if what := outside(parsed); what != "" {
		return agent.Launch{}, fmt.Errorf("codex %s: it starts agents outside this session, where weir does not see them; "+
			"start each with weir run "+
			"-- codex", what)
	}
	if parsed.plain || !slices.Contains(acts, parsed.command) {
		return agent.Launch{Args: args, Sandboxes: true}, nil
	}
	c, err := readCodex(p, parsed)
	if err != nil {
		return agent.Launch{}, err
	}
	routes, login, err := c.routes(w)
	if err != nil {
		return agent.Launch{}, err
	}
	l := agent.Launch{Sandboxes: !slices.ContainsFunc(args, unboxed)}
	used, _ := c.provider()
	ours := []string{}
	if !parsed.oss {
		ours = append(ours, "-c", "model_provider="+tomlText(used))
	}
	for _, r := range routes {
		if r.setting == nil {
			l.Set = map[string]string{"CODEX_OSS_BASE_URL": r.through}
			continue
		}
		if err := c.mustHold(r.setting, r.through); err != nil {
			return agent.Launch{}, err
		}
		ours = append(ours, "-c", strings.Join(r.setting, ".")+"="+tomlText(r.through))
	}
	routed, err := c.routeServers(w, &l)
	if err != nil {
		return agent.Launch{}, err
	}
	ours = append(ours, routed...)
	if slices.Contains([]string{"", "resume", "fork"}, parsed.command) && !parsed.noDaemon {
		ours = append(ours, "--no-daemon") // it would use a server outside this session
	}
	l.Args = slices.Concat(args[:parsed.operands], ours, args[parsed.operands:])
	l.Notes = append(l.Notes, c.notes(login)...)
	return l, nil
}

// unboxed says that an argument makes Codex run commands without its sandbox.
func unboxed(arg string) bool {
	return arg == "--dangerously-bypass-approvals-and-sandbox" || arg == "--yolo" || strings.Contains(arg, "danger-full-access")
}

// outside names the argument that would use agents outside of the session; "": none.
func outside(args commandLine) string {
	switch {
	case args.plain:
	case slices.Contains(elsewhere, args.command):
		return args.command
	case args.command == "app-server" && (args.second == "daemon" || args.second == "proxy"):
		return args.command + " " + args.second
	case args.remote:
		return "--remote"
	}
	return ""
}

// notes returns what the user should know about the login.
func (c *config) notes(login loginKind) []string {
	used, _ := c.provider()
	if _, local := codexLocal[used]; local {
		return nil
	}
	var notes []string
	if address, _ := c.text("openai_base_url"); login.guessed && used == codexOpenAI && address == "" {
		kind := "a key of OpenAI's (OPENAI_API_KEY is set)"
		if login.chatgpt {
			kind = "an account of ChatGPT"
		}
		notes = append(notes, "weir cannot see how you are logged in to Codex, and assumes "+kind+"; set forced_login_method in its settings")
	}
	if apps, _ := c.find("features", "apps"); login.chatgpt && !login.guessed && apps != false {
		notes = append(notes, "apps of ChatGPT (the MCP server codex_apps) bypass weir's MCP gateway; features.apps = false turns them off")
	}
	return notes
}

// mustHold checks that settings of the machine do not override a setting that weir gives on the command line.
func (c *config) mustHold(keys []string, value any) error {
	for _, l := range c.layers {
		if v := agent.At(l.values, keys...); l.scope == managed && v != nil && v != value {
			return fmt.Errorf("%s: %s is set for the whole machine, and weir cannot change it for one run; remove it there", l.origin,
				agent.Show(strings.Join(keys, ".")))
		}
	}
	return nil
}

// routeServers returns what to add to the command line so that servers are routed through weir.
func (c *config) routeServers(w agent.Weir, l *agent.Launch) (args []string, err error) {
	servers, err := c.servers()
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		for _, set := range s.routed(w.ThroughRun) {
			if s.scope == managed {
				s.Way, s.Why = agent.Bare, "it is set for all of this machine, which weir cannot change for one run"
				break
			}
			args = append(args, "-c", "mcp_servers."+s.Name+"."+set.key+"="+tomlValue(set.value))
		}
		l.Servers = append(l.Servers, s.Server)
	}
	return args, nil
}

// tomlText returns a string in TOML. It is the string in JSON, except for one character that TOML requires to be escaped.
func tomlText(s string) string {
	b, err := json.Marshal(strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		panic("a text cannot be written: " + err.Error()) // every valid text can be written
	}
	return strings.ReplaceAll(string(b), "\x7f", `\u007f`)
}

// tomlValue returns a value in TOML, on one line: a string, a bool, or a list or table of values.
func tomlValue(v any) string {
	var parts []string
	switch v := v.(type) {
	case string:
		return tomlText(v)
	case []string:
		for _, s := range v {
			parts = append(parts, tomlText(s))
		}
	case []any:
		for _, element := range v {
			parts = append(parts, tomlValue(element))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, tomlText(key)+" = "+tomlValue(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		return fmt.Sprint(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Look implements Agent.
func (Agent) Look(p agent.Surroundings) (agent.Look, error) {
	c, err := readCodex(p, commandLine{})
	if err != nil {
		return agent.Look{}, err
	}
	login, err := c.login()
	if err != nil {
		return agent.Look{}, err
	}
	used, chosenBy := c.provider()
	r, err := c.route(agent.Weir{}, used, login)
	if err != nil {
		return agent.Look{}, err
	}
	setting := strings.Join(r.setting, ".")
	if r.setting == nil {
		setting = "CODEX_OSS_BASE_URL"
	}
	route := agent.Route{Setting: setting, Origin: r.origin, URL: r.address}
	if used != codexOpenAI {
		route.Note = "model_provider is " + agent.Show(used) + " (" + chosenBy + ")"
	} else if r.origin == login.origin {
		route.Note = map[bool]string{true: "used with an account of ChatGPT", false: "used with a key"}[login.chatgpt]
	}
	look := agent.Look{Routes: []agent.Route{route}, Notes: c.notes(login)}
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

// Setup implements Agent. Files of a project are shared with others, so Setup does not change them, but adds notes.
func (Agent) Setup(p agent.Surroundings, w agent.Weir) (agent.Setup, error) {
	c, err := readCodex(p, commandLine{})
	if err != nil {
		return agent.Setup{}, err
	}
	routes, login, err := c.routes(w)
	if err != nil {
		return agent.Setup{}, err
	}
	s := agent.Setup{Notes: c.notes(login)}
	change := func(value any, path ...string) {
		s.Changes = append(s.Changes, setup.Change{File: c.userFile(), Format: setup.TOML, Path: path, Value: value})
	}
	for _, r := range routes {
		switch {
		case r.setting == nil:
			s.Notes = append(s.Notes, "Codex reads the address of a local provider only from the environment; add to your shell profile: export "+
				"CODEX_OSS_BASE_URL="+r.through)
		case !r.set:
			change(r.through, r.setting...)
		}
	}
	if used, _ := c.provider(); used == codexOpenAI {
		s.Notes = append(s.Notes, "a ChatGPT account and an OpenAI key use different addresses: run weir setup codex again after you log in "+
			"another way")
	}
	servers, err := c.servers()
	if err != nil {
		return agent.Setup{}, err
	}
	for _, server := range servers {
		settings := server.routed(w.Through)
		switch {
		case server.Way == agent.Off:
		case server.Way == agent.Bare:
			s.Notes = append(s.Notes, agent.BareNote(server.Server))
		case len(settings) == 0:
		case server.Origin != c.userFile():
			server.Why = "the file is not yours alone; weir run -- codex routes it"
			s.Notes = append(s.Notes, agent.BareNote(server.Server))
		default:
			for _, set := range settings {
				change(set.value, "mcp_servers", server.Name, set.key)
			}
		}
	}
	return s, nil
}
