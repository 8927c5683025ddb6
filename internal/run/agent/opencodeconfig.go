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

// inlineConfig is the variable that holds configuration itself. It is put over all files but those of the machine.
const inlineConfig = "OPENCODE_CONFIG_CONTENT"

// openCodeConfig is the configuration of opencode in a place.
type openCodeConfig struct {
	place  Place
	files  []*jsonFile    // what later ones say holds; that of the variable is the last
	inline *jsonFile      // the variable's; nil: it is not set
	logins map[string]any // by provider
	// managed are the machine's own, which nothing is put over.
	managed []*jsonFile
}

// readOpenCode reads all files that opencode would read. What it fetches from elsewhere (the configuration of an organisation)
// is not known here.
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

// globalDir is the folder of the user's configuration.
func (c *openCodeConfig) globalDir() string {
	return filepath.Join(cmp.Or(c.place.env("XDG_CONFIG_HOME"), filepath.Join(c.place.Home, ".config")), "opencode")
}

// paths are where opencode looks, in the order in which it puts one over the other.
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

// projectDirs are the folders of the project, from the one that opencode is started in up to the root of the repository, or of
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

// readLogins reads which providers the user is logged in at. opencode takes unreadable logins for none.
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

// An entry is a part of the configuration under one name, put together from all files that have it.
type entry struct {
	values map[string]any
	file   *jsonFile // the last that has it
}

// entries are the parts below a key, by name.
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

// merged is an object with another put over it.
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

// expand puts variables into a text, as opencode does. ok is false if the text needs a file's content.
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

// moved is a text of one file as another may say it: paths in it no longer depend on where the file is.
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

// servers are the MCP servers, by name, those of the machine's files included.
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
			continue // it only switches a server of elsewhere on or off
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

// setForMachine is why something that is managed is not led.
const setForMachine = "it is set for this machine, and nothing is put over that"
