// Package agent knows the agents that people run: how each is led through weir, for one run or for good, and which MCP servers
// it has.
package agent

import (
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/run/setup"
)

// A Place is where an agent runs: what its configuration depends on.
type Place struct {
	Home string
	Dir  string // the folder that it is started in
	// Lookup looks a variable of its environment up.
	Lookup func(name string) (string, bool)
}

// env is a variable's value; "": it is not set.
func (p Place) env(name string) string {
	if p.Lookup == nil {
		return ""
	}
	v, _ := p.Lookup(name)
	return v
}

// LoopbackNames are what programs call the machine itself, as NO_PROXY has them.
const LoopbackNames = "127.0.0.1,localhost,::1"

// A Weir is what an agent is led through.
type Weir struct {
	// Base is the address under which upstreams are reached, such as http://127.0.0.1:4141/k/KEY; without a slash at its end.
	Base string
	// Upstreams are the names and addresses of what weir stands in front of.
	Upstreams map[string]string
	Program   string // the path of weir's program, for the shim
	// Served finds the MCP server that weir's gateway serves by the address it is declared with; nil: there is none.
	Served func(url string) (id string, ok bool)
	// Own are addresses besides Base under which this weir serves, such as http://127.0.0.1:4141: what weir setup has written
	// leads there. Without a slash at the end, and without a key.
	Own []string
	// Covers says that an agent can be shown files in place of its user's: see Launch. It takes a mount namespace.
	Covers bool
}

// URL is the address of an upstream's path. rest begins with a slash, or is empty.
func (w Weir) URL(upstream, rest string) string { return w.Base + "/" + upstream + rest }

// Shim is the command that stands in for an MCP server.
func (w Weir) Shim(id string, command []string) []string {
	return append([]string{w.Program, "mcp", "wrap", "--id", id, "--"}, command...)
}

// IsShim says whether a command is weir standing in for an MCP server: any weir, not only this one.
func IsShim(command []string) bool {
	return len(command) > 3 && strings.TrimSuffix(filepath.Base(command[0]), ".exe") == "weir" && command[1] == "mcp" && command[2] == "wrap"
}

// A Launch is how an agent is started so that it is led through weir. The user's files stay as they are.
type Launch struct {
	Args  []string          // of the program, without its name
	Set   map[string]string // variables of its environment
	Unset []string          // variables that it must not have
	Files []File            // to be written before it is started
	// Covers are files of the user's that the agent sees other content in. The files themselves stay as they are. There are
	// some only where Weir says that it can be done.
	Covers []File
	// Servers are the MCP servers that the agent is configured with, and how each is reached now.
	Servers []Server
	// Sandboxes says that the agent puts commands into sandboxes of its own, which takes namespaces.
	Sandboxes bool
	Notes     []string // what the user should know; one line each
}

// A File is one that is made for a run.
type File struct {
	Path    string
	Content []byte
}

// A Server is an MCP server in the configuration of an agent.
type Server struct {
	Name    string   // as the agent calls it
	Origin  string   // the file that has it
	Type    string   // stdio, http or sse
	Command []string // of a stdio server: the program and its arguments
	URL     string   // of the others
	Way     Way
	Why     string // why it is not led through weir; "": it is
}

// A Way is how an agent reaches an MCP server: one of the constants.
type Way string

// The ways.
const (
	Wrapped Way = "wrapped" // through the shim
	Gateway Way = "gateway" // through weir's gateway
	Bare    Way = "bare"    // past weir
	Off     Way = "off"     // not at all: the agent does not start it
)

// A Lead is a setting that says where an agent sends what it asks models.
type Lead struct {
	Setting string // such as ANTHROPIC_BASE_URL, or model_provider
	Origin  string // the file that has it, or "environment", or "default"
	URL     string
	Note    string // what else there is to know; one line
}

// A Look is what the configuration of an agent says.
type Look struct {
	Leads   []Lead // those that count; the first is what the agent uses if nothing else is chosen
	Servers []Server
	Notes   []string
}

// An Agent is one that weir knows.
type Agent interface {
	Name() string  // as weir setup takes it: claude, codex, gemini, opencode
	Title() string // as people know it
	// Programs are the base names of its program.
	Programs() []string
	// Format is the name of the format in which it asks models, if it speaks but one; else "".
	Format() string
	// Launch says how it is started with these arguments so that it is led through weir. Files of its own go to scratch, a
	// folder that exists. An error says what in the user's configuration cannot be read or kept, and the cure.
	Launch(p Place, w Weir, args []string, scratch string) (Launch, error)
	// Look reads the configuration that it would have in a place, without weir's help.
	Look(p Place) (Look, error)
	// Setup is what to change in its configuration so that it is led through weir for good, MCP servers included.
	Setup(p Place, w Weir) (Setup, error)
}

// A Setup is what is changed in the configuration of an agent.
type Setup struct {
	Changes []setup.Change
	Notes   []string // what the user should know; one line each
}

// All are the agents that are known.
func All() []Agent { return []Agent{Claude{}, Codex{}, Gemini{}, OpenCode{}} }

// Named finds an agent by its name.
func Named(name string) (Agent, bool) {
	for _, a := range All() {
		if a.Name() == name {
			return a, true
		}
	}
	return nil, false
}

// For finds the agent that a program is. A program that is none of those is led by what SDKs read from the environment: see
// Program.
func For(program string) (Agent, bool) {
	base := strings.TrimSuffix(filepath.Base(program), ".exe")
	for _, a := range All() {
		for _, name := range a.Programs() {
			if base == name {
				return a, true
			}
		}
	}
	return nil, false
}
