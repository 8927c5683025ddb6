package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// spendsKept is how long spends are stored: a day longer than any budget needs, because clocks may differ.
const spendsKept = 32 * 24 * time.Hour

// addSpend adds to the money that a scope has spent in a minute. The sum stops at the largest value of the column: an inexact sum,
// or one that starts anew, would open a budget.
const addSpend = `INSERT INTO budgets (scope_key, scope, minute, spent) VALUES (?, ?, ?, ?)
	ON CONFLICT (scope_key, minute) DO UPDATE SET spent =
		CASE WHEN budgets.spent > 9223372036854775807 - excluded.spent THEN 9223372036854775807
		ELSE budgets.spent + excluded.spent END`

const (
	forgetSpends = "DELETE FROM budgets WHERE minute < ?"
	selectSpends = "SELECT scope, minute, spent FROM budgets WHERE minute >= ? ORDER BY minute, scope_key"
)

// spend counts the money of an entry.
func spend(e record.Entry) []statement {
	var all []statement
	minute := minuteOf(time.UnixMicro(e.Micros))
	for _, s := range e.With.Spend {
		if s.Micro > 0 {
			all = append(all, statement{addSpend, []any{key(s.Scope), quote(s.Scope), minute, s.Micro}})
		}
	}
	return all
}

// forget deletes the spends that no budget needs any more at a time, in microseconds since 1970.
func forget(micros int64) statement {
	return statement{forgetSpends, []any{minuteOf(time.UnixMicro(micros).Add(-spendsKept))}}
}

// Spends returns the spends since a time, from the beginning of its minute on, in order of time.
//
// It uses the writing connection, so that no other needs to be opened for it.
func (s *Store) Spends(ctx context.Context, since time.Time) ([]call.Spend, error) {
	var all []call.Spend
	err := s.write.each(ctx, "read budgets", func(rows *sql.Rows) error {
		var spend call.Spend
		var minute int64
		err := rows.Scan(&spend.Scope, &minute, &spend.Micro)
		if err == nil {
			spend.Scope, err = unquote(spend.Scope)
		}
		spend.Time = time.Unix(minute*60, 0).UTC()
		all = append(all, spend)
		return err
	}, selectSpends, minuteOf(since))
	return all, err
}

// minuteOf is the minute of t, counted from 1970.
func minuteOf(t time.Time) int64 { return t.Truncate(time.Minute).Unix() / 60 }
