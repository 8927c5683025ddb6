package recordlog

import (
	"io"
)

// A reader reads the last segment of a log batch by batch. Somebody may be writing it: it ends with the last batch that is complete.
type reader struct {
	frames
	raw   *rawContent
	at    Position // of the next batch
	last  *uint32  // the number of the last complete batch; nil: none was read yet
	batch []Logged // what was read
	given int      // how much of it was returned
}

// seek begins to read at a position of a frame: with its batch.
func (r *reader) seek(from Position) error {
	if r.at = r.base; from <= r.base {
		return nil
	}
	f, ok, err := r.frame(from, -1)
	if r.at = from; ok {
		r.at = max(from-Position(f.back), r.base)
	}
	return err
}

// next returns the next event or mark of a complete batch, and io.EOF after the last. After damage, it goes on with the next batch that
// is as it was written.
func (r *reader) next() (Logged, error) {
	if r.given == len(r.batch) {
		r.batch, r.given = r.batch[:0], 0
		if err := r.readBatch(); err != nil {
			return Logged{}, err
		}
	}
	r.given++
	return r.batch[r.given-1], nil
}

// newer says whether a batch comes after all that were read. A batch that failed may have been longer than the one that was then
// written in its place; what is left of it has a lower number.
func (r *reader) newer(batch uint32) bool { return r.last == nil || int32(batch-*r.last) > 0 }

// readBatch reads the next complete batch.
func (r *reader) readBatch() error {
	end, found, err := r.extent(r.at)
	if err == nil && !found {
		end, found, err = r.tail()
	}
	if err != nil {
		return err
	}
	if !found {
		return io.EOF
	}
	// All of it at once, so that the texts stay valid until the next batch is read.
	if _, err := r.read(r.offset(r.at), int(end-r.at)); err != nil {
		return err
	}
	for at := r.at; at < end; {
		f, ok, err := r.frame(at, end)
		if err != nil {
			return err
		}
		if !ok {
			from := r.at
			r.at, r.batch = end, r.batch[:0]
			return r.damaged(from, end, "a frame changed while it was read", r.offset(at))
		}
		r.last = &f.batch
		r.batch = append(r.batch, f.logged())
		at += f.size()
	}
	r.at = end
	return nil
}

// extent finds the end of the batch that begins at a position, and whether it is complete.
func (r *reader) extent(from Position) (end Position, found bool, err error) {
	var number uint32
	for at := from; ; {
		f, ok, err := r.frame(at, -1)
		if err != nil || !ok || f.kind == kindEnd {
			return at, false, err
		}
		if at == from {
			number = f.batch
		}
		if f.batch != number || !r.newer(f.batch) || Position(f.back) != at-from {
			return at, false, nil
		}
		at += f.size()
		if f.commit {
			return at, true, nil
		}
	}
}

// tail decides what it means that no complete batch begins here. That is where the log ends: what is there was never durable. But if a
// batch began behind it, everything here was durable then, and is damaged; unless it was written just now.
func (r *reader) tail() (end Position, found bool, err error) {
	follows, err := r.followed(r.at)
	if err != nil || !follows {
		return 0, false, err
	}
	r.raw.forget()
	if end, found, err = r.extent(r.at); err != nil || found {
		return end, found, err
	}
	from := r.at
	if r.at, err = r.search(from); err != nil {
		return 0, false, err
	}
	return 0, false, r.damaged(from, r.at, "a frame is damaged, and durable events follow it", r.offset(from))
}

// followed says whether a batch begins behind a position.
func (r *reader) followed(bad Position) (bool, error) {
	found := false
	_, err := r.look(bad, func(at Position, f frame) (bool, error) {
		found = at-Position(f.back) > bad && r.newer(f.batch)
		return found, nil
	})
	return found, err
}

// search returns where the next complete batch begins behind a position, or where the file ends.
func (r *reader) search(bad Position) (Position, error) {
	return r.look(bad, func(at Position, f frame) (bool, error) {
		if f.back != 0 {
			return false, nil
		}
		_, complete, err := r.extent(at)
		return complete, err
	})
}

// look finds the first frame behind a position that is the one. There is none if it returns where the file ends.
func (r *reader) look(bad Position, isIt func(at Position, f frame) (bool, error)) (Position, error) {
	for at := bad + 1; ; {
		ahead, err := r.read(r.offset(at), frameHead)
		if err != nil || len(ahead) < frameHead {
			return at + Position(len(ahead)), err
		}
		if skip := r.raw.zeros(r.offset(at)); skip > frameHead {
			at += Position(skip - frameHead)
			continue
		}
		f, ok, err := r.frame(at, -1)
		if err == nil && ok {
			ok, err = isIt(at, f)
		}
		if err != nil || ok {
			return at, err
		}
		at++
	}
}
