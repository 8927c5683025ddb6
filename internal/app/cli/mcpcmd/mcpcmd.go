// Package mcpcmd is the command weir mcp: the shim around a server, the tools that servers offer, and who trusts them.
package mcpcmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Add adds the commands of the group.
func Add(root *cobra.Command) { root.AddCommand(newMCP()) }

func newMCP() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Manage MCP servers: their tools, calls and trust",
		Long: `mcp shows and manages the tools of MCP servers. weir stores the definition of every tool that a server offers,
and who trusts it. If the definition differs from the one that was trusted, the tool is changed.
mcp.version_pinning in the policy says what happens to calls of changed tools.

These commands use the store directly; weir need not be running. A running weir notices changes within a second.`,
		Example: `  weir mcp servers
  weir mcp tools
  weir mcp pins diff filesystem`,
	}
	cmd.AddCommand(newServers(), newTools(), newCalls(), newEvents(), newPins(), newWrap(), newInspect())
	return cmd
}

// registryFlags are the flags of commands that show what is known about MCP servers.
type registryFlags struct {
	excerpt.Flags
	json, utc bool
}

func (f *registryFlags) register(cmd *cobra.Command) {
	f.Flags.Register(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object per line, with times in UTC")
	cmd.Flags().BoolVar(&f.utc, "utc", false, "print times in UTC, not in local time")
}

// when returns a time for people.
func (f *registryFlags) when(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	if !f.utc {
		t = t.Local()
	}
	return t.Format("2006-01-02 15:04:05Z07:00")
}

// read returns the current registry.
func (f *registryFlags) read(ctx context.Context) (*registry.Registry, error) {
	r, err := f.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return excerpt.Registry(ctx, r)
}

// change opens the store for writing. It must exist, and be up to date.
func (f *registryFlags) change(ctx context.Context) (*home.Home, error) {
	r, err := f.Open(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	s, err := f.OpenHome(ctx)
	return s, exit.WrongInput(err)
}

// demandServer returns an error if a server is not known.
func demandServer(r *registry.Registry, id string) error {
	if len(r.Tools(id)) > 0 {
		return nil
	}
	for _, s := range r.Known() {
		if s.ID == id {
			return nil
		}
	}
	return unknownServer(id)
}

func unknownServer(id string) error {
	return exit.WrongInput(fmt.Errorf("there is no MCP server %s; weir mcp servers lists all", inert.Name(id, shownName)))
}

// demandTool returns a tool, or an error if it is not known.
func demandTool(r *registry.Registry, id registry.Identity) (registry.Tool, error) {
	if err := demandServer(r, id.Server); err != nil {
		return registry.Tool{}, err
	}
	t, known := r.Tool(id.Server, id.Name)
	if !known {
		return registry.Tool{}, unknownTool(id)
	}
	return t, nil
}

func unknownTool(id registry.Identity) error {
	return exit.WrongInput(fmt.Errorf("there is no tool %s; weir mcp tools lists all", toolName(id)))
}

// serversOf returns the servers whose tools a command is about: the named one, or all.
func serversOf(r *registry.Registry, args []string) ([]string, error) {
	if len(args) == 0 {
		return r.Servers(), nil
	}
	return args[:1], demandServer(r, args[0])
}

// How much of foreign texts a table shows, in characters.
const (
	shownName        = 64
	shownLine        = 120
	shownDescription = 60
)

// shortHash returns the beginning of a hash, which is enough for people to distinguish hashes.
func shortHash(h registry.Hash) string {
	_, digest, _ := strings.Cut(string(h), ":")
	return digest[:min(12, len(digest))]
}
