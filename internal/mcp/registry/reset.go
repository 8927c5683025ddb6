package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ErrUnknownServer says that nothing is known about a server.
var ErrUnknownServer = errors.New("no such server is known")

// Reset removes a tool and its pin from a store: when the tool is seen next, it is new. Without a name it removes the server and
// all of its tools. It returns the names of the removed tools, sorted. It fails with ErrUnknownServer or ErrUnknown if there is
// nothing to remove.
//
// It uses the store directly, and not a Registry: New fails if something other than weir has changed a tool in the store, and Reset
// is the way to repair that. Each Registry of the store must be refreshed afterwards.
func Reset(ctx context.Context, s Store, id Identity) ([]string, error) {
	stored, err := s.Registry(ctx)
	if err != nil {
		return nil, fmt.Errorf("reset tools: %w", err)
	}
	names := stored.names(id.Server)
	met := slices.ContainsFunc(stored.Servers, func(m Server) bool { return m.ID == id.Server })
	var u Update
	switch {
	case len(names) == 0 && !met:
		return nil, fmt.Errorf("reset tools: %w", ErrUnknownServer)
	case id.Name != "" && !slices.Contains(names, id.Name):
		return nil, fmt.Errorf("reset a tool: %w", ErrUnknown)
	case id.Name != "":
		names = []string{id.Name}
	case met:
		u.ForgetServers = []string{id.Server}
	}
	for _, name := range names {
		u.Forget = append(u.Forget, Identity{id.Server, name})
	}
	if _, err := s.UpdateRegistry(ctx, u); err != nil {
		return nil, fmt.Errorf("reset tools: %w", err)
	}
	return names, nil
}

// names returns the names of a server's tools, sorted, including tools of which only a pin is left.
func (k *Stored) names(server string) []string {
	names := []string{}
	for _, t := range k.Tools {
		if t.Server == server {
			names = append(names, t.Name)
		}
	}
	for _, p := range k.Pins {
		if p.Server == server {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
