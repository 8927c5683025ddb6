package recordlog

import (
	"errors"
	"io"
	"io/fs"
)

// A walk reads the segments of a log, one after the other. While it does, the log may grow, its segments may be packed, and the oldest may
// be removed.
type walk struct {
	folder   string
	segments segments
	id       *instance // of the log; nil: no header says so
	yield    func(Logged, error) bool
}

// maxLooks is how often a segment is looked for that changes its form, or is removed.
const maxLooks = 100

// missingNext is what is wrong with a log whose last segment is packed.
const missingNext = "no segment follows this one, so at least one is missing"

// errStop says that nobody wants to read more.
var errStop = errors.New("nobody wants to read more")

// identify finds out which log it is. The newest header counts: that of a log which is being written.
func (w *walk) identify() {
	for i := len(w.segments) - 1; i >= 0; i-- {
		c, _, err := w.segments[i].open()
		if err != nil {
			continue
		}
		s := frames{content: c, base: w.segments[i].base}
		if p, isPacked := c.(*packedContent); isPacked && len(p.table.Notes) > 0 {
			var notes factNotes
			notes, err = readNotes(p.table.Notes)
			s.id = notes.instance()
		} else {
			err = s.header()
		}
		if c.close(); err == nil {
			w.id = &s.id
			return
		}
	}
}

// run reads from a position on.
func (w *walk) run(at Position) {
	for looks := 0; ; {
		s, ends, found := w.segments.at(at)
		if !found {
			return
		}
		reached, err := w.segment(s, max(at, s.base), ends)
		switch {
		case errors.Is(err, fs.ErrNotExist) && looks < maxLooks: // it changed its form, or was removed
			looks++
			if !w.lookAgain() {
				return
			}
			continue
		case err != nil && !errors.Is(err, errStop):
			w.yield(Logged{}, err)
			return
		case err != nil || reached < 0:
			return
		}
		at, looks = reached, 0
	}
}

// lookAgain lists the segments again. It returns false if the log is gone: then a store has all of it, or retention removed it.
func (w *walk) lookAgain() bool {
	all, err := segmentsIn(w.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return w.yield(Logged{}, err) && false
	}
	w.segments = all
	return err == nil
}

// segment yields what is in a segment, and returns where the next one begins; -1: this was the last.
func (w *walk) segment(s storedSegment, from, ends Position) (reached Position, err error) {
	c, trouble, err := s.open()
	if err != nil {
		return 0, err
	}
	defer c.close()
	f := frames{content: c, base: s.base}
	if trouble != nil && !w.yield(Logged{}, trouble) {
		return 0, errStop
	}
	if p, isPacked := c.(*packedContent); isPacked && ends < 0 {
		return w.lastPacked(f, from, s.base+p.table.Size()-headerSize)
	}
	err = w.header(&f, ends)
	switch {
	case errors.Is(err, io.EOF):
		return ends, nil
	case err != nil:
		return 0, err
	case ends >= 0:
		return w.finished(f, from, ends)
	}
	raw, _ := c.(*rawContent) // it is not packed
	r := &reader{frames: f, raw: raw}
	if err := r.seek(from); err != nil {
		return 0, err
	}
	return -1, w.each(r.next, from)
}

// header reads the header of a segment. It returns io.EOF if there is nothing to read.
func (w *walk) header(f *frames, ends Position) error {
	err := f.header()
	var damage *Damage
	var bad *badBlock
	switch {
	case errors.Is(err, io.EOF) && ends < 0:
		return err // nothing was written yet
	case errors.Is(err, io.EOF):
		damage = f.damaged(f.base, f.base, errNoHeader.Error(), 0)
	case errors.As(err, &bad): // the damage is found when its frames are read
	case errors.As(err, &damage):
	case err != nil:
		return err
	case w.id != nil && f.id != *w.id:
		damage = f.damaged(f.base, max(ends, f.base), "this segment is of another log", 0)
		if !w.yield(Logged{}, damage) {
			return errStop
		}
		return io.EOF
	}
	if damage != nil && !w.yield(Logged{}, damage) {
		return errStop
	}
	if w.id != nil { // what is damaged may be the id
		f.id = *w.id
	}
	return nil
}

// finished yields what is in a segment that another follows.
func (w *walk) finished(f frames, from, ends Position) (reached Position, err error) {
	s := &finished{frames: f, at: from, ends: ends}
	reached = ends
	err = w.each(func() (Logged, error) {
		g, err := s.next()
		var damage *Damage
		if !errors.As(err, &damage) || damage.To != ends {
			return g, err
		}
		// The rest is missing. Perhaps the segment that has it changed its form when the segments were listed.
		if !w.lookAgain() {
			return Logged{}, errStop
		}
		if again, next, found := w.segments.at(damage.From); found && (again.base != f.base || next >= 0 && next < ends) {
			reached = damage.From
			return Logged{}, io.EOF
		}
		return g, err
	}, from)
	return reached, err
}

// lastPacked yields what is in a packed segment that no other follows. Only a segment that another follows is packed, so that one is
// missing.
func (w *walk) lastPacked(f frames, from, ends Position) (reached Position, err error) {
	if !w.lookAgain() {
		return 0, errStop
	}
	if again, next, found := w.segments.at(from); found && (again.base != f.base || next >= 0) {
		return from, nil
	}
	if err := w.header(&f, ends); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	} else if err == nil {
		if _, err := w.finished(f, from, ends); err != nil {
			return 0, err
		}
	}
	if !w.yield(Logged{}, f.damaged(ends, ends, missingNext, f.offset(ends))) {
		return 0, errStop
	}
	return -1, nil
}

// each yields what next returns, up to io.EOF. It returns errStop if nobody wants to read more.
func (w *walk) each(next func() (Logged, error), from Position) error {
	for {
		g, err := next()
		var damage *Damage
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &damage):
			return err
		case err == nil && g.At < from:
			continue
		}
		if !w.yield(g, err) {
			return errStop
		}
	}
}
