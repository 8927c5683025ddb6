package index

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A partition is a file of the index, for reading.
type partition struct {
	path  string
	first int64       // row
	file  os.FileInfo // nil: it does not exist
	db    *sql.DB
	get   *sql.Stmt // a chunk

	mu    sync.Mutex
	users int  // readings that are not closed
	gone  bool // it is closed with the last of them
	// What was read so far, which only grows until the partition is sealed.
	known    standing
	dict     *dictionary
	learnt   int64 // the number of the next chunk of the dictionary
	headers  []header
	tail     []event
	tailFrom int // the offset of the tail

	lazy lazy
}

// lazy is what is read of a sealed partition when it is needed.
type lazy struct {
	summary
	mu               sync.Mutex
	columns          [fieldCount][]uint32
	facets, sessions []byte // the blocks in which they occur
}

// openPartition opens a partition for reading. Nothing is read yet.
func openPartition(folder string, first int64) (*partition, error) {
	path := filepath.Join(folder, partitionName(first))
	file, _ := os.Stat(path) // whoever reads it says why
	db, err := open(path, readMode)
	if err != nil {
		return nil, trouble(path, err)
	}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(2)
	db.SetConnMaxIdleTime(time.Minute)
	return &partition{path: path, first: first, file: file, db: db, dict: newDictionary()}, nil
}

// isReplaced says whether another file has its name now: the index was made anew.
func (p *partition) isReplaced() bool {
	now, err := os.Stat(p.path)
	return err == nil && (p.file == nil || !os.SameFile(p.file, now))
}

// retire closes the partition when nobody reads it any more.
func (p *partition) retire() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone = true; p.users > 0 {
		return nil
	}
	return p.close()
}

func (p *partition) close() error {
	if p.get != nil {
		return errors.Join(p.get.Close(), p.db.Close())
	}
	return p.db.Close()
}

// A reading is a partition at a moment. It is used by one goroutine.
type reading struct {
	standing
	path    string
	names   []string
	known   int     // how many facets there are
	facets  []facet // if the partition is not sealed
	headers []header
	tail    []event

	ctx  context.Context
	of   *partition // nil: it is being written
	tx   *sql.Tx    // nil: nothing can change
	db   querier
	stmt *sql.Stmt
}

// read begins to read the partition as it is now. The reading must be closed.
func (p *partition) read(ctx context.Context) (*reading, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := &reading{path: p.path, ctx: ctx}
	if err := p.refresh(ctx, r); err != nil {
		if r.tx != nil {
			err = errors.Join(err, r.tx.Rollback())
		}
		p.forget()
		return nil, trouble(p.path, err)
	}
	r.of = p
	p.users++
	r.standing, r.headers, r.tail = p.known, p.headers, p.tail
	if r.sealed {
		r.names, r.known = p.lazy.names, p.lazy.summary.facets
	} else {
		r.names, r.facets, r.known = p.dict.names, p.dict.facets, len(p.dict.facets)
	}
	return r, nil
}

// forget forgets what was read, so that it is read again.
func (p *partition) forget() {
	p.known, p.dict, p.learnt, p.headers, p.tail, p.tailFrom = standing{}, newDictionary(), 0, nil, nil, 0
}

// refresh reads what is new.
func (p *partition) refresh(ctx context.Context, r *reading) (err error) {
	if p.get == nil {
		if p.get, err = p.db.PrepareContext(ctx, "SELECT data FROM chunks WHERE key = ?"); err != nil {
			return err
		}
	}
	if p.known.sealed {
		r.stmt, r.db = p.get, p.db
		return nil
	}
	if r.tx, err = p.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		return err
	}
	r.stmt, r.db = r.tx.StmtContext(ctx, p.get), r.tx
	before := p.known
	if p.known, err = readStanding(ctx, r.tx); err != nil {
		return err
	}
	if p.known.first != p.first {
		return errGarbled
	}
	if p.known == before {
		return nil
	}
	if p.known.rows < before.rows { // it was made anew
		now := p.known
		p.forget()
		p.known = now
	}
	if p.known.sealed {
		return p.finish(r)
	}
	if err := p.learn(ctx, r.tx); err != nil {
		return err
	}
	more, err := chunks(ctx, r.tx, columnHeader, int64(len(p.headers)), lastChunk)
	if err != nil {
		return err
	}
	for _, c := range more {
		var h header
		u := unpack(c.data)
		h.unpack(u)
		if err := u.end(); err != nil {
			return err
		}
		p.headers = append(p.headers, h)
	}
	return p.readTail(ctx, r.tx)
}

// learn reads what is new in the dictionary.
func (p *partition) learn(ctx context.Context, db querier) error {
	more, err := chunks(ctx, db, kindDictionary, p.learnt, lastChunk)
	if err != nil {
		return err
	}
	for _, c := range more {
		if err := p.dict.learn(c.data); err != nil {
			return err
		}
		p.learnt = c.n + 1
	}
	return nil
}

// readTail reads what is new in the tail.
func (p *partition) readTail(ctx context.Context, db querier) error {
	if from := len(p.headers) * p.known.block; from > p.tailFrom {
		p.tail = p.tail[min(from-p.tailFrom, len(p.tail)):]
		p.tailFrom = from
	}
	more, err := chunks(ctx, db, kindTail, int64(p.tailFrom+len(p.tail)), lastChunk)
	if err != nil {
		return err
	}
	for _, c := range more {
		events, err := unpackTail(c.data)
		if err != nil {
			return err
		}
		p.tail = append(p.tail, events...)
	}
	if p.tailFrom+len(p.tail) != p.known.rows {
		return errGarbled
	}
	return nil
}

// finish reads a partition that is sealed.
func (p *partition) finish(r *reading) error {
	p.dict, p.tail = nil, nil
	data, err := r.chunk(kindSummary, 0)
	if err != nil {
		return err
	}
	if p.lazy.summary, err = unpackSummary(data); err != nil {
		return err
	}
	p.headers = p.lazy.headers
	rows := 0
	for _, h := range p.headers {
		rows += h.rows
	}
	if rows != p.known.rows {
		return errGarbled
	}
	return nil
}

// close ends the reading.
func (r *reading) close() {
	if r == nil || r.of == nil {
		return
	}
	if r.tx != nil {
		_ = r.tx.Rollback() // nothing was written
	}
	p := r.of
	r.of, r.tx = nil, nil
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 && p.gone {
		_ = p.close() // nothing was written
	}
}

// chunk reads a chunk that must be there.
func (r *reading) chunk(kind column, n int64) ([]byte, error) {
	data, err := r.maybe(kind, n)
	if err == nil && data == nil {
		err = errGarbled
	}
	return data, err
}

// maybe reads a chunk; nil: there is none.
func (r *reading) maybe(kind column, n int64) (data []byte, err error) {
	err = r.stmt.QueryRowContext(r.ctx, keyOf(kind, n)).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return data, err
}

// blocks is how many blocks there are, with the tail.
func (r *reading) blocks() int {
	if len(r.tail) > 0 {
		return len(r.headers) + 1
	}
	return len(r.headers)
}

// block returns a block. The tail is the last.
func (r *reading) block(i int) *block {
	b := &block{first: r.first + int64(i*r.standing.block), known: r.known}
	if i < len(r.headers) {
		b.header = r.headers[i]
		b.load = func(c column) ([]byte, error) { return r.chunk(c, int64(i)) }
		return b
	}
	n := len(r.tail)
	b.header = headerOf(r.tail)
	b.facets, b.sessions, b.times, b.places = make([]uint32, n), make([]uint32, n), make([]int64, n), make([]place, n)
	b.requests = make([]requestOf, n)
	for j := range r.tail {
		e := &r.tail[j]
		b.facets[j], b.sessions[j], b.times[j], b.places[j], b.requests[j] = e.facet, e.session, e.micros, e.place, requestOf{e.request, e.paid}
		if e.ended != nil {
			b.ends = append(b.ends, end{j, *e.ended})
		}
	}
	for c := range b.have {
		b.have[c] = true
	}
	return b
}

// header returns what is known of a block.
func (r *reading) header(i int) header {
	if i < len(r.headers) {
		return r.headers[i]
	}
	return headerOf(r.tail)
}

// offsets returns the offsets of the events that may have a hash, from one up to and including another, ascending. For a word, an
// offset stands for all events from there on.
func (r *reading) offsets(hash uint64, from, to int) ([]int, error) {
	var all []int
	add := func(kind column, parts, run, base int) error {
		if base > to {
			return nil
		}
		number := partOf(hash, parts)
		data, err := r.maybe(kind, int64(run*runParts+number))
		if err != nil || data == nil {
			return err
		}
		p, err := newPart(data, number, parts, base)
		all = p.offsets(hash, from, to, all)
		return err
	}
	if r.sealed {
		err := add(kindIDs, wholeParts, 0, 0)
		return all, err
	}
	runs := len(r.headers) / r.run
	for i := range runs {
		if first := i * r.run * r.standing.block; first+r.run*r.standing.block > from {
			if err := add(kindRunIDs, runParts, i, first); err != nil {
				return nil, err
			}
		}
	}
	for i := runs * r.run; i < len(r.headers); i++ {
		if first := i * r.standing.block; first+r.standing.block > from {
			if err := add(kindBlockIDs, runParts, i, first); err != nil {
				return nil, err
			}
		}
	}
	return r.inTail(hash, from, to, all), nil
}

// inTail adds the offsets of events of the tail.
func (r *reading) inTail(hash uint64, from, to int, all []int) []int {
	first := len(r.headers) * r.standing.block
	for i := max(0, from-first); i < len(r.tail) && first+i <= to; i++ {
		for _, hashes := range [][]uint64{r.tail[i].ids, r.tail[i].words} {
			for _, h := range hashes {
				if newPosting(h, 0) == newPosting(hash, 0) && (len(all) == 0 || all[len(all)-1] != first+i) {
					all = append(all, first+i)
				}
			}
		}
	}
	return all
}
