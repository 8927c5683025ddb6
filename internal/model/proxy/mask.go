package proxy

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/echo"
)

// mask removes the key that weir has added to the request from the response, before the gate, the record, the log and the client
// see it. If weir has added none, it does nothing. It returns false if the response cannot be sent on; then it has sent a failure
// to the client.
func (a *answering) mask() bool {
	mask := a.upstream.mask
	if mask == nil {
		return true
	}
	if mask.Header(a.resp.Header) > 0 {
		a.masked = true
	}
	encoded := a.wire.body
	plain, err := decode(encoded, encodings(a.resp.Header), a.Account.Share(budget.Responses))
	if err != nil && !a.door.cfg.Observe {
		return true // it cannot be decoded, and is refused later
	}
	if err != nil {
		a.trouble = err.Error()
		a.fail(refusal(http.StatusBadGateway, "the upstream "+a.upstream.name+
			" responded in an encoding that weir cannot read, so its key could be in it"))
		return false
	}
	removeByteHeaders(a.resp.Header)
	a.wire.body = unmasked{mask.Reader(plain, func() { a.masked = true }), encoded}
	return true
}

// unmasked is a body with the key removed.
type unmasked struct {
	io.Reader
	io.Closer
}

// keyRepeated is the refusal of a response that spells out the upstream's key over several frames.
var keyRepeated = dialect.Refused{Code: call.CodeContentDenied, Reason: "the upstream repeats the key that weir gave it"}

// A piecer looks for a key that a response spells out in pieces, one per frame. It joins strings of the same name into one text; it
// also joins strings of the same name at the same index, and strings that have the same turn among those of that name in a frame.
// If a text ends with enough of the beginning of a key, its frame waits for the next one.
type piecer struct {
	mask  *echo.Mask
	limit int // of the frames that wait, in bytes
	doc   strictjson.Doc
	texts map[string]ending // the ends of texts that may be the beginning of a key, by the names of the strings
	ends  int               // bytes in texts
	frame int               // how many frames were read
	room  *budget.Share     // for texts, waiting frames and parsing

	waiting []frame.Frame
	size    int   // of the raw waiting frames
	held    int   // memory of the waiting frames
	err     error // returned after the waiting frames
}

// An ending is the end of a text that may be the beginning of a key.
type ending struct {
	text  []byte
	frame int // the number of the frame in which it came
}

const (
	// maxTexts is how many texts are followed at once.
	maxTexts = 1000
	// patientFrames is for how many frames the end of a text is remembered. The formats have no common sign for the end of a text. A
	// text that continues does so within the next few frames.
	patientFrames = 8
)

// next returns the next frame that may be sent on.
func (p *piecer) next(read func() (frame.Frame, error)) (frame.Frame, error) {
	for open := true; open && p.err == nil; {
		f, err := read()
		if p.err = err; err != nil {
			break
		}
		var found bool
		open, found, p.err = p.look(f.Data)
		if p.err == nil && (found || p.size+len(f.Raw) > p.limit) {
			p.err = &keyRepeated
		}
		if p.err == nil && !open && len(p.waiting) == 0 {
			return f, nil
		}
		if p.err == nil {
			p.err = p.wait(f)
		}
		if p.err != nil {
			p.waiting = nil
		}
	}
	if len(p.waiting) == 0 {
		return frame.Frame{}, p.err
	}
	f := p.waiting[0]
	p.waiting = p.waiting[1:]
	p.size -= len(f.Raw)
	p.held -= heldBy(f)
	return f, p.room.Set(p.ends + p.held) // less never fails
}

// wait adds a frame to those that wait.
func (p *piecer) wait(f frame.Frame) error {
	p.size += len(f.Raw)
	p.held += heldBy(f)
	p.waiting = append(p.waiting, f.Clone())
	return p.room.Set(p.ends + p.held)
}

// heldBy is the memory of a copy of a frame.
func heldBy(f frame.Frame) int { return len(f.Raw) + len(f.Type) + len(f.Data) }

// look looks for a key in a frame. It parses the frame only if a text may be open before or after it; most frames are not parsed.
func (p *piecer) look(data []byte) (open, found bool, err error) {
	if len(p.texts) == 0 && !p.mask.MayOpen(data) {
		return false, false, nil
	}
	cost := strictjson.Cost(data)
	if err := p.room.Set(p.ends + p.held + cost + 2*len(data)); err != nil { // with the largest text and a copy of it
		return false, false, err
	}
	open, found = p.read(data)
	if cost > smallCost {
		p.doc = strictjson.Doc{}
	}
	return open, found, p.room.Set(p.ends + p.held)
}

// smallCost is the largest cost of a parsed frame whose memory is reused for the next frame.
const smallCost = 32 << 10

// read parses a frame. open says that a text now ends with the beginning of a key; found says that a key is complete.
func (p *piecer) read(data []byte) (open, found bool) {
	if p.doc.Parse(data) != nil {
		return false, p.mask.In(string(data))
	}
	p.frame++
	var at strings.Builder // the indexes in the frame so far
	turns := map[string]int{}
	p.doc.Root().Walk(func(name, v strictjson.Value) bool {
		if label := string(name.AppendText(nil)); v.Kind() == strictjson.String {
			text := v.AppendText(nil)
			found = p.add(label, text) || at.Len() > 0 && p.add(label+at.String(), text) ||
				p.add(fmt.Sprintf("%s turn %d", label, turns[label]), text)
			turns[label]++
		} else if v.Kind() == strictjson.Number && strings.Contains(label, "index") {
			fmt.Fprintf(&at, " %s", v.Raw())
		}
		return !found
	})
	for label, end := range p.texts {
		if p.frame-end.frame > patientFrames {
			p.forget(label)
		} else {
			open = open || len(end.text) >= echo.Shortest
		}
	}
	return open, found
}

// add adds a piece to a text. It returns true if the text has a key in it.
func (p *piecer) add(label string, piece []byte) bool {
	before := p.texts[label].text
	if len(piece) == 0 {
		return false
	}
	if len(before) > 0 {
		piece = append(before[:len(before):len(before)], piece...)
	}
	rest, found := p.mask.Open(piece)
	p.forget(label)
	if len(rest) > 0 && len(p.texts) < maxTexts {
		p.texts[label] = ending{bytes.Clone(rest), p.frame}
		p.ends += len(label) + len(rest)
	}
	return found
}

// forget drops the remembered end of a text, if there is one.
func (p *piecer) forget(label string) {
	if end, there := p.texts[label]; there {
		p.ends -= len(label) + len(end.text)
		delete(p.texts, label)
	}
}
