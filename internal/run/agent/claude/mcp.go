package claude

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// A mcpServer is an MCP server of Claude Code.
type mcpServer struct {
	agent.JSONServer
	scope fileScope
}

// servers returns the servers of Claude Code. If several have the same name, it returns only the one in effect.
func (c *config) servers() ([]mcpServer, error) {
	var err error
	if c.exclusive, err = agent.ReadJSON(filepath.Join(managedDir(), "managed-mcp.json")); err != nil {
		return nil, err
	}
	all := map[string]mcpServer{}
	if c.exclusive != nil {
		if err := put(all, c.exclusive, claudeManaged, "mcpServers"); err != nil {
			return nil, err
		}
		return sortedServers(all), nil
	}
	if !c.args.strict {
		if err := c.configured(all); err != nil {
			return nil, err
		}
	}
	for _, given := range c.args.servers {
		f, err := c.given("--mcp-config", given)
		if err != nil {
			return nil, err
		}
		if err := put(all, f, claudeGiven, "mcpServers"); err != nil {
			return nil, err
		}
	}
	return sortedServers(all), nil
}

func sortedServers(all map[string]mcpServer) []mcpServer {
	var list []mcpServer
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list
}

// put adds the servers at keys of a file. They replace servers with the same names.
func put(all map[string]mcpServer, f *agent.JSONFile, scope fileScope, keys ...string) error {
	servers, err := f.JSONServers(keys...)
	if err != nil {
		return err
	}
	for _, s := range servers {
		all[s.Name] = mcpServer{JSONServer: s, scope: scope}
	}
	return nil
}

// configured adds the servers of the user, of the project, and of the user for this project.
func (c *config) configured(all map[string]mcpServer) error {
	if c.state != nil && c.loads("user") {
		if err := put(all, c.state, claudeUser, "mcpServers"); err != nil {
			return err
		}
	}
	if c.loads("project") {
		if err := c.projectServers(all); err != nil {
			return err
		}
	}
	if c.state != nil && c.loads("local") {
		for _, dir := range projects(c.around.Dir) {
			if err := put(all, c.state, local, "projects", dir, "mcpServers"); err != nil {
				return err
			}
		}
	}
	off := c.list("disabledMcpServers", false)
	for name, s := range all {
		if off[name] {
			s.Way, s.Why = agent.Off, "it is switched off"
			all[name] = s
		}
	}
	return nil
}

// projectServers adds the servers of the .mcp.json files in the folder and above it; nearer files override others. A server that
// the user has not approved replaces no other.
func (c *config) projectServers(all map[string]mcpServer) error {
	found := map[string]mcpServer{}
	var dirs []string
	for dir := c.around.Dir; ; dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			break // Claude Code skips the root, too
		}
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	for _, dir := range dirs {
		f, err := agent.ReadJSON(filepath.Join(dir, ".mcp.json"))
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if err := put(found, f, project, "mcpServers"); err != nil {
			return err
		}
	}
	approved, refused := c.list("enabledMcpjsonServers", true), c.list("disabledMcpjsonServers", true)
	everything := c.args.print || c.args.bypass || c.says("enableAllProjectMcpServers")
	for name, s := range found {
		switch {
		case refused[name]:
			s.Way, s.Why = agent.Off, "the user has refused it"
		case !everything && !approved[name]:
			s.Way, s.Why = agent.Off, "the user has not approved it yet: start claude without weir once to do so"
		}
		if _, taken := all[name]; s.Way != agent.Off || !taken {
			all[name] = s
		}
	}
	return nil
}

// list returns a list of names from the state of the project, and also from the settings if inSettings is set.
func (c *config) list(key string, inSettings bool) map[string]bool {
	names := map[string]bool{}
	add := func(values map[string]any) {
		list, _ := agent.Words(values[key])
		for _, name := range list {
			names[name] = true
		}
	}
	for _, entry := range c.entries {
		add(entry)
	}
	for _, f := range c.settings {
		if inSettings {
			add(f.Values)
		}
	}
	return names
}

// says says whether any settings turn something on.
func (c *config) says(key string) bool {
	return slices.ContainsFunc(c.settings, func(f settingsFile) bool { return f.Values[key] == true })
}

// plugins returns the names of the plugins in use: they may have their own servers.
func (c *config) plugins() []string {
	on := map[string]bool{}
	for _, f := range c.settings {
		all, _ := f.Values["enabledPlugins"].(map[string]any)
		for name, v := range all {
			on[name] = v != false && v != nil
		}
	}
	maps.DeleteFunc(on, func(_ string, used bool) bool { return !used })
	return slices.Sorted(maps.Keys(on))
}

// routed returns the new entry of a server that is routed through weir; nil: the entry stays unchanged.
func (s *mcpServer) routed(p agent.Surroundings, through func(*agent.Server) (command []string, address string)) map[string]any {
	expanded := s.Server
	expanded.URL = expand(p, s.URL)
	command, address := through(&expanded)
	s.Way, s.Why = expanded.Way, expanded.Why
	if s.Type != "stdio" && s.Type != "http" && s.Type != "sse" && s.Way == agent.Bare {
		s.Why = "weir does not know servers of the type " + agent.Show(s.Type)
	}
	entry := maps.Clone(s.Entry)
	switch {
	case command != nil:
		entry["command"], entry["args"] = command[0], command[1:]
	case address != "":
		entry["url"], entry["type"] = address, "http"
	default:
		return nil
	}
	return entry
}

// expand replaces variables in a text like Claude Code: ${NAME} and ${NAME:-otherwise}.
func expand(p agent.Surroundings, text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		reference, after, ok := strings.Cut(rest, "}")
		if !ok {
			out.WriteString("${" + rest)
			return out.String()
		}
		name, otherwise, hasOther := strings.Cut(reference, ":-")
		switch v := p.Env(name); {
		case v != "":
			out.WriteString(v)
		case hasOther:
			out.WriteString(otherwise)
		default:
			out.WriteString("${" + reference + "}")
		}
		text = after
	}
}
