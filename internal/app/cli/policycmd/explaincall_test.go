package policycmd

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/home/hometest"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

// ruledCalls are a call with another inside it, and a call after it.
func ruledCalls(name string) []record.Event {
	one := func(id, within, tool string) record.Event {
		return record.Event{
			ID: record.NewID(), Time: time.Now(), Type: record.Types.ToolCall, CallID: call.ID(id), Within: call.ID(within), Tool: tool,
		}
	}
	outer := "call_" + name
	return []record.Event{one(outer, "", name), one(outer+"_in", outer, "in_"+name), one(outer+"_next", "", "next_"+name)}
}

// TestRecordedAct: a call is found with the calls inside it and no others, whether it is indexed or only in a log.
func TestRecordedAct(t *testing.T) {
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	if err := hometest.Record(t.Context(), url, "", ruledCalls("indexed")...); err != nil {
		t.Fatal(err)
	}
	logOnly(t, url, ruledCalls("logged"))
	r, err := home.OpenReadOnly(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() // nothing was written
	for _, name := range []string{"indexed", "logged"} {
		a, err := recordedAct(t.Context(), r, "call_"+name)
		if err != nil {
			t.Fatal(err)
		}
		if a.event.Tool != name || len(a.inner) != 1 || a.inner[0].Tool != "in_"+name {
			t.Errorf("%s: found %q, and inside it %d calls: %+v", name, a.event.Tool, len(a.inner), a.inner)
		}
	}
}

// logOnly writes events into a log that nobody indexes.
func logOnly(t *testing.T, url string, events []record.Event) {
	t.Helper()
	folder, err := store.URL(url).LogFolder("")
	if err != nil {
		t.Fatal(err)
	}
	log, err := recordlog.Create(recordlog.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	head, entries := record.NewChain(), make([]record.Entry, len(events))
	for i, e := range events {
		u, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		entries[i], head = head.Next(u)
	}
	if err := log.Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(false); err != nil {
		t.Fatal(err)
	}
}
