package daemon

import (
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/app/backup"
)

// TestBackupUnderLoad: each copy that is taken while calls are recorded is intact, and has what was released before it began.
func TestBackupUnderLoad(t *testing.T) {
	r := newRig(t, turn(toolCall{"Bash", "{}"}, toolCall{"Read", "{}"}))
	r.serve(0)
	stop := make(chan struct{})
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := r.ask(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := range 4 {
		r.mustAsk()
		took, err := backup.Take(t.Context(), backup.Config{
			URL: r.config.Store.URL, KeyPath: r.config.Audit.Key, To: filepath.Join(t.TempDir(), strconv.Itoa(n)),
		})
		if err != nil || !took.Verified || took.Events < int64(3*n) {
			t.Errorf("copy %d: %+v, %v", n, took, err)
		}
	}
	close(stop)
	askers.Wait()
	if err := r.end(); err != nil {
		t.Error(err)
	}
	r.verify()
}
