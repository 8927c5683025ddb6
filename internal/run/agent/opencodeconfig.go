package agent

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// inlineConfig is a variable whose value is a configuration. It overrides all files except those of the machine.
const inlineConfig = "OPENCODE_CONFIG_CONTENT"

// openCodeConfig is the configuration of opencode in a place.
type openCodeConfig struct {
	place  Place
	files  []*jsonFile    // later ones override earlier ones; the variable's is the last
	inline *jsonFile      // the variable's; nil: it is not set
	logins map[string]any // by provider
	// managed are the machine's own files, which nothing overrides.
	managed []*jsonFile
}

// readOpenCode reads all files that opencode would read. It does not know what opencode fetches from elsewhere (the configuration
// of an organisation).
func readOpenCode(p Place) (*openCodeConfig, error) {
	c := &openCodeConfig{place: p}
	for _, path := range c.paths() {
		f, err := readJSON(path)
		if err != nil {
			return nil, err
		}
		if f != nil {
			c.files = append(c.files, f)
		}
	}
	if text := p.env(inlineConfig); text != "" {
		f, err := parseJSON(inlineConfig, []byte(text))
		if err != nil {
			return nil, err
		}
		c.inline = f
		c.files = append(c.files, f)
	}
	for _, name := range []string{"opencode.json", "opencode.jsonc"} {
		f, err := readJSON(filepath.Join(openCodeManaged(p), name))
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
func (c *openCodeConfig) globalDir() string {
	return filepath.Join(cmp.Or(c.place.env("XDG_CONFIG_HOME"), filepath.Join(c.place.Home, ".config")), "opencode")
}

// paths returns the files that opencode reads. Later ones override earlier ones.
func (c *openCodeConfig) paths() []string {
	global := c.globalDir()
	paths := []string{filepath.Join(global, "config.json"), filepath.Join(global, "opencode.json"), filepath.Join(global, "opencode.jsonc")}
	if path := c.place.env("OPENCODE_CONFIG"); path != "" {
		paths = append(paths, c.absolute(path))
	}
	both := func(dir string) {
		paths = append(paths, filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc"))
	}
	var dirs []string
	if off := strings.ToLower(c.place.env("OPENCODE_DISABLE_PROJECT_CONFIG")); off != "true" && off != "1" {
		dirs = c.projectDirs()
	}
	for _, dir := range slices.Backward(dirs) {
		both(dir)
	}
	for _, dir := range dirs {
		both(filepath.Join(dir, ".opencode"))
	}
	both(filepath.Join(c.place.Home, ".opencode"))
	if dir := c.place.env("OPENCODE_CONFIG_DIR"); dir != "" {
		both(c.absolute(dir))
	}
	return paths
}

func (c *openCodeConfig) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.place.Dir, path)
}

// projectDirs returns the folders of the project, from the one where opencode is started up to the root of the repository, or of
// the file system.
func (c *openCodeConfig) projectDirs() []string {
	dir := filepath.Clean(c.place.Dir)
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

func openCodeManaged(p Place) string {
	if dir := p.env("OPENCODE_TEST_MANAGED_CONFIG_DIR"); dir != "" {
		return dir
	}
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/opencode"
	case "windows":
		return filepath.Join(cmp.Or(p.env("ProgramData"), `C:\ProgramData`), "opencode")
	default:
		return "/etc/opencode"
	}
}

// readLogins reads at which providers the user is logged in. opencode ignores logins that it cannot read.
func (c *openCodeConfig) readLogins() error {
	f, err := readJSON(filepath.Join(cmp.Or(c.place.env("XDG_DATA_HOME"), filepath.Join(c.place.Home, ".local", "share")), "opencode",
		"auth.json"))
	if text := c.place.env("OPENCODE_AUTH_CONTENT"); text != "" {
		f, err = parseJSON("OPENCODE_AUTH_CONTENT", []byte(text))
	}
	if f == nil || err != nil {
		return err
	}
	c.logins = f.values
	return nil
}

// An entry is a named part of the configuration, merged from all files that have it.
type entry struct {
	values map[string]any
	file   *jsonFile // the last file that has it
}

// entries returns the parts below a key, by name.
func (c *openCodeConfig) entries(files []*jsonFile, key string) (map[string]entry, error) {
	all := map[string]entry{}
	for _, f := range files {
		declared, err := f.object(key)
		if err != nil {
			return nil, err
		}
		for name := range declared {
			values, err := f.object(key, name)
			if err != nil {
				return nil, err
			}
			all[name] = entry{merged(all[name].values, values), f}
		}
	}
	return all, nil
}

// merged returns an object merged with another, which overrides it.
func merged(under, over map[string]any) map[string]any {
	m := maps.Clone(under)
	if m == nil {
		m = map[string]any{}
	}
	for k, v := range over {
		a, isMap := m[k].(map[string]any)
		b, both := v.(map[string]any)
		if isMap && both {
			v = merged(a, b)
		}
		m[k] = v
	}
	return m
}

var placeholders = regexp.MustCompile(`\{(env|file):([^}]*)\}`)

// expand replaces variables in a text, like opencode. ok is false if the text needs a file's content.
func (c *openCodeConfig) expand(text string) (expanded string, ok bool) {
	ok = true
	return placeholders.ReplaceAllStringFunc(text, func(found string) string {
		m := placeholders.FindStringSubmatch(found)
		if m[1] == "env" {
			return c.place.env(strings.TrimSpace(m[2]))
		}
		ok = false
		return found
	}), ok
}

// moved returns a text of one file for use in another: paths in it no longer depend on the location of the file.
func moved(text string, from *jsonFile) string {
	return placeholders.ReplaceAllStringFunc(text, func(found string) string {
		m := placeholders.FindStringSubmatch(found)
		path := strings.TrimSpace(m[2])
		if m[1] != "file" || path == "" || filepath.IsAbs(path) || path[0] == '~' || !filepath.IsAbs(from.path) {
			return found
		}
		return "{file:" + filepath.Join(filepath.Dir(from.path), path) + "}"
	})
}

// servers returns the MCP servers, sorted by name, including those of the machine's files.
func (c *openCodeConfig) servers() ([]openCodeServer, error) {
	files := slices.Concat(c.files, c.managed)
	entries, err := c.entries(files, "mcp")
	if err != nil {
		return nil, err
	}
	var all []openCodeServer
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		e := entries[name]
		s := openCodeServer{Server: Server{Name: name}}
		remote := e.values["type"] == "remote" || e.values["type"] == nil && e.values["url"] != nil
		key := "command"
		if remote {
			key = "url"
		}
		for _, f := range files {
			if at(f.values, "mcp", name, key) != nil {
				s.file, s.Origin, s.managed = f, f.path, slices.Contains(c.managed, f)
			}
		}
		switch {
		case remote:
			address, ok := e.values["url"].(string)
			if !ok {
				return nil, e.file.odd("a string", "mcp", name, "url")
			}
			s.Type = "http"
			s.URL, _ = c.expand(address)
		case e.values["command"] != nil:
			command, ok := words(e.values["command"])
			if !ok || len(command) == 0 {
				return nil, e.file.odd("a list of strings", "mcp", name, "command")
			}
			s.Type, s.Command = "stdio", command
		default:
			continue // it only turns a server from elsewhere on or off
		}
		if e.values["enabled"] == false {
			s.Way, s.Why = Off, "it is not enabled"
		}
		all = append(all, s)
	}
	return all, nil
}

// An openCodeServer is an MCP server with the file that says how it is reached.
type openCodeServer struct {
	Server
	file    *jsonFile
	managed bool
}

// setForMachine says why a managed setting is not routed through weir.
const setForMachine = "it is set for this machine, and nothing is put over that"
