package table

import (
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/inert"
)

// layOut chooses the widths of the columns from the lines that wait.
func (t *Table) layOut() {
	t.widths = make([]int, len(t.columns))
	for i, c := range t.columns {
		if t.Headless && t.Width == 0 {
			t.widths[i] = c.Least
			continue
		}
		t.widths[i] = inert.Columns(c.Title)
		used := false
		for _, cells := range t.rows {
			t.widths[i] = max(t.widths[i], inert.Columns(cells[i].Text))
			used = used || cells[i].Text != "" && cells[i].Text != "-"
		}
		if t.Width == 0 {
			t.widths[i] = max(t.widths[i], c.Least)
			continue
		}
		if c.Most > 0 {
			t.widths[i] = min(t.widths[i], c.Most)
		}
		if !used && c.Rank > 0 {
			t.widths[i] = -1
		}
	}
	if t.Width == 0 {
		return
	}
	defer t.widenLast()
	for t.total(t.widths) > t.Width {
		if t.shrink() {
			return
		}
		if !t.leaveOut() {
			t.stacked = true
			return
		}
	}
}

// widenLast gives the last column what is left of the terminal: later lines may need it.
func (t *Table) widenLast() {
	last := len(t.columns) - 1
	if c := t.columns[last]; t.widths[last] >= 0 && c.Min > 0 && c.Most == 0 && !c.Right {
		t.widths[last] += max(0, t.Width-t.total(t.widths))
	}
}

// total is how wide a line is.
func (t *Table) total(widths []int) int {
	n := -len(gap)
	for _, w := range widths {
		if w >= 0 {
			n += w + len(gap)
		}
	}
	return n
}

// shrink makes the widest columns that may be cut narrower until the line fits, if it can.
func (t *Table) shrink() bool {
	widths := append([]int(nil), t.widths...)
	for t.total(widths) > t.Width {
		widest := -1
		for i, c := range t.columns {
			if c.Min > 0 && widths[i] > c.Min && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		widths[widest]--
	}
	t.widths = widths
	return true
}

// leaveOut leaves out the column with the highest rank.
func (t *Table) leaveOut() bool {
	last := -1
	for i, c := range t.columns {
		if t.widths[i] >= 0 && c.Rank > 0 && (last < 0 || c.Rank > t.columns[last].Rank) {
			last = i
		}
	}
	if last < 0 {
		return false
	}
	t.widths[last] = -1
	return true
}

// stack writes each cell on lines of its own, with its title: for terminals on which no column has room.
func (t *Table) stack(b *strings.Builder, cells []Cell, again bool) {
	if again {
		b.WriteByte('\n')
	}
	for i, cell := range cells {
		if cell.Text == "" || cell.Text == "-" {
			continue
		}
		paint := cell.Paint
		if paint == nil {
			paint = func(s string) string { return s }
		}
		title := strings.ToLower(t.columns[i].Title) + ": "
		if inert.Columns(title+cell.Text) <= t.Width {
			b.WriteString(title + paint(cell.Text) + "\n")
			continue
		}
		b.WriteString(strings.TrimSpace(title) + "\n")
		for _, piece := range Wrap(cell.Text, t.Width-1) {
			b.WriteString(" " + paint(piece) + "\n")
		}
	}
}

// Wrap cuts a text into lines of so many columns, at blanks where there are some.
func Wrap(text string, columns int) (lines []string) {
	columns = max(columns, 2) // the widest characters have two
	for text != "" {
		end, used, blank := 0, 0, 0
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			w := inert.Columns(string(r))
			if used+w > columns {
				break
			}
			if r == ' ' {
				blank = end
			}
			used, end = used+w, end+size
		}
		if end < len(text) && blank > 0 && text[end] != ' ' {
			end = blank
		}
		lines = append(lines, strings.TrimRight(text[:end], " "))
		text = strings.TrimLeft(text[end:], " ")
	}
	return lines
}
