package storetest

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// corpus are the events for the filters. Tests name an event by its id.
var corpus = []record.Event{
	{ID: "a", Time: at(0), Type: record.Types.PolicyLoaded},
	{
		ID: "b", Time: at(10), Type: record.Types.ToolCall, Actor: call.Actor{Session: "s1"}, Tool: "Bash",
		Ruling: record.Ruling{Verdict: "deny", Blocked: true, Code: call.CodeArgsDenied, Rule: "no-rm"},
	},
	// Recorded out of order of time, as happens when events have the time of what they are about.
	{
		ID: "c", Time: at(5), Type: record.Types.ToolCall, Actor: call.Actor{Session: "s2"}, Tool: "Read",
		Ruling: record.Ruling{Verdict: "allow"},
	},
	{
		ID: "d", Time: at(20), Type: record.Types.ToolCall, Actor: call.Actor{Session: "s1"}, Server: "files",
		Tool: "read_file", Ruling: record.Ruling{Verdict: "audit", Rule: "watch"}, CallID: "call_d", WireID: "toolu_d",
	},
	{
		ID: "e", Time: at(30), Type: record.Types.ToolCall, Actor: call.Actor{Session: "s1"}, Server: "files",
		Tool: "readXfile", Ruling: record.Ruling{Verdict: "deny", WouldBe: "deny", Code: call.CodeToolDenied, Rule: "no%"},
	},
	{ID: "f", Time: at(40), Type: record.Types.ResponseDone, Actor: call.Actor{Session: "s1"}},
	{ID: "g", Time: at(50), Type: record.Types.StreamRefused, Ruling: record.Ruling{Blocked: true, Code: call.CodeMalformed}},
}

// canaries are events of weir verify.
var canaries = []record.Event{
	{ID: "h", Time: at(60), Type: record.Types.ResponseDone, Exchange: call.Exchange{Provider: call.CanaryProvider}},
	{ID: "i", Time: at(70), Type: record.Types.RecordGap, Ruling: record.Ruling{Rule: call.CanaryRule}},
}

func testFilter(t *testing.T, b Backend) {
	appendAll(t, b, seal(t, slices.Concat(corpus, canaries)...))
	yes, no, typ := true, false, record.Types
	types := func(all ...record.Type) []record.Type { return all }
	rows := entries(t, b, query.Filter{})
	for _, test := range []struct {
		name   string
		filter query.Filter
		want   string
	}{
		{"everything", query.Filter{}, "a b c d e f g h i"},
		{"session", query.Filter{Session: "s1"}, "b d e f"},
		{"session has no glob", query.Filter{Session: "s*"}, ""},
		{"tool", query.Filter{Tool: "Bash"}, "b"},
		{"tool in another case", query.Filter{Tool: "bASH"}, "b"},
		{"tool glob", query.Filter{Tool: "read*"}, "c d e"},
		{"tool glob, star inside", query.Filter{Tool: "r*d_f*"}, "d"},
		{"underscore is itself", query.Filter{Tool: "read_*"}, "d"},
		{"percent is itself", query.Filter{Tool: "read%*"}, ""},
		{"backslash is itself", query.Filter{Tool: `read\_*`}, ""},
		{"question mark is itself", query.Filter{Tool: "rea?*"}, ""},
		{"star alone", query.Filter{Tool: "*"}, "a b c d e f g h i"},
		{"no injection", query.Filter{Tool: "x' OR '1'='1"}, ""},
		{"server", query.Filter{Server: "files"}, "d e"},
		{"server glob", query.Filter{Server: "FI*"}, "d e"},
		{"call", query.Filter{CallID: "call_d"}, "d"},
		{"call has no glob", query.Filter{CallID: "call_*"}, ""},
		{"wire id", query.Filter{WireID: "toolu_d"}, "d"},
		{"verdict", query.Filter{Verdict: "deny"}, "b e"},
		{"type", query.Filter{Type: record.Types.ToolCall}, "b c d e"},
		{"one of some types", query.Filter{Types: types(typ.ResponseDone, typ.StreamRefused, typ.RecordGap)}, "f g h i"},
		{"one of some types, newest", query.Filter{Types: types(typ.ToolCall, typ.ResponseDone), Limit: 2, Newest: true}, "f h"},
		{"one of some types of a tool", query.Filter{Types: types(record.Types.ToolCall), Tool: "read*", Verdict: "deny"}, "e"},
		{"rule", query.Filter{Rule: "no%"}, "e"},
		{"code", query.Filter{Code: call.CodeMalformed}, "g"},
		{"blocked", query.Filter{Blocked: &yes}, "b g"},
		{"not blocked", query.Filter{Blocked: &no}, "a c d e f h i"},
		{"since includes", query.Filter{Since: at(10)}, "b d e f g h i"},
		{"since just past", query.Filter{Since: at(10).Add(time.Microsecond)}, "d e f g h i"},
		{"until excludes", query.Filter{Until: at(10)}, "a c"},
		{"a time between", query.Filter{Since: at(5), Until: at(30)}, "b c d"},
		{"no such time", query.Filter{Since: at(1000)}, ""},
		{"together", query.Filter{Session: "s1", Tool: "read*", Verdict: "deny"}, "e"},
		{"no canaries", query.Filter{NoCanaries: true}, "a b c d e f g"},
		{"no canaries, newest", query.Filter{NoCanaries: true, Limit: 2, Newest: true}, "f g"},
		{"no canaries of a type", query.Filter{NoCanaries: true, Type: record.Types.ResponseDone}, "f"},
		{"limit", query.Filter{Limit: 2}, "a b"},
		{"newest", query.Filter{Limit: 2, Newest: true}, "h i"},
		{"newest of a selection", query.Filter{Limit: 2, Newest: true, Type: record.Types.ToolCall}, "d e"},
		{"newest of a time", query.Filter{Limit: 1, Newest: true, Until: at(30)}, "d"},
		{"newest of few", query.Filter{Limit: 9, Newest: true, Server: "files"}, "d e"},
		{"newest of none", query.Filter{Limit: 9, Newest: true, Server: "none"}, ""},
		{"newest without limit", query.Filter{Newest: true, Server: "files"}, "d e"},
		{"after a row", query.Filter{AfterRow: rows[3].Row}, "e f g h i"},
		{"after a row, selected", query.Filter{AfterRow: rows[1].Row, Tool: "*read*", Limit: 2}, "c d"},
		{"after a row, newest", query.Filter{AfterRow: rows[1].Row, Newest: true, Limit: 99}, "c d e f g h i"},
		{"after a row, since", query.Filter{AfterRow: rows[1].Row, Since: at(10)}, "d e f g h i"},
		{"after the last row", query.Filter{AfterRow: rows[8].Row}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			found(t, b, test.filter, test.want)
		})
	}
}

// testNot leaves out what filters select, and finds calls by the beginnings of their ids.
func testNot(t *testing.T, b Backend) {
	appendAll(t, b, seal(t, slices.Concat(corpus, canaries)...))
	yes, typ := true, record.Types
	types := func(all ...record.Type) []record.Type { return all }
	nots := func(all ...query.Filter) []query.Filter { return all }
	for _, test := range []struct {
		name   string
		filter query.Filter
		want   string
	}{
		{"not a beginning of a call", query.Filter{Not: nots(query.Filter{IDBegin: "call_"})}, "a b c e f g h i"},
		{"beginning of a call", query.Filter{IDBegin: "call"}, "d"},
		{"beginning of a call, all of it", query.Filter{IDBegin: "call_d"}, "d"},
		{"beginning of a call, too long", query.Filter{IDBegin: "call_dd"}, ""},
		{"beginning of a call has no glob", query.Filter{IDBegin: "c%"}, ""},
		{"not a tool", query.Filter{Not: nots(query.Filter{Tool: "bASH"})}, "a c d e f g h i"},
		{"not a tool, glob", query.Filter{Not: nots(query.Filter{Tool: "read*"})}, "a b f g h i"},
		{"not a session", query.Filter{Not: nots(query.Filter{Session: "s1"})}, "a c g h i"},
		{"not a server", query.Filter{Not: nots(query.Filter{Server: "FILES"})}, "a b c f g h i"},
		{"not a server, glob", query.Filter{Not: nots(query.Filter{Server: "f*"})}, "a b c f g h i"},
		{"not a rule", query.Filter{Not: nots(query.Filter{Rule: "no%"})}, "a b c d f g h i"},
		{"not a code", query.Filter{Not: nots(query.Filter{Code: call.CodeMalformed})}, "a b c d e f h i"},
		{"not a verdict", query.Filter{Not: nots(query.Filter{Verdict: "deny"})}, "a c d f g h i"},
		{"not a provider", query.Filter{Not: nots(query.Filter{Provider: call.CanaryProvider})}, "a b c d e f g i"},
		{"not an employee, nobody has one", query.Filter{Not: nots(query.Filter{Employee: "ann"})}, "a b c d e f g h i"},
		{"not a call", query.Filter{Not: nots(query.Filter{CallID: "call_d"})}, "a b c e f g h i"},
		{"not a wire id", query.Filter{Not: nots(query.Filter{WireID: "toolu_d"})}, "a b c e f g h i"},
		{"not a type", query.Filter{Not: nots(query.Filter{Type: typ.ToolCall})}, "a f g h i"},
		{"not one of some types", query.Filter{Not: nots(query.Filter{Types: types(typ.ToolCall, typ.ResponseDone)})}, "a g i"},
		{"not refused", query.Filter{Not: nots(query.Filter{Blocked: &yes})}, "a c d e f h i"},
		{"not two things", query.Filter{Not: nots(query.Filter{Tool: "Bash"}, query.Filter{Session: "s2"})}, "a d e f g h i"},
		{"not both at once", query.Filter{Not: nots(query.Filter{Session: "s1", Verdict: "deny"})}, "a c d f g h i"},
		{"not nothing", query.Filter{Not: nots(query.Filter{Since: at(10), Limit: 3})}, "a b c d e f g h i"},
		{"one thing and not another", query.Filter{Session: "s1", Not: nots(query.Filter{Tool: "read*"})}, "b f"},
		{"not, newest", query.Filter{Limit: 2, Newest: true, Type: typ.ToolCall, Not: nots(query.Filter{Tool: "readXfile"})}, "c d"},
	} {
		t.Run(test.name, func(t *testing.T) { found(t, b, test.filter, test.want) })
	}
}

// testOddFilter searches for texts that a database cannot store as they are, or cannot index.
func testOddFilter(t *testing.T, b Backend) {
	long := randomText(20_000)
	appendAll(t, b, seal(t,
		record.Event{ID: "nul", Type: record.Types.ToolCall, Tool: "Bash\x00", Actor: call.Actor{Session: "\xff"}},
		record.Event{ID: "long", Type: record.Types.ToolCall, Tool: long, Actor: call.Actor{Session: long}, WireID: long, CallID: call.ID(long)},
		record.Event{
			ID: "longer", Type: record.Types.ToolCall, Tool: long + "A", Actor: call.Actor{Session: long + "A"}, Server: long,
			WireID: long + "A",
		},
		record.Event{ID: "accent", Type: record.Types.ToolCall, Tool: "ÉA", Server: strings.Repeat("é", 200)},
		record.Event{ID: "invisible", Type: record.Types.ToolCall, Tool: "\u200bWrite"},
		record.Event{ID: "inside", Type: record.Types.ToolCall, Tool: "Wri\x00\u00adte"},
		record.Event{ID: "wide", Type: record.Types.ToolCall, Tool: "Ｗｒｉｔｅ", Server: "Git\u2060Hub"},
		record.Event{ID: "blanks", Type: record.Types.ToolCall, Tool: " WRITE\u00a0"},
		record.Event{ID: "two", Type: record.Types.ToolCall, Tool: "my tool"},
	))
	for _, test := range []struct {
		name   string
		filter query.Filter
		want   string
	}{
		{"NUL", query.Filter{Tool: "bash\x00"}, "nul"},
		{"NUL in a glob", query.Filter{Tool: "b*\x00h"}, "nul"},
		{"NUL elsewhere", query.Filter{Type: "\x00"}, ""},
		{"invalid UTF-8", query.Filter{Session: "\xff"}, "nul"},
		{"long session", query.Filter{Session: long}, "long"},
		{"long session, by its beginning", query.Filter{Session: long[:200]}, ""},
		{"long wire id", query.Filter{WireID: long + "A"}, "longer"},
		{"long call", query.Filter{CallID: long}, "long"},
		{"long tool", query.Filter{Tool: strings.ToUpper(long) + "a"}, "longer"},
		{"long server", query.Filter{Server: long}, "longer"},
		{"case of ASCII", query.Filter{Tool: "Éa"}, "accent"},
		{"case beyond ASCII", query.Filter{Tool: "éA"}, "accent"},
		{"letters that compose", query.Filter{Tool: "e\u0301a"}, "accent"},
		{"disguised", query.Filter{Tool: "Write"}, "invisible inside wide blanks"},
		{"disguised, glob", query.Filter{Tool: "wri*"}, "invisible inside wide blanks"},
		{"disguised in the question", query.Filter{Tool: "W\u200drite"}, "invisible inside wide blanks"},
		{"disguised server", query.Filter{Server: "github"}, "wide"},
		{"glob with a blank", query.Filter{Tool: "*my *"}, "two"},
		{"what a column cannot hold", query.Filter{Tool: "Bash"}, "nul"},
		{"characters, not bytes", query.Filter{Server: strings.Repeat("é", 200)}, "accent"},
	} {
		t.Run(test.name, func(t *testing.T) { found(t, b, test.filter, test.want) })
	}
}

// found checks what the store finds by a filter, and that the filter matches the same in memory.
func found(t *testing.T, b Backend, f query.Filter, want string) {
	t.Helper()
	if diff := cmp.Diff(want, ids(t, entries(t, b, f))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.AfterRow, f.UpToRow, f.Limit, f.Newest = 0, 0, 0, false
	var got []record.Entry
	matches := f.Matcher()
	for _, e := range entries(t, b, query.Filter{}) {
		if matches(&e) {
			got = append(got, e)
		}
	}
	if diff := cmp.Diff(ids(t, entries(t, b, f)), ids(t, got)); diff != "" {
		t.Errorf("%+v in the store and in memory (-store +memory):\n%s", f, diff)
	}
}

// randomText is a text that cannot be compressed.
func randomText(n int) string {
	var text strings.Builder
	for text.Len() < n {
		text.WriteString(rand.Text())
	}
	return text.String()[:n]
}

// testFollow reads a store that grows, as --follow does.
func testFollow(t *testing.T, b Backend) {
	all := seal(t, corpus...)
	var last int64
	var seen []string
	for n := range all {
		appendAll(t, b, all[n:n+1])
		for _, e := range entries(t, b, query.Filter{AfterRow: last, Since: at(5)}) {
			seen = append(seen, ids(t, []record.Entry{e}))
			last = e.Row
		}
	}
	if got := strings.Join(seen, " "); got != "b c d e f g" {
		t.Errorf("followed %q", got)
	}
}

func ids(t *testing.T, all []record.Entry) string {
	t.Helper()
	var ids []string
	for _, e := range all {
		ev, err := e.Event()
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, ev.ID)
	}
	return strings.Join(ids, " ")
}
