package store

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/record/audit"
)

// TestKeeperSigns: new events are signed within five minutes, and nothing is signed while none come.
func TestKeeperSigns(t *testing.T) {
	key, err := audit.OpenKey(filepath.Join(t.TempDir(), "audit.key"))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := openURL(t, backends["sqlite"](t))
		var recorder *audit.Recorder
		k := audit.NewKeeper(audit.KeeperConfig{
			Store: s, Key: key, Chain: func() string { return recorder.Chain() }, OnError: func(err error) { t.Error(err) },
		})
		recorder = audit.NewRecorder(audit.Config{Store: s, Sinks: []audit.Sink{k}})
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
				recorder.Record(audit.Event{Type: audit.TypeToolCall, Tool: "Bash"}, nil)
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
		if err := recorder.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
