package store

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// TestFillEvents brings a record of an older weir up to date, is interrupted, and goes on.
func TestFillEvents(t *testing.T) {
	need.Long(t)
	onNew(t, func(t *testing.T, url string) {
		events := randomEvents(rand.New(rand.NewPCG(3, 4)), 400)
		entries := sealed(t, events...)
		makeOld(t, url, filledVersion-1, entries)
		ctx, cancel := context.WithCancel(t.Context())
		db := migratingDatabase(t, url)
		migrations, err := newMigrations(db)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := migrations.Up(ctx); err != nil {
			t.Fatal(err)
		}
		if last, err := fillSome(ctx, db, 0); err != nil || last != fillAtOnce {
			t.Fatalf("filled in up to %d, %v", last, err)
		}
		cancel()
		if err := fillEvents(ctx, db); err == nil {
			t.Error("it went on though interrupted")
		}
		if _, err := db.Exec("UPDATE events SET text = 'x' WHERE row_id = 600"); err == nil {
			t.Error("an event that is not filled in yet can be changed")
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = OpenReadOnly(t.Context(), url)
		wantError(t, "in the middle", err, "run weir store migrate")

		s := openURL(t, url)
		analyse(t, s)
		compareStats(t, s.View, events, query.By.Tool)
		wantWhole(t, s.View, 1)
		found := 0
		for e, err := range s.Entries(t.Context(), query.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Columns != entries[found].Columns {
				t.Fatalf("event %d: columns %+v, want %+v", found, e.Columns, entries[found].Columns)
			}
			found++
		}
		if found != len(entries) {
			t.Errorf("%d events, want %d", found, len(entries))
		}
	})
}
