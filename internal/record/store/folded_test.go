package store

import (
	"database/sql"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// FuzzFolded: a filter finds a name if a policy's pattern matches it.
func FuzzFolded(f *testing.F) {
	for _, seed := range [][2]string{
		{"bash", "\u200bBash"},
		{"B*h", "Ｂａｓｈ"},
		{"ünïcödé", "ÜNÏCÖDÉ"},
		{"*my *", "my tool"},
		{" x", "X\u00a0"},
		{"e\u0301*", "É"},
		{"a_b", "axb"},
		{`\*`, `\x`},
		{"ß", "SS"},
		{"ﬁ*", "file"},
		{"*", ""},
		{"a*a", "a"},
		{"ſ", "S"},
		{"\u2800", ""},
		{"İ", "i\u0307"},
	} {
		f.Add(seed[0], seed[1])
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	f.Fuzz(func(t *testing.T, pattern, name string) {
		for _, s := range []string{pattern, name} {
			if !utf8.ValidString(s) || strings.ContainsAny(s, "%\x00\uFFFD") || len(s) > 1000 {
				t.Skip("a column holds something else, or a policy's wildcard")
			}
		}
		glob := toolname.NewGlob(pattern)
		want := glob.Matches(name)
		pieces := query.FoldedPieces(pattern)
		got := len(pieces) == 1 && query.Folded(name) == pieces[0]
		if len(pieces) > 1 {
			if err := db.QueryRow(`SELECT ? LIKE ? ESCAPE '\'`, query.Folded(name), like(pieces)).Scan(&got); err != nil {
				t.Fatal(err)
			}
		}
		if got != want {
			t.Errorf("the filter %q finds %q: %v; as a policy's pattern: %v", pattern, name, got, want)
		}
	})
}

// TestStatsOfDisguised counts a call under each of its spellings.
func TestStatsOfDisguised(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		var events []record.Event
		for _, tool := range []string{"Bash", "\u200bbash", "Ｂａｓｈ", "Ba\x00sh", "Read"} {
			events = append(events, record.Event{
				Type: record.Types.ToolCall, Tool: tool, Surface: call.Response,
				Ruling: record.Ruling{Verdict: "allow"},
			})
		}
		appendEvents(t, s, events...)
		for _, pattern := range []string{"BASH", "ba*", "b\u2060ash"} {
			got, err := s.Stats(t.Context(), query.StatsQuery{Filter: query.Filter{Tool: pattern}})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Groups) != 1 || got.Groups[0].Calls != 4 {
				t.Errorf("%q: %+v, want 4 calls", pattern, got.Groups)
			}
		}
	})
}
