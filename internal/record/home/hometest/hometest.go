// Package hometest records events for tests, as weir does.
package hometest

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// Record records events in a chain of their own, in a record that is created if need be.
func Record(ctx context.Context, url, stateDir string, events ...record.Event) (err error) {
	h, err := home.Open(ctx, home.Config{URL: url, StateDir: stateDir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	log, err := h.Follow(follower.Config{})
	if err != nil {
		return err
	}
	r := recorder.New(recorder.Config{Store: log})
	failed := make(chan error, len(events))
	for _, e := range events {
		r.Record(e, func(err error) { failed <- err })
	}
	for range events {
		err = errors.Join(err, <-failed)
	}
	return errors.Join(err, r.Close(ctx), log.Close(ctx))
}
