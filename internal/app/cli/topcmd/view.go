package topcmd

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
	"github.com/weir-gate/weir/internal/text/table"
)

// roomy is from how many columns on the lists have columns. Narrower terminals get one line of words for each call, and those with less
// than tight no time.
const (
	roomy = 60
	tight = 40
)

// View implements tea.Model: exactly as many lines as the terminal has, none wider than it.
func (m *model) View() tea.View {
	v := tea.NewView(m.text())
	v.AltScreen = true
	return v
}

func (m *model) text() string {
	if m.width < 1 || m.height < 1 {
		return ""
	}
	lines := m.screen()
	lines = lines[:min(len(lines), m.height)]
	for i, line := range lines {
		if !strings.Contains(line, "\x1b") { // coloured lines were cut before
			lines[i] = inert.CutTo(line, m.width)
		}
	}
	return strings.Join(lines, "\n")
}

// screen are the lines of the screen, from the top.
func (m *model) screen() []string {
	last := m.lastLine()
	room := m.height - 1
	if m.open != nil {
		return append(fill(m.openLines(room), room), last)
	}
	head := []string{m.headLine(), m.sumLine()}
	if m.height < 8 {
		head = head[1:]
	}
	if m.height < 4 {
		head = nil
	}
	room -= len(head)
	var middle []string
	if m.height >= 14 {
		middle = append(middle, m.sessionLines(m.height/4)...)
		middle = append(middle, m.heldLines(m.height/6)...)
	} else if m.pane == sessionsPane {
		return append(append(head, fill(m.sessionLines(room), room)...), last)
	}
	room -= len(middle)
	return append(append(append(head, middle...), fill(m.callLines(room), room)...), last)
}

// fill cuts or fills up lines to so many.
func fill(lines []string, n int) []string {
	n = max(0, n)
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines[:n]
}

// headLine says which weir runs.
func (m *model) headLine() string {
	now := time.Now().In(m.style.Zone).Format("15:04:05 MST")
	switch w := m.seen.Weir; {
	case !m.looked:
		return "weir top  " + now + "  reading the record"
	case w == nil:
		return "weir top  " + now + "  no weir runs here; this is what is on record"
	case !w.Admitted:
		return "weir top  " + now + "  weir " + inert.Text(w.Version, 20) + " runs"
	default:
		return fmt.Sprintf("weir top  %s  weir %s since %s, %s, policy %s", now, inert.Text(w.Version, 30),
			w.Standing.Since.In(m.style.Zone).Format("01-02 15:04"), inert.Text(w.Standing.Enforcement, 20),
			inert.Text(w.Policy.Source, 200))
	}
}

// sumLine says what happened in all.
func (m *model) sumLine() string {
	t := m.seen.Totals
	return fmt.Sprintf("%s: %s refused, %s flagged, %s held, %s, %s tokens, since %s",
		quantity.Count(t.Calls, "call"), quantity.Thousands(t.Refused), quantity.Thousands(t.Flagged),
		quantity.Thousands(int64(len(m.seen.Held))), quantity.Dollars(t.CostMicros),
		quantity.Thousands(t.InputTokens+t.OutputTokens), m.seen.Since.In(m.style.Zone).Format("01-02 15:04"))
}

// lastLine says what the keys do, or what is typed, or what is wrong.
func (m *model) lastLine() string {
	switch {
	case m.asking:
		return "filter: " + m.input + "_"
	case m.wrong != "":
		return "weir: " + inert.Text(m.wrong, 300)
	case m.trouble != "":
		return "cannot read the record, trying again: " + inert.Text(m.trouble, 300)
	case m.open != nil:
		return "up down scroll  esc back"
	}
	var now []string
	if m.paused {
		now = append(now, "stopped")
	}
	if m.refused {
		now = append(now, "refused only")
	}
	if s := m.filter.Session; s != "" {
		now = append(now, "session "+inert.Name(s, 40))
	}
	if m.typed != "" {
		now = append(now, "filter "+m.typed)
	}
	keys := "q quit  enter open  / filter  r refused  tab sessions  space stop"
	if len(now) > 0 {
		keys = "[" + strings.Join(now, ", ") + "]  esc all  " + keys
	}
	return keys
}

// openLines are the part of the open call that is on the screen.
func (m *model) openLines(room int) []string {
	var all []string
	for _, line := range m.open {
		wrapped := table.Wrap(line, m.width)
		if line == "" {
			wrapped = []string{""}
		}
		all = append(all, wrapped...)
	}
	m.scroll = max(0, min(m.scroll, len(all)-room))
	return all[m.scroll:]
}

// A list has lines to choose from.
type list struct {
	columns []table.Column
	rows    [][]table.Cell
	at      int // the chosen line; -1: none
}

// lines are the lines around the chosen one, with titles, in so many lines and columns.
func (l list) lines(room, width int) []string {
	if room < 1 {
		return nil
	}
	shown := max(1, room-1)
	if width < roomy {
		shown = room
	}
	from := max(0, min(l.at-shown/2, len(l.rows)-shown))
	rows := l.rows[from:min(len(l.rows), from+shown)]
	var b strings.Builder
	t := table.New(&b, max(1, width-2), l.columns...)
	for _, row := range rows {
		if width < roomy {
			b.WriteString(inert.CutTo(joined(row), max(1, width-2)) + "\n")
		} else {
			_ = t.Cells(row...) // a builder has no errors
		}
	}
	_ = t.Flush() // likewise
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	first := from - len(lines) + len(rows) // the titles come before it
	for i, line := range lines {
		mark := "  "
		if l.at >= 0 && first+i == l.at {
			mark = "> "
		}
		lines[i] = mark + line
	}
	return lines
}

func joined(cells []table.Cell) string {
	var texts []string
	for _, c := range cells {
		if c.Text != "-" && c.Text != "" {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, " ")
}

// callLines are the newest calls.
func (m *model) callLines(room int) []string {
	if len(m.seen.Calls) == 0 {
		return []string{"no call matches"}
	}
	l := list{at: -1, columns: []table.Column{
		{Title: "TIME"},
		{Title: "ID", Rank: 3},
		{Title: "WHO", Min: 8, Most: 20, Rank: 2},
		{Title: "SESSION", Min: 8, Most: 16, Rank: 4},
		{Title: "MODEL", Min: 10, Most: 20, Rank: 5},
		{Title: "RULING"},
		{Title: "CALL", Min: 20},
	}}
	if m.pane == callsPane {
		l.at = m.at[callsPane]
	}
	for _, c := range m.seen.Calls {
		cells := []table.Cell{{Text: c.Time.In(m.style.Zone).Format("15:04:05")}}
		for _, text := range []string{show.ShortID(inert.Text(c.ID, 40)), c.Who, c.Session, c.Model} {
			cells = append(cells, table.Cell{Text: dash(text)})
		}
		switch { // the rest of a narrow line is for the call
		case m.width < tight:
			cells = nil
		case m.width < roomy:
			cells = cells[:1]
		}
		paint := func(s string) string { return m.style.As(c.event, s) }
		l.rows = append(l.rows, append(cells, table.Cell{Text: c.Ruling, Paint: paint}, table.Cell{Text: c.Text}))
	}
	return l.lines(room, m.width)
}

// sessionLines are the sessions.
func (m *model) sessionLines(room int) []string {
	if len(m.seen.Sessions) == 0 {
		return []string{"no session since then"}
	}
	l := list{at: -1, columns: []table.Column{
		{Title: "SESSION", Min: 10},
		{Title: "CALLS", Right: true},
		{Title: "REFUSED", Right: true},
		{Title: "TOKENS", Right: true, Rank: 1},
		{Title: "COST", Right: true},
		{Title: "STATE", Rank: 2},
	}}
	if m.pane == sessionsPane {
		l.at = m.at[sessionsPane]
	}
	for _, s := range m.seen.Sessions {
		state := ""
		if s.Open {
			state = "open"
		}
		row := []table.Cell{{Text: inert.Name(s.ID, 60)}}
		for _, text := range []string{
			quantity.Thousands(s.Calls), quantity.Thousands(s.Refused), quantity.Thousands(s.InputTokens + s.OutputTokens),
			quantity.Dollars(s.CostMicros), state,
		} {
			row = append(row, table.Cell{Text: text})
		}
		l.rows = append(l.rows, row)
	}
	return l.lines(min(room, len(l.rows)+1), m.width)
}

// heldLines are the calls that weir holds now.
func (m *model) heldLines(room int) []string {
	if len(m.seen.Held) == 0 {
		return nil
	}
	l := list{at: -1, columns: []table.Column{
		{Title: "HELD"}, {Title: "ID"}, {Title: "WHO", Min: 6, Rank: 1}, {Title: "SESSION", Min: 6, Rank: 2}, {Title: "TOOL", Min: 8},
	}}
	for _, h := range m.seen.Held {
		since := max(0, time.Since(h.Since)).Truncate(time.Second).String()
		row := []table.Cell{{Text: since}, {Text: show.ShortID(inert.Text(string(h.ID), 40))}}
		for _, text := range []string{h.Who, h.Session, h.Tool} {
			cell := "-"
			if text != "" {
				cell = inert.Name(text, 60)
			}
			row = append(row, table.Cell{Text: cell})
		}
		l.rows = append(l.rows, row)
	}
	return l.lines(min(max(2, room), len(l.rows)+1), m.width)
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
