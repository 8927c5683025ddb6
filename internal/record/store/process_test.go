package store

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// childVariable names the database that a process started by these tests writes to.
const childVariable = "WEIR_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if url := os.Getenv(childVariable); url != "" {
		if key := os.Getenv(custodianVariable); key != "" {
			custodianChild(url, key)
		} else {
			child(url)
		}
		return
	}
	os.Exit(m.Run())
}

// child records events, with rulings to keep, from several goroutines until its standard input ends, and prints the tool
// of each event that is durable.
func child(url string) {
	s, err := Open(context.Background(), url)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		bufio.NewReader(os.Stdin).ReadByte() // the end is what is waited for
	}()
	r := recorder.New(recorder.Config{Store: s})
	var group sync.WaitGroup
	var mu sync.Mutex
	for g := range 8 {
		group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				tool := fmt.Sprintf("%d-%d-%d", os.Getpid(), g, i)
				if err := tryRecord(r, tool, 200); err != nil {
					tool = "error " + err.Error()
				}
				mu.Lock()
				fmt.Println(tool)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	r.Close(context.Background()) // the parent counts
	s.Close()                     // likewise
}

// A writer is a child process and what it said is durable.
type writer struct {
	command *exec.Cmd
	lines   *bufio.Scanner
	durable []string
	stop    func()
}

func startWriter(t *testing.T, url string) *writer {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), childVariable+"="+url)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return &writer{command: c, lines: bufio.NewScanner(out), stop: func() { in.Close() }}
}

// read reads n lines, or all that are left if n is negative.
func (w *writer) read(t *testing.T, n int) {
	for ; n != 0 && w.lines.Scan(); n-- {
		if strings.HasPrefix(w.lines.Text(), "error") {
			t.Error(w.lines.Text())
		}
		w.durable = append(w.durable, w.lines.Text())
	}
}

func wantStored(t *testing.T, url string, writers ...*writer) {
	t.Helper()
	awaitQuiet(t, url)
	r, err := OpenReadOnly(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stored := map[string]bool{}
	for tool := range strings.FieldsSeq(tools(t, r)) {
		stored[tool] = true
	}
	for _, w := range writers {
		if len(w.durable) == 0 {
			t.Error("a writer wrote nothing")
		}
		for _, tool := range w.durable {
			if !stored[tool] {
				t.Errorf("%s was called durable and is not stored", tool)
			}
		}
	}
	wantKept(t, r, slices.Sorted(maps.Keys(stored))...)
	wantWhole(t, r, len(writers))
}

// awaitQuiet waits until a server has noticed that the processes that used a database are gone: it may be about to commit
// what one of them sent last.
func awaitQuiet(t *testing.T, url string) {
	t.Helper()
	if !strings.HasPrefix(url, "postgres") {
		return
	}
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	const others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'weir'"
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		var n int
		if err := c.QueryRow(t.Context(), others).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are left", n)
		}
	}
}

// wantKept demands that the rulings of these events are remembered, and no others.
func wantKept(t *testing.T, r *View, tools ...string) {
	t.Helper()
	kept, err := r.Refused(context.Background(), "openai", "resp_1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range kept {
		got = append(got, k.WireID)
	}
	slices.Sort(got)
	slices.Sort(tools)
	if diff := cmp.Diff(tools, got); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

// TestProcessesShareADatabase starts several processes on one database that does not exist yet.
func TestProcessesShareADatabase(t *testing.T) {
	need.Long(t)
	onNew(t, func(t *testing.T, url string) {
		var writers []*writer
		for range 4 {
			writers = append(writers, startWriter(t, url))
		}
		for _, w := range writers {
			w.read(t, 100) // all of them are writing now
		}
		for _, w := range writers {
			w.stop()
			w.read(t, -1)
			if err := w.command.Wait(); err != nil {
				t.Error(err)
			}
		}
		wantStored(t, url, writers...)
	})
}

// TestKilled kills a writing process at a random moment, again and again.
func TestKilled(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		var writers []*writer
		for range 5 {
			w := startWriter(t, url)
			writers = append(writers, w)
			w.read(t, 1+rand.IntN(300))
			if err := w.command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			w.read(t, -1)
			w.command.Wait() // it was killed
			wantStored(t, url, writers...)
		}
	})
}

// TestOpenedTogether opens a database that does not exist yet many times at once in one process.
func TestOpenedTogether(t *testing.T) {
	onNew(t, func(t *testing.T, url string) {
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				s, err := Open(t.Context(), url)
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				recordAll(t, s, fmt.Sprint(i))
			})
		}
		group.Wait()
		wantWhole(t, readURL(t, url), 8)
	})
}
