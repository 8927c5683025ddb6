package frame

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// A Source is an io.Reader that announces each read. The read may block, so unsent bytes must be sent before it.
type Source struct {
	R          io.Reader
	BeforeRead func()        // called just before every read of R; nil: nothing is called
	Waited     time.Duration // how long reads of R took
}

// Read calls BeforeRead and then reads from R.
func (s *Source) Read(p []byte) (int, error) {
	if s.BeforeRead != nil {
		s.BeforeRead()
	}
	began := time.Now()
	n, err := s.R.Read(p)
	s.Waited += time.Since(began)
	return n, err
}

// maxEmptyReads is how often a source may return neither bytes nor an error.
const maxEmptyReads = 100

// readSome reads at least one byte of src into p, or returns an error. The error is io.EOF only at a clean end, and
// may come together with bytes.
func readSome(src io.Reader, p []byte) (int, error) {
	for range maxEmptyReads {
		n, err := src.Read(p)
		if err != nil && err != io.EOF { // only io.EOF itself is a clean end
			err = brokenOff(err)
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, brokenOff(io.ErrNoProgress)
}

// brokenOff returns the error of a source that ended, but not at its proper end.
func brokenOff(cause error) error {
	switch {
	case errors.Is(cause, io.EOF):
		// A wrapped io.EOF is not a clean end, and must not look like one to errors.Is.
		return fmt.Errorf("read source: %w: %v", io.ErrUnexpectedEOF, cause)
	case errors.Is(cause, io.ErrUnexpectedEOF):
		return fmt.Errorf("read source: %w", cause)
	default:
		return fmt.Errorf("read source: %w: %w", io.ErrUnexpectedEOF, cause)
	}
}
