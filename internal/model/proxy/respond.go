package proxy

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/record/metrics"
	"github.com/weir-gate/weir/internal/strictjson"
)

// respond leads the upstream's response to the client.
func (x *exchange) respond(wire *wire, resp *http.Response) {
	switch status := resp.StatusCode; {
	case status < 200:
		x.trouble = "unasked switch of protocols"
		x.fail(brokenOff(x.upstream.name))
	case status == http.StatusNotModified, status == http.StatusNoContent, x.R.Method == http.MethodHead:
		x.copyHeader(resp.Header)
		removeByteHeaders(x.W.Header())
		x.SendStatus(status)
	case status >= 300 && status < 400:
		x.fail(refusal(http.StatusBadRequest, "the upstream "+x.upstream.name+
			" redirects elsewhere, and weir does not follow; correct the upstream's url"))
	case status >= 400:
		x.respondError(wire, resp)
	default:
		x.respondSuccess(wire, resp)
	}
}

// respondSuccess gates what a format recognises, passes what a listed endpoint returns, and refuses the rest.
func (x *exchange) respondSuccess(wire *wire, resp *http.Response) {
	if x.changesModels() {
		x.relayProgress(wire, resp)
		return
	}
	if f := x.noteAnswered(); f != nil {
		x.fail(f)
		return
	}
	a, err := x.sniff(resp.Header, wire)
	defer a.close()
	if err == nil && x.asked != nil && x.wants != frame.Whole && a.framing == x.wants && a.shape == shapes[x.wants] {
		x.passAsked(wire, resp, a)
		return
	}
	if err == nil && x.isFile(a, resp.Header.Get("Content-Type")) {
		x.relayContent(wire, resp, a)
		return
	}
	if err == nil {
		err = x.peek(a)
	}
	var why *dialect.Refused
	switch {
	case errors.As(err, &why):
		x.refuse(resp, *why)
	case err != nil:
		x.broken(wire, err)
	case a.empty && !a.strange:
		x.sendAsIs(resp, nil)
	case a.format != nil && !x.otherThanAsked(a.format):
		if why := x.unreadableBundle(a); why != nil {
			x.refuse(resp, *why)
			return
		}
		x.pass(wire, resp, a)
	case a.format == nil && a.framing == frame.Whole && x.mayAnswerOtherwise() && isJSON(a.first.Data) && !mayCarryCall(a.first.Data):
		x.sendAsIs(resp, a.first.Data)
	case a.format == nil && a.framing != frame.Whole && a.framing != frame.Binary && x.mayAnswerOtherwise() && isJSON(a.first.Data) && !mayCarryCall(a.first.Data):
		x.relay(wire, &out{x: x, resp: resp, framing: a.framing}, a)
	default:
		x.refuse(resp, *x.unreadableAs(a))
	}
}

// unreadableBundle says why a body with several responses in it cannot be led through the gate; nil: it can, or is none. A client
// that asks for a list would take an end in the middle for an empty one.
func (x *exchange) unreadableBundle(a *answer) *dialect.Refused {
	var why *dialect.Refused
	if a.framing == frame.Whole && a.format.Wants == nil {
		if _, err := x.passage(a.format, a.framing).Dialect.Scan(a.first); errors.As(err, &why) {
			return why
		}
	}
	return nil
}

// shapes are what the beginnings of streams look like.
var shapes = map[frame.Framing]frame.Shape{
	frame.Events: frame.EventStream, frame.Elements: frame.JSON, frame.Rows: frame.JSON,
	frame.Binary: frame.MessageStream, frame.Chunks: frame.MessageStream,
}

// passAsked leads a stream through the gate as the format that the request asked for, without waiting for its first frame
// with data: upstreams show signs of life before they have anything to say. What turns out to be something else ends there.
func (x *exchange) passAsked(wire *wire, resp *http.Response, a *answer) {
	a.format = x.asked
	a.expect = func(first frame.Frame) error {
		a.first, a.format = first, x.recognise(first)
		if a.format != nil && !x.otherThanAsked(a.format) {
			return nil
		}
		return x.unreadableAs(a)
	}
	x.pass(wire, resp, a)
}

// otherThanAsked says whether a response is in another format than the request asks for: its client would not read it
// as the gate does.
func (x *exchange) otherThanAsked(f *dialect.Format) bool {
	return x.asked != nil && x.asked.Name != f.Name
}

// unreadableAs says why an answer that is there cannot be led through the gate.
func (x *exchange) unreadableAs(a *answer) *dialect.Refused {
	switch {
	case a.strange || a.format == nil && !isJSON(a.first.Data):
		return &notJSON
	case a.format != nil:
		return &otherFormat
	}
	return &unrecognised
}

// respondError passes an error on unchanged: status, header and bytes. Clients raise on such a status and do not look
// for calls; should one look all the same, a body in which a format finds more than an error goes through the gate. An
// error that cannot be read keeps its status and gets a body of weir's.
func (x *exchange) respondError(wire *wire, resp *http.Response) {
	x.failed = true
	raw := &copying{r: wire, limit: x.door.cfg.Bounds.Frame, room: x.Account.Share(budget.Responses)}
	a, err := x.open(resp.Header, raw)
	defer a.close()
	var why *dialect.Refused
	switch {
	case err != nil && !errors.As(err, &why):
		x.broken(wire, err)
	case err == nil && (a.empty && !x.speaksOfCall(resp.Header, raw.kept.Bytes()) || a.framing == frame.Whole && x.harmless(a)) && !raw.over:
		x.copyHeader(resp.Header)
		if len(resp.Header["Content-Encoding"]) == 0 {
			correctContentType(x.W.Header(), frame.Whole)
		}
		x.W.Header().Set("Content-Length", strconv.Itoa(raw.kept.Len()))
		x.send(resp.StatusCode, raw.kept.Bytes())
	case err == nil && a.format != nil:
		raw.stop()
		x.pass(wire, resp, a)
	default:
		if after := resp.Header["Retry-After"]; after != nil {
			x.W.Header()["Retry-After"] = after
		}
		x.fail(&failure{
			status:  resp.StatusCode,
			message: "the upstream " + x.upstream.name + " answered with an error that weir cannot read",
			retry:   true,
		})
	}
}

// speaksOfCall says whether a body of which no frame could be read has words in it that are in every call.
func (x *exchange) speaksOfCall(h http.Header, raw []byte) bool {
	room := x.Account.Share(budget.Responses)
	defer room.Free()
	plain, err := decode(bytes.NewReader(raw), encodings(h), room)
	if err != nil {
		return true
	}
	text, err := budget.ReadAll(plain, x.door.cfg.Bounds.Frame, budget.Unknown, room)
	return err != nil || dialect.MentionsCall(text)
}

// harmless says whether a whole body that is an error by its status speaks of no call: a format would not touch it.
func (x *exchange) harmless(a *answer) bool {
	if a.format == nil {
		return !mayCarryCall(a.first.Data)
	}
	d := x.passage(a.format, frame.Whole).Dialect
	reading, err := d.Scan(a.first)
	if err != nil || len(reading.Opens) > 0 || len(reading.Waits) > 0 {
		return false
	}
	if reading.Pass {
		return true
	}
	frames, err := d.Rewrite(a.first, reading)
	return err == nil && len(frames) == 1 && frames[0].Plain && bytes.Equal(frames[0].Raw, a.first.Raw)
}

// pass leads an answer through the gate.
func (x *exchange) pass(wire *wire, resp *http.Response, a *answer) {
	out := &out{x: x, resp: resp, framing: a.framing}
	p := x.passage(a.format, a.framing)
	p.Source, p.In, p.Out, p.Abort = a.source, a, out, wire.cut
	x.recorded = true
	err := x.door.cfg.Gate.Pass(x.R.Context(), p)
	// An answer that breaks off ends its response at the provider, unless that works in the background: then the outputs that came with
	// the request are in the conversation all the same, and must not be sent twice.
	if m := p.Dialect.Meta(); m.Failed || !m.Ended && !x.links.Background {
		x.takeBack()
	}
	switch {
	case err == nil:
		out.begin()
	case x.R.Context().Err() != nil || !errors.Is(err, gate.ErrBroken):
		x.abort("the client is gone")
	case out.begun:
		x.brokeOff(wire)
		_ = out.Flush() // the client may have what came before the end; that there is no end, it sees
		x.abort(brokenReason(wire))
	default:
		x.broken(wire, err)
	}
}

// refuse answers in place of a response that weir cannot read: with a turn that says so, if the request asked for a new
// one, because errors make agents try again; else with an error. Either way it is recorded, as far as there is a format to
// record it in.
func (x *exchange) refuse(resp *http.Response, why dialect.Refused) {
	x.trouble = why.Error()
	if x.ask == dialect.Turn {
		out := &out{x: x, resp: resp, framing: x.wants, ours: true}
		if err := x.refuseIn(x.asked, out, why); err != nil {
			x.abort("the client is gone")
		}
		out.begin()
		return
	}
	format := x.format()
	if format == nil {
		x.fail(x.refuseRequest(why))
		return
	}
	_ = x.refuseIn(format, discard{}, why) // discard takes everything
	f := refusal(http.StatusBadRequest, why.Reason)
	f.code += ", " + why.Code
	x.fail(f)
}

// refuseIn has the gate record a refusal and write it to out, in the form that the request asked for.
func (x *exchange) refuseIn(f *dialect.Format, out gate.Writer, why dialect.Refused) error {
	p := x.passage(f, x.wants)
	nothing := &answer{framing: x.wants, source: &frame.Source{R: bytes.NewReader(nil)}}
	x.door.cut(nothing, nothing.source, x.Account)
	defer nothing.close()
	p.Source, p.In, p.Out = nothing.source, nothing.in, out
	x.recorded = true
	return x.door.cfg.Gate.Refuse(x.R.Context(), p, why)
}

// brokeOff counts an answer that did not come to its end.
func (x *exchange) brokeOff(wire *wire) {
	kind := metrics.BrokeOff
	if wire.stalled() {
		kind = metrics.TimedOut
	}
	x.door.cfg.Metrics.UpstreamFailed(x.upstream.name, kind)
}

// broken ends an exchange whose response broke off before anything of it was sent.
func (x *exchange) broken(wire *wire, err error) {
	switch {
	case x.R.Context().Err() != nil:
		x.abort("the client is gone")
	case wire.stalled():
		x.brokeOff(wire)
		x.trouble = brokenReason(wire)
		x.fail(silent(x.upstream.name))
	default:
		x.brokeOff(wire)
		x.trouble = "broke off: " + err.Error()
		x.fail(brokenOff(x.upstream.name))
	}
}

func brokenReason(wire *wire) string {
	if wire.stalled() {
		return errStalled.Error()
	}
	return "the upstream broke off"
}

// sendAsIs answers with a decoded body that the gate did not see.
func (x *exchange) sendAsIs(resp *http.Response, body []byte) {
	h := x.W.Header()
	x.copyHeader(resp.Header)
	removeByteHeaders(h)
	correctContentType(h, frame.Whole)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	x.send(resp.StatusCode, body)
}

// isJSON says whether a body is one JSON value, such that no client can take it for a stream.
func isJSON(body []byte) bool {
	return jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// mayCarryCall says whether a body that no format recognises could be taken for one with a call, by a client that looks
// neither at the status nor at the path. What some reader could read that weir does not (too deep, too many values, bytes that
// are no UTF-8) could be.
func mayCarryCall(body []byte) bool {
	var doc strictjson.Doc
	if doc.Parse(body) == nil {
		return dialect.CarriesCall(doc.Root())
	}
	return isJSON(body) || dialect.MentionsCall(body)
}

// copying keeps a copy of what is read through it, up to a limit.
type copying struct {
	r     io.Reader
	limit int
	room  *budget.Share
	kept  bytes.Buffer
	over  bool // more was read than is kept
}

func (c *copying) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.kept.Len()+n > c.limit || !c.over && c.room.Add(n) != nil {
		c.stop()
	}
	if !c.over {
		c.kept.Write(p[:n])
	}
	return n, err
}

// stop ends the keeping.
func (c *copying) stop() {
	c.over = true
	c.kept = bytes.Buffer{}
	c.room.Free()
}
