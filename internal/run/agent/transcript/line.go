package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// errLong says that a line is longer than is held in memory.
var errLong = fmt.Errorf("the line has more than %d MiB", maxLine>>20)

// A lineReader reads lines of at most maxLine bytes, in the same memory.
type lineReader struct {
	in     *bufio.Reader
	buffer []byte
	number int // of the current line, from 1
}

// next returns the next line, which is valid until the next call. It skips a line that is too long with errLong. The end is io.EOF.
func (l *lineReader) next() ([]byte, error) {
	l.buffer = l.buffer[:0]
	long := false
	for {
		piece, err := l.in.ReadSlice('\n')
		long = long || len(l.buffer)+len(piece) > maxLine
		if !long {
			l.buffer = append(l.buffer, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (len(l.buffer) > 0 || long), err == nil:
			l.number++
			if long {
				return nil, errLong
			}
			return l.buffer, nil
		default:
			return nil, err
		}
	}
}
