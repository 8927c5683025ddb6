package topcmd

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A pane is a part of the screen with lines to choose from.
type pane int

const (
	callsPane pane = iota
	sessionsPane
)

// A model is what the screen shows, and what keys change.
type model struct {
	ctx     context.Context
	watcher *watcher
	flags   *topFlags
	every   time.Duration
	style   show.Style

	width, height int
	round         int // of the last look that was asked for
	seen          look
	looked        bool
	trouble       string // why the last look failed; "": it did not
	fatal         error  // it will not pass
	paused        bool

	filter  query.Filter
	typed   string // the filter as it was typed
	refused bool   // only what was refused
	pane    pane
	at      [2]int // the chosen line of each pane
	chosen  string // the id of the chosen call, which stays chosen while others come

	asking bool // for a filter
	input  string
	wrong  string // with what was typed

	open   []string // the call that is open, as lines; nil: none is
	opened string   // its id
	scroll int
}

func newModel(ctx context.Context, w *watcher, f *topFlags, colours bool) *model {
	return &model{
		ctx: ctx, watcher: w, flags: f, every: f.every, filter: f.Filter, style: show.Style{Zone: f.Zone(), Colours: colours},
	}
}

// What arrives.
type (
	tick   struct{}
	looked struct {
		look
		err   error
		round int  // which look it was
		timed bool // the time had come for it; else a key was pressed
	}
	opened struct {
		id    string
		lines []string
		err   error
	}
)

// Init implements tea.Model.
func (m *model) Init() tea.Cmd { return m.look(true) }

// lookNow looks in the background, because a key was pressed.
func (m *model) lookNow() tea.Cmd { return m.look(false) }

func (m *model) look(timed bool) tea.Cmd {
	m.round++
	f, round := m.filter, m.round
	if m.refused {
		yes := true
		f.Blocked = &yes
	}
	return func() tea.Msg {
		l, err := m.watcher.look(m.ctx, f)
		return looked{l, err, round, timed}
	}
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tick:
		if m.paused {
			return m, m.wait()
		}
		return m, m.look(true)
	case looked:
		next := m.take(msg)
		if next == nil && msg.timed {
			next = m.wait()
		}
		return m, next
	case opened:
		m.show(msg)
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

func (m *model) wait() tea.Cmd { return tea.Tick(m.every, func(time.Time) tea.Msg { return tick{} }) }

// take shows a look, unless another was asked for meanwhile. If the store cannot be read for a while, the last look stays, and it is
// said.
func (m *model) take(l looked) tea.Cmd {
	switch {
	case l.err == nil && l.round < m.round:
	case l.err == nil:
		m.seen, m.looked, m.trouble = l.look, true, ""
		m.keepChosen()
	case m.ctx.Err() != nil:
		return tea.Quit
	case store.Passing(l.err):
		m.trouble = l.err.Error()
	default:
		m.fatal = l.err
		return tea.Quit
	}
	return nil
}

// keepChosen keeps the chosen call chosen when others come before it. The newest stays chosen if it was.
func (m *model) keepChosen() {
	if m.chosen != "" {
		for i, c := range m.seen.Calls {
			if c.ID == m.chosen {
				m.at[callsPane] = i
			}
		}
	}
	m.move(0)
}

// show shows an opened call.
func (m *model) show(o opened) {
	if o.err != nil {
		m.wrong = o.err.Error()
		return
	}
	m.opened, m.open, m.scroll = o.id, o.lines, 0
}

// move moves the chosen line.
func (m *model) move(by int) {
	last := len(m.seen.Calls) - 1
	if m.pane == sessionsPane {
		last = len(m.seen.Sessions) - 1
	}
	m.at[m.pane] = max(0, min(m.at[m.pane]+by, last))
	if m.pane == callsPane {
		m.chosen = ""
		if at := m.at[callsPane]; at > 0 && at < len(m.seen.Calls) {
			m.chosen = m.seen.Calls[at].ID
		}
	}
}

// enter opens the chosen call, or shows the calls of the chosen session only.
func (m *model) enter() tea.Cmd {
	at := m.at[m.pane]
	if m.pane == sessionsPane {
		if at >= len(m.seen.Sessions) {
			return nil
		}
		m.filter.Session, m.pane, m.chosen = m.seen.Sessions[at].ID, callsPane, ""
		m.at[callsPane] = 0
		return m.lookNow()
	}
	if at >= len(m.seen.Calls) {
		return nil
	}
	one := m.seen.Calls[at]
	return func() tea.Msg {
		lines, err := m.read(one)
		return opened{one.ID, lines, err}
	}
}

// read returns everything on record about a call.
func (m *model) read(c callLine) ([]string, error) {
	events := []record.Event{c.event}
	if c.ID != "" {
		entries, err := excerpt.About(m.ctx, m.watcher.record, c.ID)
		if err != nil {
			return nil, err
		}
		events = events[:0]
		for _, e := range entries {
			ev, err := e.Event()
			if err != nil {
				return nil, err
			}
			events = append(events, ev)
		}
	}
	var b strings.Builder
	m.style.Story(&b, events)
	for _, e := range events {
		m.style.Whole(&b, e)
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n"), nil
}

// setFilter takes a filter that was typed.
func (m *model) setFilter(text string) tea.Cmd {
	f, err := m.flags.Typed(m.flags.Filter, text)
	if err == nil {
		f, err = excerpt.Meant(m.ctx, m.watcher.record, f)
	}
	if err != nil {
		m.wrong = inert.Text(err.Error(), 200)
		return nil
	}
	m.filter, m.typed, m.wrong, m.chosen = f, text, "", ""
	m.at = [2]int{}
	return m.lookNow()
}
