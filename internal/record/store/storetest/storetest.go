// Package storetest is the contract of a store: the tests that every backend must pass.
package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A Store is what weir needs from a backend.
type Store interface {
	Append(ctx context.Context, entries []record.Entry) error
	Head(ctx context.Context, chain string) (record.Head, error)
	Maintained
	Memory
	Ledger
	Archive
	CheckWritable(ctx context.Context) error
	Close() error
}

// A Backend is a store under test, and ways to change its database without it.
type Backend struct {
	Store
	// Exec runs a statement on the database, as an attacker with full rights could. Parameters are written as ?.
	Exec func(query string, args ...any) error
	// Unlock removes the triggers that protect events.
	Unlock func() error
	// Again opens the same database once more, as another process would.
	Again func(t *testing.T) Store
	// Kept says that events are in logs. Exec changes them as if they were rows of a table; only their texts count.
	Kept bool
}

// Run tests a backend. open returns a new, empty one for each test.
func Run(t *testing.T, open func(t *testing.T) Backend) { run(t, open, contract, ofTables) }

// RunKept tests a backend that keeps events in logs.
func RunKept(t *testing.T, open func(t *testing.T) Backend) {
	run(t, func(t *testing.T) Backend {
		b := open(t)
		b.Kept = true
		return b
	}, contract)
}

func run(t *testing.T, open func(t *testing.T) Backend, parts ...[]clause) {
	for _, c := range slices.Concat(parts...) {
		t.Run(c.name, func(t *testing.T) { c.test(t, open) })
	}
}

// A clause is a part of the contract.
type clause struct {
	name string
	test func(t *testing.T, open func(t *testing.T) Backend)
}

// one is a test that needs one backend.
func one(test func(*testing.T, Backend)) func(*testing.T, func(*testing.T) Backend) {
	return func(t *testing.T, open func(t *testing.T) Backend) { test(t, open(t)) }
}

// contract is for every backend.
var contract = []clause{
	{"ReadBack", one(testReadBack)},
	{"Pages", one(testPages)},
	{"Filter", one(testFilter)},
	{"Not", one(testNot)},
	{"OddFilter", one(testOddFilter)},
	{"Names", one(testNames)},
	{"Follow", one(testFollow)},
	{"Cancelled", one(testCancelled)},
	{"Doubt", testDoubt},
	{"Arguments", one(testArguments)},
	{"Head", one(testHead)},
	{"Drop", testDrop},
	{"Verify", one(testVerify)},
	{"Tampering", testTampering},
	{"Checkpoints", testCheckpoints},
	{"Custodian", testCustodian},
	{"Retention", testRetention},
	{"Clock", one(testClock)},
	{"Rulings", testRulings},
	{"Budget", testBudget},
	{"VerifyBodies", one(testVerifyBodies)},
	{"Bodies", testBodies},
}

// ofTables is for backends that keep events in tables: it is about their columns, triggers and sums, and about batches that the database
// refuses. A log has no columns, is read as it is, and takes what the recorder gives it.
var ofTables = []clause{
	{"TamperingNames", testTamperingNames},
	{"Atomic", one(testAtomic)},
	{"Links", one(testLinks)},
	{"Immutable", one(testImmutable)},
	{"Derived", one(testDerived)},
	{"Thorough", one(testThorough)},
}

// awkward are arguments that a store must return byte for byte.
var awkward = []string{
	`{}`,
	`{"n":1e400,"id":12345678901234567890,"f":1.10,"z":-0,"e":1E+2}`,
	`{"half":"\ud83d","pair":"\ud83d\ude00","raw":"😀"}`,
	`{"nul":"\u0000","slash":"\/","a":"\u0061","del":"` + "\x7f" + `"}`,
	"{ \"white\" :\t[ 1 ,\n2 ] }",
	`{"a":1,"a":2}`,
	`{"sql":"'); DROP TABLE events; --","quote":"\"'` + "`" + `","like":"%_\\"}`,
	`"not an object"`,
	`{"sep":"` + "\u2028\u2029\ufeff" + `"}`,
	`{"long":"` + strings.Repeat("x", 64<<10) + `"}`,
}

func testReadBack(t *testing.T, b Backend) {
	var want []record.Event
	for i, args := range awkward {
		want = append(want, record.Event{
			ID: fmt.Sprint("evt_", i), Time: at(i), Type: record.Types.ToolCall,
			Actor: call.Actor{Org: "acme", Team: "pay", Employee: "ann@acme.com", Key: "ci", Session: "s1"},
			Exchange: call.Exchange{
				RequestID: "req", ResponseID: "msg", Conversation: "conv", Provider: "anthropic", Dialect: "anthropic", Model: "m",
			},
			CallID: "call_1", Within: "call_0", Surface: call.Response, Server: "files", Tool: "Bash\x00\u2028", WireID: "toolu_1",
			Args: jsontext.Value(args), Ruling: record.Ruling{
				Verdict: "deny", Blocked: true, WouldBe: "deny", Code: call.CodeToolDenied, Reason: "not here", Rule: "r1", PolicyVersion: "v1",
			},
		})
	}
	want = append(want,
		record.Event{ID: "w", Time: at(90), Type: record.Types.CallWarning, Detail: record.CallWarning{SizeBytes: 2, LimitBytes: 1}},
		record.Event{ID: "d", Time: at(91), Type: record.Types.ResponseDone, Detail: record.ResponseDone{Released: 1, Clean: true}},
		record.Event{ID: "p", Time: at(92), Type: record.Types.PolicyLoaded, Detail: record.PolicyLoaded{Rules: 3}},
	)
	stored := seal(t, want...)
	appendAll(t, b, stored)

	got := entries(t, b, query.Filter{})
	for i := range got {
		if i > 0 && got[i].Row <= got[i-1].Row {
			t.Errorf("entry %d has row %d after row %d", i, got[i].Row, got[i-1].Row)
		}
		stored[i].Row = got[i].Row
		e, err := got[i].Event()
		if err != nil {
			t.Fatal(err)
		}
		e.Head, e.PrevHash = record.Head{}, ""
		if diff := cmp.Diff(want[i], e); diff != "" {
			t.Errorf("event %d (-want +got):\n%s", i, diff)
		}
	}
	if diff := cmp.Diff(stored, got); diff != "" {
		t.Errorf("entries (-appended +read):\n%s", diff)
	}
}

// testPages reads more entries, and larger ones, than a backend reads at once.
func testPages(t *testing.T, b Backend) {
	var events []record.Event
	for i := range 1203 {
		events = append(events, record.Event{Type: record.Types.ToolCall, Time: at(i)})
	}
	big := jsontext.Value(`"` + strings.Repeat("x", 2<<20) + `"`)
	for i := range 5 {
		events = append(events, record.Event{Type: record.Types.ToolCall, Time: at(2000 + i), Args: big})
	}
	huge := jsontext.Value(`"` + strings.Repeat("y", 8<<20) + `"`)
	events = append(events, record.Event{Type: record.Types.ToolCall, Time: at(3000), Args: huge})
	appendAll(t, b, seal(t, events...))
	for _, f := range []query.Filter{{}, {Limit: 1000}, {Limit: 1204}, {Limit: 1000, Newest: true}, {Limit: 5000, Newest: true}} {
		want := len(events)
		if f.Limit > 0 {
			want = min(want, f.Limit)
		}
		first := int64(1)
		if f.Newest {
			first = int64(len(events) - want + 1)
		}
		got := entries(t, b, f)
		if len(got) != want {
			t.Fatalf("%+v: %d entries, want %d", f, len(got), want)
		}
		for i, e := range got {
			if e.Seq != first+int64(i) {
				t.Fatalf("%+v: entry %d is event %d, want %d", f, i, e.Seq, first+int64(i))
			}
		}
	}
	for range b.Entries(t.Context(), query.Filter{}) {
		break // leaving early must not block the next reader
	}
	if n := len(entries(t, b, query.Filter{Limit: 1})); n != 1 {
		t.Errorf("after leaving early: %d entries, want 1", n)
	}
}

func testCancelled(t *testing.T, b Backend) {
	appendAll(t, b, seal(t, record.Event{Type: record.Types.ToolCall}))
	if err := b.CheckWritable(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.CheckWritable(ctx); err == nil {
		t.Error("CheckWritable succeeded though cancelled")
	}
	if err := b.Append(ctx, seal(t, record.Event{Type: record.Types.ToolCall})); err == nil {
		t.Error("Append succeeded though cancelled")
	}
	var failed bool
	for _, err := range b.Entries(ctx, query.Filter{}) {
		failed = failed || err != nil
	}
	if !failed {
		t.Error("Entries succeeded though cancelled")
	}
	if n := len(entries(t, b, query.Filter{})); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

func testAtomic(t *testing.T, b Backend) {
	all := seal(t, make([]record.Event, 4)...)
	appendAll(t, b, all[:1])
	twice := []record.Entry{all[1], all[2], all[2], all[3]}
	if err := b.Append(t.Context(), twice); err == nil {
		t.Fatal("a batch with an event twice was stored")
	}
	if got := entries(t, b, query.Filter{}); len(got) != 1 {
		t.Errorf("%d entries after a failed batch, want 1", len(got))
	}
	appendAll(t, b, all[1:])
	if got := entries(t, b, query.Filter{}); len(got) != 4 {
		t.Errorf("%d entries, want 4", len(got))
	}
}

func testHead(t *testing.T, b Backend) {
	one, two := seal(t, make([]record.Event, 3)...), seal(t, make([]record.Event, 2)...)
	check := func(want record.Head) {
		t.Helper()
		got, err := b.Head(t.Context(), want.Chain)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("head %+v, want %+v", got, want)
		}
	}
	check(record.Head{Chain: one[0].Chain, Hash: record.Genesis})
	appendAll(t, b, one[:2])
	appendAll(t, b, two)
	check(headOf(one[1]))
	appendAll(t, b, one[2:])
	check(headOf(one[2]))
	check(headOf(two[1]))
}

func testImmutable(t *testing.T, b Backend) {
	appendAll(t, b, seal(t, record.Event{Type: record.Types.ToolCall, Tool: "Bash"}))
	before := entries(t, b, query.Filter{})
	for _, query := range []string{
		"UPDATE events SET tool = 'Read'",
		"UPDATE events SET row_id = row_id + 1",
		"DELETE FROM events",
	} {
		if err := b.Exec(query); err == nil {
			t.Errorf("%s succeeded", query)
		}
	}
	if diff := cmp.Diff(before, entries(t, b, query.Filter{})); diff != "" {
		t.Errorf("entries changed (-before +after):\n%s", diff)
	}
}

// at is a time some seconds after the tests' beginning of time.
func at(seconds int) time.Time {
	return time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC).Add(time.Duration(seconds) * time.Second)
}

// seal links events into a new chain.
func seal(t *testing.T, events ...record.Event) []record.Entry {
	t.Helper()
	head := record.NewChain()
	all := make([]record.Entry, len(events))
	for i, e := range events {
		if e.ID == "" {
			e.ID = record.NewID()
		}
		if e.Time.IsZero() {
			e.Time = time.Now()
		}
		u, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		all[i], head = head.Next(u)
	}
	return all
}

func headOf(e record.Entry) record.Head { return e.Head }

func appendAll(t *testing.T, s Store, all []record.Entry) {
	t.Helper()
	if err := s.Append(t.Context(), all); err != nil {
		t.Fatal(err)
	}
}

func entries(t *testing.T, s Store, f query.Filter) []record.Entry {
	t.Helper()
	var all []record.Entry
	for e, err := range s.Entries(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}
