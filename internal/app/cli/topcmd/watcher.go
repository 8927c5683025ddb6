package topcmd

import (
	"context"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/show"
)

// How much one look shows at most.
const (
	mostCalls    = 200
	mostSessions = 100
)

// A look is what there is to see at one moment.
type look struct {
	At       time.Time          `json:"at"`
	Since    time.Time          `json:"since"`
	Weir     *control.Hello     `json:"weir,omitzero"` // nil: none runs
	Totals   totals             `json:"totals"`
	Sessions []session          `json:"sessions"`
	Held     []control.HeldCall `json:"held"`
	Calls    []callLine         `json:"calls"` // the newest first
}

// totals are sums over everything that the filter selects.
type totals struct {
	Calls        int64 `json:"calls"`
	Refused      int64 `json:"refused"`
	Flagged      int64 `json:"flagged"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	CostMicros   int64 `json:"cost_usd_micros"`
}

func totalsOf(s query.Stat) totals {
	return totals{s.Calls, s.Refused, s.Flagged, s.InputTokens + s.CacheTokens, s.OutputTokens, s.CostMicros}
}

// A session is a session with what it did.
type session struct {
	ID   string `json:"id"`
	Open bool   `json:"open"` // weir run has not ended
	totals
}

// A callLine is a call in the list.
type callLine struct {
	ID      string    `json:"call_id,omitzero"`
	Time    time.Time `json:"time"`
	Who     string    `json:"who,omitzero"`
	Session string    `json:"session,omitzero"`
	Model   string    `json:"model,omitzero"`
	Ruling  string    `json:"ruling"`
	Text    string    `json:"text"`
	event   record.Event
}

// A watcher looks at the record, and at the weir of this machine.
type watcher struct {
	record home.View
	since  time.Time
}

// look looks once.
func (w *watcher) look(ctx context.Context, f query.Filter) (l look, err error) {
	l = look{At: time.Now(), Since: w.since, Held: []control.HeldCall{}}
	if client, err := running.Client(); err == nil {
		within, cancel := context.WithTimeout(ctx, time.Second)
		if hello, err := client.Hello(within); err == nil {
			l.Weir = &hello
			l.Held = append(l.Held, hello.Standing.Held...)
		}
		cancel()
		client.Close()
	}
	f.Since = w.since
	all, err := w.record.Stats(ctx, query.StatsQuery{Filter: f})
	if err != nil {
		return l, err
	}
	for _, s := range all.Groups {
		l.Totals = totalsOf(s)
	}
	if l.Sessions, err = w.sessions(ctx, f, l.Weir); err != nil {
		return l, err
	}
	l.Calls, err = w.calls(ctx, f)
	return l, err
}

// sessions are the sessions with calls since then, and those that are open, the open ones first.
func (w *watcher) sessions(ctx context.Context, f query.Filter, weir *control.Hello) ([]session, error) {
	f.Session = "" // who chose one wants to see the others
	stats, err := w.record.Stats(ctx, query.StatsQuery{Filter: f, By: query.By.Session})
	if err != nil {
		return nil, err
	}
	all := []session{}
	for _, s := range stats.Groups {
		if s.Name != "" {
			all = append(all, session{ID: s.Name, totals: totalsOf(s)})
		}
	}
	if weir != nil {
		for _, open := range weir.Standing.Sessions {
			if i := slices.IndexFunc(all, func(s session) bool { return s.ID == open.ID }); i >= 0 {
				all[i].Open = true
			} else {
				all = append(all, session{ID: open.ID, Open: true})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b session) int {
		switch {
		case a.Open == b.Open:
			return 0
		case a.Open:
			return -1
		}
		return 1
	})
	return all[:min(mostSessions, len(all))], nil
}

// calls are the newest calls, the newest first.
func (w *watcher) calls(ctx context.Context, f query.Filter) ([]callLine, error) {
	f.Types, f.Limit, f.Newest = record.Types.Where(record.Type.IsCall), mostCalls, true
	all := []callLine{}
	for e, err := range query.Joined(ctx, w.record, w.record.Entries(ctx, f)) {
		if err != nil {
			return nil, err
		}
		ev, err := e.Event()
		if err != nil {
			return nil, err
		}
		c := show.ColumnsOf(ev)
		all = append(all, callLine{
			ID: string(ev.CallID), Time: ev.Time, Who: c.Who, Session: c.Session, Model: c.Model, Ruling: c.Ruling,
			Text: show.Style{Longest: 300}.Call(ev, nil), event: ev,
		})
	}
	slices.Reverse(all)
	return all, nil
}
