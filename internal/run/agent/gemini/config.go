package gemini

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

	"github.com/weir-gate/weir/internal/run/agent"
)

// config is the configuration of the Gemini CLI in a place.
type config struct {
	around   agent.Surroundings
	settings []settingsFile // later ones override earlier ones
	// extensions have their own servers. Servers of the settings with the same name override them.
	extensions []settingsFile
	dotenv     map[string]string
	dotenvFile string // "": there is none
}

// A settingsFile is one file of the configuration.
type settingsFile struct {
	*agent.JSONFile
	scope fileScope
}

// A fileScope says whose file it is.
type fileScope int

const (
	ofSystem fileScope = iota
	ofUser
	ofProject
	ofExtension
)

// readGemini reads all files that the Gemini CLI would read, and the settings of folders that it does not trust: the user may trust
// them while it runs.
func readGemini(p agent.Surroundings) (*config, error) {
	c := &config{around: p}
	home := c.home()
	system := systemSettings(p)
	sources := []struct {
		path  string
		scope fileScope
	}{
		{cmp.Or(p.Env("GEMINI_CLI_SYSTEM_DEFAULTS_PATH"), filepath.Join(filepath.Dir(system), "system-defaults.json")), ofSystem},
		{c.userSettings(), ofUser},
		{filepath.Join(p.Dir, ".gemini", "settings.json"), ofProject},
		{system, ofSystem},
	}
	for _, s := range sources {
		if s.scope == ofProject && sameFolder(home, p.Dir) {
			continue // it is the user's own file
		}
		f, err := agent.ReadJSON(s.path)
		if err != nil {
			return nil, err
		}
		if f != nil {
			c.settings = append(c.settings, settingsFile{f, s.scope})
		}
	}
	if err := c.readExtensions(filepath.Join(home, ".gemini", "extensions")); err != nil {
		return nil, err
	}
	return c, c.readDotenv()
}

// home returns the folder that the Gemini CLI uses as the user's home.
func (c *config) home() string { return cmp.Or(c.around.Env("GEMINI_CLI_HOME"), c.around.Home) }

func (c *config) userSettings() string {
	return filepath.Join(c.home(), ".gemini", "settings.json")
}

func systemSettings(p agent.Surroundings) string {
	if path := p.Env("GEMINI_CLI_SYSTEM_SETTINGS_PATH"); path != "" {
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

func (c *config) readExtensions(dir string) error {
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
		if link, err := agent.ReadJSON(filepath.Join(folder, ".gemini-extension-install.json")); err != nil {
			return err
		} else if link != nil && link.Values["type"] == "link" {
			if source, ok := link.Values["source"].(string); ok {
				folder = source
			}
		}
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			continue
		}
		f, err := agent.ReadJSON(filepath.Join(folder, "gemini-extension.json"))
		if err != nil {
			return err
		}
		if f != nil {
			c.extensions = append(c.extensions, settingsFile{f, ofExtension})
		}
	}
	return nil
}

// readDotenv reads the one .env file that the Gemini CLI would use: the nearest in or above the folder, else the user's.
func (c *config) readDotenv() error {
	dir, err := filepath.Abs(c.around.Dir)
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
		text, err := agent.ReadFile(path)
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
func (c *config) env(name string) (value, origin string) {
	if c.around.Lookup != nil {
		if v, ok := c.around.Lookup(name); ok {
			return v, "environment"
		}
	}
	if v, ok := c.dotenv[name]; ok {
		return v, c.dotenvFile
	}
	return "", ""
}

// setting returns a string of the settings, and its file.
func (c *config) setting(keys ...string) (value, origin string) {
	for _, f := range slices.Backward(c.settings) {
		if v, ok := agent.At(f.Values, keys...).(string); ok {
			return v, f.Path
		}
	}
	return "", ""
}

// The kinds of login of the Gemini CLI that are distinguished here.
const (
	geminiKey    = "gemini-api-key"
	login        = "oauth-personal"
	aDC          = "compute-default-credentials"
	geminiVertex = "vertex-ai"
)

// auth returns the kind of login of the Gemini CLI, and where it is set; "": nowhere.
func (c *config) auth() (kind, origin string) {
	if kind, origin := c.setting("security", "auth", "selectedType"); kind != "" {
		return kind, origin
	}
	for _, e := range []struct{ name, value, kind string }{
		{"GOOGLE_GENAI_USE_GCA", "true", login},
		{"GOOGLE_GENAI_USE_VERTEXAI", "true", geminiVertex},
		{"GEMINI_API_KEY", "", geminiKey},
		{"CLOUD_SHELL", "true", aDC},
		{"GEMINI_CLI_USE_COMPUTE_ADC", "true", aDC},
	} {
		if v, origin := c.env(e.name); v != "" && (e.value == "" || v == e.value) {
			return e.kind, origin
		}
	}
	return "", ""
}

// A mcpServer is a server that a file declares.
type mcpServer struct {
	agent.Server
	file settingsFile
}

// servers returns the servers of all files, in the order of the files, and sorted by name within each.
func (c *config) servers() ([]mcpServer, error) {
	var all []mcpServer
	for _, f := range slices.Concat(c.extensions, c.settings) {
		declared, err := f.Object("mcpServers")
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(declared)) {
			s, ok, err := f.server(name)
			if err != nil {
				return nil, err
			}
			if ok {
				all = append(all, mcpServer{s, f})
			}
		}
	}
	return all, nil
}

// server parses the declaration of a server. A declaration without command and address is not a server.
func (f settingsFile) server(name string) (s agent.Server, ok bool, err error) {
	spec, err := f.Object("mcpServers", name)
	if err != nil {
		return agent.Server{}, false, err
	}
	s = agent.Server{Name: name, Origin: f.Path}
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
		args, ok := agent.Words(spec["args"])
		if !ok {
			return agent.Server{}, false, f.Odd("a list of strings", "mcpServers", name, "args")
		}
		s.Type, s.Command = "stdio", append([]string{command}, args...)
	default:
		return agent.Server{}, false, nil
	}
	return s, true, nil
}
