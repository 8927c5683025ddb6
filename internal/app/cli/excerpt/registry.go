package excerpt

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record/store"
)

// Registry returns what is on record about the tools of MCP servers.
func Registry(ctx context.Context, r *store.View) (*registry.Registry, error) {
	return registry.New(ctx, registry.Config{Store: readRegistry{r}})
}

// readRegistry is the registry of a read-only store.
type readRegistry struct{ *store.View }

// UpdateRegistry implements registry.Store.
func (readRegistry) UpdateRegistry(context.Context, registry.Update) (registry.Written, error) {
	return registry.Written{}, errors.New("the store is open for reading only")
}
