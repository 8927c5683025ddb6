package echo

import "io"

// readSize is how much is read at once.
const readSize = 32 << 10

// A reader takes credentials out of what is read through it. It holds back only bytes that may be the beginning of one.
type reader struct {
	src   io.Reader
	mask  *Mask
	found func()
	buf   []byte // room to read into, behind what is held
	held  int    // bytes at the beginning of buf that may begin a credential
	clean []byte // may be handed out
	rest  []byte // of clean that was not
	err   error
}

// Reader returns a reader of src without credentials, and src itself if there are none to look for. found is called when one was taken
// out; nil: nobody is told.
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
