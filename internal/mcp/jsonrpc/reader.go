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
	// defaultMaxMessage is the default of ReaderConfig.MaxMessage.
	defaultMaxMessage = 16 << 20
	// maxNoise is how many bytes of a line that is not a message are reported.
	maxNoise = 1024
	// maxReread is how many lines are read again if they turn out not to be one message. It limits how often a byte is read: each of
	// so many earlier lines may have begun a text that includes it.
	maxReread = 16
)

// errOneLine says that a line has more than one value.
var errOneLine = errors.New("more than one value is on its line")

// Noise is a piece of text in a stream that is not a message, such as a line of a log.
type Noise struct {
	Text []byte // its first bytes, at most 1024, of any kind
	Size int64  // of the whole, in bytes
}

// ReaderConfig sets up a Reader.
type ReaderConfig struct {
	Source     io.Reader
	MaxMessage int         // bytes that a message, or an array of them, may have; 0: 16 MiB
	Noise      func(Noise) // is called for skipped text, before Next returns; nil: it is not called
	// Room is charged for bytes that were read and not returned yet; nil: without limit. If there is no room, Next returns its error.
	Room *budget.Share
}

// A Reader reads messages from a stream, such as the standard output of a server.
//
// A message is an object or array that begins at the start of a line, except for white space, and after which the line ends. It may
// have several lines. All other text is noise, up to the end of its line. A text that has the shape of an object with a member of a
// message, but cannot be passed on, is refused. In each case reading continues at the next line. Blank lines are ignored.
type Reader struct {
	window
	max   int
	noise func(Noise)
	queue []item // items that were read together and not returned yet
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

// Begun reports whether a text that may be a message has begun and not ended. The Source can call it when it is read, to
// distinguish an idle stream from a stuck one: a message that never ends is not reported otherwise.
func (r *Reader) Begun() bool { return r.begun }

// end returns the error that ended the stream.
func (r *Reader) end() error {
	if r.err == io.EOF { // only io.EOF itself is a clean end
		return io.EOF
	}
	return fmt.Errorf("read message: %w", r.err)
}

// readValue reads a text that begins with a bracket at the start of a line.
func (r *Reader) readValue() {
	// Nearly every message is one line of strict JSON: for those, one search for the line end and one parse are enough.
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

// readShape reads a text that is not one line of strict JSON.
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
		// The shape broke, perhaps lines later. A line that only looks like the beginning of a message must not take later lines with it.
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

// enqueue queues the items of a value, unless all of them are foreign.
func (r *Reader) enqueue(raw []byte, items []item) {
	for _, it := range items {
		if it.refused == nil || !it.refused.foreign {
			r.queue = items
			return
		}
	}
	r.noise(newLine(raw))
}

// skipOversize skips a value that is larger than the bound, to its end if it has one, and the rest of that line. No line of a
// message with many lines must be taken for a separate message.
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
