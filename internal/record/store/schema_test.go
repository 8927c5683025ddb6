package store

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store/storetest"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// migratingDatabase is the database at url as migrations see it.
func migratingDatabase(t *testing.T, url string) database {
	t.Helper()
	a, err := URL(url).address()
	if err != nil {
		t.Fatal(err)
	}
	var db database
	switch a := a.(type) {
	case sqliteAddress:
		file, err := prepareFile(a.path)
		if err != nil {
			t.Fatal(err)
		}
		if db, err = openSQLite(file, writeMode); err != nil {
			t.Fatal(err)
		}
	case postgresAddress:
		db = a.connect(migrating)
	default:
		t.Skip("no earlier weir had this database")
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// versionsOf are the numbers of the migrations in a folder.
func versionsOf(t *testing.T, folder string) []int64 {
	t.Helper()
	files, err := fs.Glob(migrationFiles, "migrations/"+folder+"/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var all []int64
	for _, name := range files {
		var n int64
		if _, err := fmt.Sscanf(name[strings.LastIndex(name, "/")+1:], "%04d_", &n); err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}

// TestVersionsAgree: one number says what the schema is, whatever the backend.
func TestVersionsAgree(t *testing.T) {
	for name := range storetest.Databases {
		all := versionsOf(t, name)
		if newest := all[len(all)-1]; newest != knownVersion {
			t.Errorf("%s: the newest migration is %d, want %d", name, newest, knownVersion)
		}
	}
}

// TestUpgrade opens databases of every earlier version, with events in them.
func TestUpgrade(t *testing.T) {
	need.Long(t)
	for name, backend := range storetest.Databases {
		for _, version := range versionsOf(t, name) {
			if version < knownVersion {
				t.Run(fmt.Sprint(name, " from ", version), func(t *testing.T) { testUpgrade(t, backend(t), version) })
			}
		}
		t.Run(name+" from nothing", func(t *testing.T) {
			url := backend(t)
			if from, to, err := URL(url).Migrate(t.Context()); from != 0 || to != knownVersion || err != nil {
				t.Errorf("migrated from %d to %d, %v", from, to, err)
			}
			if from, to, err := URL(url).Migrate(t.Context()); from != knownVersion || to != knownVersion || err != nil {
				t.Errorf("migrated again from %d to %d, %v", from, to, err)
			}
		})
	}
}

func testUpgrade(t *testing.T, url string, version int64) {
	old := sealed(t, record.Event{Type: record.Types.ToolCall, Tool: "Bash", CallID: "call_1", WireID: "toolu_é"},
		record.Event{Type: record.Types.ToolCall, Tool: "Read", CallID: "call_2"}, record.Event{Tool: "next"})
	makeOld(t, url, version, old[:2])
	if version >= filledVersion {
		version = filledVersion - 1 // the upgrade was interrupted
	}
	if found, known, err := URL(url).Versions(t.Context()); found != version || known != knownVersion || err != nil {
		t.Errorf("versions %d and %d, %v; want %d and %d", found, known, err, version, knownVersion)
	}
	_, err := OpenReadOnly(t.Context(), url)
	wantError(t, "before the upgrade", err, "run weir store migrate")
	if from, to, err := URL(url).Migrate(t.Context()); from != version || to != knownVersion || err != nil {
		t.Errorf("migrated from %d to %d, %v", from, to, err)
	}
	s := openURL(t, url)
	wantWhole(t, s.View, 1)
	for _, f := range []query.Filter{{CallID: "call_1"}, {WireID: "toolu_é"}, {Tool: "read"}} {
		found := 0
		for _, err := range s.Entries(t.Context(), f) {
			if err != nil {
				t.Fatal(err)
			}
			found++
		}
		if found != 1 {
			t.Errorf("after the upgrade: %+v finds %d events", f, found)
		}
	}
	for _, query := range []string{"UPDATE events SET tool = 'x'", "DELETE FROM events"} {
		if _, err := s.write.Exec(query); err == nil {
			t.Errorf("after the upgrade: %s succeeds", query)
		}
	}
	if h, err := s.Head(t.Context(), old[1].Chain); h != (record.Head{Chain: old[1].Chain, Seq: 2, Hash: old[1].Hash}) || err != nil {
		t.Errorf("after the upgrade: head %+v, %v", h, err)
	}
	if err := s.Append(t.Context(), old[2:]); err != nil {
		t.Errorf("after the upgrade: %v", err)
	}
	if n, err := storetest.CutBefore(t, s, old[0].Chain, 3); n != 2 || err != nil {
		t.Errorf("after the upgrade: dropped %d, %v", n, err)
	}
	r := recorder.New(recorder.Config{Store: s})
	with := record.Effects{Remember: aRuling("a", call.Ruling{Code: "x"}), Spend: []call.Spend{{Scope: "s", Micro: 1}}}
	r.RecordAll([]record.Event{{}}, with, func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Refused(t.Context(), "openai", "resp_1"); err != nil || len(got) != 1 {
		t.Errorf("after the upgrade: kept %v, %v", got, err)
	}
	if w, err := s.UpdateRegistry(t.Context(), registry.Update{Servers: []registry.Server{{ID: "fs"}}}); err != nil || w.Revision != 1 {
		t.Errorf("after the upgrade: the registry is at revision %d, %v", w.Revision, err)
	}
}

// makeOld makes a database as an earlier weir left it.
func makeOld(t *testing.T, url string, version int64, entries []record.Entry) {
	t.Helper()
	db := migratingDatabase(t, url)
	migrations, err := newMigrations(db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrations.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	if db.flavour.migrations == "sqlite" {
		if _, err := db.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			t.Fatal(err)
		}
	}
	if version >= 5 {
		noteChain(t, db, entries)
	}
	if version >= 8 {
		noteBytes(t, db, entries)
	}
	if !isPostgres(db.flavour) {
		for _, trigger := range []string{"events_wait", "events_complete"} { // they keep older processes from writing
			if _, err := db.Exec("DROP TRIGGER IF EXISTS " + trigger); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, e := range entries {
		columns := "chain, seq, hash, time, type, session, server, tool, verdict, blocked, code, rule, text"
		args := []any{e.Chain, e.Seq, e.Hash, e.Micros, string(e.Type), e.Session, e.Server, e.Tool, e.Verdict, e.Blocked, e.Code, e.Rule, string(e.Text)}
		if version >= 3 {
			columns += ", call_id, wire_id"
			args = append(args, e.CallID, e.WireID)
		}
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(args)), ", ")
		if _, err := db.Exec(db.flavour.text("INSERT INTO events ("+columns+") VALUES ("+marks+")"), args...); err != nil {
			t.Fatal(err)
		}
	}
	if version >= filledVersion { // it wrote the tables anew and was interrupted
		if _, err := db.Exec("INSERT INTO unfilled SELECT max(row_id) FROM events"); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// noteChain makes room for the entries of a chain, as versions that know of chains do.
func noteChain(t *testing.T, db database, entries []record.Entry) {
	t.Helper()
	last := entries[len(entries)-1]
	if _, err := db.Exec(db.flavour.text("INSERT INTO chains (chain, seq, hash) VALUES (?, ?, ?)"), last.Chain, last.Seq, last.Hash); err != nil {
		t.Fatal(err)
	}
	if !isPostgres(db.flavour) {
		return
	}
	for _, e := range []record.Entry{entries[0], last} {
		if _, err := db.Exec("SELECT add_events_month($1)", e.Micros); err != nil {
			t.Fatal(err)
		}
	}
}

// noteBytes has the chain of the entries know how much text they have, as versions that count it do.
func noteBytes(t *testing.T, db database, entries []record.Entry) {
	t.Helper()
	size := 0
	for _, e := range entries {
		size += len(e.Text)
	}
	if _, err := db.Exec(db.flavour.text("UPDATE chains SET bytes = ?"), size); err != nil {
		t.Fatal(err)
	}
}

// TestVersionsChangeNothing looks at databases that are not there yet.
func TestVersionsChangeNothing(t *testing.T) {
	onNew(t, func(t *testing.T, url string) {
		for range 2 {
			if found, known, err := URL(url).Versions(t.Context()); found != 0 || known != knownVersion || err != nil {
				t.Errorf("versions %d and %d, %v", found, known, err)
			}
		}
		if _, err := OpenReadOnly(t.Context(), url); err == nil {
			t.Error("looking made a database")
		}
	})
	_, _, err := URL("mysql://x").Versions(t.Context())
	wantError(t, "Versions", err, "not a known kind of store")
	_, _, err = URL("mysql://x").Migrate(t.Context())
	wantError(t, "Migrate", err, "not a known kind of store")
}

// TestOlderProcessStops has a process of an earlier version go on after the upgrade, on its own connection: it can record nothing any
// more, and its errors say what to do.
func TestOlderProcessStops(t *testing.T) {
	url := storetest.Databases["sqlite"](t)
	old := sealed(t, record.Event{Type: record.Types.ToolCall, Tool: "Bash"}, record.Event{Type: record.Types.ToolCall, Tool: "late"})
	makeOld(t, url, 4, old[:1])
	db := migratingDatabase(t, url)
	defer db.Close()
	insert, err := db.Prepare("INSERT INTO events (chain, seq, hash, time, type, session, server, tool, verdict, blocked, code, rule, text, call_id, wire_id) " +
		"VALUES (?, ?, ?, ?, ?, '', '', ?, '', FALSE, '', '', ?, '', '')")
	if err != nil {
		t.Fatal(err)
	}
	write := func() error {
		e := old[1]
		if _, err := insert.Exec(e.Chain, e.Seq, e.Hash, e.Micros, string(e.Type), e.Tool, string(e.Text)); err != nil {
			return sqlError("write events", err)
		}
		return nil
	}
	migrations, err := newMigrations(migratingDatabase(t, url))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrations.UpTo(t.Context(), 5); err != nil { // others may see it in the middle
		t.Fatal(err)
	}
	wantError(t, "during the upgrade", write(), "restart this one with the new version")
	s := openURL(t, url)
	wantError(t, "after the upgrade", write(), "restart this one with the new version")
	wantWhole(t, s.View, 1)
	if err := s.Append(t.Context(), old[1:]); err != nil {
		t.Errorf("the newer process: %v", err)
	}
	wantWhole(t, s.View, 1)
}
