package store

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// TestCustodianSigns: new events are signed within five minutes, and nothing is signed while none come.
func TestCustodianSigns(t *testing.T) {
	key, err := checkpoint.OpenKey(filepath.Join(t.TempDir(), "audit.key"))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := openURL(t, upgraded(t, "sqlite"))
		var rec *recorder.Recorder
		k := custodian.New(custodian.Config{
			Store: s, Key: key, Chain: func() string { return rec.Chain() }, OnError: func(err error) { t.Error(err) },
		})
		rec = recorder.New(recorder.Config{Store: s, Sinks: []recorder.Sink{k}})
		if err := k.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var kept sync.WaitGroup
		kept.Go(func() { k.Run(ctx) })
		for _, test := range []struct {
			events int
			after  time.Duration
			want   int // checkpoints
		}{
			{1, 5*time.Minute + time.Second, 2},
			{0, 50 * time.Minute, 2},
			{3, 5 * time.Minute, 3},
			{1, 5 * time.Minute, 4},
		} {
			for range test.events {
				rec.Record(record.Event{Type: record.Types.ToolCall, Tool: "Bash"}, nil)
			}
			time.Sleep(test.after) // of the bubble's clock
			synctest.Wait()
			var got int
			if err := s.write.QueryRow("SELECT count(*) FROM checkpoints").Scan(&got); err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("%d events and %s later there are %d checkpoints, want %d", test.events, test.after, got, test.want)
			}
		}
		stop()
		kept.Wait()
		if err := rec.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
