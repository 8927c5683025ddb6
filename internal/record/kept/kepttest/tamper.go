// Package kepttest changes a kept record as an attacker with full rights could, for tests.
package kepttest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	_ "modernc.org/sqlite" // the driver

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

// A Change is a statement and its arguments.
type Change struct {
	Query string
	Args  []any
}

const (
	showEvents = `CREATE TEMP TABLE events (row_id INTEGER PRIMARY KEY, log TEXT, chain TEXT, seq INTEGER, hash TEXT, time INTEGER, type TEXT,
		session TEXT, server TEXT, tool TEXT, call_id TEXT, wire_id TEXT, verdict TEXT, blocked INTEGER, code TEXT, rule TEXT, text TEXT,
		facet BLOB, lot INTEGER, tool_folded TEXT, server_folded TEXT)`
	showEvent = `INSERT INTO temp.events (log, chain, seq, hash, time, type, session, server, tool, call_id, wire_id, verdict, blocked, code,
		rule, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	// A row that was put in is where the others of its chain are.
	readEvents = `SELECT coalesce(log, (SELECT log FROM temp.events o WHERE o.chain = e.chain AND o.log IS NOT NULL LIMIT 1), ''), text
		FROM temp.events e ORDER BY row_id`
)

// Tamper changes a record that nobody has open. To the statements, the events of the logs are rows of a table, as a store on a server has
// them. The logs are then written anew, so that every frame is right. The index is deleted.
func Tamper(ctx context.Context, url string, changes ...Change) (err error) {
	path, _ := store.URL(url).File()
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	folder, err := store.URL(url).LogFolder("")
	if err != nil {
		return err
	}
	names, err := show(ctx, db, folder)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if _, err := db.ExecContext(ctx, c.Query, c.Args...); err != nil {
			return fmt.Errorf("%s: %w", c.Query, err)
		}
	}
	texts, err := read(ctx, db)
	if err != nil {
		return err
	}
	for _, log := range names {
		if err := write(ctx, folder, log, texts[log]); err != nil {
			return err
		}
	}
	index, err := store.URL(url).IndexFolder()
	if err != nil {
		return err
	}
	return os.RemoveAll(index)
}

// show puts the events of the logs into a table.
func show(ctx context.Context, db *sql.DB, folder string) (names []string, err error) {
	if _, err := db.ExecContext(ctx, showEvents); err != nil {
		return nil, err
	}
	if names, err = recordlog.Names(folder); err != nil {
		return nil, err
	}
	for _, log := range names {
		for g, err := range recordlog.Read(filepath.Join(folder, log), 0) {
			if err != nil {
				return nil, err
			}
			e, err := record.Sealed(slices.Clone(g.Text))
			if err != nil {
				return nil, err
			}
			if _, err := db.ExecContext(ctx, showEvent, log, e.Chain, e.Seq, e.Hash, e.Micros, string(e.Type), e.Session, e.Server, e.Tool,
				e.CallID, e.WireID, e.Verdict, e.Blocked, e.Code, e.Rule, string(e.Text)); err != nil {
				return nil, err
			}
		}
	}
	return names, nil
}

// read returns the texts of the table, by log.
func read(ctx context.Context, db *sql.DB) (map[string][]record.Entry, error) {
	rows, err := db.QueryContext(ctx, readEvents)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := map[string][]record.Entry{}
	for rows.Next() {
		var log, text string
		if err := rows.Scan(&log, &text); err != nil {
			return nil, err
		}
		texts[log] = append(texts[log], record.Entry{Text: []byte(text)})
	}
	return texts, rows.Err()
}

// write writes a log anew.
func write(ctx context.Context, folder, name string, entries []record.Entry) error {
	if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
		return err
	}
	log, err := recordlog.Create(recordlog.Config{Folder: folder, Name: name})
	if err != nil {
		return err
	}
	return errors.Join(log.Append(ctx, entries), log.Close(false))
}
