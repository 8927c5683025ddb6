package proxy

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An expectation is what weir expects of a response, by its request.
type expectation struct {
	asked     *dialect.Format // the format that the request asks for; nil: none is known
	wants     frame.Framing   // the framing in which it wants the response
	file      bool            // responses of the endpoint are files of any type
	otherwise bool            // its responses may be something other than model output
}

// A beginning is what is known of a response before anything of it is sent on.
type beginning struct {
	contentType string
	shape       frame.Shape // of its first bytes
	framing     frame.Framing
	err         error // why it cannot be read: a *dialect.Refused, or the error of an upstream that broke off

	// The rest is set once the first frame was read. If the response is not a stream, that is all of it.
	peeked bool
	empty  bool // it has no frame with data
	// strange says that it has bytes and is called a stream, but has no frame of one.
	strange bool
	first   frame.Frame     // the first frame with data; valid until the next frame is read
	format  *dialect.Format // nil: no format recognises the first frame
}

// An outcome is what weir does with a response whose status is a success.
type outcome string

const (
	// gateAsAsked: the gate reads it as the format that the request asked for, without waiting for the first frame with data.
	gateAsAsked outcome = "through the gate, as the format that was asked for"
	// relayAsFile: it is sent byte for byte, as long as no reader could find a call in it.
	relayAsFile outcome = "out as a file"
	// peekFirst: the decision needs the first frame, which was not read yet.
	peekFirst outcome = "read the first frame"
	// gateRecognised: the gate reads it as the format that recognises its first frame.
	gateRecognised outcome = "through the gate, as the format that recognises it"
	// sendNothing: it is empty.
	sendNothing outcome = "out, empty"
	// sendDocument: it is one JSON text without a call, and is sent whole.
	sendDocument outcome = "out as a document"
	// relayFrames: it is a stream of JSON without model output. It is sent frame by frame, as long as no call is in it.
	relayFrames outcome = "out frame by frame"
	// refuseIt: the client gets the reason in place of the response.
	refuseIt outcome = "refused"
	// breakOff: the upstream broke off before anything of it could be sent.
	breakOff outcome = "broken off"
)

// decide says what weir does with a response that begins like this. For a refused response it also returns the reason.
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

// shapes are the shapes of the first bytes of streams.
var shapes = map[frame.Framing]frame.Shape{
	frame.Events: frame.EventStream, frame.Elements: frame.JSON, frame.Rows: frame.JSON,
	frame.Binary: frame.MessageStream, frame.Chunks: frame.MessageStream,
}

// accepts says whether a response may be in a format. If the client asked for another format, it would not read the response as the
// gate does.
func (e expectation) accepts(f *dialect.Format) bool {
	return f != nil && (e.asked == nil || e.asked.Name == f.Name)
}

// Reasons for which a response that has arrived cannot go through the gate.
var (
	notJSON      = dialect.Refused{Code: call.CodeMalformed, Reason: "the response is not JSON"}
	otherFormat  = dialect.Refused{Code: call.CodeUnrecognised, Reason: "the response is in another format than the request asks for"}
	unrecognised = dialect.Refused{Code: call.CodeUnrecognised, Reason: "the response is in no format that weir can read"}
)

// unreadable says why a response whose first frame is known cannot go through the gate.
func (b *beginning) unreadable() *dialect.Refused {
	switch {
	case b.strange || b.format == nil && !isJSON(b.first.Data):
		return &notJSON
	case b.format != nil:
		return &otherFormat
	}
	return &unrecognised
}

// isJSON says whether a body is one JSON value. No client can take such a body for a stream.
func isJSON(body []byte) bool {
	return jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// mayCarryCall says whether a body that no format recognises could be taken for one with a call, by a client that looks neither at
// the status nor at the path. This includes JSON that weir does not parse but others might: too deep, too many values, invalid
// UTF-8.
func mayCarryCall(body []byte) bool {
	var doc strictjson.Doc
	if doc.Parse(body) == nil {
		return dialect.CarriesCall(doc.Root())
	}
	return isJSON(body) || dialect.MentionsCall(body)
}
