package store

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/verify"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// custodianVariable names the key that a process started by these tests keeps the record with.
const custodianVariable = "WEIR_STORE_TEST_CUSTODIAN"

// custodianChild records events and removes old ones, as fast as it can, until it is killed. It prints a line for each go.
func custodianChild(url, keyPath string) {
	fail := func(err error) { fmt.Println("error", err) }
	s, err := Open(context.Background(), url)
	if err != nil {
		fail(err)
		return
	}
	key, err := checkpoint.OpenKey(keyPath)
	if err != nil {
		fail(err)
		return
	}
	r, k := keptRecorder(s, custodian.Config{Key: key, Witness: checkpoint.Witness{KeyPath: keyPath, Location: "here"}, MaxBytes: 100 << 10, OnError: fail})
	if err := k.Checkpoint(context.Background()); err != nil {
		fail(err)
	}
	for i := 0; ; i++ {
		for j := range 20 {
			r.Record(record.Event{Type: record.Types.ToolCall, Tool: fmt.Sprint(i, "-", j)}, nil)
		}
		if err := tryRecord(r, fmt.Sprint(i), 1); err != nil {
			fail(err)
		}
		if err := k.Maintain(context.Background()); err != nil {
			fail(err)
		}
		fmt.Println("kept")
	}
}

// keptRecorder is a recorder and the custodian that is told of its events.
func keptRecorder(s *Store, c custodian.Config) (*recorder.Recorder, *custodian.Custodian) {
	var r *recorder.Recorder
	c.Store, c.Chain = s, func() string { return r.Chain() }
	k := custodian.New(c)
	r = recorder.New(recorder.Config{Store: s, Sinks: []recorder.Sink{k}})
	return r, k
}

var cutKills = flag.Int("cut-kills", 3, "how often TestKilledWhileCutting kills a process, for each database")

// TestKilledWhileCutting kills a process at a random moment while it removes old events, again and again: every removal has
// its checkpoint, and nothing else is missing.
func TestKilledWhileCutting(t *testing.T) {
	need.Long(t)
	onBackends(t, func(t *testing.T, url string) {
		keyPath := filepath.Join(t.TempDir(), "audit.key")
		for range *cutKills {
			c := exec.CommandContext(t.Context(), os.Args[0])
			c.Env = append(os.Environ(), childVariable+"="+url, custodianVariable+"="+keyPath)
			c.Stderr = os.Stderr
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for n := 8 + rand.IntN(20); n > 0 && lines.Scan(); n-- {
				if strings.HasPrefix(lines.Text(), "error") {
					t.Error(lines.Text())
				}
			}
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			c.Wait() // it was killed
			awaitQuiet(t, url)
			wantVouched(t, url, keyPath)
		}
	})
}

// wantVouched demands that a record is whole but for what the key has vouched for.
func wantVouched(t *testing.T, url, keyPath string) {
	t.Helper()
	r, err := OpenReadOnly(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	keys, err := checkpoint.ReadKeyIDs(keyPath)
	if err != nil {
		t.Fatal(err)
	}
	newest, err := checkpoint.Witness{KeyPath: keyPath, Location: "here"}.Newest()
	if err != nil {
		t.Fatal(err)
	}
	report, err := verify.Check{Record: r, Keys: keys, Checkpoints: []checkpoint.Signed{newest}}.Run(t.Context())
	if err != nil || report.Found != 0 {
		t.Errorf("verified: %v, %v", report.Problems, err)
	}
	if report.Events == 0 || report.Events > 400 || report.Checkpoints == 0 {
		t.Errorf("%d events and %d checkpoints are there", report.Events, report.Checkpoints)
	}
}

// TestVerifyWhileCutting reads a record while old events go and new ones come.
func TestVerifyWhileCutting(t *testing.T) {
	need.Long(t)
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		key, err := checkpoint.OpenKey(filepath.Join(t.TempDir(), "audit.key"))
		if err != nil {
			t.Fatal(err)
		}
		r, k := keptRecorder(s, custodian.Config{Key: key, MaxBytes: 1500 << 10})
		if err := k.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
				}
				for range 200 {
					r.Record(record.Event{Type: record.Types.ToolCall}, nil)
				}
				if err := k.Maintain(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}()
		reader := readURL(t, url)
		for range 20 {
			report, err := verify.Check{Record: reader, Keys: []string{key.ID()}}.Run(t.Context())
			if err != nil || report.Found != 0 {
				t.Errorf("verified: %v, %v", report.Problems, err)
				break
			}
		}
		close(stop)
		<-stopped
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// cutting is a record of which events are removed just when its notes of chains have been read.
type cutting struct {
	*View
	cut func()
}

func (c cutting) Chains(ctx context.Context) ([]record.ChainState, error) {
	states, err := c.View.Chains(ctx)
	c.cut()
	return states, err
}

// A note that was read just ahead of a cut is not one that somebody changed.
func TestVerifyNotesReadAheadOfACut(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		key, err := checkpoint.OpenKey(filepath.Join(t.TempDir(), "audit.key"))
		if err != nil {
			t.Fatal(err)
		}
		r, k := keptRecorder(s, custodian.Config{Key: key, MaxBytes: 200 << 10})
		for range 2000 {
			r.Record(record.Event{Type: record.Types.ToolCall}, nil)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := k.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		reader := readURL(t, url)
		cut := func() {
			if err := k.Maintain(t.Context()); err != nil {
				t.Error(err)
			}
		}
		report, err := verify.Check{Record: cutting{reader, cut}, Keys: []string{key.ID()}}.Run(t.Context())
		if err != nil || report.Found != 0 {
			t.Errorf("verified: %v, %v", report.Problems, err)
		}
		if report.Events == 0 || report.Events == 2000 {
			t.Errorf("%d events are there: nothing was cut", report.Events)
		}
	})
}

// TestCustodianRuns through two hours of a weir, and sees what it leaves.
func TestCustodianRuns(t *testing.T) {
	url := upgraded(t, "sqlite")
	synctest.Test(t, func(t *testing.T) {
		s := openURL(t, url)
		key, err := checkpoint.OpenKey(filepath.Join(t.TempDir(), "audit.key"))
		if err != nil {
			t.Fatal(err)
		}
		checkpoints := func(want int) {
			t.Helper()
			synctest.Wait()
			n := 0
			for _, err := range s.Checkpoints(t.Context(), 0) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n != want {
				t.Errorf("%d checkpoints, want %d", n, want)
			}
		}
		recordAll(t, s, "left by an earlier process")
		r, k := keptRecorder(s, custodian.Config{Key: key, MaxBytes: 8 << 10, OnError: func(err error) { t.Error(err) }})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			k.Run(ctx)
		}()
		checkpoints(2) // of the earlier process, and of this one's beginning
		if err := tryRecord(r, "now", 1); err != nil {
			t.Error(err)
		}
		time.Sleep(4 * time.Minute)
		checkpoints(2)
		time.Sleep(2 * time.Minute)
		checkpoints(3)
		time.Sleep(55 * time.Minute)
		checkpoints(3) // nothing came
		for i := range 20 {
			if err := tryRecord(r, fmt.Sprint(i), 1); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(30 * time.Minute) // a tenth in a minute
		synctest.Wait()
		standing, err := s.Standing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if standing.LastCut.IsZero() || len(strings.Fields(tools(t, s.View))) > 8 {
			t.Errorf("too much is left: %s", tools(t, s.View))
		}
		stop()
		<-done
		if err := errors.Join(r.Close(t.Context()), k.Close(t.Context())); err != nil {
			t.Error(err)
		}
		report, err := verify.Check{Record: s, Keys: []string{key.ID()}}.Run(t.Context())
		if err != nil || report.Found != 0 {
			t.Errorf("verified: %v, %v", report.Problems, err)
		}
	})
}

// TestCustodianTells of a store that cannot be written, and goes on.
func TestCustodianTells(t *testing.T) {
	s := openURL(t, upgraded(t, "sqlite"))
	key, err := checkpoint.OpenKey(filepath.Join(t.TempDir(), "audit.key"))
	if err != nil {
		t.Fatal(err)
	}
	recordAll(t, s, "a", "b", "c")
	if _, err := s.write.Exec("PRAGMA query_only = 1"); err != nil {
		t.Fatal(err)
	}
	k := custodian.New(custodian.Config{Store: s, Key: key, MaxBytes: 1})
	if err := k.Maintain(t.Context()); err == nil || strings.Count(err.Error(), "not writable") != 1 { // what cannot be signed is not removed
		t.Errorf("a read-only database: %v", err)
	}
	if got := tools(t, s.View); got != "a b c" {
		t.Errorf("left: %s", got)
	}
	if _, err := s.write.Exec("PRAGMA query_only = 0"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"b c", "c", "c"} { // what was stored last stays
		if err := k.Maintain(t.Context()); err != nil {
			t.Error(err)
		}
		if got := tools(t, s.View); got != want {
			t.Errorf("left: %s, want %s", got, want)
		}
	}
}
