package proxy

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An expectation is what a request lets weir expect of its response.
type expectation struct {
	asked     *dialect.Format // the format that the request asks for; nil: none is known
	wants     frame.Framing   // how it wants the response to come
	file      bool            // responses of the endpoint are files of any type
	otherwise bool            // they may be something else than model output
}

// A beginning is what a response shows of itself before anything of it is passed on.
type beginning struct {
	contentType string
	shape       frame.Shape // of its first bytes
	framing     frame.Framing
	err         error // why it cannot be read: a *dialect.Refused, or that the upstream broke off

	// Known once the first frame was read, which is the whole of it if it is no stream.
	peeked bool
	empty  bool // no frame with data is in it
	// strange says that it is called a stream, and has bytes, but none of a stream's.
	strange bool
	first   frame.Frame     // the first with data; valid until the one after it is read
	format  *dialect.Format // nil: no format recognises the first frame
}

// An outcome is what becomes of a response whose status says that all is well.
type outcome string

const (
	// gateAsAsked: the gate reads it as the format that the request asked for, without waiting for the first frame with data.
	gateAsAsked outcome = "through the gate, as the format that was asked for"
	// relayAsFile: it goes out byte for byte, as long as nobody could find a call in it.
	relayAsFile outcome = "out as a file"
	// peekFirst: its first frame tells more. This is decided only before that was read.
	peekFirst outcome = "read the first frame"
	// gateRecognised: the gate reads it as the format that recognises its first frame.
	gateRecognised outcome = "through the gate, as the format that recognises it"
	// sendNothing: there is nothing in it.
	sendNothing outcome = "out, empty"
	// sendDocument: it is one JSON text without a call, and goes out whole.
	sendDocument outcome = "out as a document"
	// relayFrames: it is a stream of JSON in which no model speaks, and goes out frame by frame, as long as no call is in it.
	relayFrames outcome = "out frame by frame"
	// refuseIt: the client is told why it does not get it.
	refuseIt outcome = "refused"
	// breakOff: the upstream broke off before anything of it could be sent.
	breakOff outcome = "broken off"
)

// decide says what becomes of a response that begins like this, and why, if it is refused.
func (e expectation) decide(b beginning) (outcome, *dialect.Refused) {
	var why *dialect.Refused
	switch {
	case errors.As(b.err, &why):
		return refuseIt, why
	case b.err != nil:
		return breakOff, nil
	case !b.peeked && e.asked != nil && e.wants != frame.Whole && b.framing == e.wants && b.shape == shapes[e.wants]:
		return gateAsAsked, nil
	case !b.peeked && e.file && b.shape == frame.Unknown && b.framing == frame.Whole && !isStream(b.contentType):
		return relayAsFile, nil
	case !b.peeked:
		return peekFirst, nil
	case b.empty && !b.strange:
		return sendNothing, nil
	case e.accepts(b.format):
		return gateRecognised, nil
	case b.format != nil || b.framing == frame.Binary || !e.otherwise || !isJSON(b.first.Data) || mayCarryCall(b.first.Data):
		return refuseIt, b.unreadable()
	case b.framing == frame.Whole:
		return sendDocument, nil
	}
	return relayFrames, nil
}

// shapes are what the beginnings of streams look like.
var shapes = map[frame.Framing]frame.Shape{
	frame.Events: frame.EventStream, frame.Elements: frame.JSON, frame.Rows: frame.JSON,
	frame.Binary: frame.MessageStream, frame.Chunks: frame.MessageStream,
}

// accepts says whether a response may be in a format: in another one than it asked for, the client would not read it as the gate does.
func (e expectation) accepts(f *dialect.Format) bool {
	return f != nil && (e.asked == nil || e.asked.Name == f.Name)
}

// Why a response that is there cannot be led through the gate.
var (
	notJSON      = dialect.Refused{Code: call.CodeMalformed, Reason: "the response is not JSON"}
	otherFormat  = dialect.Refused{Code: call.CodeUnrecognised, Reason: "the response is in another format than the request asks for"}
	unrecognised = dialect.Refused{Code: call.CodeUnrecognised, Reason: "the response is in no format that weir can read"}
)

// unreadable says why a response of which the first frame is known cannot be led through the gate.
func (b *beginning) unreadable() *dialect.Refused {
	switch {
	case b.strange || b.format == nil && !isJSON(b.first.Data):
		return &notJSON
	case b.format != nil:
		return &otherFormat
	}
	return &unrecognised
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
