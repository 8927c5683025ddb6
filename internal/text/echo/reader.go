package echo

import "io"

// readSize is how many bytes are read at once.
const readSize = 32 << 10

// A reader removes credentials from what is read through it. It holds only bytes that may be the beginning of one.
type reader struct {
	src   io.Reader
	mask  *Mask
	found func()
	buf   []byte // room to read into, after the held bytes
	held  int    // bytes at the beginning of buf that may begin a credential
	clean []byte // may be returned
	rest  []byte // the part of clean not yet returned
	err   error
}

// Reader returns a reader of src without credentials; without credentials to search for, it returns src. found is called when one
// was removed; nil: nothing is called.
func (m *Mask) Reader(src io.Reader, found func()) io.Reader {
	if m == nil {
		return src
	}
	return &reader{src: src, mask: m, found: found}
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		if cap(r.buf) < r.held+readSize {
			r.buf = append(make([]byte, 0, r.held+readSize), r.buf[:r.held]...)
		}
		n, err := r.src.Read(r.buf[r.held : r.held+readSize])
		r.err = err
		var held []byte
		var found int
		r.clean, held, found = r.mask.split(r.clean[:0], r.buf[:r.held+n], err != nil)
		if found > 0 && r.found != nil {
			r.found()
		}
		r.held = copy(r.buf[:cap(r.buf)], held)
		r.rest = r.clean
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
