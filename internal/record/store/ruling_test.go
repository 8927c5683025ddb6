package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
)

func aRuling(wireID string, r call.Ruling) *call.Remembered {
	return &call.Remembered{
		Upstream: "openai", Response: "resp_1", Conversation: "conv_1", WireID: wireID, Unit: "function_call",
		Notice: "msg_weir_" + wireID, Tool: "Bash", Ruling: r,
	}
}

// TestRulingPlans pins that whatever is remembered is found by an index, up to the last column that is asked for.
func TestRulingPlans(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	ruled := func(response, conversation, id string) string {
		clause, args := ruledClause(call.Exchange{Provider: "u", ResponseID: response, Conversation: conversation}, id)
		return explain(t, s, selectRulings+clause, args...)
	}
	const (
		unique         = "(upstream=? AND response_key=? AND wire_key=?)"
		byConversation = "kept_rulings_conversation (upstream=? AND conversation_key=? AND released=? AND wire_key=?)"
	)
	for name, test := range map[string]struct{ plan, index string }{
		"ruled by response":                  {ruled("r", "", "w"), unique},
		"ruled by response and conversation": {ruled("r", "c", "w"), unique},
		"ruled by response, no id":           {ruled("r", "", ""), unique},
		"ruled by conversation":              {ruled("", "c", "w"), byConversation},
		"ruled by id":                        {ruled("", "", "w"), "kept_rulings_wire (upstream=? AND wire_key=?)"},
		"refused in a response":              {explain(t, s, selectRulings+refusedClause, "u", "r"), "(upstream=? AND response_key=?)"},
		"refused in a conversation": {
			explain(t, s, selectRulings+refusedInClause, "u", "c"),
			"kept_rulings_conversation (upstream=? AND conversation_key=? AND released=?)",
		},
		"noticed":  {explain(t, s, selectRulings+noticedClause, "u", "n"), "kept_rulings_notice (upstream=? AND notice_key=?)"},
		"answered": {explain(t, s, setAnswered, true, "u", "c", "w"), byConversation},
	} {
		if !strings.Contains(test.plan, test.index) || strings.Contains(test.plan, "SCAN") {
			t.Errorf("%s: plan %s, want %s", name, test.plan, test.index)
		}
	}
	// Thousands of calls may have one id, from a server that numbers them: they must not be sorted.
	if plan := ruled("", "", "w"); strings.Contains(plan, "TEMP B-TREE") {
		t.Errorf("ruled by id: plan %s", plan)
	}
}

// TestAnsweredWhileRecording writes answers and events at once, and reads meanwhile.
func TestAnsweredWhileRecording(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	r := recorder.New(recorder.Config{Store: s})
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 25 {
				id := fmt.Sprint(g, "-", i)
				stored := make(chan error, 1)
				r.RecordAll([]record.Event{{}}, record.Effects{Remember: aRuling(id, call.Ruling{Code: "x"})}, func(err error) { stored <- err })
				if err := <-stored; err != nil {
					t.Error(err)
				}
				if _, found, err := s.Ruled(t.Context(), call.Exchange{Provider: "openai", ResponseID: "resp_1"}, id); err != nil || !found {
					t.Errorf("%s is durable and not found: %v", id, err)
				}
				if err := s.SetAnswered(t.Context(), "openai", "conv_1", []string{id}, i%2 == 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.RefusedIn(t.Context(), "openai", "conv_1"); err != nil || len(got) != 4*12 {
		t.Errorf("%d calls are not answered, %v; want %d", len(got), err, 4*12)
	}
	wantWhole(t, s.View, 1)
}

// TestAnsweredOnAFileThatIsGone must not call durable what nobody will find.
func TestAnsweredOnAFileThatIsGone(t *testing.T) {
	s, err := Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() // its file is gone
	recordAll(t, s, "a")
	if err := os.Remove(s.String()); err != nil {
		t.Fatal(err)
	}
	err = s.SetAnswered(t.Context(), "openai", "conv_1", []string{"a"}, true)
	wantError(t, "SetAnswered", err, "was moved or deleted while in use")
	wantError(t, "CheckWritable", s.CheckWritable(t.Context()), "was moved or deleted while in use")
}

// FuzzColumns says that a text column takes any text and gives it back, and that keys tell ids apart.
func FuzzColumns(f *testing.F) {
	f.Add("a", "b")
	f.Add("a\x00", "\xff\xfe")
	f.Add(`"quoted"`, `"\x00"`)
	f.Add("\ufffd", "\xef\xbf")
	f.Fuzz(func(t *testing.T, a, b string) {
		q := quote(a)
		if !utf8.ValidString(q) || strings.Contains(q, "\x00") {
			t.Fatalf("%q became %q, which not every database takes", a, q)
		}
		if got, err := unquote(q); err != nil || got != a {
			t.Fatalf("%q became %q: %v", a, got, err)
		}
		if (a == b) != (quote(a) == quote(b)) || (a == b) != (key(a) == key(b)) {
			t.Fatalf("%q and %q: columns %q and %q, keys %q and %q", a, b, quote(a), quote(b), key(a), key(b))
		}
		if n := len(key(a)); n != 32 && a != "" {
			t.Fatalf("a key of %d characters", n)
		}
	})
}

// TestTextsThatWereChanged fails on columns that nobody could have written, rather than pass something else on.
func TestTextsThatWereChanged(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	r := recorder.New(recorder.Config{Store: s})
	r.RecordAll([]record.Event{{}}, record.Effects{Remember: aRuling("a", call.Ruling{Code: "x"})}, nil)
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.Exec(`UPDATE kept_rulings SET wire_id = '"broken'`); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.Ruled(t.Context(), call.Exchange{Provider: "openai", ResponseID: "resp_1"}, "a")
	wantError(t, "Ruled", err, "a text is not as it was written")
}
