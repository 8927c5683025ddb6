package index

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// vary makes a request less usual.
func vary(n int, events []record.Event) []record.Event {
	for i := range events {
		e := &events[i]
		if n%11 == 0 {
			e.Exchange.Provider = call.CanaryProvider
		}
		if e.Type != record.Types.ToolCall {
			continue
		}
		switch (n + i) % 13 {
		case 0:
			e.Rule = call.CanaryRule
		case 1:
			e.Verdict, e.WouldBe, e.Code = "audit", "deny", call.CodeToolDenied
		case 2:
			e.Surface = call.Inbound
		case 3:
			e.Within = "call_outer"
		case 4:
			e.Type = record.Types.MCPIntercepted
		case 5:
			e.Tool = "BASH"
		}
	}
	if n%17 == 0 {
		return events[:len(events)-1] // killed before the response ended
	}
	return events
}

// TestStore compares the answers of an index and of a store that have the same events.
func TestStore(t *testing.T) {
	need.Long(t)
	s, err := store.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWorld(t, 8)
	w.config.PartitionRows, w.config.blockRows, w.config.runBlocks = 700, 64, 3
	w.config.Folder = filepath.Join(t.TempDir(), "index")
	w.restart()
	c := &company{time.Date(2026, 3, 27, 21, 17, 3, 0, time.UTC), 9 * time.Minute}
	l := w.logs[0]
	for n := range 700 {
		for _, e := range vary(n, c.request(int64(n))) {
			w.write(l, e)
		}
	}
	for l.indexed < len(l.events) {
		from := l.indexed
		w.apply(l, 150)
		var batch []record.Entry
		for _, p := range l.events[from:l.indexed] {
			batch = append(batch, p.Entry)
		}
		if err := s.Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	w.compare(t, s.View, c)
}

func (w *world) compare(t *testing.T, s *store.View, c *company) {
	t.Helper()
	yes, no := true, false
	of := w.logs[0].events[1234]
	at := func(hours float64) time.Time { return c.begin.Add(time.Duration(hours * float64(time.Hour))) }
	for name, f := range map[string]query.Filter{
		"everything": {}, "no canaries": {NoCanaries: true}, "employee": {Employee: "employee007@acme.com"}, "team and model": {Team: "core", Model: "gpt-large"},
		"tool": {Tool: "bash"}, "glob": {Tool: "mcp*op1*", NoCanaries: true}, "server": {Server: "files"}, "verdict": {Verdict: "audit"}, "rule": {Rule: "rule-1"},
		"code": {Code: call.CodeArgsDenied}, "blocked": {Blocked: &yes}, "not blocked": {Blocked: &no, Team: "web"}, "offers": {Surface: "inbound"}, "key": {Key: "key7"},
		"session": {Session: of.Session}, "request": {RequestID: of.RequestID}, "response": {ResponseID: of.ResponseID}, "call": {CallID: of.CallID}, "wire id": {WireID: of.WireID},
		"since": {Since: at(17.3)}, "whole hours": {Since: at(0).Truncate(time.Hour), Until: at(7).Truncate(time.Hour)}, "between": {Since: at(20.01), Until: at(70.7), NoCanaries: true},
		"team between": {Since: at(20.01), Until: at(70.7), Team: "core"}, "within an hour": {Since: at(30.1), Until: at(30.6)}, "no such time": {Since: at(9999)}, "org": {Org: "acme"},
	} {
		want, err := collect(t.Context(), s, f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := collect(t.Context(), w.x, f)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s (-store +index):\n%s", name, cmp.Diff(want, got))
		}
		for _, by := range groupings {
			q := query.StatsQuery{Filter: f, By: by, Zone: time.FixedZone("", 5*3600+1800)}
			want, err := s.Stats(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := w.x.Stats(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, near); diff != "" {
				t.Errorf("%s (-store +index):\n%s", fmt.Sprintf("%s by %q", name, by), diff)
			}
		}
	}
}
