package proxy

import (
	"io"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// A headReader keeps the beginning of a body: all of it, if there is room.
type headReader struct {
	r     io.Reader
	limit int
	room  *budget.Share
	kept  []byte
}

// read reads to the end of the body, or as far as there is room. It says whether that was the whole of it.
func (h *headReader) read() (whole bool, err error) {
	buf := make([]byte, 32<<10)
	for len(h.kept) < h.limit {
		n, err := h.r.Read(buf[:min(len(buf), h.limit-len(h.kept))])
		full := h.room.Add(n) != nil
		h.kept = append(h.kept, buf[:n]...)
		switch {
		case err == io.EOF: // only io.EOF itself is a clean end
			return true, nil
		case err != nil:
			return false, err
		case full:
			return false, nil
		}
	}
	return false, nil
}
