// Package recording records what a command did, where no running weir does.
package recording

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/app/auditkey"
	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
)

// Here records events in a chain of this command. s is the store that the flags name. When it returns without an error, they are on record.
func Here(ctx context.Context, f *excerpt.Flags, s *home.Home, events []record.Event) (err error) {
	cfg, err := inuse.Config(f.Config)
	if err != nil {
		return err
	}
	url, err := f.URL()
	if err != nil {
		return err
	}
	place, err := store.URL(url).Location()
	if err != nil {
		return err
	}
	key, err := auditkey.Open(cfg.Audit)
	if err != nil {
		return err
	}
	var rec *recorder.Recorder
	keep := custodian.New(custodian.Config{
		Store: s, Key: key.Key, Witness: checkpoint.Witness{KeyPath: cfg.Audit.Key, Location: place}, Chain: func() string { return rec.Chain() },
		OnError: func(error) {}, // weir serve reports it when it starts; the event is recorded either way
	})
	log, err := s.Follow(follower.Config{OnStored: keep.StoredEntries})
	if err != nil {
		return err
	}
	rec = recorder.New(recorder.Config{Store: log})
	defer func() { err = errors.Join(err, rec.Close(ctx), log.Close(ctx), keep.Close(ctx)) }()
	if err := keep.Begin(ctx); err != nil {
		return err
	}
	recorded := make(chan error, 1)
	rec.RecordAll(events, record.Effects{}, func(err error) { recorded <- err })
	return <-recorded
}
