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

// sniffSize is how many bytes are read at most to find out what a body is.
const sniffSize = 512

// A responseBody is the body of a response, with what was found out about it.
type responseBody struct {
	beginning
	source  *frame.Source
	in      *frame.Lookahead
	release func()        // gives back the stream's buffers; nil: it has none
	room    *budget.Share // the memory for decoding the body and finding out what it is
	parsed  *budget.Share // the memory for parsing the first frame
	plain   io.Reader     // the decoded body, as long as no frame was read from it
	whole   []byte        // the decoded body, if all of it was read to find out what it is
	pieces  *piecer       // finds the upstream's key in it; nil: weir has added none
	// expect checks the first frame with data when it arrives; nil: it was already checked.
	expect func(frame.Frame) error
}

// Next implements frame.Stream.
func (b *responseBody) Next() (frame.Frame, error) {
	if b.pieces != nil {
		return b.pieces.next(b.next)
	}
	return b.next()
}

// next reads a frame.
func (b *responseBody) next() (frame.Frame, error) {
	f, err := b.in.Next()
	if err != nil || b.expect == nil || len(f.Data) == 0 {
		return f, err
	}
	expect := b.expect
	b.expect = nil
	return f, expect(f)
}

// AppendEnd implements frame.Stream.
func (b *responseBody) AppendEnd(dst []byte) []byte { return b.in.AppendEnd(dst) }

// Append implements frame.Stream.
func (b *responseBody) Append(dst []byte, f frame.Frame) []byte { return b.in.Append(dst, f) }

// open reads a body up to its first frame. If the body is not a stream, that is all of it.
func (a *answering) open(h http.Header, body io.Reader) *responseBody {
	b := a.sniff(h, body)
	a.peek(b)
	return b
}

// sniff finds out the framing of a body.
func (a *answering) sniff(h http.Header, body io.Reader) *responseBody {
	b := &responseBody{source: &frame.Source{R: body}, room: a.Account.Share(budget.Responses), parsed: a.Account.Share(budget.Responses)}
	b.contentType = h.Get("Content-Type")
	b.err = unreadable(a.sniffInto(b, encodings(h)))
	return b
}

// sniffInto looks at the beginning of a body. The body itself shows what it is; the header only decides in case of doubt.
func (a *answering) sniffInto(b *responseBody, encodings []string) error {
	plain, err := decode(b.source, encodings, b.room)
	if err != nil {
		return err
	}
	head, err := readHead(plain)
	if err != nil {
		return err
	}
	b.shape = frame.Sniff(head)
	if b.shape == frame.Undecided && (len(head) == sniffSize || len(head) > 0 && a.isContent()) {
		b.shape = frame.Unknown // only blanks, and more of them than any known body begins with
	}
	if a.isContent() && b.shape == frame.EventStream && !isStream(b.contentType) && !dataOfEvent.Match(head) {
		b.shape = frame.Unknown // a file may begin like that, too
	}
	b.framing = a.framingOf(b.shape, head, b.contentType)
	if a.isContent() && isJSONLines(b.contentType) {
		b.framing = frame.Rows // clients read it by its content type
	}
	if b.shape == frame.JSON && b.framing == frame.Whole && (a.mayRespondInLines() || isJSONLines(b.contentType)) {
		if head, err = readLine(head, plain, a.door.cfg.Bounds.Frame, b.room); err != nil {
			return err
		}
		line, more, _ := bytes.Cut(head, []byte("\n"))
		if isJSON(bytes.TrimPrefix(line, []byte("\ufeff"))) && len(bytes.TrimSpace(more)) > 0 {
			b.framing = frame.Rows // else it is one text, on one line or on several
		}
	}
	if a.isContent() && b.shape == frame.JSON && b.framing == frame.Whole {
		if head, err = readUpTo(head, plain, a.door.cfg.Bounds.Frame, b.room); err != nil {
			return err
		}
		if !isJSON(bytes.TrimPrefix(head, []byte("\ufeff"))) {
			b.shape, b.whole = frame.Unknown, head // several values, or a text that begins with a bracket
		}
	}
	if a.upstream.mask != nil {
		b.pieces = &piecer{
			mask: a.upstream.mask, limit: a.door.cfg.Bounds.Frame, texts: map[string]ending{}, room: a.Account.Share(budget.Responses),
		}
	}
	b.plain = io.MultiReader(bytes.NewReader(head), plain)
	a.door.cut(b, b.plain, a.Account)
	return nil
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
		if err == io.EOF { // only io.EOF itself is a clean end
			return head, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// dataOfEvent matches in streams of events with JSON data, and rarely in other texts.
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
func (a *answering) peek(b *responseBody) {
	if b.err != nil {
		return
	}
	b.peeked = true
	var err error
	b.first, err = b.in.Peek()
	if err == io.EOF {
		b.empty, b.strange = true, b.shape == frame.Unknown || b.shape == frame.EventStream && a.isContent()
		return
	}
	if err == nil {
		err = b.parsed.Set(strictjson.Cost(b.first.Data))
	}
	if b.err = unreadable(err); b.err == nil {
		b.format = a.recognise(b.first)
	}
}

// framingOf says how a body is cut into frames. Its first bytes show whether it is a stream of events. Lines and arrays look like
// whole bodies, so for those the request and the content type decide.
func (a *answering) framingOf(shape frame.Shape, head []byte, contentType string) frame.Framing {
	comesIn := func(f frame.Framing) bool { return a.asked != nil && slices.Contains(a.asked.Streams, f) }
	switch {
	case shape == frame.MessageStream && dialect.PathEnds(a.path, "/invoke-with-response-stream"):
		return frame.Chunks
	case shape == frame.MessageStream:
		return frame.Binary
	case shape == frame.EventStream, shape != frame.JSON && isStream(contentType):
		return frame.Events
	case comesIn(frame.Elements) && firstByte(head) == '[':
		return frame.Elements
	case isRows(contentType), comesIn(frame.Rows) && a.wants == frame.Rows && !a.failed:
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

// cut sets up the body to read frames from r.
func (d *Door) cut(b *responseBody, r io.Reader, account *budget.Account) {
	s, release := frame.Open(r, b.framing, d.cfg.Bounds.Frame)
	s.Charge(account.Share(budget.Responses))
	b.release = release
	b.in = frame.NewLookahead(s)
	b.in.Charge(account.Share(budget.Responses))
}

// close gives back the buffers and the memory of the body.
func (b *responseBody) close() {
	if b.release != nil {
		b.release()
	}
	b.room.Free()
	b.parsed.Free()
	if b.pieces != nil {
		b.pieces.room.Free()
	}
}

// readHead reads until it is clear what a body is, or until its end.
func readHead(r io.Reader) ([]byte, error) {
	head := make([]byte, 0, sniffSize)
	for len(head) < sniffSize {
		n, err := r.Read(head[len(head):sniffSize])
		head = head[:len(head)+n]
		if err == io.EOF || frame.Sniff(head) != frame.Undecided { // only io.EOF itself is a clean end
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return head, nil
}

// recognise returns the format of a response whose first frame with data is f; nil: unknown. Some frames, mainly errors, are the
// same in several formats, so the format that the request asked for is tried first.
func (a *answering) recognise(f frame.Frame) *dialect.Format {
	if a.asked != nil && a.asked.Recognises(f) {
		return a.asked
	}
	for i := range a.door.cfg.Formats {
		if a.door.cfg.Formats[i].Recognises(f) {
			return &a.door.cfg.Formats[i]
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
