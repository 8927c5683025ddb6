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
	settings []geminiFile // what later ones say holds
	// extensions have servers of their own, which those of the settings with the same name are put over.
	extensions []geminiFile
	dotenv     map[string]string
	dotenvFile string // "": there is none
}

// A geminiFile is one of its files.
type geminiFile struct {
	*jsonFile
	scope geminiScope
}

// A geminiScope is whom a file is of.
type geminiScope int

const (
	ofSystem geminiScope = iota
	ofUser
	ofProject
	ofExtension
)

// readGemini reads all files that the Gemini CLI would read, and the settings of folders that it does not trust: it may be
// told to trust them while it runs.
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
			continue // it is the user's own
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

// home is the folder that the Gemini CLI takes for the user's.
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
		// An extension under development is linked: its folder is named in a file.
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

// readDotenv reads the one .env file that the Gemini CLI would take: the nearest above the folder, else the user's.
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

// parseDotenv reads the lines of a .env file that set variables.
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

// env is a variable as the Gemini CLI will have it, and where it is from. Its environment is ahead of the .env file.
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

// setting is a text among the settings, and the file that it is from.
func (c *geminiConfig) setting(keys ...string) (value, origin string) {
	for _, f := range slices.Backward(c.settings) {
		if v, ok := at(f.values, keys...).(string); ok {
			return v, f.path
		}
	}
	return "", ""
}

// The ways in which the Gemini CLI is logged in that are told apart here.
const (
	geminiKey    = "gemini-api-key"
	geminiLogin  = "oauth-personal"
	geminiADC    = "compute-default-credentials"
	geminiVertex = "vertex-ai"
)

// auth is how the Gemini CLI is logged in, and what says so; "": nothing does.
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

// servers are those of all files, in the order of the files, and by name within one.
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

// server reads the declaration of a server. One without a command and an address is none.
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
