package budget

import (
	"errors"
	"io"
)

// ErrTooLong says that there is more to read than the limit.
var ErrTooLong = errors.New("longer than its limit")

// firstRead is what is given room for before anything is known of the size.
const firstRead = 4 << 10

// Unknown is the length of what does not say how long it is.
const Unknown = -1

// ReadAll reads r to its end, and has what it reads taken by the share. length is how long r says that it is. That is not believed until
// half of it is there, so that who only says it takes nothing from others. The error is ErrTooLong if there are more than limit bytes, an
// *Exceeded if there is no room, and else that of r; then what was read so far is returned with it.
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

// slowGrowth is the size from which a buffer for a text of unknown length grows by half of itself only: what it is too large counts, too.
const slowGrowth = 1 << 20

// grown is the size of the buffer after one that is full. A text of known length ends in one that has just room to see its end.
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
