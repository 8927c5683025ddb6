package table

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/text/inert"
)

var columns = []Column{
	{Title: "TIME"},
	{Title: "WHO", Least: 6, Min: 4, Most: 10, Rank: 2},
	{Title: "MODEL", Min: 4, Rank: 3},
	{Title: "COST", Right: true, Rank: 1},
	{Title: "CALL", Min: 8},
}

// TestTable writes the same lines where there is room, where there is little, and where there is none.
func TestTable(t *testing.T) {
	rows := [][]string{
		{"11:46", "ann", "-", "$1.20", `Bash {"command":"ls"}`},
		{"11:47", "bartholomew@acme.example", "-", "$13", "日本語 {}"},
	}
	for name, test := range map[string]struct {
		width    int
		headless bool
		want     string
	}{
		"a pipe": {0, true, "" +
			"11:46  ann     -  $1.20  Bash {\"command\":\"ls\"}\n" +
			"11:47  bartholomew@acme.example  -  $13  日本語 {}\n"},
		"a pipe with titles": {0, false, "" +
			"TIME   WHO                       MODEL   COST  CALL\n" +
			"11:46  ann                       -      $1.20  Bash {\"command\":\"ls\"}\n" +
			"11:47  bartholomew@acme.example  -        $13  日本語 {}\n"},
		"a wide terminal": {80, true, "" +
			"TIME   WHO          COST  CALL\n" +
			"11:46  ann         $1.20  Bash {\"command\":\"ls\"}\n" +
			"11:47  bartholom…    $13  日本語 {}\n"},
		"a narrow terminal": {31, true, "" +
			"TIME   WHO       COST  CALL\n" +
			"11:46  ann      $1.20  Bash {\"…\n" +
			"11:47  bartho…    $13  日本語 …\n"},
		"a very narrow terminal": {15, true, "" +
			"TIME   CALL\n" +
			"11:46  Bash {\"…\n" +
			"11:47  日本語 …\n"},
		"hardly a terminal": {10, true, "" +
			"time:\n 11:46\nwho: ann\ncost:\n $1.20\ncall:\n Bash\n {\"command\n \":\"ls\"}\n\n" +
			"time:\n 11:47\nwho:\n bartholom\n ew@acme.e\n xample\ncost: $13\ncall:\n 日本語 {}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			table := New(&out, test.width, columns...)
			table.Headless = test.headless
			for _, row := range rows {
				if err := table.Line(row...); err != nil {
					t.Fatal(err)
				}
			}
			if err := table.Flush(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, out.String())
			}
		})
	}
}

// TestFits: on a terminal no line is wider than the terminal, whatever is in the cells. In a pipe every cell is whole.
func TestFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab c{}日本é\u0301😀")
	text := func() string {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteRune(letters[rng.IntN(len(letters))])
		}
		return b.String()
	}
	for range 3000 {
		width := rng.IntN(100)
		if width == 1 {
			width = 2
		}
		if width > 0 {
			width += 4 // titles have up to six columns
		}
		var out strings.Builder
		table := New(&out, width, columns...)
		var all []string
		for range 1 + rng.IntN(4) {
			cells := make([]Cell, len(columns))
			for i := range cells {
				cells[i] = Cell{Text: text()}
				all = append(all, cells[i].Text)
			}
			if err := table.Cells(cells...); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.Flush(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := inert.Columns(strings.TrimSuffix(line, "\n")); width > 0 && n > width {
				t.Fatalf("%d columns on a terminal of %d: %q", n, width, line)
			}
		}
		for _, cell := range all {
			if width == 0 && !strings.Contains(out.String(), cell) {
				t.Fatalf("%q is not whole in:\n%s", cell, out.String())
			}
		}
	}
}

// TestLaterLines have the widths of the first.
func TestLaterLines(t *testing.T) {
	var out strings.Builder
	table := New(&out, 20, Column{Title: "A", Min: 2}, Column{Title: "B", Min: 2})
	for _, row := range [][]string{{"one", "two"}, {"a longer one", "another one that is longer"}} {
		if err := table.Line(row...); err != nil {
			t.Fatal(err)
		}
		if err := table.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff("A    B\none  two\na …  another one th…\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
