package gemini

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/weir-gate/weir/internal/run/agent"
)

// geminiChoice are the keys of the setting for the login of the Gemini CLI.
var geminiChoice = []string{"security", "auth", "selectedType"}

// undecided says that the Gemini CLI would choose its API key on its own. It does not if the address of models is set: then it
// assumes that it is behind a gateway, and without a terminal it stops.
func (c *config) undecided() bool {
	chosen, _ := c.setting(geminiChoice...)
	kind, _ := c.auth()
	return chosen == "" && kind == geminiKey
}

// choose makes an undecided Gemini CLI use its API key, as it would without weir. It sets this in the user's settings that the
// Gemini CLI is shown, or in a separate home folder if the user has no settings.
func (c *config) choose(w agent.Weir, l *agent.Launch, scratch string) (covered map[string][]agent.Replacement) {
	covered = map[string][]agent.Replacement{}
	if !c.undecided() {
		return covered
	}
	_, err := os.Stat(filepath.Join(c.home(), ".gemini"))
	file := c.ofUser()
	switch {
	case file != nil && w.Covers:
		covered[file.Path] = []agent.Replacement{file.Within(geminiKey, geminiChoice...)}
	case os.IsNotExist(err) && c.dotenvFile != filepath.Join(c.home(), ".env"):
		home := filepath.Join(scratch, "gemini")
		l.Set["GEMINI_CLI_HOME"] = home
		l.Files = append(l.Files, agent.File{
			Path:    filepath.Join(home, ".gemini", "settings.json"),
			Content: fmt.Appendf(nil, "{\"security\": {\"auth\": {\"selectedType\": %q}}}\n", geminiKey),
		})
	default:
		l.Notes = append(l.Notes, fmt.Sprintf("%s: Gemini CLI is not set to use an API key, and cannot ask without a terminal; add "+
			"\"security\": {\"auth\": {\"selectedType\": %q}}",
			c.userSettings(), geminiKey))
	}
	return covered
}

// ofUser returns the user's settings; nil: there are none.
func (c *config) ofUser() *agent.JSONFile {
	for _, f := range c.settings {
		if f.scope == ofUser {
			return f.JSONFile
		}
	}
	return nil
}

// notRoots says that the Gemini CLI sees no file as owned by root: in a user's namespace, root's files have no known owner.
func notRoots(w agent.Weir) bool { return w.Covers && os.Geteuid() > 0 }

// notes returns notes about parts of the configuration that have no effect in a run.
func (c *config) notes(w agent.Weir) []string {
	var notes []string
	for _, f := range c.settings {
		if f.scope == ofSystem && notRoots(w) {
			notes = append(notes, f.Path+": these settings have no effect in this run: "+geminiNotRoots)
		}
	}
	return append(notes, c.unread()...)
}

// unread returns notes about servers that weir does not route.
func (c *config) unread() []string {
	var notes []string
	if _, origin := c.setting("mcp", "serverCommand"); origin != "" {
		notes = append(notes, origin+": the MCP server of mcp.serverCommand bypasses weir; declare it under mcpServers")
	}
	for _, dir := range []string{filepath.Join(c.home(), ".gemini", "agents"), filepath.Join(c.around.Dir, ".gemini", "agents")} {
		entries, _ := os.ReadDir(dir) // if it cannot be read here, Gemini CLI cannot read it either
		for _, e := range entries {
			file := filepath.Join(dir, e.Name())
			if filepath.Ext(file) != ".md" {
				continue
			}
			if text, err := agent.ReadFile(file); err != nil || bytes.Contains(text, []byte("mcp_servers")) ||
				bytes.Contains(text, []byte("mcpServers")) {
				notes = append(notes, file+": MCP servers in the file of an agent bypass weir; declare them under mcpServers")
			}
		}
	}
	return notes
}
