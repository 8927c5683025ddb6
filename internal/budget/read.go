package budget

import (
	"errors"
	"io"
)

// ErrTooLong says that there is more to read than the limit.
var ErrTooLong = errors.New("longer than its limit")

// firstRead is what is given room for before anything is known of the size.
const firstRead = 4 << 10

// ReadAll reads r to its end, and has what it reads taken by the share. Its error is ErrTooLong if there are more than limit bytes,
// an *Exceeded if there is no room, and else that of r.
func ReadAll(r io.Reader, limit int, s *Share) ([]byte, error) {
	before := s.Held()
	data := make([]byte, 0, min(firstRead, limit+1))
	if err := s.Set(before + cap(data)); err != nil {
		return nil, err
	}
	for {
		if len(data) == cap(data) {
			size := min(2*cap(data), limit+1)
			if err := s.Set(before + size); err != nil {
				return nil, err
			}
			data = append(make([]byte, 0, size), data...)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > limit:
			return nil, ErrTooLong
		case err == io.EOF: //nolint:errorlint // only io.EOF itself is a clean end
			return data, nil
		case err != nil:
			return data, err
		}
	}
}
