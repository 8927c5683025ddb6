package excerpt

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// A followed record is one that is being followed. It ends with the test at the latest.
type followed struct {
	t      *testing.T
	lines  *bufio.Scanner
	said   *bytes.Buffer // to the user, apart from the lines; read it when it has ended
	cancel context.CancelFunc
	ended  chan error
}

// follow follows the store at url. Its lines are the names of tools.
func follow(t *testing.T, url string, filter query.Filter) *followed {
	t.Helper()
	r, err := store.OpenReadOnly(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	f := &followed{t: t, lines: bufio.NewScanner(out), said: &bytes.Buffer{}, cancel: cancel, ended: make(chan error, 1)}
	l := Listing{Line: func(_ show.Style, e record.Event, _ *record.ToolResult) string { return "is " + e.Tool }}
	l.Filter = filter
	cmd := &cobra.Command{}
	cmd.SetOut(in)
	l.lines = newLines(terminal.OpenScreen(cmd, true), time.UTC, "")
	go func() {
		err := (&follower{Listing: &l, record: r, out: bufio.NewWriter(in), errOut: f.said}).run(ctx)
		r.Close()  // nothing was written
		in.Close() // a pipe in memory
		f.ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		out.Close() // nobody reads any more
	})
	return f
}

// next is the next line.
func (f *followed) next() string {
	f.t.Helper()
	if !f.lines.Scan() {
		f.t.Fatalf("it ended: %v; it said: %s", <-f.ended, f.said)
	}
	_, text, _ := strings.Cut(f.lines.Text(), "  is ")
	return text
}

// end ends it, when it has nothing more to show, and returns what it said.
func (f *followed) end() string {
	f.t.Helper()
	f.cancel()
	if f.lines.Scan() {
		f.t.Errorf("after all: %q", f.lines.Text())
	}
	if err := <-f.ended; err != nil {
		f.t.Error(err)
	}
	return f.said.String()
}

// TestFollow follows a record to which several writers add, by a filter that fits half of it: each event is shown once.
func TestFollow(t *testing.T) {
	for name, database := range storetest.Databases {
		t.Run(name, func(t *testing.T) { testFollow(t, database(t)) })
	}
}

func testFollow(t *testing.T, url string) {
	const writers, each = 3, 80
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() // it was only there to be read
	before := recorder.New(recorder.Config{Store: s})
	recordTools(t, before, "even before", "odd before")

	f := follow(t, url, query.Filter{Tool: "even*", Limit: 10, Newest: true})
	if line := f.next(); line != "even before" {
		t.Fatalf("the first line is %q", line)
	}
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			recorder := recorder.New(recorder.Config{Store: s, MaxBatch: 3})
			for i := range each {
				recorder.Record(record.Event{Type: record.Types.ToolCall, Tool: fmt.Sprintf("%s %d %d", []string{"even", "odd"}[i%2], w, i)}, nil)
			}
			if err := recorder.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	seen := map[string]bool{}
	for len(seen) < writers*each/2 {
		line := f.next()
		if seen[line] || !strings.HasPrefix(line, "even") {
			t.Fatalf("%q is shown, again or wrongly", line)
		}
		seen[line] = true
	}
	group.Wait()
	if said := f.end(); said != "" {
		t.Errorf("it said: %s", said)
	}
}

// TestFollowThroughRestarts: a server that restarts, in good order or not, costs no event and shows none twice.
func TestFollowThroughRestarts(t *testing.T) {
	server := postgrestest.New(t)
	address := server.Database(t)
	recordIn(t, address, "before")
	f := follow(t, address, query.Filter{Limit: 10, Newest: true})
	if line := f.next(); line != "before" {
		t.Fatalf("the first line is %q", line)
	}
	for i, atOnce := range []bool{false, true} {
		server.Stop(t, atOnce)
		server.Start(t)
		for _, when := range []string{"after", "later"} {
			want := fmt.Sprintf("%s %d", when, i)
			recordIn(t, address, want)
			if line := f.next(); line != want {
				t.Fatalf("%q is shown, not %q", line, want)
			}
		}
	}
	f.end()
}

// TestFollowThroughCuts: a connection that breaks after any number of bytes costs no event and shows none twice. The user
// hears of it once, and once that it is over.
func TestFollowThroughCuts(t *testing.T) {
	address := postgrestest.Database(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := postgrestest.NewProxy(t, u.Host)
	u.Host = proxy.Address()
	names := make([]string, 60)
	for i := range names {
		names[i] = fmt.Sprintf("first %d", i)
	}
	recordIn(t, address, names...)
	f := follow(t, u.String(), query.Filter{Limit: 50, Newest: true})
	expect := func(names []string) {
		for _, want := range names {
			if line := f.next(); line != want {
				t.Fatalf("%q is shown, not %q", line, want)
			}
		}
	}
	expect(names[10:])
	for round, bytes := range []int{1, 400, 3000, 9000} {
		proxy.Follow(postgrestest.Plan{Answered: bytes})
		for i := range names {
			names[i] = fmt.Sprintf("round %d %d", round, i)
		}
		recordIn(t, address, names...)
		expect(names)
	}
	said := f.end()
	lost, back := strings.Count(said, "weir: cannot read the record, trying again: "), strings.Count(said, "weir: reading the record works again")
	if lost == 0 || lost < back || lost > back+1 || strings.Count(said, "\n") != lost+back {
		t.Errorf("it said:\n%s", said)
	}
}

// TestFollowEnds when something fails that time does not mend.
func TestFollowEnds(t *testing.T) {
	address := postgrestest.Database(t)
	recordIn(t, address, "before")
	f := follow(t, address, query.Filter{})
	f.next()
	postgrestest.Exec(t, address, "DROP TABLE events CASCADE")
	if f.lines.Scan() {
		t.Errorf("after all: %q", f.lines.Text())
	}
	if err := <-f.ended; err == nil || f.said.Len() > 0 {
		t.Errorf("it ended with %v, and said: %s", err, f.said)
	}
}

// recordIn puts calls on record, in a store that it opens for that.
func recordIn(t *testing.T, url string, tools ...string) {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() // what was recorded is durable
	recordTools(t, recorder.New(recorder.Config{Store: s}), tools...)
}

func recordTools(t *testing.T, r *recorder.Recorder, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		r.Record(record.Event{Type: record.Types.ToolCall, Tool: tool}, nil)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}
