// Package table writes lines of cells under each other: as wide as the terminal, or of any width where nobody looks at them.
package table

import (
	"fmt"
	"io"
	"strings"

	"github.com/weir-gate/weir/internal/text/inert"
)

// A Column says how the cells of a column are written.
type Column struct {
	Title string
	Right bool // its cells are aligned at the right, as numbers are
	Least int  // where nobody looks, it is at least this wide
	// Min is to how many columns it may be cut on a terminal that is too narrow, and Most how wide it may be on any terminal; 0: it is
	// not cut.
	Min, Most int
	// Rank says which column is left out of a narrow terminal: the one with the highest. Those with 0 always stay.
	Rank int
}

// A Cell is the text in a column. The text must be inert.
type Cell struct {
	Text  string
	Paint func(string) string // colours it; nil: it stays as it is
}

// A Table is written to an output.
type Table struct {
	Width    int  // of the terminal; 0: there is none, and nothing is cut or left out
	Headless bool // except on a terminal there is no line with titles, and lines are written as they come, in the least widths
	out      io.Writer
	columns  []Column
	rows     [][]Cell
	widths   []int // of the columns; -1: it is left out
	titled   bool
	stacked  bool // the terminal is too narrow for columns: each cell has its own line
}

// mostWaiting is how many lines are read before the widths are chosen. Later lines have to do with them.
const mostWaiting = 500

// gap is what is between columns.
const gap = "  "

// New returns a table. The caller must flush it.
func New(out io.Writer, width int, columns ...Column) *Table {
	return &Table{Width: width, out: out, columns: columns}
}

// Line adds a line of texts.
func (t *Table) Line(texts ...string) error {
	cells := make([]Cell, len(texts))
	for i, text := range texts {
		cells[i].Text = text
	}
	return t.Cells(cells...)
}

// Cells adds a line.
func (t *Table) Cells(cells ...Cell) error {
	t.rows = append(t.rows, cells)
	if len(t.rows) < mostWaiting && !(t.Headless && t.Width == 0) {
		return nil
	}
	return t.Flush()
}

// Flush writes the lines that wait. The first lines decide on the widths of all.
func (t *Table) Flush() error {
	if len(t.rows) == 0 {
		return nil
	}
	if t.widths == nil {
		t.layOut()
	}
	var b strings.Builder
	if !t.titled && !t.stacked && (!t.Headless || t.Width > 0) {
		titles := make([]Cell, len(t.columns))
		for i, c := range t.columns {
			titles[i].Text = c.Title
		}
		t.write(&b, titles)
	}
	for i, cells := range t.rows {
		if t.stacked {
			t.stack(&b, cells, t.titled || i > 0)
		} else {
			t.write(&b, cells)
		}
	}
	t.titled, t.rows = true, nil
	_, err := io.WriteString(t.out, b.String())
	return err
}

// write writes a line of cells.
func (t *Table) write(b *strings.Builder, cells []Cell) {
	line, blanks := "", 0
	for i, cell := range cells {
		width := t.widths[i]
		if width < 0 {
			continue
		}
		text := cell.Text
		if t.Width > 0 {
			text = inert.CutTo(text, width)
		}
		pad := max(0, width-inert.Columns(text))
		if cell.Paint != nil {
			text = cell.Paint(text)
		}
		if t.columns[i].Right {
			line, blanks = line+strings.Repeat(" ", blanks+pad)+text, len(gap)
		} else {
			line, blanks = line+strings.Repeat(" ", blanks)+text, pad+len(gap)
		}
	}
	fmt.Fprintln(b, line)
}
