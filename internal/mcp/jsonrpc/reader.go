package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/strictjson"
)

const (
	// defaultMaxMessage bounds a message where no bound is given.
	defaultMaxMessage = 16 << 20
	// maxNoise is how much of a line that is no message is reported.
	maxNoise = 1024
	// maxReread is how many lines are read again if they turn out not to be one message. It bounds how often a byte is looked
	// at: so many lines before its own may have begun what it is part of.
	maxReread = 16
)

// errOneLine says that a line has more on it than a message.
var errOneLine = errors.New("more than one value is on its line")

// Noise is a piece of text in a stream that is no message, such as the line of a log.
type Noise struct {
	Text []byte // how it begins: 1024 bytes at most, of any kind
	Size int64  // of the whole, in bytes
}

// ReaderConfig sets up a Reader.
type ReaderConfig struct {
	Source     io.Reader
	MaxMessage int         // bytes that a message, or an array of them, may have; 0: 16 MiB
	Noise      func(Noise) // is told of what was skipped, before Next returns; nil: nobody is
	// Room is charged for what is read and not returned yet; nil: it has no bound. Where there is none, Next returns its error.
	Room *budget.Share
}

// A Reader reads messages from a stream, as a server's standard output is one.
//
// A message is an object or array that begins at the start of a line, white space aside, and after which the line ends; it may go
// over several lines. All other text is noise, up to the end of its line. What has the shape of an object with a member of
// a message in it, but cannot be passed on, is refused. Reading goes on at the next line in each case. Blank lines are
// nothing.
type Reader struct {
	window
	max   int
	noise func(Noise)
	queue []item // what was read together and not returned yet
	begun bool   // see Begun
}

// NewReader returns a Reader.
func NewReader(cfg ReaderConfig) *Reader {
	r := &Reader{window: window{src: cfg.Source, room: cfg.Room}, max: cfg.MaxMessage, noise: cfg.Noise}
	if r.max == 0 {
		r.max = defaultMaxMessage
	}
	if r.noise == nil {
		r.noise = func(Noise) {}
	}
	return r
}

// Next returns the next message, which shares no memory with the Reader. The error is a *Refused for a message that cannot be
// passed on, after which Next may be called again; io.EOF at the end of the stream; or that of the stream.
func (r *Reader) Next() (*Message, error) {
	for len(r.queue) == 0 {
		r.begun = false
		r.skipSpace()
		first, ok := r.at(0)
		r.begun = ok && (first == '{' || first == '[')
		switch {
		case !ok:
			return nil, r.end()
		case first == '{' || first == '[':
			r.readValue()
		default:
			r.skipNoise(0)
		}
	}
	next := r.queue[0]
	r.queue = r.queue[1:]
	if next.refused != nil {
		return nil, next.refused
	}
	return next.message, nil
}

// Begun reports whether what may be a message has begun and not ended. It is for the Source to ask when it is read, so that it
// can tell a stream that rests from one that is stuck: a message that never ends is not reported otherwise.
func (r *Reader) Begun() bool { return r.begun }

// end returns why there is nothing more to read.
func (r *Reader) end() error {
	if r.err == io.EOF { // only io.EOF itself is a clean end
		return io.EOF
	}
	return fmt.Errorf("read message: %w", r.err)
}

// readValue reads what begins with a bracket at the start of a line.
func (r *Reader) readValue() {
	// Nearly every message is one line of strict JSON: one look for the line end and one parse will do.
	if n, ended := r.lineWithin(r.max); ended {
		raw := bytes.Clone(trimSpace(r.unread()[:n]))
		doc := &strictjson.Doc{}
		if doc.Parse(raw) == nil {
			r.skip(n)
			r.enqueue(raw, readItems(raw, doc))
			return
		}
	}
	r.readShape()
}

// readShape reads what is not one line of strict JSON.
func (r *Reader) readShape() {
	var seen outline
	n := 0
	for seen.state < outlineClosed && n < r.max {
		if _, ok := r.at(n); !ok {
			break
		}
		unread := r.unread()
		n += seen.write(unread[n:min(len(unread), r.max)])
	}
	switch {
	case seen.state == outlineClosed:
		r.endValue(&seen, n)
	case seen.state != outlineBroken && n == r.max:
		r.skipOversize(&seen)
	case bytes.Count(r.unread()[:n], []byte{'\n'}) > maxReread:
		r.skipNoise(n)
	default:
		// It broke, perhaps lines later. A line that only looks like the beginning of a message must not take those after it
		// along.
		r.skipNoise(0)
	}
}

// endValue reads the rest of the line after a value of n bytes.
func (r *Reader) endValue(seen *outline, n int) {
	raw := bytes.Clone(r.unread()[:n])
	r.skip(n)
	line := newLine(raw)
	for {
		c, ok := r.at(0)
		if !ok || c == '\n' {
			r.enqueue(raw, parseItems(raw))
			return
		}
		if c != ' ' && c != '\t' && c != '\r' {
			break
		}
		line.add(r.unread()[:1])
		r.skip(1)
	}
	r.skipLine(&line)
	if seen.speaks() {
		r.queue = append(r.queue, item{refused: seen.refuse(errOneLine)})
		return
	}
	r.noise(line)
}

// enqueue takes what a value holds, unless all of it is foreign.
func (r *Reader) enqueue(raw []byte, items []item) {
	for _, it := range items {
		if it.refused == nil || !it.refused.foreign {
			r.queue = items
			return
		}
	}
	r.noise(newLine(raw))
}

// skipOversize skips a value that passes the bound, to its end if it has one, and the rest of that line. Of a message that goes
// over many lines, none must be taken for a message of its own.
func (r *Reader) skipOversize(seen *outline) {
	r.skip(r.max)
	for seen.state < outlineClosed {
		if _, ok := r.at(0); !ok {
			break
		}
		r.skip(seen.write(r.unread()))
	}
	r.skipLine(&Noise{})
	refused := seen.refuse(fmt.Errorf("%w: more than %d bytes", strictjson.ErrBounds, r.max))
	r.queue = append(r.queue, item{refused: refused})
}

// skipNoise skips n bytes and the rest of the line that they end in, and reports them.
func (r *Reader) skipNoise(n int) {
	line := newLine(r.unread()[:n])
	r.skip(n)
	r.skipLine(&line)
	r.noise(line)
}

// skipLine skips the rest of the line with its end, and adds it to line.
func (r *Reader) skipLine(line *Noise) {
	for {
		if _, ok := r.at(0); !ok {
			return
		}
		rest, _, ended := bytes.Cut(r.unread(), []byte{'\n'})
		line.add(rest)
		r.skip(len(rest))
		if ended {
			r.skip(1)
			return
		}
	}
}

// newLine returns text as noise.
func newLine(text []byte) (n Noise) {
	n.add(text)
	return n
}

// add adds text to what is reported.
func (n *Noise) add(text []byte) {
	n.Text = append(n.Text, text[:min(len(text), maxNoise-len(n.Text))]...)
	n.Size += int64(len(text))
}
