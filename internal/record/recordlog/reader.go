package recordlog

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// A reader reads a segment batch by batch.
type reader struct {
	file    *os.File
	segment storedSegment
	id      instance
	at      Position // of the next frame
	ends    Position // where the next segment begins; -1: this is the last
	last    *uint32  // the number of the last complete batch; nil: none was read yet
	size    int64    // of the file, when it was opened

	window []byte   // what was read ahead
	begins Position // the position of the window
}

// readAhead is how much is read at once.
const readAhead = 256 << 10

// header reads the header of the segment. A last segment without one has nothing durable.
func (r *reader) header() error {
	b := make([]byte, headerSize)
	n, err := r.file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("record log: read %s: %w", r.segment.path, err)
	}
	id, base, err := readHeader(b[:n])
	switch {
	case errors.Is(err, errNewer):
		return fmt.Errorf("record log: %s: %w", r.segment.path, err)
	case err != nil && r.ends < 0 && isZero(b[:n]):
		return io.EOF
	case err != nil:
		return r.damaged(0, err.Error())
	case base != r.segment.base:
		return r.damaged(0, "its header is that of another segment")
	}
	r.id = id
	return nil
}

func (r *reader) damaged(offset int64, what string) error {
	return &Damage{File: r.segment.path, Offset: offset, What: what}
}

func (r *reader) offset(at Position) int64 { return headerSize + at - r.segment.base }

// bytes returns n bytes from a position on, or fewer where the file ends. They are valid until the next call.
func (r *reader) bytes(at Position, n int) ([]byte, error) {
	if skip := at - r.begins; skip >= 0 && skip+int64(n) <= int64(len(r.window)) {
		return r.window[skip : skip+int64(n)], nil
	}
	if size := max(n, readAhead); cap(r.window) < size || cap(r.window) > 4*size {
		r.window = make([]byte, size)
	}
	r.window = r.window[:cap(r.window)]
	got, err := r.file.ReadAt(r.window, r.offset(at))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("record log: read %s: %w", r.segment.path, err)
	}
	r.window, r.begins = r.window[:got], at
	return r.window[:min(n, got)], nil
}

// frame reads the frame at a position; ok is false if there is none that is as it was written.
func (r *reader) frame(at Position) (f frame, ok bool, err error) {
	head, err := r.bytes(at, frameHead)
	if err != nil || len(head) < frameHead {
		return frame{}, false, err
	}
	n, ok := bodyLength(head)
	after := at + frameHead + Position(n)
	if !ok || r.ends >= 0 && after > r.ends || r.offset(after) > r.size && !r.grown(after) {
		return frame{}, false, nil
	}
	whole, err := r.bytes(at, frameHead+n)
	if err != nil || len(whole) < frameHead+n {
		return frame{}, false, err
	}
	f, ok = parseFrame(whole, &r.id, at)
	return f, ok, nil
}

// grown says whether the file reaches up to a position by now: somebody may be writing it.
func (r *reader) grown(after Position) bool {
	if info, err := r.file.Stat(); err == nil {
		r.size = info.Size()
	}
	return r.offset(after) <= r.size
}

// newer says whether a batch comes after all that were read. A batch that failed may have been longer than the one that was then
// written in its place; what is left of it has a lower number.
func (r *reader) newer(batch uint32) bool { return r.last == nil || int32(batch-*r.last) > 0 }

// nextBatch reads the next complete batch; none: the segment ends here.
func (r *reader) nextBatch() ([]Logged, error) {
	if r.at == r.ends {
		return nil, nil
	}
	last, found, err := r.extent()
	if err == nil && !found {
		if last, found, err = r.tail(); err == nil && !found {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	var batch []Logged
	// All of it at once, so that the texts stay valid until the next batch is read.
	if _, err := r.bytes(r.at, int(last-r.at)); err != nil {
		return nil, err
	}
	name := r.segment.log()
	for at := r.at; at < last; {
		f, ok, err := r.frame(at)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, r.damaged(r.offset(at), "a frame changed while it was read")
		}
		r.last = &f.batch
		batch = append(batch, Logged{At: at, After: at + f.size(), Text: f.text, side: f.side, log: name})
		at += f.size()
	}
	r.at = last
	return batch, nil
}

// extent finds the end of the batch that begins here, and whether it is complete.
func (r *reader) extent() (end Position, found bool, err error) {
	first := true
	var number uint32
	for at := r.at; ; {
		f, ok, err := r.frame(at)
		if err != nil || !ok {
			return at, false, err
		}
		if first {
			first, number = false, f.batch
		}
		if f.batch != number || !r.newer(f.batch) || Position(f.back) != at-r.at {
			return at, false, nil
		}
		at += f.size()
		if f.commit {
			return at, true, nil
		}
	}
}

// tail decides what it means that no complete batch begins here. In the last segment, that is where the log ends: what is there was
// never durable. But if a batch began behind it, everything here was durable then, and is damaged; unless it was written just now.
func (r *reader) tail() (end Position, found bool, err error) {
	if r.ends >= 0 {
		return 0, false, r.damaged(r.offset(r.at), "a frame is damaged")
	}
	follows, err := r.followed(r.at)
	if err != nil || !follows {
		return 0, false, err
	}
	r.window = nil
	if end, found, err = r.extent(); err == nil && !found {
		err = r.damaged(r.offset(r.at), "a frame is damaged, and durable events follow it")
	}
	return end, found, err
}

// followed says whether a batch begins behind a position.
func (r *reader) followed(bad Position) (bool, error) {
	for at := bad + 1; ; {
		ahead, err := r.bytes(at, frameHead)
		if err != nil || len(ahead) < frameHead {
			return false, err
		}
		if skip := r.zeros(at); skip > frameHead {
			at += Position(skip - frameHead)
			continue
		}
		f, ok, err := r.frame(at)
		if err != nil {
			return false, err
		}
		if ok && at-Position(f.back) > bad && r.newer(f.batch) {
			return true, nil
		}
		at++
	}
}

// zeros returns how many zeros the window has from a position on.
func (r *reader) zeros(at Position) int {
	rest := r.window[min(max(at-r.begins, 0), Position(len(r.window))):]
	for i, b := range rest {
		if b != 0 {
			return i
		}
	}
	return len(rest)
}
