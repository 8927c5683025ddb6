package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/weir-gate/weir/internal/record"
)

// A writing is the newest partition, which takes events. Everything it knows is stored.
type writing struct {
	standing
	path    string
	db      *sql.DB // one connection
	insert  *sql.Stmt
	dict    *dictionary
	learnt  int64 // the number of the next chunk of the dictionary
	uses    []use
	blocks  int
	tail    []event
	cursors map[string]cursor
	open    openRequests
	room    []uint64
}

// A cursor is where the index stands in a log.
type cursor struct {
	at  int64 // all events before it are in the index
	cut int64 // all events before it are gone
}

func (w *writing) close() error {
	if w == nil || w.db == nil {
		return nil
	}
	if w.insert != nil {
		w.insert.Close() // the database is closed
	}
	return w.db.Close()
}

const insertChunk = "INSERT INTO chunks (key, data) VALUES (?, ?)"

// connect opens the partition for writing.
func (w *writing) connect(ctx context.Context) (err error) {
	if w.db, err = open(w.path, writeMode); err != nil {
		return err
	}
	w.db.SetMaxOpenConns(1)
	w.insert, err = w.db.PrepareContext(ctx, insertChunk)
	return err
}

// transact does work in one transaction.
func (w *writing) transact(ctx context.Context, work func(*changing) error) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return trouble(w.path, err)
	}
	defer tx.Rollback() // after a commit it does nothing; before, the first error is the one to report
	c := &changing{ctx, tx, tx.StmtContext(ctx, w.insert)}
	if err := work(c); err != nil {
		return trouble(w.path, err)
	}
	return trouble(w.path, tx.Commit())
}

// changing is a transaction that changes a partition.
type changing struct {
	ctx    context.Context
	tx     *sql.Tx
	insert *sql.Stmt
}

func (c *changing) exec(query string, args ...any) error {
	_, err := c.tx.ExecContext(c.ctx, query, args...)
	return err
}

// put stores a chunk.
func (c *changing) put(kind column, n int64, p packing) error {
	_, err := c.insert.ExecContext(c.ctx, keyOf(kind, n), p.sealed())
	return err
}

// drop removes the chunks of a kind from a number on, up to and including another.
func (c *changing) drop(kind column, from, to int64) error {
	return c.exec("DELETE FROM chunks WHERE key >= ? AND key <= ?", keyOf(kind, from), keyOf(kind, to))
}

const insertStanding = "INSERT INTO standing (first, rows, sealed, block, run, proof) VALUES (?, 0, 0, ?, ?, ?)"

const setCursor = "INSERT INTO cursors (log, at, cut) VALUES (?, ?, ?) ON CONFLICT (log) DO UPDATE SET at = excluded.at, cut = excluded.cut"

// apply adds events of a log, and moves its cursor.
func (w *writing) apply(ctx context.Context, log string, to int64, events []Placed) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	if len(events) > mostRows {
		return fmt.Errorf("index: %d events are too many to be applied at once", len(events))
	}
	all := make([]event, len(events))
	for i := range events {
		all[i] = w.event(log, &events[i])
	}
	w.cursors[log] = cursor{to, w.cursors[log].cut} // if it fails, all is read again
	// Once begun it is not cancelled: of a cancelled transaction it would be unknown whether it happened.
	err := w.transact(context.WithoutCancel(ctx), func(c *changing) error {
		return errors.Join(w.putNames(c), w.putEvents(c, all), c.exec("UPDATE standing SET rows = ?", w.rows+len(all)),
			w.putCursor(c, log))
	})
	if err == nil {
		w.rows += len(all)
	}
	return err
}

// putCursor stores the cursor of a log, or that there is none, and the proof of all.
func (w *writing) putCursor(c *changing, log string) error {
	at, known := w.cursors[log]
	err := c.exec("DELETE FROM cursors WHERE log = ?", log)
	if known {
		err = c.exec(setCursor, log, at.at, at.cut)
	}
	return errors.Join(err, c.exec("UPDATE standing SET proof = ?", proofOf(w.cursors)))
}

// proofOf is a checksum of cursors. A cursor that is wrong would hide events, or repeat them.
func proofOf(cursors map[string]cursor) int64 {
	sum := uint64(0)
	for log, c := range cursors {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %d %d", log, c.at, c.cut)
		sum ^= h.Sum64()
	}
	return int64(sum)
}

// event is what the index holds of an event.
func (w *writing) event(log string, p *Placed) event {
	c := &p.Columns
	e := event{
		place: place{w.dict.name(log), p.At}, micros: c.Micros, facet: w.dict.facet(c), session: w.dict.name(c.Session), ids: idsOf(c),
	}
	e.words = wordsOf(p.Text, &w.room)
	isEnd := c.Type == record.Types.ResponseDone
	if isEnd {
		e.ended = endedOf(c)
	}
	if c.RequestID == "" || !isEnd && !c.Type.IsCall() {
		return e
	}
	if e.request = hashOf(kindRequest, c.RequestID); isEnd {
		e.ended.shares = w.open.end(e.request)
		return e
	}
	e.paid = isPaid(c)
	w.open.add(e.request, share{e.place, e.micros, e.facet, e.session, e.paid})
	return e
}

// putNames stores what is new in the dictionary.
func (w *writing) putNames(c *changing) error {
	p := w.dict.news()
	if p == nil {
		return nil
	}
	if err := c.put(kindDictionary, w.learnt, p); err != nil {
		return err
	}
	w.learnt++
	w.dict.storedNames, w.dict.storedFacets = len(w.dict.names), len(w.dict.facets)
	w.uses = w.dict.moreUses(w.uses)
	return nil
}

// putEvents stores events: in blocks, as far as they fill them, and the rest as the tail.
func (w *writing) putEvents(c *changing, events []event) error {
	began := w.blocks * w.block
	from := began + len(w.tail)
	w.tail = append(w.tail, events...)
	before := w.blocks
	for len(w.tail) >= w.block {
		if err := w.putBlock(c, w.tail[:w.block]); err != nil {
			return err
		}
		w.tail = w.tail[w.block:]
	}
	if w.blocks > before {
		w.tail = append([]event(nil), w.tail...) // so that the rest can be freed
		if err := c.drop(kindTail, 0, lastChunk); err != nil {
			return err
		}
		events, from = w.tail, w.blocks*w.block
	}
	if len(events) == 0 {
		return nil
	}
	return c.put(kindTail, int64(from), packTail(events))
}

// putBlock stores events as the next block.
func (w *writing) putBlock(c *changing, events []event) error {
	n := int64(w.blocks)
	h := headerOf(events)
	var p packing
	h.pack(&p)
	if err := c.put(columnHeader, n, p); err != nil {
		return err
	}
	for kind := columnFacets; kind < columnCount; kind++ {
		if err := c.put(kind, n, pack(kind, &h, events)); err != nil {
			return err
		}
	}
	for i, d := range dimensions {
		if err := c.put(columnRollup, n*rollups+int64(i), rollupOf(d, w.dict, w.uses, events).pack()); err != nil {
			return err
		}
	}
	if err := putRun(c, kindBlockIDs, n, postingsOf(events)); err != nil {
		return err
	}
	if w.blocks++; w.blocks%w.run != 0 {
		return nil
	}
	return w.mergeRun(c, int64(w.blocks/w.run-1))
}

// rollups is how many rollups a block can have.
const rollups = 16

// putRun stores postings as a run.
func putRun(c *changing, kind column, n int64, all []posting) error {
	for len(all) > 0 {
		number := partOf(uint64(all[0]), runParts)
		end := 1
		for end < len(all) && partOf(uint64(all[end]), runParts) == number {
			end++
		}
		if err := c.put(kind, n*runParts+int64(number), packPostings(all[:end])); err != nil {
			return err
		}
		all = all[end:]
	}
	return nil
}
