package transcript

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	_ "modernc.org/sqlite" // the driver
)

// Where a database of opencode has calls: in the parts of messages, and in newer versions in the messages themselves. Rows that are too
// long are not read into memory. Most rows are texts, which need not be read either.
const (
	rowsOf = "SELECT id, session_id, %s, time_created, CASE WHEN length(data) <= %d THEN data END " +
		"FROM %s WHERE time_created >= ? AND instr(data, '\"tool\"') > 0"
	partsTable  = "part"
	newerTable  = "session_message"
	tableExists = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
)

// readOpenCodeDB reads a database. opencode may use it at the same time: nothing is written.
func (r *Reading) readOpenCodeDB(path string, yield func(Call) bool) (more bool) {
	whole, err := filepath.Abs(path) // in a URL, the first name of a relative path would be a host
	if err != nil {
		r.badFile(path, err)
		return true
	}
	source := url.URL{Scheme: "file", Path: filepath.ToSlash(whole), RawQuery: "mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)"}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		r.badFile(path, err)
		return true
	}
	defer db.Close()
	more = true
	found := 0
	for _, table := range []string{partsTable, newerTable} {
		var n int
		if err := db.QueryRowContext(r.ctx, tableExists, table).Scan(&n); err != nil {
			r.badFile(path, err)
			return true
		}
		if n == 0 {
			continue
		}
		found++
		if more, err = r.readTable(db, path, table, yield); err != nil && r.ctx.Err() == nil {
			r.badFile(path, fmt.Errorf("table %s: %w", table, err))
		}
		if !more {
			break
		}
	}
	if found == 0 {
		r.badFile(path, errors.New("it has no table with messages"))
		return true
	}
	r.Tally.Files++
	return more
}

func (r *Reading) readTable(db *sql.DB, path, table string, yield func(Call) bool) (more bool, err error) {
	message := "id"
	if table == partsTable {
		message = "message_id"
	}
	since := int64(0)
	if !r.what.Since.IsZero() {
		// The row of a part is made when the model begins to write it.
		since = r.what.Since.Add(-time.Hour).UnixMilli()
	}
	rows, err := db.QueryContext(r.ctx, fmt.Sprintf(rowsOf, message, maxLine, table), since)
	if err != nil {
		return true, err
	}
	defer rows.Close()
	about := openCodeSessions{db: db, r: r}
	for rows.Next() {
		var id, session, message string
		var made int64
		var data *string
		if err := rows.Scan(&id, &session, &message, &made, &data); err != nil {
			return true, err
		}
		e, err := entry{}, errLong
		if data != nil {
			e, err = parseOpenCode(&r.scene, []byte(*data))
		}
		if err != nil {
			r.badLine(path, 0, fmt.Errorf("row %s of the table %s: %w", id, table, err))
			continue
		}
		for _, c := range e.calls {
			c.File, c.Row = path, id
			if c.Time.IsZero() {
				c.Time = time.UnixMilli(made)
			}
			about.tell(&c, session, message)
			if !r.offer(c, yield) {
				return false, nil
			}
		}
	}
	return true, rows.Err()
}

// openCodeSessions looks up what the sessions of calls are about. Columns differ between versions: what cannot be found is not known.
type openCodeSessions struct {
	db      *sql.DB
	r       *Reading
	session string // the last one
	dir     string
	side    bool
}

func (s *openCodeSessions) tell(c *Call, session, message string) {
	if session != s.session {
		var dir, parent sql.NullString
		_ = s.db.QueryRowContext(s.r.ctx, "SELECT directory, parent_id FROM session WHERE id = ?", session).Scan(&dir, &parent)
		s.session, s.dir, s.side = session, dir.String, parent.String != ""
	}
	c.Dir, c.Side = s.dir, s.side
	if c.Model != "" {
		return
	}
	var data sql.NullString
	_ = s.db.QueryRowContext(s.r.ctx, "SELECT data FROM message WHERE id = ? AND length(data) < 1000000", message).Scan(&data)
	var m struct {
		Model word `json:"modelID"`
	}
	if data.Valid && decode(jsontext.Value(data.String), &m) == nil {
		c.Model = string(m.Model)
	}
}
