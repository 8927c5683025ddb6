package index

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// startWriting reads the newest partition, or makes the first. What a process that was killed left behind is removed.
func (x *Index) startWriting(ctx context.Context) (*writing, error) {
	all, err := partitionsIn(x.config.Folder)
	if err != nil {
		return nil, err
	}
	if err := removePartition(filepath.Join(x.config.Folder, newPartition)); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if len(all) == 0 {
		w := &writing{
			standing: standing{first: 1, block: x.config.blockRows, run: x.config.runBlocks},
			dict:     newDictionary().forWriting(), cursors: map[string]cursor{},
		}
		return w, w.create(ctx, x.config.Folder, func(*changing) error { return nil })
	}
	w, err := resume(ctx, x.config.Folder, all[len(all)-1])
	if err == nil {
		err = w.tidy(ctx, x.config.Folder, all[:len(all)-1])
	}
	if err != nil {
		w.close() // the first error is the one to report
		return nil, err
	}
	return w, nil
}

// resume reads a partition that takes events.
func resume(ctx context.Context, folder string, first int64) (w *writing, err error) {
	p, err := openPartition(folder, first)
	if err != nil {
		return nil, err
	}
	path := p.path
	defer p.close() // nothing was written
	r, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.close()
	w = &writing{
		standing: r.standing, path: path, learnt: p.learnt, blocks: len(r.headers),
		tail: slices.Clone(r.tail), cursors: map[string]cursor{},
	}
	if w.dict, err = r.dictionary(); err != nil {
		return w, trouble(path, err)
	}
	w.dict.storedNames, w.dict.storedFacets = len(r.names), r.known
	w.dict.names = slices.Clone(w.dict.names)
	w.uses = w.dict.forWriting().moreUses(nil)
	s := &snapshot{reading: r}
	if err := s.readCatalog(ctx); err != nil {
		return w, err
	}
	for log, c := range s.cursors {
		w.cursors[log] = c
	}
	if err := w.reopen(ctx, folder, r, s.earlier); err != nil {
		return w, err
	}
	r.close()
	return w, trouble(path, w.connect(ctx))
}

// lookBack is how many events are looked at for requests whose responses have not ended, when a process begins to write.
const lookBack = 1 << 20

// reopen finds the requests whose responses have not ended, in this partition and those before it.
func (w *writing) reopen(ctx context.Context, folder string, r *reading, before []earlier) error {
	first := len(before)
	for rows := int64(r.rows); first > 0 && rows < lookBack; first-- {
		rows += before[first-1].rows
	}
	for _, e := range before[first:] {
		if err := w.reopenIn(ctx, folder, e.first); err != nil {
			return err
		}
	}
	return trouble(w.path, w.open.read(r, nil, nil))
}

// reopenIn follows the requests of an earlier partition.
func (w *writing) reopenIn(ctx context.Context, folder string, first int64) error {
	path := filepath.Join(folder, partitionName(first))
	if !exists(path) {
		return damaged(path, "it is missing")
	}
	p, err := openPartition(folder, first)
	if err != nil {
		return err
	}
	defer p.close() // nothing was written
	r, err := p.read(ctx)
	if err != nil {
		return err
	}
	defer r.close()
	dict, err := r.dictionary()
	if err == nil {
		err = w.open.read(r, dict, w.dict)
	}
	return trouble(path, err)
}

// read follows the requests of a partition. Its calls get the numbers of another dictionary, unless that is nil.
func (o *openRequests) read(r *reading, from, to *dictionary) error {
	var here openRequests
	uses, err := r.uses()
	if err != nil {
		return err
	}
	for i := range r.blocks() {
		b := r.block(i)
		if err := b.need(columnFacets, columnSessions, columnTimes, columnPlaces, columnRequests); err != nil {
			return err
		}
		for j, q := range b.requests {
			switch {
			case q.hash == 0:
			case uses[b.facets[j]].isResponse:
				here.end(q.hash)
				o.end(q.hash)
			default:
				here.add(q.hash, share{b.places[j], b.times[j], b.facets[j], b.sessions[j], q.paid})
			}
		}
	}
	if to != nil {
		here = here.moved(from, to)
	}
	for _, request := range here.order {
		for _, call := range here.end(request) {
			o.add(request, call)
		}
	}
	return nil
}

// tidy removes partitions that were dropped, and makes sure that all others are there.
func (w *writing) tidy(ctx context.Context, folder string, there []int64) error {
	all, err := readEarlier(ctx, w.db)
	if err != nil {
		return trouble(w.path, err)
	}
	for _, e := range all {
		if !slices.Contains(there, e.first) {
			return damaged(filepath.Join(folder, partitionName(e.first)), "it is missing")
		}
	}
	for _, first := range there {
		if !slices.ContainsFunc(all, func(e earlier) bool { return e.first == first }) {
			if err := removePartition(filepath.Join(folder, partitionName(first))); err != nil {
				return fmt.Errorf("index: %w", err)
			}
		}
	}
	return nil
}

// An earlier partition is what the newest one says of another.
type earlier struct {
	first, rows  int64
	since, until int64  // the least and the greatest time of its events
	logs         []byte // packed: its extents
}

// A namedExtent is an extent by the name of its log.
type namedExtent struct {
	log      string
	from, to int64
}

func (e *earlier) extents() (all []namedExtent, err error) {
	u := unpack(e.logs)
	for range u.count() {
		all = append(all, namedExtent{u.text(), u.signed(), u.signed()})
	}
	return all, u.end()
}

func (e *earlier) put(c *changing) error {
	return c.exec("INSERT INTO earlier (first, rows, since, until, logs) VALUES (?, ?, ?, ?, ?)", e.first, e.rows, e.since, e.until, e.logs)
}

// extents describes the partition for those after it.
func (w *writing) extents(ctx context.Context) (*earlier, error) {
	stored, err := chunks(ctx, w.db, columnHeader, 0, lastChunk)
	if err != nil {
		return nil, trouble(w.path, err)
	}
	all := header{from: math.MaxInt64, to: math.MinInt64}
	for _, s := range stored {
		var h header
		u := unpack(s.data)
		h.unpack(u)
		if err := u.end(); err != nil {
			return nil, trouble(w.path, err)
		}
		all.join(h)
	}
	var p packing
	p.number(uint64(len(all.logs)))
	for _, x := range all.logs {
		p.text(w.dict.names[x.log])
		p.signed(x.from)
		p.signed(x.to)
	}
	return &earlier{w.first, int64(w.rows), all.from, all.to, p.sealed()}, nil
}

func readEarlier(ctx context.Context, db querier) (all []earlier, err error) {
	rows, err := db.QueryContext(ctx, "SELECT first, rows, since, until, logs FROM earlier ORDER BY first")
	if err != nil {
		return nil, err
	}
	defer rows.Close() // it was read to the end, or there is an error already
	for rows.Next() {
		var e earlier
		if err := rows.Scan(&e.first, &e.rows, &e.since, &e.until, &e.logs); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, rows.Err()
}

// exists says whether there is a file.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
