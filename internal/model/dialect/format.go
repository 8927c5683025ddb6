package dialect

import (
	"bytes"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/wire"
)

// Options say how one response is to be read and edited.
type Options struct {
	Whole        bool // the response is one body, not a stream
	Unnamed      bool // the framing gives frames no names
	Drop         bool // refused calls vanish instead of being replaced by a notice
	Texts        bool // readings say where frames have text: see Reading.Texts
	MaxArguments int  // bytes of arguments one call may have; past that its Fault is args_oversize
	// Path is that of the request, clean; "": unknown.
	Path string
	// Previous is the response that the request went on from; "": none.
	Previous string
	// Response and Conversation are those that the request names as the ones that it asks about; "": none.
	Response, Conversation string
}

// An Ask is what a request wants of a format.
type Ask uint8

// What requests ask for.
const (
	Nothing Ask = iota // nothing of this format, as far as the request tells
	Turn               // a new turn of the model
	Stored             // what the provider keeps of earlier turns
)

// A Format is one wire format as a door sees it before and around a response.
type Format struct {
	Name  string // in events and in the tables of endpoints
	Title string // as people call it
	// Provider is whose format it is, and Operation what its requests ask for, in the words of OpenTelemetry's conventions;
	// "": chat.
	Provider, Operation string
	// Variables are those of the environment in which its SDKs look for the address of the API.
	Variables []string
	// Kit is how weir's own models and clients speak the format; nil: they do not.
	Kit *wire.Kit

	// Recognises says whether f, the first frame with data, is of this format.
	Recognises func(f frame.Frame) bool
	// New returns a Dialect for one response.
	New func(Options) Dialect
	// Asks says what a request for the cleaned path, without the upstream's prefix, asks of this format. It is a hint: the
	// response decides.
	Asks func(r *http.Request, path string) Ask
	// Wants says in which framing a request that asks for something of this format wants to be answered. It fails if that
	// is one that weir cannot read.
	Wants func(r *http.Request, body []byte) (frame.Framing, error)
	// Streams are the framings in which the format's streams come; nil: Events.
	Streams []frame.Framing
	// Error renders an error of weir's own as the API would.
	Error func(Error) []byte
	// Speaks says whether the request comes from a client that takes errors only in this format's shape, whatever it asks for;
	// nil: none is known to.
	Speaks func(r *http.Request, path string) bool
	// ErrorHeader sets what the API says of an error in its header; nil: nothing.
	ErrorHeader func(h http.Header, e Error)
	// Authorise puts an API key where the API looks for it.
	Authorise func(h http.Header, key string)
	// Patience is how long its clients wait for progress while pings or comments show life; 0: as long as something comes. It is
	// measured with the clients that people use, less what clocks and queues take. A call that is held must be released or refused
	// within it.
	Patience time.Duration
	// Chain is for a format whose provider keeps calls beyond their response; nil: it keeps none.
	Chain *Chain
	// Requests reads and edits what requests say of tools; nil: they say nothing.
	Requests *Requests
}

// A Chain reads and mends requests that go on from what the provider keeps.
type Chain struct {
	// About finds out which stored things a request for a clean path asks about.
	About func(path string) Links
	// Read finds out what a request's body goes on from. It fails if that can be read in more than one way.
	Read func(body []byte) (Links, error)
	// Mend returns the body with the outputs of refused calls, which the provider waits for, and without what weir has
	// invented and the provider does not know.
	Mend func(body []byte, links Links, known Known) []byte
}

// Links are what a request goes on from.
type Links struct {
	Response     string   // the response before; "" if none is named
	Conversation string   // "" if none is named
	Notices      []string // ids of notices that the request refers to
	// Background says that the provider goes on with the response when its answer breaks off.
	Background bool
}

// Known is what weir remembers of a request's links.
type Known struct {
	Refused []call.Remembered          // calls whose output the provider lacks
	Notices map[string]call.Remembered // by id
}

// WantsEvents is Wants of the formats whose requests say in their body whether they want events. A body that is no JSON
// wants nothing.
func WantsEvents(_ *http.Request, body []byte) (frame.Framing, error) {
	if stream, _ := streamFlag(body); stream {
		return frame.Events, nil
	}
	return frame.Whole, nil
}

// WantsRows is Wants of a format whose requests get lines unless their body says that they want one answer.
func WantsRows(_ *http.Request, body []byte) (frame.Framing, error) {
	if stream, told := streamFlag(body); told && !stream {
		return frame.Whole, nil
	}
	return frame.Rows, nil
}

// streamFlag reads the member stream of a request as servers do: the last one counts.
func streamFlag(body []byte) (stream, told bool) {
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return false, false
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false, false
		}
		isStream := name.String() == "stream"
		value, err := d.ReadValue()
		if err != nil {
			return false, false
		}
		if isStream {
			stream, told = string(value) == "true", string(value) != "null"
		}
	}
	return stream, told
}

// An Error is a failure of weir's own, to be told in an API's shape.
type Error struct {
	Status    int    // the HTTP status
	Message   string // one line, with the code in it
	RequestID string
}
