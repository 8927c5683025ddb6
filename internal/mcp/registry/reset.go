package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ErrUnknownServer says that nothing is known of a server.
var ErrUnknownServer = errors.New("no such server is known")

// Reset has a store forget a tool and who trusted it: when it is seen next, it is seen for the first time. Without a name it forgets
// the server, with all of its tools. It returns the names of the tools that it forgot, sorted. It fails with ErrUnknownServer or
// ErrUnknown if there is nothing to forget.
//
// It asks the store itself, and no Registry: one does not come about while the store has a tool in it that something else changed,
// and to forget that tool is the cure. Each Registry of the store has to be refreshed.
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

// names are those of a server's tools, sorted, those included of which only a pin is left.
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
