// Package approvalcmd has the commands with which people decide about calls that wait for them: approvals and grants.
package approvalcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Add adds the commands of the group.
func Add(root *cobra.Command) { root.AddCommand(newApprovals(), newGrants()) }

// The exit codes of a vote that does not count.
const (
	exitExpired = 3 // the request has expired
	exitDecided = 4 // it was decided otherwise
)

// find returns the request of an id.
func find(ctx context.Context, f *excerpt.Flags, id string) (approval.Request, error) {
	view, err := f.Open(ctx)
	if err != nil {
		return approval.Request{}, err
	}
	defer view.Close() // nothing was written
	all, err := view.Approvals(ctx, approval.Filter{IDs: []string{id}})
	if err != nil {
		return approval.Request{}, err
	}
	if len(all) == 0 {
		return approval.Request{}, exit.WrongInput(fmt.Errorf("there is no request %s; list them with weir approvals --all", inert.Name(id, 64)))
	}
	return all[0], nil
}

// judge returns a client of the running weir that has the store.
func judge(ctx context.Context, f *excerpt.Flags) (*control.Client, error) {
	url, err := f.URL()
	if err != nil {
		return nil, err
	}
	client, theirs, err := running.With(ctx, url)
	switch {
	case err != nil:
		return nil, err
	case client != nil:
		return client, nil
	case theirs != "":
		return nil, fmt.Errorf("the weir that runs here has another store (%s), and votes are counted by the one that has this one (%s)",
			theirs, store.URL(url))
	}
	return nil, errors.New("no weir runs here, and votes are counted by a running weir: start weir serve")
}
