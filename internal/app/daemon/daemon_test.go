package daemon

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/port"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// TestRecordFailsAtRunTime: what cannot be recorded is refused, the operator hears of it, and when the log is back, or the store where
// calls wait for it, calls pass again and the chain goes on.
func TestRecordFailsAtRunTime(t *testing.T) {
	late := call.CodeStoreUnavailable
	for name, test := range map[string]struct {
		release config.Release
		away    string // what is moved away
		codes   []string
		says    string
	}{
		"log": {config.Local, "weir.db-log", []string{"", "", late, late, late}, "level=ERROR msg=record"},
		// The log has the calls, and that they were withdrawn.
		"shipped": {config.Shipped, "weir.db", []string{"", "", "", "", "", late, late, late}, "level=ERROR msg=store"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, turn(toolCall{"Read", `{"file_path":"notes.txt"}`}))
			r.config.Audit.Release = test.release
			r.serve(0)
			const released, refused = `"name":"Read"`, "was refused (store_unavailable): The call could not be recorded."
			if body := r.mustAsk(); !strings.Contains(body, released) {
				t.Fatalf("a call does not pass:\n%s", body)
			}
			path, away := filepath.Join(r.dir, test.away), filepath.Join(r.dir, "away")
			if err := os.Rename(path, away); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				body := r.mustAsk()
				if strings.Contains(body, released) || strings.Contains(body, "notes.txt") || !strings.Contains(body, refused) {
					t.Errorf("an unrecorded call is not refused:\n%s", body)
				}
				if !strings.Contains(body, `"stop_reason":"end_turn"`) || !strings.Contains(body, "event: message_stop") {
					t.Errorf("the turn is not whole:\n%s", body)
				}
			}
			if log := r.log.String(); !strings.Contains(log, test.says) || !strings.Contains(log, "was moved or deleted while in use") {
				t.Errorf("the operator hears nothing of it:\n%s", log)
			}
			if err := os.Rename(away, path); err != nil {
				t.Fatal(err)
			}
			if body := r.mustAsk(); !strings.Contains(body, released) {
				t.Errorf("it is back and calls do not pass:\n%s", body)
			}
			if err := r.end(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(test.codes, r.codes("Read")); diff != "" {
				t.Errorf("what is recorded of the 2 calls that passed and of the 3 others (-want +got):\n%s", diff)
			}
			r.verify()
		})
	}
}

// codes are the codes of the events of a tool, sorted.
func (r *rig) codes(tool string) (codes []string) {
	for _, e := range r.events(query.Filter{Tool: tool}) {
		codes = append(codes, e.Code)
	}
	slices.Sort(codes)
	return codes
}

// TestStoreFailsAtRunTime: calls go on while the store is away, the operator hears of it, and when it is back it gets all of them.
func TestStoreFailsAtRunTime(t *testing.T) {
	r := newRig(t, turn(toolCall{"Read", `{"file_path":"notes.txt"}`}))
	r.serve(0)
	pass := func() {
		t.Helper()
		if body := r.mustAsk(); !strings.Contains(body, `"name":"Read"`) {
			t.Fatalf("a call does not pass:\n%s", body)
		}
	}
	pass()
	database, away := filepath.Join(r.dir, "weir.db"), filepath.Join(r.dir, "away.db")
	if err := os.Rename(database, away); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		pass()
	}
	waitFor(t, func() bool {
		log := r.log.String()
		return strings.Contains(log, "level=ERROR msg=store") && strings.Contains(log, "was moved or deleted while in use")
	})
	if behind := r.daemon.follower.Behind(); behind.Events == 0 || behind.Err == nil {
		t.Errorf("it knows nothing of it: %+v", behind)
	}
	if err := os.Rename(away, database); err != nil {
		t.Fatal(err)
	}
	pass()
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if codes := r.codes("Read"); len(codes) != 5 || slices.Max(codes) != "" {
		t.Errorf("what is recorded of the 5 calls that passed: %q", codes)
	}
	r.verify()
}

// TestStoreIsAwayAtTheEnd: what the store does not have when weir ends is stored by the next weir, or by who reads the record.
func TestStoreIsAwayAtTheEnd(t *testing.T) {
	need.Long(t)
	for _, restart := range []bool{true, false} {
		r := newRig(t, turn(toolCall{"Read", `{"file_path":"notes.txt"}`}))
		r.serve(0)
		database, away := filepath.Join(r.dir, "weir.db"), filepath.Join(r.dir, "away.db")
		if err := os.Rename(database, away); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			r.mustAsk()
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
		if err := os.Rename(away, database); err != nil {
			t.Fatal(err)
		}
		if restart {
			r.serve(0)
			r.mustAsk()
			if err := r.end(); err != nil {
				t.Error(err)
			}
		}
		if codes := r.codes("Read"); len(codes) < 3 {
			t.Errorf("%d calls are recorded", len(codes))
		}
		r.verify()
	}
}

// TestStoreFailsForRefusals: a call that the policy refuses stays refused when that cannot be recorded.
func TestStoreFailsForRefusals(t *testing.T) {
	r := newRig(t, turn(toolCall{"Bash", `{"command":"ls"}`}))
	r.write(denyBash)
	r.serve(0)
	if err := os.Remove(filepath.Join(r.dir, "weir.db")); err != nil {
		t.Fatal(err)
	}
	if body := r.mustAsk(); strings.Contains(body, "tool_use") || !strings.Contains(body, call.CodeToolDenied) {
		t.Errorf("the call is not refused:\n%s", body)
	}
}

// TestCloseOrder: a stream that is open when weir is told to end gets its call, recorded, before the store is closed.
func TestCloseOrder(t *testing.T) {
	resume, opened := make(chan struct{}), make(chan struct{})
	said := frames(toolCall{"Read", `{"file_path":"late.txt"}`})
	r := newRig(t, stream(slices.Insert(said, 1,
		func(context.Context, http.ResponseWriter) error { close(opened); return nil },
		scripted.Wait(resume),
	)...))
	r.serve(0)
	type answer struct {
		body string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		body, err := r.ask()
		answered <- answer{body, err}
	}()
	<-opened
	ended := make(chan error, 1)
	go func() { ended <- r.end() }()
	waitFor(t, func() bool {
		conn, err := net.Dial("tcp", r.daemon.Address())
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	select {
	case err := <-ended:
		t.Fatalf("it ended, %v, with a stream open", err)
	default:
	}
	close(resume)
	if a := <-answered; a.err != nil || !strings.Contains(a.body, `"name":"Read"`) || !strings.HasSuffix(a.body, "\n\n") {
		t.Errorf("the open stream did not come to its end: %v\n%s", a.err, a.body)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "weir.db-wal")); err == nil {
		t.Error("the store was not closed: its log is still there")
	}
	if got := r.events(query.Filter{Tool: "Read"}); len(got) != 1 || got[0].Blocked {
		t.Errorf("the late call is recorded as %+v", got)
	}
	if got := r.events(query.Filter{Type: record.Types.ResponseDone}); len(got) != 1 {
		t.Errorf("the end of the response is recorded %d times", len(got))
	}
	r.verify()
	r.demand("level=ERROR", 0)
}

// TestFailedStartLeavesNothing: what was opened before the failure is closed again.
func TestFailedStartLeavesNothing(t *testing.T) {
	address := port.Reserve(t)
	r := newRig(t, nil)
	r.config.Listen = address
	r.config.Store.URL = "sqlite://" + r.dir
	d, err := Start(t.Context(), Config{Config: r.config, Policy: r.source()})
	if err == nil || d != nil || !strings.Contains(err.Error(), "is a folder; let store.url name a file in it") {
		t.Fatalf("got %v, %v", d, err)
	}
	again, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatalf("the port is still taken: %v", err)
	}
	defer again.Close()
	r.config.Store.URL = "sqlite://" + filepath.Join(r.dir, "new.db")
	_, err = Start(t.Context(), Config{Config: r.config, Policy: r.source()})
	if err == nil || !strings.Contains(err.Error(), "the port is in use") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "new.db")); err == nil {
		t.Error("a store was created by a weir that did not start")
	}
}
