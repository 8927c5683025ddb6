package judge_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// Of several equal calls that models asked for, an MCP call is the one that can still be made: not one that was answered or made, and of
// the rest the first of the last response. An agent that names the call is believed.
func TestEqualAsks(t *testing.T) {
	ask := func(w *withServers, number int, response string) {
		t.Helper()
		c := aCall("mcp__files__read_file", `{"path":"/a"}`)
		c.ID, c.WireID, c.Exchange.RequestID = call.ID(fmt.Sprint("call_", number)), fmt.Sprint("toolu_", number), response
		if r := ruled(t, w.Judge, c); !r.Released {
			t.Fatalf("the model's call: %+v", r)
		}
	}
	answer := func(w *withServers, number int) {
		c := aCall("", ``)
		w.RecordResults(t.Context(), call.Results{Actor: c.Actor, Exchange: c.Exchange, List: []call.Result{{
			WireID: fmt.Sprint("toolu_", number), New: true, Measure: func() (int64, string) { return 0, "" },
		}}})
	}
	made := func(w *withServers, meta string) call.ID {
		c := called(files, "read_file", `{"path":"/a"}`)
		if meta != "" {
			c.MCP.Beside = []byte(`{"_meta":` + meta + `}`)
		}
		return w.Call(t.Context(), c).Call
	}
	const nobody = "call_mcp"
	for name, tt := range map[string]struct {
		steps func(w *withServers)
		meta  []string
		want  []call.ID
	}{
		"one after the other": {func(w *withServers) { ask(w, 1, "r1"); made(w, ""); answer(w, 1); ask(w, 2, "r2") }, []string{"", ""}, []call.ID{"call_2", nobody}},
		"declined":            {func(w *withServers) { ask(w, 1, "r1"); answer(w, 1); ask(w, 2, "r2") }, []string{"", ""}, []call.ID{"call_2", nobody}},
		"given up":            {func(w *withServers) { ask(w, 1, "r1"); ask(w, 2, "r2") }, []string{"", "", ""}, []call.ID{"call_2", "call_1", nobody}},
		"at once":             {func(w *withServers) { ask(w, 1, "r1"); ask(w, 2, "r1") }, []string{"", "", ""}, []call.ID{"call_1", "call_2", nobody}},
		"at once, one declined": {
			func(w *withServers) { ask(w, 1, "r1"); ask(w, 2, "r1"); ask(w, 3, "r1"); answer(w, 1) }, []string{"", "", ""}, []call.ID{"call_2", "call_3", nobody},
		},
		"at once, named": {
			func(w *withServers) { ask(w, 1, "r1"); ask(w, 2, "r1"); ask(w, 3, "r1") },
			[]string{`{"progressToken":1,"claudecode/toolUseId":"toolu_2"}`, `{"x":{"y":"toolu_3"}}`, ``},
			[]call.ID{"call_2", "call_1", "call_3"},
		},
		"an older one named": {
			func(w *withServers) { ask(w, 1, "r1"); ask(w, 2, "r2") }, []string{`{"claudecode/toolUseId":"toolu_1"}`, ``}, []call.ID{"call_1", "call_2"},
		},
		"answered, and named all the same": {
			func(w *withServers) { ask(w, 1, "r1"); answer(w, 1); ask(w, 2, "r2"); ask(w, 3, "r2") },
			[]string{`{"claudecode/toolUseId":"toolu_1"}`},
			[]call.ID{"call_2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWithServers(t, allowAll, nil)
			w.lists(files, tool("read_file", "Reads."))
			tt.steps(w)
			for i, want := range tt.want {
				if got := made(w, tt.meta[i]); got != want {
					t.Errorf("call %d is %s, want %s", i+1, got, want)
				}
			}
		})
	}
}

// A name that two servers have is one call all the same: made at one, it is not made at the other.
func TestAskOfTwoServers(t *testing.T) {
	w := newWithServers(t, allowAll, nil)
	other := call.MCPServer{ID: "other", Type: "stdio", Addr: "other"}
	w.lists(files, tool("seek", "Seeks."))
	w.lists(other, tool("seek", "Seeks elsewhere."))
	ruled(t, w.Judge, aCall("seek", `{}`))
	if r := w.Call(t.Context(), called(files, "seek", `{}`)); r.Call != "call_1" {
		t.Errorf("made as %s", r.Call)
	}
	if r := w.Call(t.Context(), called(other, "seek", `{}`)); r.Call != "call_mcp" {
		t.Errorf("made again as %s", r.Call)
	}
}

// Equal calls that are made at once are each one of those that were asked for.
func TestEqualAsksAtOnce(t *testing.T) {
	w := newWithServers(t, allowAll, nil)
	w.lists(files, tool("read_file", "Reads."))
	var want []call.ID
	for i := range 20 {
		c := aCall("mcp__files__read_file", `{}`)
		c.ID = call.ID(fmt.Sprintf("call_%02d", i))
		want = append(want, c.ID)
		ruled(t, w.Judge, c)
	}
	got := make([]call.ID, len(want))
	var group sync.WaitGroup
	for i := range got {
		group.Go(func() { got[i] = w.Call(t.Context(), called(files, "read_file", `{}`)).Call })
	}
	group.Wait()
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("made as %v", got)
	}
}
