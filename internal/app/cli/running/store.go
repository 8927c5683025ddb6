package running

import (
	"context"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/record/store"
)

// With returns a client of the running weir of this machine if its record is in a store; nil: none runs, it does not say, or its record is
// in another store, which theirs names.
func With(ctx context.Context, url string) (client *control.Client, theirs string, err error) {
	ours, err := store.URL(url).Location()
	if err != nil {
		return nil, "", err
	}
	if client, err = Client(); err != nil {
		return nil, "", nil // there is no state folder, so none runs
	}
	hello, err := client.Hello(ctx)
	if has := hello.Standing; err == nil && has.Location == ours {
		return client, "", nil
	}
	client.Close()
	return nil, hello.Standing.Store, nil
}
