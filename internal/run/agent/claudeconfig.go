package agent

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// claudeConfig is the configuration of Claude Code in a place, with a command line.
type claudeConfig struct {
	place Place
	args  claudeArgs
	dir   string    // the user's folder
	state *jsonFile // its own state, which includes MCP servers of the user; nil: there is none
	// settings are the loaded settings. Later files override earlier ones, and all of them override the environment.
	settings []claudeFile
	entries  []map[string]any // what the state says about the project
	// exclusive is the machine's file that allows only its own servers; nil: there is none, or servers was not called yet.
	exclusive *jsonFile
}

// A claudeFile is a file of settings, or settings from the command line.
type claudeFile struct {
	*jsonFile
	scope claudeScope
}

// A claudeScope says whose settings they are.
type claudeScope int

const (
	claudeUser claudeScope = iota
	claudeProject
	claudeLocal
	claudeGiven   // on the command line
	claudeManaged // of the machine: nothing overrides them
)

// readClaude reads all settings that Claude Code would read.
func readClaude(p Place, args claudeArgs) (*claudeConfig, error) {
	c := &claudeConfig{place: p, args: args, dir: cmp.Or(p.env("CLAUDE_CONFIG_DIR"), filepath.Join(p.Home, ".claude"))}
	var err error
	if c.state, err = readJSON(c.stateFile()); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		path   string
		source string
		scope  claudeScope
	}{
		{filepath.Join(c.dir, "settings.json"), "user", claudeUser},
		{filepath.Join(p.Dir, ".claude", "settings.json"), "project", claudeProject},
		{filepath.Join(p.Dir, ".claude", "settings.local.json"), "local", claudeLocal},
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
		c.settings = append(c.settings, claudeFile{jsonFile: f, scope: claudeGiven})
	}
	if err := c.addManaged(); err != nil {
		return nil, err
	}
	return c, c.findProject()
}

// stateFile returns the path of the state of Claude Code.
func (c *claudeConfig) stateFile() string {
	old := filepath.Join(c.dir, ".config.json")
	if _, err := os.Stat(old); err == nil {
		return old
	}
	return filepath.Join(cmp.Or(c.place.env("CLAUDE_CONFIG_DIR"), c.place.Home), ".claude.json")
}

// loads says whether settings of a source are loaded.
func (c *claudeConfig) loads(source string) bool {
	if c.args.sources == "" {
		return true
	}
	return slices.ContainsFunc(strings.Split(c.args.sources, ","), func(s string) bool { return strings.TrimSpace(s) == source })
}

// add reads a file of settings, if there is one.
func (c *claudeConfig) add(path string, scope claudeScope) error {
	f, err := readJSON(path)
	if f == nil || err != nil {
		return err
	}
	c.settings = append(c.settings, claudeFile{jsonFile: f, scope: scope})
	return nil
}

// given reads the value of an option: a file's path, or JSON itself.
func (c *claudeConfig) given(option, value string) (*jsonFile, error) {
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		return parseJSON(option, []byte(value))
	}
	path := value
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.place.Dir, path)
	}
	f, err := readJSON(path)
	if f == nil && err == nil {
		err = fmt.Errorf("%s: there is no file %s; give one that there is, or JSON", option, show(value))
	}
	return f, err
}

// claudeManagedDir returns the folder of the machine's settings.
func claudeManagedDir() string {
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
func (c *claudeConfig) addManaged() error {
	dir := claudeManagedDir()
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
		f, err := parseJSON("--managed-settings", []byte(c.args.managed))
		if err != nil {
			return err
		}
		c.settings = append(c.settings, claudeFile{jsonFile: f, scope: claudeManaged})
	}
	return nil
}

// findProject finds what the state says about the project. Its key is the root of the repository, or the folder.
func (c *claudeConfig) findProject() error {
	if c.state == nil {
		return nil
	}
	for _, dir := range claudeProjects(c.place.Dir) {
		entry, err := c.state.object("projects", dir)
		if err != nil {
			return err
		}
		if entry != nil {
			c.entries = append(c.entries, entry)
		}
	}
	return nil
}

// claudeProjects returns the keys that the project of a folder may have, the likeliest last.
func claudeProjects(dir string) []string {
	names := []string{dir}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(filepath.Join(at, ".git"))
		if err == nil {
			if names = append(names, at); !info.IsDir() {
				names = append(names, mainWorktree(at)...)
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

// mainWorktree returns the repository of a worktree, if the .git file in it names it.
func mainWorktree(dir string) []string {
	text, err := readConfig(filepath.Join(dir, ".git"))
	if err != nil {
		return nil // one name less; the others are still tried
	}
	gitdir := strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir:"))
	if root, _, ok := strings.Cut(filepath.ToSlash(gitdir), "/.git/worktrees/"); ok {
		return []string{root}
	}
	return nil
}

// env returns the value that a variable has in Claude Code, and where it is set. "": it is not set.
func (c *claudeConfig) env(name string) (value, origin string) {
	value = c.place.env(name)
	if value != "" {
		origin = "environment"
	}
	if c.state != nil {
		if v, ok := envSetting(c.state, name); ok {
			value, origin = v, c.state.path
		}
	}
	for _, f := range c.settings {
		if v, ok := envSetting(f.jsonFile, name); ok {
			value, origin = v, f.path
		}
	}
	return value, origin
}

// envSetting returns the value of a variable that a file sets.
func envSetting(f *jsonFile, name string) (string, bool) {
	switch v := at(f.values, "env", name).(type) {
	case nil:
		return "", false
	case string:
		return v, true
	default:
		return fmt.Sprint(v), true
	}
}

// truthy says whether a variable turns something on.
func (c *claudeConfig) truthy(name string) bool {
	v, _ := c.env(name)
	return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(v)))
}
