package llm

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/weir-gate/weir/internal/budget"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/dialect/loose"
	"github.com/weir-gate/weir/internal/frame"
)

// isFile says whether an answer is a file that is neither one JSON text nor lines of JSON nor a stream of a model.
func (x *exchange) isFile(a *answer, contentType string) bool {
	return x.isContent() && a.shape == frame.Unknown && a.framing == frame.Whole && !isStream(contentType)
}

// Why a file is not passed on.
var (
	callInFile = dialect.Refused{Code: call.CodeMalformed, Reason: "a file that is neither one JSON text nor lines of JSON has the shape of a call in it"}
	longValue  = dialect.Refused{Code: call.CodeMalformed, Reason: "a file has a JSON text in it that is larger than weir's bound"}
	notOpened  = dialect.Refused{Code: call.CodeMalformed, Reason: "a compressed file is larger than weir's bound, or cannot be read"}
)

// relayContent passes on a file byte for byte, unless some reader of such files could find a call in it: one that decodes JSON
// values in a row, that splits lines in its own way, that skips what it cannot read. The bytes pass as they come, but for the
// JSON value that is not yet complete. Compressed files, which some readers open by themselves, are read whole first.
func (x *exchange) relayContent(wire *wire, resp *http.Response, a *answer) {
	out := &out{x: x, resp: resp, framing: frame.Whole, file: true}
	limit := x.door.cfg.Bounds.Frame
	head, in, err := x.uncover(a.plain)
	if err == nil {
		err = scouted(a.whole, limit)
	}
	if err != nil {
		x.refuseOr(wire, resp, err)
		return
	}
	scout, buf, room := loose.New(head, limit), make([]byte, 32<<10), x.account.Share(budget.Responses)
	defer room.Free()
	var ahead []byte // what may go out
	for {
		n, err := in.Read(buf)
		atEnd := err == io.EOF //nolint:errorlint // only io.EOF itself is a clean end
		clear, found := scout.Take(buf[:n])
		ahead = append(ahead, clear...)
		if found == nil {
			found = room.Set(scout.Held())
		}
		if found == nil && atEnd {
			clear, found = scout.End()
			ahead = append(ahead, clear...)
		}
		why, quiet := whyNot(found), !out.begun && isBlank(ahead)
		switch {
		case why != nil && quiet:
			x.refuse(resp, *why)
			return
		case atEnd || !quiet && len(ahead) > 0:
			x.put(out, ahead)
			ahead = ahead[:0]
		}
		switch {
		case why != nil:
			x.breakOff(why.Reason) // the client has what came before
		case atEnd:
			return
		case err != nil:
			x.abort(brokenReason(wire))
		}
	}
}

// isBlank says whether a file that begins like that has said nothing yet. It can still be answered with an error.
func isBlank(head []byte) bool {
	return len(head) <= sniffSize && len(bytes.Trim(head, "\x00\x1e \t\r\n\xff\xfe\xef\xbb\xbf")) == 0
}

// refuseOr refuses an answer, or says that it broke off.
func (x *exchange) refuseOr(wire *wire, resp *http.Response, err error) {
	var why *dialect.Refused
	if errors.As(err, &why) {
		x.refuse(resp, *why)
		return
	}
	x.broken(wire, err)
}

// whyNot says why a file is refused; nil: it is not.
func whyNot(found error) *dialect.Refused {
	switch {
	case found == nil:
		return nil
	case errors.Is(found, frame.ErrOversize):
		return &longValue
	case errors.Is(found, loose.ErrCall):
		return &callInFile
	}
	return overBudget(found)
}

// uncover looks at the beginning of a file. If it is compressed, it is read whole, and what is under the cover is looked at. The reader
// that it returns has the file as it is, with its head. The error is a *dialect.Refused, or says that the upstream broke off.
func (x *exchange) uncover(plain io.Reader) (head []byte, file io.Reader, err error) {
	head = make([]byte, loose.HeadSize)
	n, err := io.ReadFull(plain, head)
	head = head[:n]
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) { //nolint:errorlint // ReadFull returns it bare
		return nil, nil, err
	}
	if coverOf(head) == "" {
		return head, io.MultiReader(bytes.NewReader(head), plain), nil
	}
	limit := x.door.cfg.Bounds.Frame
	whole, err := readUpTo(head, plain, limit, x.account.Share(budget.Responses))
	if err != nil && !errors.Is(err, frame.ErrOversize) {
		return nil, nil, unreadable(err)
	}
	room := x.account.Share(budget.Responses)
	defer room.Free()
	inside := whole
	for range maxEncodings {
		if cover := coverOf(inside); err == nil && cover != "" {
			inside, err = inflate(inside, cover, limit, room)
		}
	}
	var over *budget.Exceeded
	if errors.As(err, &over) {
		return nil, nil, overBudget(err)
	}
	if err != nil || coverOf(inside) != "" {
		return nil, nil, &notOpened
	}
	return head, bytes.NewReader(whole), scouted(inside, limit)
}

// scouted says why what was under a cover is not passed on; nil: it is.
func scouted(inside []byte, limit int) error {
	scout := loose.New(inside[:min(len(inside), loose.HeadSize)], limit)
	_, found := scout.Take(inside)
	if found == nil {
		_, found = scout.End()
	}
	if why := whyNot(found); why != nil {
		return why
	}
	return nil
}

// coverOf is the encoding that a file begins in which is compressed; "": it is not.
func coverOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	}
	return ""
}

// inflate opens a compressed file.
func inflate(file []byte, encoding string, limit int, room *budget.Share) ([]byte, error) {
	plain, err := decode(bytes.NewReader(file), []string{encoding}, room)
	if err != nil {
		return nil, err
	}
	return readUpTo(nil, plain, limit, room)
}
