package claude

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// config is the configuration of Claude Code in a place, with a command line.
type config struct {
	around agent.Surroundings
	args   commandLine
	dir    string          // the user's folder
	state  *agent.JSONFile // its own state, which includes MCP servers of the user; nil: there is none
	// settings are the loaded settings. Later files override earlier ones, and all of them override the environment.
	settings []settingsFile
	entries  []map[string]any // what the state says about the project
	// exclusive is the machine's file that allows only its own servers; nil: there is none, or servers was not called yet.
	exclusive *agent.JSONFile
}

// A settingsFile is a file of settings, or settings from the command line.
type settingsFile struct {
	*agent.JSONFile
	scope fileScope
}

// A fileScope says whose settings they are.
type fileScope int

const (
	claudeUser fileScope = iota
	project
	local
	claudeGiven   // on the command line
	claudeManaged // of the machine: nothing overrides them
)

// readConfig reads all settings that Claude Code would read.
func readConfig(p agent.Surroundings, args commandLine) (*config, error) {
	c := &config{around: p, args: args, dir: cmp.Or(p.Env("CLAUDE_CONFIG_DIR"), filepath.Join(p.Home, ".claude"))}
	var err error
	if c.state, err = agent.ReadJSON(c.stateFile()); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		path   string
		source string
		scope  fileScope
	}{
		{filepath.Join(c.dir, "settings.json"), "user", claudeUser},
		{filepath.Join(p.Dir, ".claude", "settings.json"), "project", project},
		{filepath.Join(p.Dir, ".claude", "settings.local.json"), "local", local},
	} {
		if c.loads(s.source) {
			if err := c.add(s.path, s.scope); err != nil {
				return nil, err
			}
		}
	}
	if args.settings != "" {
		f, err := c.given("--settings", args.settings)
		if err != nil {
			return nil, err
		}
		c.settings = append(c.settings, settingsFile{JSONFile: f, scope: claudeGiven})
	}
	if err := c.addManaged(); err != nil {
		return nil, err
	}
	return c, c.findProject()
}

// stateFile returns the path of the state of Claude Code.
func (c *config) stateFile() string {
	old := filepath.Join(c.dir, ".config.json")
	if _, err := os.Stat(old); err == nil {
		return old
	}
	return filepath.Join(cmp.Or(c.around.Env("CLAUDE_CONFIG_DIR"), c.around.Home), ".claude.json")
}

// loads says whether settings of a source are loaded.
func (c *config) loads(source string) bool {
	if c.args.sources == "" {
		return true
	}
	return slices.ContainsFunc(strings.Split(c.args.sources, ","), func(s string) bool { return strings.TrimSpace(s) == source })
}

// add reads a file of settings, if there is one.
func (c *config) add(path string, scope fileScope) error {
	f, err := agent.ReadJSON(path)
	if f == nil || err != nil {
		return err
	}
	c.settings = append(c.settings, settingsFile{JSONFile: f, scope: scope})
	return nil
}

// given reads the value of an option: a file's path, or JSON itself.
func (c *config) given(option, value string) (*agent.JSONFile, error) {
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		return agent.ParseJSON(option, []byte(value))
	}
	path := value
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.around.Dir, path)
	}
	f, err := agent.ReadJSON(path)
	if f == nil && err == nil {
		err = fmt.Errorf("%s: there is no file %s; give one that there is, or JSON", option, agent.Show(value))
	}
	return f, err
}

// managedDir returns the folder of the machine's settings.
func managedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	default:
		return "/etc/claude-code"
	}
}

// addManaged reads the settings of the machine.
func (c *config) addManaged() error {
	dir := managedDir()
	if err := c.add(filepath.Join(dir, "managed-settings.json"), claudeManaged); err != nil {
		return err
	}
	more, err := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json"))
	if err != nil {
		return fmt.Errorf("list the managed settings of Claude Code: %w", err)
	}
	for _, path := range more {
		if strings.HasPrefix(filepath.Base(path), ".") {
			continue
		}
		if err := c.add(path, claudeManaged); err != nil {
			return err
		}
	}
	if c.args.managed != "" {
		f, err := agent.ParseJSON("--managed-settings", []byte(c.args.managed))
		if err != nil {
			return err
		}
		c.settings = append(c.settings, settingsFile{JSONFile: f, scope: claudeManaged})
	}
	return nil
}

// findProject finds what the state says about the project. Its key is the root of the repository, or the folder.
func (c *config) findProject() error {
	if c.state == nil {
		return nil
	}
	for _, dir := range projects(c.around.Dir) {
		entry, err := c.state.Object("projects", dir)
		if err != nil {
			return err
		}
		if entry != nil {
			c.entries = append(c.entries, entry)
		}
	}
	return nil
}

// projects returns the keys that the project of a folder may have, the likeliest last.
func projects(dir string) []string {
	names := []string{dir}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(filepath.Join(at, ".git"))
		if err == nil {
			if names = append(names, at); !info.IsDir() {
				names = append(names, agent.MainWorktree(at)...)
			}
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	for i := range names {
		names[i] = filepath.ToSlash(names[i])
	}
	slices.Reverse(names)
	names = slices.Compact(names)
	slices.Reverse(names)
	return names
}

// env returns the value that a variable has in Claude Code, and where it is set. "": it is not set.
func (c *config) env(name string) (value, origin string) {
	value = c.around.Env(name)
	if value != "" {
		origin = "environment"
	}
	if c.state != nil {
		if v, ok := envSetting(c.state, name); ok {
			value, origin = v, c.state.Path
		}
	}
	for _, f := range c.settings {
		if v, ok := envSetting(f.JSONFile, name); ok {
			value, origin = v, f.Path
		}
	}
	return value, origin
}

// envSetting returns the value of a variable that a file sets.
func envSetting(f *agent.JSONFile, name string) (string, bool) {
	switch v := agent.At(f.Values, "env", name).(type) {
	case nil:
		return "", false
	case string:
		return v, true
	default:
		return fmt.Sprint(v), true
	}
}

// truthy says whether a variable turns something on.
func (c *config) truthy(name string) bool {
	v, _ := c.env(name)
	return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(v)))
}
