package storetest

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record/audit"
)

// corpus is what the filters are tried on. The id of an event is what the tests call it by.
var corpus = []audit.Event{
	{ID: "a", Time: at(0), Type: audit.TypePolicyLoaded},
	{
		ID: "b", Time: at(10), Type: audit.TypeToolCall, Actor: call.Actor{Session: "s1"}, Tool: "Bash",
		Verdict: "deny", Blocked: true, Code: call.CodeArgsDenied, Rule: "no-rm",
	},
	// Recorded out of order of time, as happens when events carry the time of what they tell.
	{ID: "c", Time: at(5), Type: audit.TypeToolCall, Actor: call.Actor{Session: "s2"}, Tool: "Read", Verdict: "allow"},
	{
		ID: "d", Time: at(20), Type: audit.TypeToolCall, Actor: call.Actor{Session: "s1"}, Server: "files",
		Tool: "read_file", Verdict: "audit", Rule: "watch", CallID: "call_d", WireID: "toolu_d",
	},
	{
		ID: "e", Time: at(30), Type: audit.TypeToolCall, Actor: call.Actor{Session: "s1"}, Server: "files",
		Tool: "readXfile", Verdict: "deny", WouldBe: "deny", Code: call.CodeToolDenied, Rule: "no%",
	},
	{ID: "f", Time: at(40), Type: audit.TypeResponseDone, Actor: call.Actor{Session: "s1"}},
	{ID: "g", Time: at(50), Type: audit.TypeStreamRefused, Blocked: true, Code: call.CodeMalformed},
}

// canaries are what weir verify leaves behind.
var canaries = []audit.Event{
	{ID: "h", Time: at(60), Type: audit.TypeResponseDone, Exchange: call.Exchange{Provider: call.CanaryProvider}},
	{ID: "i", Time: at(70), Type: audit.TypeRecordGap, Rule: call.CanaryRule},
}

func testFilter(t *testing.T, b Backend) {
	appendAll(t, b, seal(t, slices.Concat(corpus, canaries)...))
	yes, no := true, false
	rows := entries(t, b, audit.Filter{})
	for _, test := range []struct {
		name   string
		filter audit.Filter
		want   string
	}{
		{"everything", audit.Filter{}, "a b c d e f g h i"},
		{"session", audit.Filter{Session: "s1"}, "b d e f"},
		{"session has no glob", audit.Filter{Session: "s*"}, ""},
		{"tool", audit.Filter{Tool: "Bash"}, "b"},
		{"tool in another case", audit.Filter{Tool: "bASH"}, "b"},
		{"tool glob", audit.Filter{Tool: "read*"}, "c d e"},
		{"tool glob, star inside", audit.Filter{Tool: "r*d_f*"}, "d"},
		{"underscore is itself", audit.Filter{Tool: "read_*"}, "d"},
		{"percent is itself", audit.Filter{Tool: "read%*"}, ""},
		{"backslash is itself", audit.Filter{Tool: `read\_*`}, ""},
		{"question mark is itself", audit.Filter{Tool: "rea?*"}, ""},
		{"star alone", audit.Filter{Tool: "*"}, "a b c d e f g h i"},
		{"no injection", audit.Filter{Tool: "x' OR '1'='1"}, ""},
		{"server", audit.Filter{Server: "files"}, "d e"},
		{"server glob", audit.Filter{Server: "FI*"}, "d e"},
		{"call", audit.Filter{CallID: "call_d"}, "d"},
		{"call has no glob", audit.Filter{CallID: "call_*"}, ""},
		{"wire id", audit.Filter{WireID: "toolu_d"}, "d"},
		{"verdict", audit.Filter{Verdict: "deny"}, "b e"},
		{"type", audit.Filter{Type: audit.TypeToolCall}, "b c d e"},
		{"one of some types", audit.Filter{Types: []audit.Type{audit.TypeResponseDone, audit.TypeStreamRefused, audit.TypeRecordGap}}, "f g h i"},
		{"one of some types, newest", audit.Filter{Types: []audit.Type{audit.TypeToolCall, audit.TypeResponseDone}, Limit: 2, Newest: true}, "f h"},
		{"one of some types of a tool", audit.Filter{Types: []audit.Type{audit.TypeToolCall}, Tool: "read*", Verdict: "deny"}, "e"},
		{"rule", audit.Filter{Rule: "no%"}, "e"},
		{"code", audit.Filter{Code: call.CodeMalformed}, "g"},
		{"blocked", audit.Filter{Blocked: &yes}, "b g"},
		{"not blocked", audit.Filter{Blocked: &no}, "a c d e f h i"},
		{"since includes", audit.Filter{Since: at(10)}, "b d e f g h i"},
		{"since just past", audit.Filter{Since: at(10).Add(time.Microsecond)}, "d e f g h i"},
		{"until excludes", audit.Filter{Until: at(10)}, "a c"},
		{"a time between", audit.Filter{Since: at(5), Until: at(30)}, "b c d"},
		{"no such time", audit.Filter{Since: at(1000)}, ""},
		{"together", audit.Filter{Session: "s1", Tool: "read*", Verdict: "deny"}, "e"},
		{"no canaries", audit.Filter{NoCanaries: true}, "a b c d e f g"},
		{"no canaries, newest", audit.Filter{NoCanaries: true, Limit: 2, Newest: true}, "f g"},
		{"no canaries of a type", audit.Filter{NoCanaries: true, Type: audit.TypeResponseDone}, "f"},
		{"limit", audit.Filter{Limit: 2}, "a b"},
		{"newest", audit.Filter{Limit: 2, Newest: true}, "h i"},
		{"newest of a selection", audit.Filter{Limit: 2, Newest: true, Type: audit.TypeToolCall}, "d e"},
		{"newest of a time", audit.Filter{Limit: 1, Newest: true, Until: at(30)}, "d"},
		{"newest of few", audit.Filter{Limit: 9, Newest: true, Server: "files"}, "d e"},
		{"newest of none", audit.Filter{Limit: 9, Newest: true, Server: "none"}, ""},
		{"newest without limit", audit.Filter{Newest: true, Server: "files"}, "d e"},
		{"after a row", audit.Filter{AfterRow: rows[3].Row}, "e f g h i"},
		{"after a row, selected", audit.Filter{AfterRow: rows[1].Row, Tool: "*read*", Limit: 2}, "c d"},
		{"after a row, newest", audit.Filter{AfterRow: rows[1].Row, Newest: true, Limit: 99}, "c d e f g h i"},
		{"after a row, since", audit.Filter{AfterRow: rows[1].Row, Since: at(10)}, "d e f g h i"},
		{"after the last row", audit.Filter{AfterRow: rows[8].Row}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, ids(t, entries(t, b, test.filter))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// testOddFilter looks for texts that a database does not take as they are, or not into an index.
func testOddFilter(t *testing.T, b Backend) {
	long := randomText(20_000)
	appendAll(t, b, seal(t,
		audit.Event{ID: "nul", Type: audit.TypeToolCall, Tool: "Bash\x00", Actor: call.Actor{Session: "\xff"}},
		audit.Event{ID: "long", Type: audit.TypeToolCall, Tool: long, Actor: call.Actor{Session: long}, WireID: long, CallID: call.ID(long)},
		audit.Event{ID: "longer", Type: audit.TypeToolCall, Tool: long + "A", Actor: call.Actor{Session: long + "A"}, Server: long, WireID: long + "A"},
		audit.Event{ID: "accent", Type: audit.TypeToolCall, Tool: "ÉA", Server: strings.Repeat("é", 200)},
		audit.Event{ID: "invisible", Type: audit.TypeToolCall, Tool: "\u200bWrite"},
		audit.Event{ID: "inside", Type: audit.TypeToolCall, Tool: "Wri\x00\u00adte"},
		audit.Event{ID: "wide", Type: audit.TypeToolCall, Tool: "Ｗｒｉｔｅ", Server: "Git\u2060Hub"},
		audit.Event{ID: "blanks", Type: audit.TypeToolCall, Tool: " WRITE\u00a0"},
		audit.Event{ID: "two", Type: audit.TypeToolCall, Tool: "my tool"},
	))
	for _, test := range []struct {
		name   string
		filter audit.Filter
		want   string
	}{
		{"NUL", audit.Filter{Tool: "bash\x00"}, "nul"},
		{"NUL in a glob", audit.Filter{Tool: "b*\x00h"}, "nul"},
		{"NUL elsewhere", audit.Filter{Type: "\x00"}, ""},
		{"invalid UTF-8", audit.Filter{Session: "\xff"}, "nul"},
		{"long session", audit.Filter{Session: long}, "long"},
		{"long session, by its beginning", audit.Filter{Session: long[:200]}, ""},
		{"long wire id", audit.Filter{WireID: long + "A"}, "longer"},
		{"long call", audit.Filter{CallID: long}, "long"},
		{"long tool", audit.Filter{Tool: strings.ToUpper(long) + "a"}, "longer"},
		{"long server", audit.Filter{Server: long}, "longer"},
		{"case of ASCII", audit.Filter{Tool: "Éa"}, "accent"},
		{"case beyond ASCII", audit.Filter{Tool: "éA"}, "accent"},
		{"letters that compose", audit.Filter{Tool: "e\u0301a"}, "accent"},
		{"disguised", audit.Filter{Tool: "Write"}, "invisible inside wide blanks"},
		{"disguised, glob", audit.Filter{Tool: "wri*"}, "invisible inside wide blanks"},
		{"disguised in the question", audit.Filter{Tool: "W\u200drite"}, "invisible inside wide blanks"},
		{"disguised server", audit.Filter{Server: "github"}, "wide"},
		{"glob with a blank", audit.Filter{Tool: "*my *"}, "two"},
		{"what a column cannot hold", audit.Filter{Tool: "Bash"}, "nul"},
		{"characters, not bytes", audit.Filter{Server: strings.Repeat("é", 200)}, "accent"},
	} {
		if diff := cmp.Diff(test.want, ids(t, entries(t, b, test.filter))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// randomText does not get shorter when it is compressed.
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
		for _, e := range entries(t, b, audit.Filter{AfterRow: last, Since: at(5)}) {
			seen = append(seen, ids(t, []audit.Entry{e}))
			last = e.Row
		}
	}
	if got := strings.Join(seen, " "); got != "b c d e f g" {
		t.Errorf("followed %q", got)
	}
}

func ids(t *testing.T, all []audit.Entry) string {
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
