package mcp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A way is how a client reaches a server through weir.
type way struct {
	name string
	lead func(w *weir, j job, s server) job
}

var (
	gateway = way{"gateway", (*weir).gateway}
	wrapped = way{"wrapped", (*weir).wrapped}
)

// ways are those that a kind of server can be reached by.
func ways(kind string) []way {
	if kind == "stdio" {
		return []way{wrapped, gateway}
	}
	return []way{gateway}
}

// known is a job as it is done directly in the version that clients agree on with weir. A process is its client's alone: the
// gateway hosts none in the version without sessions, and clients fall back to the one before.
func (by way) known(s server, j job) job {
	if by.name == gateway.name && s.kind == "stdio" && j.Version > newestWithSessions {
		j.Version = newestWithSessions
	}
	return j
}

// direct has a client do a job with a server, with nothing in between.
func direct(t *testing.T, at place, c client, s server, j job) []string {
	t.Helper()
	return c.do(t, at, t.TempDir(), j.reaching(s))
}

// throughWeir has a client do a job with a server through a running weir.
func throughWeir(t *testing.T, w *weir, by way, c client, s server, j job) []string {
	t.Helper()
	return c.do(t, w.at, w.Home, by.lead(w, j, s))
}

// testScenes checks that what a client sees through weir is what it sees without, and that every call is on record.
func testScenes(t *testing.T, k kit) {
	for _, sc := range scenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := sc.server(k, dir)
			at := s.at(t)
			s.start(t, at)
			j := sc.job(dir)
			if s.kind == "sse" {
				j = plainJob() // an old server cannot ask clients behind the gateway
			}
			w, times := startWeir(t, k.weir, at, nil, s), 0
			for _, c := range sc.clients(k) {
				wants := map[string][]string{} // by the version of the protocol
				for _, by := range ways(s.kind) {
					t.Run(c.name+" "+by.name, func(t *testing.T) {
						known := by.known(s, j)
						want := wants[known.Version]
						if want == nil {
							want = direct(t, at, c, s, known)
							checkHappened(t, j, want)
							wants[known.Version] = want
						}
						times++
						got := throughWeir(t, w, by, c, s, j)
						if s.kind == "sse" {
							want, got = want[1:], got[1:] // the gateway opens the session itself
						}
						if diff := cmp.Diff(want, got); diff != "" {
							t.Error(diff)
						}
					})
				}
			}
			w.Stop(t)
			checkRecorded(t, w, s, j, times)
		})
	}
}

// checkRecorded checks that each call of a job that was done some times is on record, in its order.
func checkRecorded(t *testing.T, w *weir, s server, j job, times int) {
	t.Helper()
	var want, got []string
	for _, st := range j.Steps {
		if st.Do == "call" {
			want = append(want, st.Name)
		}
	}
	for _, e := range w.record(t) {
		if e.Type == "mcp_tool_called" && e.Server == s.id && !e.Blocked {
			got = append(got, e.Tool)
		}
	}
	// A call that is repeated with what the server asked for is judged again.
	if diff := cmp.Diff(slices.Repeat(want, times), slices.Compact(got)); diff != "" {
		t.Error(diff)
	}
}

// testRefused checks that a call that is refused never reaches the server; the client can read why, and goes on.
func testRefused(t *testing.T, k kit) {
	policy := map[string]any{"rules": []any{map[string]any{
		"id": "no-writing", "tool": "write_file", "verdict": "deny",
		"reason": "Files are not written here.",
	}}}
	for _, c := range k.clients() {
		for _, by := range ways("stdio") {
			t.Run(c.name+" "+by.name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				s, file := k.files(dir), filepath.Join(dir, "note.txt")
				w := startWeir(t, k.weir, here(), policy, s)
				lines := throughWeir(t, w, by, c, s, job{Steps: []step{
					{Do: "call", Name: "write_file", Arguments: map[string]any{"path": file, "content": "one"}},
					{Do: "call", Name: "list_directory", Arguments: map[string]any{"path": dir}},
				}})
				if _, err := os.Stat(file); err == nil {
					t.Error("the file was written")
				}
				if !strings.Contains(lines[1], `"isError":true`) || !strings.Contains(lines[1], "Files are not written here.") {
					t.Errorf("the client saw %s", lines[1])
				}
				if strings.Contains(lines[2], `"isError":true`) || strings.Contains(lines[2], "note.txt") {
					t.Errorf("the client saw %s", lines[2])
				}
				w.Stop(t)
				blocked := slices.ContainsFunc(w.record(t), func(e event) bool {
					return e.Tool == "write_file" && e.Blocked &&
						e.Code == "tool_denied"
				})
				if !blocked {
					t.Error("the refusal is not on record")
				}
			})
		}
	}
}
