package excerpt

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record/home"
)

// Registry returns what is on record about the tools of MCP servers.
func Registry(ctx context.Context, r home.View) (*registry.Registry, error) {
	return registry.New(ctx, registry.Config{Store: readRegistry{r}})
}

// readRegistry is the registry of a read-only store.
type readRegistry struct{ home.View }

// UpdateRegistry implements registry.Store.
func (readRegistry) UpdateRegistry(context.Context, registry.Update) (registry.Written, error) {
	return registry.Written{}, errors.New("the store is open for reading only")
}
