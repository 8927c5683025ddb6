package frame

import "github.com/weir-gate/weir/internal/intake/budget"

// Bounds of what a Lookahead holds before the first frame with data.
const (
	maxSkippedFrames = 1024
	maxSkippedBytes  = 1 << 20
)

// A Lookahead is a Stream whose first frame with data can be seen before it is read.
type Lookahead struct {
	stream Stream
	ahead  []Frame // read, not yet returned; only the last may have data and alias the stream's buffer
	err    error   // the error after ahead; nil: what the stream returns
	room   *budget.Share
}

// NewLookahead returns a Lookahead that reads s.
func NewLookahead(s Stream) *Lookahead { return &Lookahead{stream: s} }

// Charge makes the held frames take memory from a share. If there is no room, Peek returns the share's error.
func (l *Lookahead) Charge(s *budget.Share) { l.room = s }

// keep holds a frame for Next.
func (l *Lookahead) keep(f Frame) error {
	const overhead = 128
	if err := l.room.Add(len(f.Raw) + overhead); err != nil {
		return err
	}
	l.ahead = append(l.ahead, f.Clone())
	return nil
}

// Peek returns the first frame with data that Next has not returned yet. The frames before it are held for Next, up to a bound;
// beyond it the error is ErrOversize. The frame is valid until Next has returned it and is called again. Frames that Next returned
// earlier become invalid.
func (l *Lookahead) Peek() (Frame, error) {
	size := 0
	for _, f := range l.ahead {
		if len(f.Data) > 0 {
			return f, nil
		}
		size += len(f.Raw)
	}
	for l.err == nil {
		f, err := l.stream.Next()
		size += len(f.Raw)
		switch {
		case err != nil:
			l.err = err
		case len(f.Data) > 0:
			l.ahead = append(l.ahead, f)
			return f, nil
		case len(l.ahead) == maxSkippedFrames || size > maxSkippedBytes:
			l.err = ErrOversize
		default:
			l.err = l.keep(f)
		}
	}
	return Frame{}, l.err
}

// Next returns the frames that Peek has read, then those of the stream.
func (l *Lookahead) Next() (Frame, error) {
	if len(l.ahead) > 0 {
		f := l.ahead[0]
		l.ahead[0] = Frame{} // the caller owns its memory now
		if l.ahead = l.ahead[1:]; len(l.ahead) == 0 {
			l.ahead = nil
			l.room.Free()
		}
		return f, nil
	}
	if l.err != nil {
		return Frame{}, l.err
	}
	return l.stream.Next()
}

// AppendEnd appends the bytes that end the stream.
func (l *Lookahead) AppendEnd(dst []byte) []byte { return l.stream.AppendEnd(dst) }

// Append appends f as the stream does.
func (l *Lookahead) Append(dst []byte, f Frame) []byte { return l.stream.Append(dst, f) }
