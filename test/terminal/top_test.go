package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/tty"
)

// binary is the real weir.
var binary string

func TestMain(m *testing.M) { os.Exit(need.Main(m, &binary)) }

// A stage is a record that a test adds to, and what weir needs to find it.
type stage struct {
	t   *testing.T
	url string
	env []string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	dir := t.TempDir()
	s := &stage{t: t, url: "sqlite://" + filepath.Join(dir, "weir.db")}
	s.env = []string{"HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "TZ=UTC", "WEIR_KEY="}
	return s
}

// record adds events.
func (s *stage) record(events ...record.Event) {
	s.t.Helper()
	db, err := store.Open(s.t.Context(), s.url)
	if err != nil {
		s.t.Fatal(err)
	}
	r := recorder.New(recorder.Config{Store: db})
	for _, e := range events {
		r.Record(e, nil)
	}
	if err := r.Close(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// called is a call now.
func called(tool, who, session, args string, refused bool) record.Event {
	e := record.Event{
		Type: record.Types.ToolCall, Time: time.Now(), Surface: call.Response, Tool: tool, CallID: call.NewID(time.Now()),
		Actor: call.Actor{Employee: who, Session: session}, Exchange: call.Exchange{Model: "claude-sonnet-4-5", Provider: "anthropic"},
		Args: jsontext.Value(args), Ruling: record.Ruling{Verdict: "allow"},
	}
	if refused {
		e.Ruling = record.Ruling{Verdict: "deny", Blocked: true, Code: call.CodeArgsDenied, Rule: "no-sudo", Reason: "Not as another user."}
	}
	return e
}

// spent is the end of a response.
func spent(session string, dollars float64) record.Event {
	return record.Event{
		Type: record.Types.ResponseDone, Time: time.Now(), Actor: call.Actor{Session: session}, Exchange: call.Exchange{RequestID: session},
		Detail: record.ResponseDone{Usage: call.Usage{Input: 1000, Output: 200}, CostMicros: int64(dollars * 1e6), Clean: true},
	}
}

func (s *stage) top(columns, rows int, args ...string) *tty.Program {
	s.t.Helper()
	return tty.Start(s.t, columns, rows, s.env, binary, append([]string{"top", "--store", s.url, "--every", "100ms"}, args...)...)
}

// fits fails if a line is wider than the terminal, or there are more lines than it has.
func fits(t *testing.T, p *tty.Program, columns, rows int) {
	t.Helper()
	lines := strings.Split(p.Text(), "\n")
	if len(lines) > rows {
		t.Errorf("%d lines on %d", len(lines), rows)
	}
	for _, line := range lines {
		if len([]rune(line)) > columns {
			t.Errorf("%d columns on %d: %q", len([]rune(line)), columns, line)
		}
	}
}

// TestTop watches a record that grows, filters it and opens a call.
func TestTop(t *testing.T) {
	need.Long(t)
	s := newStage(t)
	s.record(called("Read", "ann@acme.example", "run-one", `{"file_path":"notes.txt"}`, false),
		called("Bash", "bob@acme.example", "run-two", `{"command":"sudo ls"}`, true), spent("run-one", 1.25))
	p := s.top(80, 24)
	p.Await(`^2 calls: 1 refused, 0 flagged, 0 held, \$1\.25, 1,200 tokens, since `)
	p.Await(`no weir runs here; this is what is on record`)
	p.Await(`run-one +1 +0 +1,200 +\$1\.25`)
	p.Await(`^> \d\d:\d\d:\d\d  \w{12}  bob@acm\S* +\S+ +refused +Bash`)
	p.Await(`q quit`)
	fits(t, p, 80, 24)

	// What is recorded meanwhile appears at the top.
	s.record(called("WebFetch", "ann@acme.example", "run-one", `{"url":"https://example.com"}`, false))
	p.Await(`^> .*WebFetch`)
	p.Await(`^3 calls`)

	// A chosen call stays chosen while others come, and opens.
	p.Type("j")
	p.Await(`^> .*Bash`)
	s.record(called("Grep", "ann@acme.example", "run-one", `{"pattern":"x"}`, false))
	p.Await(`^  .*Grep`)
	p.Await(`^> .*Bash`)
	p.Type("\r")
	p.Await(`^  rule +no-sudo`)
	p.Await(`^  arguments  \{"command":"sudo ls"\}`)
	p.Type("\x1b")
	p.Await(`q quit`)

	// Filters: by what is typed, by what is refused, and by a session.
	p.Type("/tool=!Grep employee=ann@acme.example\r")
	p.Await(`\[filter tool=!Grep employee=ann@acme.example\]`)
	p.Await(`^2 calls`)
	p.Type("/\x15nonsense=1\r")
	p.Await(`nonsense=1 is no filter`)
	p.Type("\x1b")
	p.Await(`^4 calls`)
	p.Type("r")
	p.Await(`^1 call: 1 refused`)
	p.Type("r")
	p.Await(`^4 calls`)
	p.Type("\t\r")
	p.Await(`\[session run-one\]`)
	p.Type("\x1b")

	// Any size, down to hardly any.
	for _, size := range [][2]int{{140, 40}, {40, 12}, {20, 6}, {20, 3}, {5, 1}, {80, 24}} {
		p.Resize(size[0], size[1])
		if size[0] >= 20 {
			p.Await(`Grep`)
		}
	}
	p.Await(`q quit`)
	p.Type("q")
	if code := p.Exit(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	restored(t, p)
}

// restored fails if the terminal is not as it was before.
func restored(t *testing.T, p *tty.Program) {
	t.Helper()
	for _, sequence := range []string{"\x1b[?1049l", "\x1b[?25h"} {
		if !strings.Contains(p.Raw(), sequence) {
			t.Errorf("it did not write %q", sequence)
		}
	}
}

// TestTopSizes shows a small terminal as much as it can.
func TestTopSizes(t *testing.T) {
	need.Long(t)
	s := newStage(t)
	for i := range 30 {
		s.record(called(fmt.Sprintf("Tool%d", i), "ann@acme.example", "run-one", `{"名前":"日本語日本語日本語日本語日本語日本語日本語"}`, i%3 == 0))
	}
	for _, size := range [][2]int{{80, 24}, {60, 15}, {59, 14}, {40, 13}, {20, 8}, {20, 5}, {20, 2}} {
		t.Run(fmt.Sprintf("%d by %d", size[0], size[1]), func(t *testing.T) {
			s.t = t
			p := s.top(size[0], size[1])
			p.Await(`Tool29`)
			fits(t, p, size[0], size[1])
			p.Type("\x03")
			if code := p.Exit(); code != 0 {
				t.Errorf("it ended with %d", code)
			}
		})
	}
}

// TestTopEnds: whoever ends it gets the terminal back.
func TestTopEnds(t *testing.T) {
	need.Long(t)
	s := newStage(t)
	s.record(called("Read", "ann", "s", `{}`, false))
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		p := s.top(80, 24)
		p.Await(`Read`)
		p.Signal(signal)
		if code := p.Exit(); code != 0 {
			t.Errorf("%s: it ended with %d", signal, code)
		}
		restored(t, p)
	}
}
