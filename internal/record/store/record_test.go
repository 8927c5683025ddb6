package store

import (
	"cmp"
	"database/sql"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// documented are the questions of the documentation, by the sentence before each.
func documented(t testing.TB) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/record.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	parts := strings.Split(string(text), "```sql\n")
	for i, part := range parts[1:] {
		query, _, _ := strings.Cut(part, "```")
		before := strings.Split(strings.TrimSpace(parts[i]), "\n\n")
		all[strings.TrimSuffix(before[len(before)-1], ":")] = strings.TrimSuffix(strings.TrimSpace(query), ";")
	}
	if len(all) < 8 {
		t.Fatalf("found %d questions in docs/record.md", len(all))
	}
	return all
}

// answer counts the rows that a query returns.
func answer(t testing.TB, db *sql.DB, query string) int {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s\n%v", query, err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s\n%v", query, err)
	}
	return n
}

// explained is how the database answers a query.
func explained(t testing.TB, s *Store, query string, args ...any) string {
	t.Helper()
	explain := "EXPLAIN QUERY PLAN "
	if isPostgres(s.write.flavour) {
		explain = "EXPLAIN (COSTS OFF) "
	}
	rows, err := s.db.query(t.Context(), explain+query, args...)
	if err != nil {
		t.Fatalf("%s\n%v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan []string
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(string)
		}
		if err := rows.Scan(cells...); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, *cells[len(cells)-1].(*string)) // the text is the last column of both
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}

// small are the tables that a plan may read as a whole, by the names that queries give them.
var small = []string{"f", "df", "t", "e", "facets", "tallies", "hours", "since", "CONSTANT"}

// readsAll says whether a plan reads all events. The tables of statistics it may read, and months without events.
func readsAll(t testing.TB, s *Store, plan string) bool {
	t.Helper()
	for line := range strings.Lines(plan) {
		if !isPostgres(s.write.flavour) {
			if words := strings.Fields(line); words[0] == "SCAN" && !slices.Contains(small, words[1]) {
				return true
			}
			continue
		}
		_, table, found := strings.Cut(line, "Seq Scan on ")
		table, _, _ = strings.Cut(strings.TrimSpace(table), " ")
		if !found || !strings.HasPrefix(table, "events") {
			continue
		}
		var empty bool
		if err := s.db.QueryRow("SELECT reltuples <= 0 FROM pg_class WHERE oid = $1::regclass", table).Scan(&empty); err != nil {
			t.Fatal(err)
		}
		if !empty {
			return true
		}
	}
	return false
}

// TestDocumentedQuestions asks every question of the documentation: each has an answer, and none reads all events.
func TestDocumentedQuestions(t *testing.T) {
	need.Long(t)
	onGenerated(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		generate(t, s, plentiful())
		for name, query := range documented(t) {
			if n := answer(t, s.db.DB, query); n == 0 {
				t.Errorf("%s: no rows", name)
			}
		}
		testPlans(t, s)
	})
}

// plentiful is how many events make the difference between an index and none.
func plentiful() int { return cmp.Or(*rows, 50_000) }
