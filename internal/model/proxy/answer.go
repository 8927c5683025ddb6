package proxy

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// sniffSize is how many bytes tell at most what a body is.
const sniffSize = 512

// An answer is a response's body, opened so far that it is known what it is.
type answer struct {
	source  *frame.Source
	in      *frame.Lookahead
	shape   frame.Shape
	framing frame.Framing
	empty   bool // no frame with data is in it
	// strange says that it is called a stream, and has bytes, but none of a stream's.
	strange bool
	first   frame.Frame     // the first with data; valid until the one after it is read
	format  *dialect.Format // nil: no format recognises the first frame
	release func()          // gives back what the stream had borrowed; nil: nothing
	room    *budget.Share   // what it takes to decode the body, and to find out what it is
	parsed  *budget.Share   // what it takes to read the first frame
	plain   io.Reader       // the decoded body, as long as no frame was read from it
	whole   []byte          // the decoded body, if all of it was read to find out what it is
	pieces  *piecer         // finds the upstream's key in it; nil: there is none to find
	// expect looks at the first frame with data when it comes; nil: it was looked at already.
	expect func(frame.Frame) error
}

// Next implements frame.Stream.
func (a *answer) Next() (frame.Frame, error) {
	if a.pieces != nil {
		return a.pieces.next(a.next)
	}
	return a.next()
}

// next reads a frame.
func (a *answer) next() (frame.Frame, error) {
	f, err := a.in.Next()
	if err != nil || a.expect == nil || len(f.Data) == 0 {
		return f, err
	}
	expect := a.expect
	a.expect = nil
	return f, expect(f)
}

// AppendEnd implements frame.Stream.
func (a *answer) AppendEnd(dst []byte) []byte { return a.in.AppendEnd(dst) }

// Append implements frame.Stream.
func (a *answer) Append(dst []byte, f frame.Frame) []byte { return a.in.Append(dst, f) }

// open reads a body as far as its first frame, which is the whole of it if it is no stream. The error is a
// *dialect.Refused if the body cannot be read, and else says that the upstream broke off.
func (x *exchange) open(h http.Header, body io.Reader) (*answer, error) {
	a, err := x.sniff(h, body)
	if err != nil {
		return a, err
	}
	return a, x.peek(a)
}

// sniff finds out whether a body is a stream. The body itself tells; the header only breaks ties.
func (x *exchange) sniff(h http.Header, body io.Reader) (*answer, error) {
	a := &answer{source: &frame.Source{R: body}, room: x.Account.Share(budget.Responses), parsed: x.Account.Share(budget.Responses)}
	plain, err := decode(a.source, encodings(h), a.room)
	if err != nil {
		return a, unreadable(err)
	}
	head, err := readHead(plain)
	if err != nil {
		return a, unreadable(err)
	}
	a.shape = frame.Sniff(head)
	if a.shape == frame.Undecided && (len(head) == sniffSize || len(head) > 0 && x.isContent()) {
		a.shape = frame.Unknown // blanks, and more than anybody begins with
	}
	if x.isContent() && a.shape == frame.EventStream && !isStream(h.Get("Content-Type")) && !dataOfEvent.Match(head) {
		a.shape = frame.Unknown // a file may begin like that, too
	}
	a.framing = x.framingOf(a.shape, head, h.Get("Content-Type"))
	if x.isContent() && isJSONLines(h.Get("Content-Type")) {
		a.framing = frame.Rows // as it is called, so clients read it
	}
	if a.shape == frame.JSON && a.framing == frame.Whole && (x.mayAnswerInLines() || isJSONLines(h.Get("Content-Type"))) {
		if head, err = readLine(head, plain, x.door.cfg.Bounds.Frame, a.room); err != nil {
			return a, unreadable(err)
		}
		line, more, _ := bytes.Cut(head, []byte("\n"))
		if isJSON(bytes.TrimPrefix(line, []byte("\ufeff"))) && len(bytes.TrimSpace(more)) > 0 {
			a.framing = frame.Rows // else it is one text, over one line or several
		}
	}
	if x.isContent() && a.shape == frame.JSON && a.framing == frame.Whole {
		if head, err = readUpTo(head, plain, x.door.cfg.Bounds.Frame, a.room); err != nil {
			return a, unreadable(err)
		}
		if !isJSON(bytes.TrimPrefix(head, []byte("\ufeff"))) {
			a.shape, a.whole = frame.Unknown, head // values in a row, or a text that begins with a bracket
		}
	}
	if x.upstream.mask != nil {
		a.pieces = &piecer{
			mask: x.upstream.mask, limit: x.door.cfg.Bounds.Frame, texts: map[string]ending{}, room: x.Account.Share(budget.Responses),
		}
	}
	a.plain = io.MultiReader(bytes.NewReader(head), plain)
	x.door.cut(a, a.plain, x.Account)
	return a, nil
}

// readLine reads on from head to the beginning of the second line, or to the end of the body.
func readLine(head []byte, r io.Reader, limit int, room *budget.Share) ([]byte, error) {
	buf := make([]byte, 16<<10)
	for {
		if _, more, _ := bytes.Cut(head, []byte("\n")); len(bytes.TrimSpace(more)) > 0 {
			return head, nil
		}
		n, err := r.Read(buf)
		if err := room.Add(n); err != nil {
			return nil, err
		}
		if head = append(head, buf[:n]...); len(head) > limit {
			return nil, frame.ErrOversize
		}
		if err == io.EOF { //nolint:errorlint // only io.EOF itself is a clean end
			return head, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// dataOfEvent is found in streams of events with JSON in them, and hardly in other texts.
var dataOfEvent = regexp.MustCompile(`(?m)^data: ?\{"`)

// readUpTo reads on from head to the end of the body.
func readUpTo(head []byte, r io.Reader, limit int, room *budget.Share) ([]byte, error) {
	whole, err := budget.ReadAll(io.MultiReader(bytes.NewReader(head), r), limit, budget.Unknown, room)
	if errors.Is(err, budget.ErrTooLong) {
		err = frame.ErrOversize
	}
	return whole, err
}

// peek looks at the first frame with data.
func (x *exchange) peek(a *answer) (err error) {
	a.first, err = a.in.Peek()
	switch {
	case err == io.EOF: //nolint:errorlint // streams return a clean end bare
		a.empty, a.strange = true, a.shape == frame.Unknown || a.shape == frame.EventStream && x.isContent()
	case err != nil:
		return unreadable(err)
	default:
		if err := a.parsed.Set(strictjson.Cost(a.first.Data)); err != nil {
			return unreadable(err)
		}
		a.format = x.recognise(a.first)
	}
	return nil
}

// framingOf says how a body is cut into frames. Its first bytes tell whether it is a stream of events; lines and arrays
// look like whole bodies, and so it counts what was asked for and what the body is called.
func (x *exchange) framingOf(shape frame.Shape, head []byte, contentType string) frame.Framing {
	comesIn := func(f frame.Framing) bool { return x.asked != nil && slices.Contains(x.asked.Streams, f) }
	switch {
	case shape == frame.MessageStream && dialect.PathEnds(x.path, "/invoke-with-response-stream"):
		return frame.Chunks
	case shape == frame.MessageStream:
		return frame.Binary
	case shape == frame.EventStream, shape != frame.JSON && isStream(contentType):
		return frame.Events
	case comesIn(frame.Elements) && firstByte(head) == '[':
		return frame.Elements
	case isRows(contentType), comesIn(frame.Rows) && x.wants == frame.Rows && !x.failed:
		return frame.Rows
	}
	return frame.Whole
}

// firstByte is the first byte of a body that is not white space or a mark; 0 if there is none.
func firstByte(head []byte) byte {
	if rest := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"); len(rest) > 0 {
		return rest[0]
	}
	return 0
}

// cut lets the answer read frames from r.
func (d *Door) cut(a *answer, r io.Reader, account *budget.Account) {
	s, release := frame.Open(r, a.framing, d.cfg.Bounds.Frame)
	s.Charge(account.Share(budget.Responses))
	a.release = release
	a.in = frame.NewLookahead(s)
	a.in.Charge(account.Share(budget.Responses))
}

// close gives back what the answer's stream had borrowed.
func (a *answer) close() {
	if a.release != nil {
		a.release()
	}
	a.room.Free()
	a.parsed.Free()
	if a.pieces != nil {
		a.pieces.room.Free()
	}
}

// readHead reads until it is clear what a body is, or until its end.
func readHead(r io.Reader) ([]byte, error) {
	head := make([]byte, 0, sniffSize)
	for len(head) < sniffSize {
		n, err := r.Read(head[len(head):sniffSize])
		head = head[:len(head)+n]
		if err == io.EOF || frame.Sniff(head) != frame.Undecided { //nolint:errorlint // only io.EOF itself is a clean end
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return head, nil
}

// recognise returns the format that a response of which f is the first frame with data is in; nil if none is.
// Formats may have frames in common, errors above all: what the request asked for is tried first.
func (x *exchange) recognise(f frame.Frame) *dialect.Format {
	if x.asked != nil && x.asked.Recognises(f) {
		return x.asked
	}
	for i := range x.door.cfg.Formats {
		if x.door.cfg.Formats[i].Recognises(f) {
			return &x.door.cfg.Formats[i]
		}
	}
	return nil
}

// unreadable says why a body cannot be read: a *dialect.Refused, unless the upstream merely broke off.
func unreadable(err error) error {
	var over *budget.Exceeded
	if errors.As(err, &over) {
		return overBudget(over)
	}
	if errors.Is(err, frame.ErrOversize) {
		return &dialect.Refused{Code: call.CodeMalformed, Reason: "the response is larger than weir's bound"}
	}
	if errors.Is(err, frame.ErrCorrupt) {
		return &dialect.Refused{Code: call.CodeMalformed, Reason: "a frame can be read in more than one way, or its checksum is wrong"}
	}
	return err
}

// notJSON is the refusal of a response whose first frame cannot be read.
var notJSON = dialect.Refused{Code: call.CodeMalformed, Reason: "the response is not JSON"}

// otherFormat is the refusal of a response that its client would not read as the gate does.
var otherFormat = dialect.Refused{
	Code: call.CodeUnrecognised, Reason: "the response is in another format than the request asks for",
}

// unrecognised is the refusal of a response of which nobody knows what it is.
var unrecognised = dialect.Refused{Code: call.CodeUnrecognised, Reason: "the response is in no format that weir can read"}
