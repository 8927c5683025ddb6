package opencode

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// inlineConfig is a variable whose value is a configuration. It overrides all files except those of the machine.
const inlineConfig = "OPENCODE_CONFIG_CONTENT"

// config is the configuration of opencode in a place.
type config struct {
	around agent.Surroundings
	files  []*agent.JSONFile // later ones override earlier ones; the variable's is the last
	inline *agent.JSONFile   // the variable's; nil: it is not set
	logins map[string]any    // by provider
	// managed are the machine's own files, which nothing overrides.
	managed []*agent.JSONFile
}

// readConfig reads all files that opencode would read. It does not know what opencode fetches from elsewhere (the configuration
// of an organisation).
func readConfig(p agent.Surroundings) (*config, error) {
	c := &config{around: p}
	for _, path := range c.paths() {
		f, err := agent.ReadJSON(path)
		if err != nil {
			return nil, err
		}
		if f != nil {
			c.files = append(c.files, f)
		}
	}
	if text := p.Env(inlineConfig); text != "" {
		f, err := agent.ParseJSON(inlineConfig, []byte(text))
		if err != nil {
			return nil, err
		}
		c.inline = f
		c.files = append(c.files, f)
	}
	for _, name := range []string{"opencode.json", "opencode.jsonc"} {
		f, err := agent.ReadJSON(filepath.Join(openCodeManaged(p), name))
		if err != nil {
			return nil, err
		}
		if f != nil {
			c.managed = append(c.managed, f)
		}
	}
	return c, c.readLogins()
}

// globalDir returns the folder of the user's configuration.
func (c *config) globalDir() string {
	return filepath.Join(cmp.Or(c.around.Env("XDG_CONFIG_HOME"), filepath.Join(c.around.Home, ".config")), "opencode")
}

// paths returns the files that opencode reads. Later ones override earlier ones.
func (c *config) paths() []string {
	global := c.globalDir()
	paths := []string{filepath.Join(global, "config.json"), filepath.Join(global, "opencode.json"), filepath.Join(global, "opencode.jsonc")}
	if path := c.around.Env("OPENCODE_CONFIG"); path != "" {
		paths = append(paths, c.absolute(path))
	}
	both := func(dir string) {
		paths = append(paths, filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc"))
	}
	var dirs []string
	if off := strings.ToLower(c.around.Env("OPENCODE_DISABLE_PROJECT_CONFIG")); off != "true" && off != "1" {
		dirs = c.projectDirs()
	}
	for _, dir := range slices.Backward(dirs) {
		both(dir)
	}
	for _, dir := range dirs {
		both(filepath.Join(dir, ".opencode"))
	}
	both(filepath.Join(c.around.Home, ".opencode"))
	if dir := c.around.Env("OPENCODE_CONFIG_DIR"); dir != "" {
		both(c.absolute(dir))
	}
	return paths
}

func (c *config) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.around.Dir, path)
}

// projectDirs returns the folders of the project, from the one where opencode is started up to the root of the repository, or of
// the file system.
func (c *config) projectDirs() []string {
	dir := filepath.Clean(c.around.Dir)
	var dirs []string
	for {
		dirs = append(dirs, dir)
		parent := filepath.Dir(dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || parent == dir {
			return dirs
		}
		dir = parent
	}
}

func openCodeManaged(p agent.Surroundings) string {
	if dir := p.Env("OPENCODE_TEST_MANAGED_CONFIG_DIR"); dir != "" {
		return dir
	}
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/opencode"
	case "windows":
		return filepath.Join(cmp.Or(p.Env("ProgramData"), `C:\ProgramData`), "opencode")
	default:
		return "/etc/opencode"
	}
}

// readLogins reads at which providers the user is logged in. opencode ignores logins that it cannot read.
func (c *config) readLogins() error {
	f, err := agent.ReadJSON(filepath.Join(cmp.Or(c.around.Env("XDG_DATA_HOME"), filepath.Join(c.around.Home, ".local", "share")), "opencode",
		"auth.json"))
	if text := c.around.Env("OPENCODE_AUTH_CONTENT"); text != "" {
		f, err = agent.ParseJSON("OPENCODE_AUTH_CONTENT", []byte(text))
	}
	if f == nil || err != nil {
		return err
	}
	c.logins = f.Values
	return nil
}

// An entry is a named part of the configuration, merged from all files that have it.
type entry struct {
	values map[string]any
	file   *agent.JSONFile // the last file that has it
}

// entries returns the parts below a key, by name.
func (c *config) entries(files []*agent.JSONFile, key string) (map[string]entry, error) {
	all := map[string]entry{}
	for _, f := range files {
		declared, err := f.Object(key)
		if err != nil {
			return nil, err
		}
		for name := range declared {
			values, err := f.Object(key, name)
			if err != nil {
				return nil, err
			}
			all[name] = entry{agent.Merged(all[name].values, values), f}
		}
	}
	return all, nil
}

var placeholders = regexp.MustCompile(`\{(env|file):([^}]*)\}`)

// expand replaces variables in a text, like opencode. ok is false if the text needs a file's content.
func (c *config) expand(text string) (expanded string, ok bool) {
	ok = true
	return placeholders.ReplaceAllStringFunc(text, func(found string) string {
		m := placeholders.FindStringSubmatch(found)
		if m[1] == "env" {
			return c.around.Env(strings.TrimSpace(m[2]))
		}
		ok = false
		return found
	}), ok
}

// moved returns a text of one file for use in another: paths in it no longer depend on the location of the file.
func moved(text string, from *agent.JSONFile) string {
	return placeholders.ReplaceAllStringFunc(text, func(found string) string {
		m := placeholders.FindStringSubmatch(found)
		path := strings.TrimSpace(m[2])
		if m[1] != "file" || path == "" || filepath.IsAbs(path) || path[0] == '~' || !filepath.IsAbs(from.Path) {
			return found
		}
		return "{file:" + filepath.Join(filepath.Dir(from.Path), path) + "}"
	})
}

// servers returns the MCP servers, sorted by name, including those of the machine's files.
func (c *config) servers() ([]mcpServer, error) {
	files := slices.Concat(c.files, c.managed)
	entries, err := c.entries(files, "mcp")
	if err != nil {
		return nil, err
	}
	var all []mcpServer
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		e := entries[name]
		s := mcpServer{Server: agent.Server{Name: name}}
		remote := e.values["type"] == "remote" || e.values["type"] == nil && e.values["url"] != nil
		key := "command"
		if remote {
			key = "url"
		}
		for _, f := range files {
			if agent.At(f.Values, "mcp", name, key) != nil {
				s.file, s.Origin, s.managed = f, f.Path, slices.Contains(c.managed, f)
			}
		}
		switch {
		case remote:
			address, ok := e.values["url"].(string)
			if !ok {
				return nil, e.file.Odd("a string", "mcp", name, "url")
			}
			s.Type = "http"
			s.URL, _ = c.expand(address)
		case e.values["command"] != nil:
			command, ok := agent.Words(e.values["command"])
			if !ok || len(command) == 0 {
				return nil, e.file.Odd("a list of strings", "mcp", name, "command")
			}
			s.Type, s.Command = "stdio", command
		default:
			continue // it only turns a server from elsewhere on or off
		}
		if e.values["enabled"] == false {
			s.Way, s.Why = agent.Off, "it is not enabled"
		}
		all = append(all, s)
	}
	return all, nil
}

// An mcpServer is an MCP server with the file that says how it is reached.
type mcpServer struct {
	agent.Server
	file    *agent.JSONFile
	managed bool
}

// setForMachine says why a managed setting is not routed through weir.
const setForMachine = "it is set for this machine, and nothing is put over that"
