package excerpt

import (
	"time"

	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/table"
)

// wide is from how many columns on a list shows whole dates.
const wide = 120

// lines writes events under each other, for people. Where nobody looks, such as in a pipe, nothing is left out: ids, times and texts are
// whole.
type lines struct {
	*table.Table
	style  show.Style
	people bool   // somebody looks at it
	layout string // of times
	zone   string // the zone that the title names
}

// newLines returns an empty list. what is the title of the last column.
func newLines(screen *terminal.Screen, zone *time.Location, what string) *lines {
	l := &lines{
		style:  show.Style{Zone: zone, Colours: screen.Colours},
		people: screen.Width > 0,
		layout: "01-02 15:04:05",
	}
	if screen.Width >= wide {
		l.layout = "2006-01-02 15:04:05"
	}
	if l.people {
		l.style.Longest = 4 * screen.Width
	}
	l.zone = time.Now().In(zone).Format("MST")
	l.Table = table.New(screen, screen.Width,
		table.Column{Title: "TIME " + l.zone},
		table.Column{Title: "ID", Least: 29, Rank: 3},
		table.Column{Title: "WHO", Least: 12, Min: 8, Most: 24, Rank: 2},
		table.Column{Title: "SESSION", Least: 14, Min: 8, Most: 20, Rank: 4},
		table.Column{Title: "MODEL", Least: 16, Min: 10, Most: 24, Rank: 5},
		table.Column{Title: "RULING", Least: 8},
		table.Column{Title: what, Min: 20},
	)
	l.Headless = true
	return l
}

// add adds an event, and what is to be said of it.
func (l *lines) add(e record.Event, text string) error {
	c := show.ColumnsOf(e)
	if l.people {
		c.ID = show.ShortID(c.ID)
	}
	cells := []table.Cell{{Text: l.when(e.Time)}}
	for _, column := range []string{c.ID, c.Who, c.Session, c.Model} {
		if column == "" {
			column = "-"
		}
		cells = append(cells, table.Cell{Text: column})
	}
	paint := func(s string) string { return l.style.As(e, s) }
	return l.Cells(append(cells, table.Cell{Text: c.Ruling, Paint: paint}, table.Cell{Text: text})...)
}

// when is the time of an event. People see the zone in the title, unless the event has another: in winter, of a list in summer.
func (l *lines) when(t time.Time) string {
	if !l.people {
		return l.style.LongTime(t)
	}
	local := t.In(l.style.Zone)
	if zone := local.Format("MST"); zone != l.zone {
		return local.Format(l.layout) + " " + inert.Text(zone, 8)
	}
	return local.Format(l.layout)
}
