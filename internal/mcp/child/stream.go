package child

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// An input is the end of a pipe that a child reads. It may be closed more than once.
type input struct {
	file *os.File
	once sync.Once
	err  error
}

// Write waits for the child to read, or for Close.
func (i *input) Write(p []byte) (int, error) { return i.file.Write(p) }

// Close ends the child's input.
func (i *input) Close() error {
	i.once.Do(func() { i.err = i.file.Close() })
	return i.err
}

// An output is the end of a pipe that a child writes.
//
// It is open until its reader got the end or closed it. Once the child is gone it drains: the bytes in the pipe are still read, and
// then it ends, even if another process has the pipe open.
type output struct {
	file  *os.File
	once  sync.Once
	ended chan struct{} // closed when the reader got the end, or closed it
}

// Read returns what the child wrote; io.EOF when it is gone, and after Close.
func (o *output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		// Only drain sets a deadline: only the bytes in the pipe are read.
		n, err = readAvailable(o.file, p)
	}
	if errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	if err != nil {
		o.end()
	}
	return n, err
}

// Close ends the output for the reader; the child gets a broken pipe.
func (o *output) Close() error {
	o.end()
	err := o.file.Close()
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// end notes that there is nothing more to read.
func (o *output) end() { o.once.Do(func() { close(o.ended) }) }

// drain notes that the child is gone.
func (o *output) drain() {
	// If a pipe has no deadlines, it ends with its last writer.
	_ = o.file.SetReadDeadline(time.Unix(1, 0))
}
