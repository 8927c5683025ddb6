package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// mergeRun merges the runs of blocks into one.
func (w *writing) mergeRun(c *changing, n int64) error {
	first := n * int64(w.run)
	last := first + int64(w.run) - 1
	stored, err := chunks(c.ctx, c.tx, kindBlockIDs, first*runParts, (last+1)*runParts-1)
	if err != nil {
		return err
	}
	var all []posting
	for _, s := range stored {
		p, err := newPart(s.data, int(s.n%runParts), runParts, int(s.n/runParts-first)*w.block)
		if err != nil {
			return err
		}
		all = p.postings(all)
	}
	slices.Sort(all)
	if err := c.drop(kindBlockIDs, first*runParts, (last+1)*runParts-1); err != nil {
		return err
	}
	return putRun(c, kindRunIDs, n, all)
}

// mergeAll merges all runs into one, part by part, so that few postings are in memory at once.
func (w *writing) mergeAll(c *changing) error {
	runs := w.blocks / w.run
	for number := range runParts {
		var all []posting
		add := func(kind column, n, base int) error {
			key := int64(n*runParts + number)
			stored, err := chunks(c.ctx, c.tx, kind, key, key)
			for _, s := range stored {
				p, err := newPart(s.data, number, runParts, base)
				if err != nil {
					return err
				}
				all = p.postings(all)
			}
			return err
		}
		for i := range runs {
			if err := add(kindRunIDs, i, i*w.run*w.block); err != nil {
				return err
			}
		}
		for i := runs * w.run; i < w.blocks; i++ {
			if err := add(kindBlockIDs, i, i*w.block); err != nil {
				return err
			}
		}
		slices.Sort(all)
		for len(all) > 0 {
			whole := partOf(uint64(all[0]), wholeParts)
			end := 1
			for end < len(all) && partOf(uint64(all[end]), wholeParts) == whole {
				end++
			}
			if err := c.put(kindIDs, int64(whole), packPostings(all[:end])); err != nil {
				return err
			}
			all = all[end:]
		}
	}
	return errors.Join(c.drop(kindRunIDs, 0, lastChunk), c.drop(kindBlockIDs, 0, lastChunk))
}

// seal finishes the partition: nothing in it changes any more. Then it is made durable, because the next one begins where it ends.
func (w *writing) seal(ctx context.Context) error {
	if !w.sealed {
		if err := w.transact(ctx, w.finish); err != nil {
			return err
		}
		w.sealed = true
	}
	for _, query := range []string{"PRAGMA incremental_vacuum", "PRAGMA busy_timeout = 200", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		rows, err := w.db.QueryContext(ctx, query)
		if err != nil {
			return trouble(w.path, err)
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return trouble(w.path, err)
		}
	}
	// With a reader the log beside the database may stay, so that the checkpoint did not sync it.
	return syncFile(w.path + "-wal")
}

// syncFile makes a file durable, if it exists.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return nil
}

// finish stores what a sealed partition has.
func (w *writing) finish(c *changing) error {
	if len(w.tail) > 0 {
		if err := w.putBlock(c, w.tail); err != nil {
			return err
		}
		w.tail = nil
	}
	if err := errors.Join(c.drop(kindTail, 0, lastChunk), c.drop(kindDictionary, 0, lastChunk), w.mergeAll(c)); err != nil {
		return err
	}
	r, err := w.reading(c)
	if err != nil {
		return err
	}
	if err := w.putSummary(c, r); err != nil {
		return err
	}
	for i := range dimensions {
		whole := rollup{}
		for n := range w.blocks {
			data, err := r.chunk(columnRollup, int64(n*rollups+i))
			if err != nil {
				return err
			}
			if err := addRollup(data, whole.group); err != nil {
				return err
			}
		}
		if err := c.put(kindRollup, int64(i), whole.pack()); err != nil {
			return err
		}
	}
	return c.exec("UPDATE standing SET sealed = 1")
}

// reading reads the partition that is being changed.
func (w *writing) reading(c *changing) (*reading, error) {
	get, err := c.tx.PrepareContext(c.ctx, "SELECT data FROM chunks WHERE key = ?")
	if err != nil {
		return nil, err
	}
	r := &reading{standing: w.standing, path: w.path, names: w.dict.names, facets: w.dict.facets, ctx: c.ctx, stmt: get}
	r.known = len(r.facets)
	stored, err := chunks(c.ctx, c.tx, columnHeader, 0, lastChunk)
	for _, s := range stored {
		var h header
		u := unpack(s.data)
		h.unpack(u)
		if err := u.end(); err != nil {
			return nil, err
		}
		r.headers = append(r.headers, h)
	}
	return r, err
}

// turn seals the partition and begins the next.
func (x *Index) turn(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	w := x.w
	if err := w.seal(ctx); err != nil {
		return err
	}
	next, err := w.next(ctx, x.config)
	if err != nil {
		return err
	}
	x.w = next
	return w.close()
}

// next makes the partition after this one. It has its name when it is complete.
func (w *writing) next(ctx context.Context, config Config) (*writing, error) {
	extents, err := w.extents(ctx)
	if err != nil {
		return nil, err
	}
	n := &writing{
		standing: standing{first: w.first + int64(w.rows), block: config.blockRows, run: config.runBlocks},
		dict:     newDictionary().forWriting(), cursors: w.cursors,
	}
	err = n.create(ctx, config.Folder, func(c *changing) error {
		before, err := readEarlier(ctx, w.db)
		if err != nil {
			return err
		}
		for _, e := range before {
			if err := e.put(c); err != nil {
				return err
			}
		}
		if w.rows == 0 {
			return nil
		}
		return extents.put(c)
	})
	if err != nil {
		return nil, err
	}
	n.open = w.open.moved(w.dict, n.dict)
	return n, nil
}

// create makes the file of the partition: first under another name, then complete under its own.
func (w *writing) create(ctx context.Context, folder string, carry func(*changing) error) error {
	w.path = filepath.Join(folder, newPartition)
	if err := removePartition(w.path); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	db, err := open(w.path, createMode)
	if err != nil {
		return trouble(w.path, err)
	}
	db.SetMaxOpenConns(1)
	for _, query := range []string{
		makeTables, fmt.Sprintf("PRAGMA application_id = %d", applicationID), fmt.Sprintf("PRAGMA user_version = %d", formatVersion),
	} {
		if _, err := db.ExecContext(ctx, query); err != nil {
			db.Close() // the first error is the one to report
			return trouble(w.path, err)
		}
	}
	w.db = db
	if w.insert, err = db.PrepareContext(ctx, insertChunk); err == nil {
		err = w.transact(ctx, func(c *changing) error {
			if err := c.exec(insertStanding, w.first, w.block, w.run, proofOf(w.cursors)); err != nil {
				return err
			}
			for log, at := range w.cursors {
				if err := c.exec(setCursor, log, at.at, at.cut); err != nil {
					return err
				}
			}
			return carry(c)
		})
	}
	if err := errors.Join(err, w.close()); err != nil { // closing it merges the log beside it
		return err
	}
	path := filepath.Join(folder, partitionName(w.first))
	if err := errors.Join(syncFile(w.path), os.Rename(w.path, path), syncFolder(folder)); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	w.path = path
	return trouble(path, w.connect(ctx))
}

// syncFolder makes the entries of a folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
