package proxy

import (
	"bytes"
	"errors"
	"io"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/loose"
)

// Reasons for which a file is refused.
var (
	callInFile = dialect.Malformed("a file that is neither one JSON text nor lines of JSON has the shape of a call in it")
	longValue  = dialect.Malformed("a file has a JSON text in it that is larger than weir's bound")
	notOpened  = dialect.Malformed("a compressed file opens in a way that weir cannot read within its bounds")
)

// relayContent passes on a file byte for byte, unless some reader of such files could find a call in it: a reader that decodes
// consecutive JSON values, splits lines in its own way, or skips what it cannot parse. The bytes pass as they arrive, except for a
// JSON value that is incomplete. Some readers decompress files on their own. So the bytes of a compressed file pass only when the
// text that they decompress to would pass.
func (a *answering) relayContent(b *responseBody) {
	out := &out{a: a, framing: frame.Whole, file: true}
	limit := a.door.cfg.Bounds.Frame
	head, in, lid, err := a.uncover(b.plain)
	defer lid.free()
	if err == nil {
		err = scouted(b.whole, limit)
	}
	if err != nil {
		a.refuseOr(err)
		return
	}
	scout, buf, room := loose.New(head, limit), make([]byte, 32<<10), a.Account.Share(budget.Responses)
	defer room.Free()
	var ahead []byte // what may be sent
	for {
		n, err := in.Read(buf)
		atEnd := err == io.EOF // only io.EOF itself is a clean end
		passed, found := scout.Take(buf[:n])
		ahead = append(ahead, passed...)
		if found == nil {
			found = room.Set(scout.Held())
		}
		if found == nil && isRefusal(err) {
			found = err
		}
		if found == nil && atEnd {
			passed, found = scout.End()
			ahead = append(ahead, passed...)
		}
		why, quiet := whyNot(found), !out.begun && isBlank(ahead)
		switch {
		case why != nil && quiet:
			a.refuse(*why)
			return
		case atEnd || !quiet && len(ahead) > 0:
			a.put(out, ahead)
			ahead = ahead[:0]
		}
		switch {
		case why != nil:
			a.breakOff(why.Reason) // the client has what came before
		case atEnd:
			return
		case err != nil:
			a.abort(a.brokenReason())
		}
	}
}

// isBlank says whether a file that begins like this has no content yet. Then the client can still get an error.
func isBlank(head []byte) bool {
	return len(head) <= sniffSize && len(bytes.Trim(head, "\x00\x1e \t\r\n\xff\xfe\xef\xbb\xbf")) == 0
}

// isRefusal says whether an error is a refusal, and not that the upstream broke off.
func isRefusal(err error) bool {
	var why *dialect.Refused
	return errors.As(err, &why)
}

// refuseOr refuses a response if err is a refusal; else it ends it as broken off.
func (a *answering) refuseOr(err error) {
	var why *dialect.Refused
	if errors.As(err, &why) {
		a.refuse(*why)
		return
	}
	a.broken(err)
}

// whyNot says why a file is refused; nil: it is not.
func whyNot(found error) *dialect.Refused {
	var why *dialect.Refused
	switch {
	case found == nil:
		return nil
	case errors.As(found, &why):
		return why
	case errors.Is(found, frame.ErrOversize):
		return longValue
	case errors.Is(found, loose.ErrCall):
		return callInFile
	}
	return overBudget(found)
}

// uncover looks at the beginning of a file. The returned reader delivers the file unchanged, with its head; for a compressed file
// it is the cover. An error means that the upstream broke off.
func (a *answering) uncover(plain io.Reader) (head []byte, file io.Reader, lid *cover, err error) {
	head = make([]byte, loose.HeadSize)
	n, err := io.ReadFull(plain, head)
	head = head[:n]
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) { // ReadFull returns it bare
		return nil, nil, nil, err
	}
	file = io.MultiReader(bytes.NewReader(head), plain)
	if encoding := coverOf(head); encoding != "" {
		lid = a.newCover(file, encoding, 0)
		file = lid
	}
	return head, file, lid, nil
}

// scouted says why a file that was read whole is refused; nil: it is not.
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
