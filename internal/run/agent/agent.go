// Package agent says what weir must know of an agent to route it, and has what the packages of all agents need: reading settings,
// and finding weir's addresses.
package agent

import (
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/run/setup"
)

// Surroundings are where an agent runs. Its settings depend on this.
type Surroundings struct {
	Home string
	Dir  string // the folder that it is started in
	// Lookup looks up a variable of its environment.
	Lookup func(name string) (string, bool)
}

// Env returns a variable's value; "": it is not set.
func (p Surroundings) Env(name string) string {
	if p.Lookup == nil {
		return ""
	}
	v, _ := p.Lookup(name)
	return v
}

// LoopbackNames are the names and addresses of the machine itself, in the form of NO_PROXY.
const LoopbackNames = "127.0.0.1,localhost,::1"

// A Weir is the running weir that an agent is routed through.
type Weir struct {
	// Base is the address under which upstreams are reached, such as http://127.0.0.1:4141/k/KEY; without a slash at its end.
	Base string
	// Upstreams are the addresses of weir's upstreams, by name.
	Upstreams map[string]string
	Program   string // the path of weir's program, for the shim
	// Served finds an MCP server of weir's gateway by the address it is declared with; nil: the gateway serves none.
	Served func(url string) (id string, ok bool)
	// Own are the other addresses of this weir besides Base, such as http://127.0.0.1:4141: the settings that weir setup writes have
	// them. Without a slash at the end, and without a key.
	Own []string
	// Covers says that an agent can be shown other files in place of its user's: see Launch. This needs a mount namespace.
	Covers bool
}

// URL returns the address of a path of an upstream. rest begins with a slash, or is empty.
func (w Weir) URL(upstream, rest string) string { return w.Base + "/" + upstream + rest }

// Shim returns the command that is started in place of an MCP server.
func (w Weir) Shim(id string, command []string) []string {
	return append([]string{w.Program, "mcp", "wrap", "--id", id, "--"}, command...)
}

// IsShim says whether a command starts a shim of any weir, not only of this one.
func IsShim(command []string) bool {
	return len(command) > 3 && strings.TrimSuffix(filepath.Base(command[0]), ".exe") == "weir" && command[1] == "mcp" && command[2] == "wrap"
}

// A Launch says how to start an agent so that it is routed through weir. The user's files stay unchanged.
type Launch struct {
	Args  []string          // of the program, without its name
	Set   map[string]string // variables of its environment
	Unset []string          // variables that it must not have
	Files []File            // to be written before it is started
	// Covers are the user's files in which the agent sees other content. The files themselves stay unchanged. There are some only if
	// Weir.Covers is set.
	Covers []File
	// Servers are the MCP servers in the agent's configuration, and how each is reached now.
	Servers []Server
	// Sandboxes says that the agent runs commands in its own sandboxes, which need namespaces.
	Sandboxes bool
	Notes     []string // what the user should know; one line each
}

// A File is a file that is made for a run.
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
	Why     string // why it is not routed through weir; "": it is
}

// A Way is how an agent reaches an MCP server: one of the constants.
type Way string

// The ways.
const (
	Wrapped Way = "wrapped" // through the shim
	Gateway Way = "gateway" // through weir's gateway
	Bare    Way = "bare"    // not through weir
	Off     Way = "off"     // not at all: the agent does not start it
)

// A Route is a setting that says where an agent sends its requests to models.
type Route struct {
	Setting string // such as ANTHROPIC_BASE_URL, or model_provider
	Origin  string // the file that has it, or "environment", or "default"
	URL     string
	Note    string // anything else worth knowing; one line
}

// A Look is what an agent's configuration says about models and MCP servers.
type Look struct {
	Routes  []Route // the routes in effect; the agent uses the first if nothing else is chosen
	Servers []Server
	Notes   []string
}

// An Agent is an agent that weir knows.
type Agent interface {
	Name() string  // for weir setup: claude, codex, gemini, opencode
	Title() string // for people
	// Programs are the base names of its program.
	Programs() []string
	// Format is the name of the format of its requests to models, if it has only one; else "".
	Format() string
	// Launch says how to start it with these arguments so that it is routed through weir. Files made for it go to scratch, an existing
	// folder. An error says what in the user's configuration cannot be read or preserved, and what to do.
	Launch(p Surroundings, w Weir, args []string, scratch string) (Launch, error)
	// Look reads the configuration that it would have in a place without weir.
	Look(p Surroundings) (Look, error)
	// Setup says what to change in its configuration so that it is routed through weir permanently, MCP servers included.
	Setup(p Surroundings, w Weir) (Setup, error)
}

// A Setup is a set of changes to the configuration of an agent.
type Setup struct {
	Changes []setup.Change
	Notes   []string // what the user should know; one line each
}
