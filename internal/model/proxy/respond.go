package proxy

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// respond sends the upstream's response to the client.
func (a *answering) respond() {
	switch status := a.resp.StatusCode; {
	case status < 200:
		a.trouble = "unasked switch of protocols"
		a.fail(brokenOff(a.upstream.name))
	case status == http.StatusNotModified, status == http.StatusNoContent, a.R.Method == http.MethodHead:
		a.copyHeader(a.resp.Header)
		removeByteHeaders(a.W.Header())
		a.SendStatus(status)
	case status >= 300 && status < 400:
		a.fail(refusal(http.StatusBadRequest, "the upstream "+a.upstream.name+
			" redirects elsewhere, and weir does not follow; correct the upstream's url"))
	case status >= 400:
		a.respondError()
	default:
		a.respondSuccess()
	}
}

// respondSuccess sends a response through the gate, relays it, or refuses it, as decide says.
func (a *answering) respondSuccess() {
	if a.changesModels() {
		a.relayProgress()
		return
	}
	if f := a.noteAnswered(); f != nil {
		a.fail(f)
		return
	}
	b := a.sniff(a.resp.Header, a.wire)
	defer b.close()
	what, why := a.expected().decide(b.beginning)
	if what == peekFirst {
		a.peek(b)
		what, why = a.expected().decide(b.beginning)
	}
	switch what {
	case gateAsAsked:
		a.passAsked(b)
	case gateRecognised:
		a.passRecognised(b)
	case relayAsFile:
		a.relayContent(b)
	case relayFrames:
		a.relay(&out{a: a, framing: b.framing}, b)
	case sendNothing:
		a.sendAsIs(nil)
	case sendDocument:
		a.sendAsIs(b.first.Data)
	case refuseIt:
		a.refuse(*why)
	case breakOff:
		a.broken(b.err)
	}
}

// passAsked sends a stream through the gate as the format that the request asked for, without waiting for its first frame with
// data: upstreams send keep-alives before that. If the first frame turns out to be in another format, the stream ends there.
func (a *answering) passAsked(b *responseBody) {
	b.format = a.asked
	b.expect = func(first frame.Frame) error {
		b.first, b.format = first, a.recognise(first)
		if a.expected().accepts(b.format) {
			return nil
		}
		return b.unreadable()
	}
	a.pass(b)
}

// passRecognised sends a response through the gate as the format that recognises it. A body with several responses is scanned
// first: if it ended halfway, a client that asked for a list would take the list for empty.
func (a *answering) passRecognised(b *responseBody) {
	var why *dialect.Refused
	if b.framing == frame.Whole && b.format.Wants == nil {
		if _, err := a.passage(b.format, b.framing).Dialect.Scan(b.first); errors.As(err, &why) {
			a.refuse(*why)
			return
		}
	}
	a.pass(b)
}

// respondError passes an error on unchanged: status, header and bytes. Clients raise an exception for such a status and do not look
// for calls. In case a client does, a body in which a format finds more than an error goes through the gate. An error that cannot
// be read keeps its status, but gets a body from weir.
func (a *answering) respondError() {
	a.failed = true
	raw := &copying{r: a.wire, limit: a.door.cfg.Bounds.Frame, room: a.Account.Share(budget.Responses)}
	b := a.open(a.resp.Header, raw)
	defer b.close()
	var why *dialect.Refused
	switch {
	case b.err != nil && !errors.As(b.err, &why):
		a.broken(b.err)
	case b.err == nil && !raw.over && a.harmless(b, raw.seen.Bytes()):
		a.copyHeader(a.resp.Header)
		if len(a.resp.Header["Content-Encoding"]) == 0 {
			correctContentType(a.W.Header(), frame.Whole)
		}
		a.W.Header().Set("Content-Length", strconv.Itoa(raw.seen.Len()))
		a.send(a.resp.StatusCode, raw.seen.Bytes())
	case b.err == nil && b.format != nil:
		raw.stop()
		a.pass(b)
	default:
		if after := a.resp.Header["Retry-After"]; after != nil {
			a.W.Header()["Retry-After"] = after
		}
		a.fail(&failure{
			status:  a.resp.StatusCode,
			message: "the upstream " + a.upstream.name + " responded with an error that weir cannot read",
			retry:   true,
		})
	}
}

// speaksOfCall says whether a body that could not be parsed contains words that every call contains.
func (a *answering) speaksOfCall(raw []byte) bool {
	room := a.Account.Share(budget.Responses)
	defer room.Free()
	plain, err := decode(bytes.NewReader(raw), encodings(a.resp.Header), room)
	if err != nil {
		return true
	}
	text, err := budget.ReadAll(plain, a.door.cfg.Bounds.Frame, budget.Unknown, room)
	return err != nil || dialect.MentionsCall(text)
}

// harmless says whether the body of an error response contains no call, so that no format would change it.
func (a *answering) harmless(b *responseBody, raw []byte) bool {
	if b.framing != frame.Whole {
		return b.empty && !a.speaksOfCall(raw)
	}
	if b.format == nil {
		return !mayCarryCall(b.first.Data)
	}
	d := a.passage(b.format, frame.Whole).Dialect
	reading, err := d.Scan(b.first)
	if err != nil || len(reading.Opens) > 0 || len(reading.Waits) > 0 {
		return false
	}
	if reading.Pass {
		return true
	}
	frames, err := d.Rewrite(b.first, reading)
	return err == nil && len(frames) == 1 && frames[0].Plain && bytes.Equal(frames[0].Raw, b.first.Raw)
}

// pass sends a response through the gate.
func (a *answering) pass(b *responseBody) {
	out := &out{a: a, framing: b.framing}
	p := a.passage(b.format, b.framing)
	p.Source, p.In, p.Out, p.Abort = b.source, b, out, a.wire.cut
	a.recorded = true
	err := a.door.cfg.Gate.Pass(a.R.Context(), p)
	// The provider drops a response that breaks off, unless it runs in the background. Then the conversation already has the outputs
	// that came with the request, and they must not be sent again.
	if m := p.Dialect.Meta(); m.Failed || !m.Ended && !a.links.Background {
		a.takeBack()
	}
	switch {
	case err == nil:
		out.begin()
	case a.R.Context().Err() != nil || !errors.Is(err, gate.ErrBroken):
		a.abort(clientGone)
	case out.begun:
		a.brokeOff()
		_ = out.Flush() // the client may have what arrived so far; it sees that the end is missing
		a.abort(a.brokenReason())
	default:
		a.broken(err)
	}
}

// refuse replaces a response that weir cannot read. If the request asked for a new turn, the client gets a turn with a notice,
// because errors make agents try again; else it gets an error. Either way the refusal is recorded.
func (a *answering) refuse(why dialect.Refused) {
	a.trouble = why.Error()
	if a.ask == dialect.Turn {
		out := &out{a: a, framing: a.wants, ours: true}
		if err := a.refuseIn(a.asked, out, why); err != nil {
			a.abort(clientGone)
		}
		out.begin()
		return
	}
	format := a.format()
	if format == nil {
		a.fail(a.refuseExchange(why))
		return
	}
	_ = a.refuseIn(format, discard{}, why) // discard takes everything
	f := refusal(http.StatusBadRequest, why.Reason)
	f.code += ", " + why.Code
	a.fail(f)
}

// refuseIn has the gate record a refusal and write it to out, in the form that the request asked for.
func (a *answering) refuseIn(f *dialect.Format, out gate.Writer, why dialect.Refused) error {
	p := a.passage(f, a.wants)
	nothing := &responseBody{beginning: beginning{framing: a.wants}, source: &frame.Source{R: bytes.NewReader(nil)}}
	a.door.cut(nothing, nothing.source, a.Account)
	defer nothing.close()
	p.Source, p.In, p.Out = nothing.source, nothing.in, out
	a.recorded = true
	return a.door.cfg.Gate.Refuse(a.R.Context(), p, why)
}

// brokeOff counts a response that broke off.
func (a *answering) brokeOff() {
	if a.wire.stalled() {
		a.door.cfg.Metrics.UpstreamTimedOut(a.upstream.name)
		return
	}
	a.door.cfg.Metrics.UpstreamBrokeOff(a.upstream.name)
}

// broken ends an exchange whose response broke off before anything of it was sent.
func (a *answering) broken(err error) {
	switch {
	case a.R.Context().Err() != nil:
		a.abort(clientGone)
	case a.wire.stalled():
		a.brokeOff()
		a.trouble = a.brokenReason()
		a.fail(silent(a.upstream.name))
	default:
		a.brokeOff()
		a.trouble = "broke off: " + err.Error()
		a.fail(brokenOff(a.upstream.name))
	}
}

func (a *answering) brokenReason() string {
	if a.wire.stalled() {
		return errStalled.Error()
	}
	return "the upstream broke off"
}

// sendAsIs responds with a decoded body that the gate did not see.
func (a *answering) sendAsIs(body []byte) {
	h := a.W.Header()
	a.copyHeader(a.resp.Header)
	removeByteHeaders(h)
	correctContentType(h, frame.Whole)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	a.send(a.resp.StatusCode, body)
}

// copying is a reader that copies what is read through it, up to a limit.
type copying struct {
	r     io.Reader
	limit int
	room  *budget.Share
	seen  bytes.Buffer
	over  bool // copying has stopped, and seen is empty
}

func (c *copying) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.seen.Len()+n > c.limit || !c.over && c.room.Add(n) != nil {
		c.stop()
	}
	if !c.over {
		c.seen.Write(p[:n])
	}
	return n, err
}

// stop ends the copying.
func (c *copying) stop() {
	c.over = true
	c.seen = bytes.Buffer{}
	c.room.Free()
}
