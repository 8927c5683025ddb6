package budget

import (
	"errors"
	"io"
)

// ErrTooLong says that there is more to read than the limit.
var ErrTooLong = errors.New("longer than its limit")

// firstRead is the first size of the buffer, before anything is known about the length.
const firstRead = 4 << 10

// Unknown is the length if it is not given.
const Unknown = -1

// ReadAll reads r to its end, and charges the share for it. length is the declared length of r. It is trusted only when half of it
// has arrived, so that a false length takes no memory from others. The error is ErrTooLong if there are more than limit bytes, an
// *Exceeded if there is no room, and else the error of r; the bytes so far are returned with it.
func ReadAll(r io.Reader, limit int, length int64, s *Share) ([]byte, error) {
	before := s.Held()
	data := make([]byte, 0, min(firstRead, limit+1))
	if err := s.Set(before + cap(data)); err != nil {
		return nil, err
	}
	for {
		if len(data) == cap(data) {
			size := grown(cap(data), limit, length)
			if err := s.Set(before + size); err != nil {
				return data, err
			}
			data = append(make([]byte, 0, size), data...)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > limit:
			return data, ErrTooLong
		case err == io.EOF: // only io.EOF itself is a clean end
			return data, nil
		case err != nil:
			return data, err
		}
	}
}

// slowGrowth is the size from which on a buffer for a text of unknown length grows only by half: its unused part counts, too.
const slowGrowth = 1 << 20

// grown is the size of the buffer after a full one. For a text of known length the last buffer is just large enough to see its end.
func grown(full, limit int, length int64) int {
	size := 2 * full
	switch {
	case int64(full) <= length:
		size = int(min(int64(size), length+1))
	case full >= slowGrowth:
		size = full + full/2
	}
	return min(size, limit+1)
}
