package codex

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/weir-gate/weir/internal/run/agent"
)

// config is the configuration of Codex in a place, with a command line.
type config struct {
	around agent.Surroundings
	args   commandLine
	home   string  // CODEX_HOME
	layers []layer // later ones override earlier ones
}

// A layer is a file of settings, or settings from the command line.
type layer struct {
	origin string
	scope  fileScope
	values map[string]any
}

// A fileScope says whose settings they are.
type fileScope int

const (
	system fileScope = iota
	user
	project
	codexUntrusted // of a project that the user does not trust: Codex does not read them
	given          // on the command line
	managed        // of the machine: nothing overrides them
)

// readCodex reads all settings that Codex would read, and those of folders that it does not trust: the user may trust them while it
// runs.
func readCodex(p agent.Surroundings, args commandLine) (*config, error) {
	c := &config{around: p, args: args, home: cmp.Or(p.Env("CODEX_HOME"), filepath.Join(p.Home, ".codex"))}
	if args.dir != "" {
		c.around.Dir = args.dir
		if !filepath.IsAbs(args.dir) {
			c.around.Dir = filepath.Join(p.Dir, args.dir)
		}
	}
	if err := c.add(filepath.Join(systemDir(), "config.toml"), system); err != nil {
		return nil, err
	}
	if !args.noUser {
		if err := c.addUser(); err != nil {
			return nil, err
		}
	}
	if err := c.addProjects(); err != nil {
		return nil, err
	}
	if err := c.addGiven(); err != nil {
		return nil, err
	}
	return c, c.add(filepath.Join(systemDir(), "managed_config.toml"), managed)
}

// systemDir returns the folder of the machine's settings.
func systemDir() string {
	if runtime.GOOS == "windows" {
		return `C:\ProgramData\OpenAI\Codex`
	}
	return "/etc/codex"
}

func (c *config) userFile() string { return filepath.Join(c.home, "config.toml") }

// addUser adds the user's settings, and a profile if one is given.
func (c *config) addUser() error {
	if err := c.add(c.userFile(), user); err != nil {
		return err
	}
	if c.args.profile == "" {
		return nil
	}
	return c.add(filepath.Join(c.home, c.args.profile+".config.toml"), user)
}

// add reads a file of settings, if there is one.
func (c *config) add(path string, scope fileScope) error {
	text, err := agent.ReadFile(path)
	if text == nil || err != nil {
		return err
	}
	values, err := parseTOML(path, text)
	if err != nil {
		return err
	}
	c.layers = append(c.layers, layer{origin: path, scope: scope, values: values})
	return nil
}

// parseTOML parses the text of a configuration file.
func parseTOML(path string, text []byte) (map[string]any, error) {
	values := map[string]any{}
	err := toml.Unmarshal(text, &values)
	if err == nil {
		return values, nil
	}
	var where *toml.DecodeError
	if errors.As(err, &where) {
		line, column := where.Position()
		path = fmt.Sprintf("%s:%d:%d", path, line, column)
	}
	return nil, fmt.Errorf("%s: this is not valid TOML: %s; correct it, or move the file away", path, agent.Show(err.Error()))
}

// addProjects adds the settings of the project, from the root of the repository down to the folder.
func (c *config) addProjects() error {
	root := c.around.Dir
	for dir := root; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			root = dir
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	scope := codexUntrusted
	for _, dir := range append([]string{root, c.around.Dir}, mainWorktreeOf(root)...) {
		if v, _ := c.find("projects", dir, "trust_level"); v == "trusted" {
			scope = project
		}
	}
	var dirs []string
	for dir := c.around.Dir; ; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		if dir == root {
			break
		}
	}
	slices.Reverse(dirs)
	for _, dir := range dirs {
		path := filepath.Join(dir, ".codex", "config.toml")
		if path == c.userFile() {
			continue
		}
		if err := c.add(path, scope); err != nil {
			return err
		}
	}
	return nil
}

// mainWorktreeOf returns the repository of a folder, if the folder is a worktree.
func mainWorktreeOf(dir string) []string {
	if info, err := os.Stat(filepath.Join(dir, ".git")); err != nil || info.IsDir() {
		return nil
	}
	return agent.MainWorktree(dir)
}

// addGiven adds the settings of the command line.
func (c *config) addGiven() error {
	for _, override := range c.args.overrides {
		key, text, ok := strings.Cut(override, "=")
		if !ok {
			continue // Codex refuses it
		}
		var value any = strings.Trim(strings.TrimSpace(text), `"'`)
		if parsed, err := parseTOML("-c", []byte("value = "+text)); err == nil {
			value = parsed["value"]
		}
		path := strings.Split(strings.TrimSpace(key), ".")
		for _, name := range slices.Backward(path) {
			value = map[string]any{name: value}
		}
		values, _ := value.(map[string]any)
		c.layers = append(c.layers, layer{origin: "-c " + agent.Show(key), scope: given, values: values})
	}
	return nil
}

// find returns the value at the keys, and where it is set. nil: it is not set. Settings of projects do not count: Codex ignores
// what they say about providers.
func (c *config) find(keys ...string) (value any, origin string) {
	for _, l := range slices.Backward(c.layers) {
		if v := agent.At(l.values, keys...); v != nil && l.scope != codexUntrusted && l.scope != project {
			return v, l.origin
		}
	}
	return nil, ""
}

// text returns a setting that is a string; "": it is not set, or not a string.
func (c *config) text(keys ...string) (value, origin string) {
	v, origin := c.find(keys...)
	s, _ := v.(string)
	return s, origin
}

// names returns the names in a table, from all layers together.
func (c *config) names(keys ...string) []string {
	all := map[string]bool{}
	for _, l := range c.layers {
		table, _ := agent.At(l.values, keys...).(map[string]any)
		for name := range table {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
