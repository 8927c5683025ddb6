package agent

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// geminiConfig is the configuration of the Gemini CLI in a place.
type geminiConfig struct {
	place    Place
	settings []geminiFile // later ones override earlier ones
	// extensions have their own servers. Servers of the settings with the same name override them.
	extensions []geminiFile
	dotenv     map[string]string
	dotenvFile string // "": there is none
}

// A geminiFile is one file of the configuration.
type geminiFile struct {
	*jsonFile
	scope geminiScope
}

// A geminiScope says whose file it is.
type geminiScope int

const (
	ofSystem geminiScope = iota
	ofUser
	ofProject
	ofExtension
)

// readGemini reads all files that the Gemini CLI would read, and the settings of folders that it does not trust: the user may trust
// them while it runs.
func readGemini(p Place) (*geminiConfig, error) {
	c := &geminiConfig{place: p}
	home := c.home()
	system := geminiSystemSettings(p)
	sources := []struct {
		path  string
		scope geminiScope
	}{
		{cmp.Or(p.env("GEMINI_CLI_SYSTEM_DEFAULTS_PATH"), filepath.Join(filepath.Dir(system), "system-defaults.json")), ofSystem},
		{c.userSettings(), ofUser},
		{filepath.Join(p.Dir, ".gemini", "settings.json"), ofProject},
		{system, ofSystem},
	}
	for _, s := range sources {
		if s.scope == ofProject && sameFolder(home, p.Dir) {
			continue // it is the user's own file
		}
		f, err := readJSON(s.path)
		if err != nil {
			return nil, err
		}
		if f != nil {
			c.settings = append(c.settings, geminiFile{f, s.scope})
		}
	}
	if err := c.readExtensions(filepath.Join(home, ".gemini", "extensions")); err != nil {
		return nil, err
	}
	return c, c.readDotenv()
}

// home returns the folder that the Gemini CLI uses as the user's home.
func (c *geminiConfig) home() string { return cmp.Or(c.place.env("GEMINI_CLI_HOME"), c.place.Home) }

func (c *geminiConfig) userSettings() string {
	return filepath.Join(c.home(), ".gemini", "settings.json")
}

func geminiSystemSettings(p Place) string {
	if path := p.env("GEMINI_CLI_SYSTEM_SETTINGS_PATH"); path != "" {
		return path
	}
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/GeminiCli/settings.json"
	case "windows":
		return `C:\ProgramData\gemini-cli\settings.json`
	default:
		return "/etc/gemini-cli/settings.json"
	}
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y) || filepath.Clean(a) == filepath.Clean(b)
}

func (c *geminiConfig) readExtensions(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the extensions of Gemini CLI: %w; make the folder readable, or move it away", err)
	}
	for _, e := range entries {
		folder := filepath.Join(dir, e.Name())
		// An extension under development is linked: a file names its folder.
		if link, err := readJSON(filepath.Join(folder, ".gemini-extension-install.json")); err != nil {
			return err
		} else if link != nil && link.values["type"] == "link" {
			if source, ok := link.values["source"].(string); ok {
				folder = source
			}
		}
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			continue
		}
		f, err := readJSON(filepath.Join(folder, "gemini-extension.json"))
		if err != nil {
			return err
		}
		if f != nil {
			c.extensions = append(c.extensions, geminiFile{f, ofExtension})
		}
	}
	return nil
}

// readDotenv reads the one .env file that the Gemini CLI would use: the nearest in or above the folder, else the user's.
func (c *geminiConfig) readDotenv() error {
	dir, err := filepath.Abs(c.place.Dir)
	if err != nil {
		return fmt.Errorf("find .env files: %w", err)
	}
	var paths []string
	for {
		paths = append(paths, filepath.Join(dir, ".gemini", ".env"), filepath.Join(dir, ".env"))
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	paths = append(paths, filepath.Join(c.home(), ".gemini", ".env"), filepath.Join(c.home(), ".env"))
	for _, path := range paths {
		text, err := readConfig(path)
		if err != nil {
			return err
		}
		if text != nil {
			c.dotenv, c.dotenvFile = parseDotenv(string(text)), path
			return nil
		}
	}
	return nil
}

// parseDotenv parses the lines of a .env file that set variables.
func parseDotenv(text string) map[string]string {
	vars := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		value = strings.TrimSpace(value)
		if quote := value[:min(1, len(value))]; quote != "" && strings.Contains("'\"`", quote) {
			if inside, _, closed := strings.Cut(value[1:], quote); closed {
				vars[name] = inside
				continue
			}
		}
		value, _, _ = strings.Cut(value, "#")
		vars[name] = strings.TrimSpace(value)
	}
	return vars
}

// env returns the value that a variable has in the Gemini CLI, and its origin. The environment overrides the .env file.
func (c *geminiConfig) env(name string) (value, origin string) {
	if c.place.Lookup != nil {
		if v, ok := c.place.Lookup(name); ok {
			return v, "environment"
		}
	}
	if v, ok := c.dotenv[name]; ok {
		return v, c.dotenvFile
	}
	return "", ""
}

// setting returns a string of the settings, and its file.
func (c *geminiConfig) setting(keys ...string) (value, origin string) {
	for _, f := range slices.Backward(c.settings) {
		if v, ok := at(f.values, keys...).(string); ok {
			return v, f.path
		}
	}
	return "", ""
}

// The kinds of login of the Gemini CLI that are distinguished here.
const (
	geminiKey    = "gemini-api-key"
	geminiLogin  = "oauth-personal"
	geminiADC    = "compute-default-credentials"
	geminiVertex = "vertex-ai"
)

// auth returns the kind of login of the Gemini CLI, and where it is set; "": nowhere.
func (c *geminiConfig) auth() (kind, origin string) {
	if kind, origin := c.setting("security", "auth", "selectedType"); kind != "" {
		return kind, origin
	}
	for _, e := range []struct{ name, value, kind string }{
		{"GOOGLE_GENAI_USE_GCA", "true", geminiLogin},
		{"GOOGLE_GENAI_USE_VERTEXAI", "true", geminiVertex},
		{"GEMINI_API_KEY", "", geminiKey},
		{"CLOUD_SHELL", "true", geminiADC},
		{"GEMINI_CLI_USE_COMPUTE_ADC", "true", geminiADC},
	} {
		if v, origin := c.env(e.name); v != "" && (e.value == "" || v == e.value) {
			return e.kind, origin
		}
	}
	return "", ""
}

// A geminiServer is a server that a file declares.
type geminiServer struct {
	Server
	file geminiFile
}

// servers returns the servers of all files, in the order of the files, and sorted by name within each.
func (c *geminiConfig) servers() ([]geminiServer, error) {
	var all []geminiServer
	for _, f := range slices.Concat(c.extensions, c.settings) {
		declared, err := f.object("mcpServers")
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(declared)) {
			s, ok, err := f.server(name)
			if err != nil {
				return nil, err
			}
			if ok {
				all = append(all, geminiServer{s, f})
			}
		}
	}
	return all, nil
}

// server parses the declaration of a server. A declaration without command and address is not a server.
func (f geminiFile) server(name string) (s Server, ok bool, err error) {
	spec, err := f.object("mcpServers", name)
	if err != nil {
		return Server{}, false, err
	}
	s = Server{Name: name, Origin: f.path}
	command, _ := spec["command"].(string)
	address, _ := spec["httpUrl"].(string)
	if s.Type = "http"; address == "" {
		address, _ = spec["url"].(string)
		if spec["type"] == "sse" {
			s.Type = "sse"
		}
	}
	switch {
	case address != "":
		s.URL = address
	case command != "":
		args, ok := words(spec["args"])
		if !ok {
			return Server{}, false, f.odd("a list of strings", "mcpServers", name, "args")
		}
		s.Type, s.Command = "stdio", append([]string{command}, args...)
	default:
		return Server{}, false, nil
	}
	return s, true, nil
}
