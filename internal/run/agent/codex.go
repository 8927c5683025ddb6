package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/run/setup"
)

// Codex is OpenAI's Codex CLI. For one run it gets settings on its command line, after those of the user. The setting of its own
// provider's address works for both logins, with a ChatGPT account and with a key. So sessions stay with the same provider and can
// be resumed without weir.
type Codex struct{}

// Name implements Agent.
func (Codex) Name() string { return "codex" }

// Title implements Agent.
func (Codex) Title() string { return "Codex CLI" }

// Programs implements Agent.
func (Codex) Programs() []string { return []string{"codex"} }

// Format implements Agent.
func (Codex) Format() string { return "openai-responses" }

// Launch implements Agent.
func (Codex) Launch(p Place, w Weir, args []string, scratch string) (Launch, error) {
	parsed := parseCodexArgs(args)
	if what := codexOutside(parsed); what != "" {
		return Launch{}, fmt.Errorf("codex %s: it starts agents outside this session, where weir does not see them; start each with weir run "+
			"-- codex", what)
	}
	if parsed.plain || !slices.Contains(codexActs, parsed.command) {
		return Launch{Args: args, Sandboxes: true}, nil
	}
	c, err := readCodex(p, parsed)
	if err != nil {
		return Launch{}, err
	}
	routes, login, err := c.routes(w)
	if err != nil {
		return Launch{}, err
	}
	l := Launch{Sandboxes: !slices.ContainsFunc(args, codexUnboxed)}
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
			return Launch{}, err
		}
		ours = append(ours, "-c", strings.Join(r.setting, ".")+"="+tomlText(r.through))
	}
	led, err := c.leadServers(w, &l)
	if err != nil {
		return Launch{}, err
	}
	ours = append(ours, led...)
	if slices.Contains([]string{"", "resume", "fork"}, parsed.command) && !parsed.noDaemon {
		ours = append(ours, "--no-daemon") // it would use a server outside this session
	}
	l.Args = slices.Concat(args[:parsed.operands], ours, args[parsed.operands:])
	l.Notes = append(l.Notes, c.notes(login)...)
	return l, nil
}

// codexUnboxed says that an argument makes Codex run commands without its sandbox.
func codexUnboxed(arg string) bool {
	return arg == "--dangerously-bypass-approvals-and-sandbox" || arg == "--yolo" || strings.Contains(arg, "danger-full-access")
}

// codexOutside names the argument that would use agents outside of the session; "": none.
func codexOutside(args codexArgs) string {
	switch {
	case args.plain:
	case slices.Contains(codexElsewhere, args.command):
		return args.command
	case args.command == "app-server" && (args.second == "daemon" || args.second == "proxy"):
		return args.command + " " + args.second
	case args.remote:
		return "--remote"
	}
	return ""
}

// notes returns what the user should know about the login.
func (c *codexConfig) notes(login codexLogin) []string {
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
func (c *codexConfig) mustHold(keys []string, value any) error {
	for _, l := range c.layers {
		if v := at(l.values, keys...); l.scope == codexManaged && v != nil && v != value {
			return fmt.Errorf("%s: %s is set for the whole machine, and weir cannot change it for one run; remove it there", l.origin,
				show(strings.Join(keys, ".")))
		}
	}
	return nil
}

// leadServers returns what to add to the command line so that servers are routed through weir.
func (c *codexConfig) leadServers(w Weir, l *Launch) (args []string, err error) {
	servers, err := c.servers()
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		for _, set := range s.led(w.goThroughRun) {
			if s.scope == codexManaged {
				s.Way, s.Why = Bare, "it is set for all of this machine, which weir cannot change for one run"
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
func (Codex) Look(p Place) (Look, error) {
	c, err := readCodex(p, codexArgs{})
	if err != nil {
		return Look{}, err
	}
	login, err := c.login()
	if err != nil {
		return Look{}, err
	}
	used, chosenBy := c.provider()
	r, err := c.route(Weir{}, used, login)
	if err != nil {
		return Look{}, err
	}
	setting := strings.Join(r.setting, ".")
	if r.setting == nil {
		setting = "CODEX_OSS_BASE_URL"
	}
	lead := Lead{Setting: setting, Origin: r.origin, URL: r.address}
	if used != codexOpenAI {
		lead.Note = "model_provider is " + show(used) + " (" + chosenBy + ")"
	} else if r.origin == login.origin {
		lead.Note = map[bool]string{true: "used with an account of ChatGPT", false: "used with a key"}[login.chatgpt]
	}
	look := Look{Leads: []Lead{lead}, Notes: c.notes(login)}
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

// Setup implements Agent. Files of a project are shared with others, so Setup does not change them, but adds notes.
func (Codex) Setup(p Place, w Weir) (Setup, error) {
	c, err := readCodex(p, codexArgs{})
	if err != nil {
		return Setup{}, err
	}
	routes, login, err := c.routes(w)
	if err != nil {
		return Setup{}, err
	}
	s := Setup{Notes: c.notes(login)}
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
		return Setup{}, err
	}
	for _, server := range servers {
		settings := server.led(w.goThrough)
		switch {
		case server.Way == Off:
		case server.Way == Bare:
			s.Notes = append(s.Notes, bareNote(server.Server))
		case len(settings) == 0:
		case server.Origin != c.userFile():
			server.Why = "the file is not yours alone; weir run -- codex routes it"
			s.Notes = append(s.Notes, bareNote(server.Server))
		default:
			for _, set := range settings {
				change(set.value, "mcp_servers", server.Name, set.key)
			}
		}
	}
	return s, nil
}
