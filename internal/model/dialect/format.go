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

// Options say how one response is to be parsed and edited.
type Options struct {
	Whole        bool // the response is one body, not a stream
	Unnamed      bool // the framing gives frames no names
	Drop         bool // refused calls are removed without a notice in their place
	Texts        bool // readings say where frames have text: see Reading.Texts
	MaxArguments int  // bytes of arguments that one call may have; if it has more, its Fault is args_oversize
	// Path is the clean path of the request; "": unknown.
	Path string
	// Previous is the response that the request continues; "": none.
	Previous string
	// Response and Conversation are the ones that the request asks about; "": none.
	Response, Conversation string
}

// An Ask is what a request wants of a format.
type Ask uint8

// What requests ask for.
const (
	Nothing Ask = iota // nothing of this format, as far as the request shows
	Turn               // a new turn of the model
	Stored             // earlier turns that the provider stores
)

// A Format is what a door knows about one format, beside the reading of responses.
type Format struct {
	Name  string // in events and in the tables of endpoints
	Title string // as people call it
	// Provider is the owner of the format, and Operation what its requests ask for, as OpenTelemetry's conventions name them; "":
	// chat.
	Provider, Operation string
	// Variables are the environment variables in which its SDKs look for the address of the API.
	Variables []string
	// Kit lets weir's own models and clients use the format; nil: they do not.
	Kit *wire.Kit

	// Recognises says whether f, the first frame with data, is in this format.
	Recognises func(f frame.Frame) bool
	// New returns a Dialect for one response.
	New func(Options) Dialect
	// Asks says what a request for the cleaned path, without the upstream's prefix, asks of this format. It is a hint: the
	// response decides.
	Asks func(r *http.Request, path string) Ask
	// Wants says in which framing a request for this format wants its response. It fails if weir cannot read that framing.
	Wants func(r *http.Request, body []byte) (frame.Framing, error)
	// Streams are the framings in which the format's streams come; nil: Events.
	Streams []frame.Framing
	// Error renders weir's own error as the API would.
	Error func(Error) []byte
	// Speaks says whether the request comes from a client that understands errors only in this format, whatever it asks for; nil: no
	// such client is known.
	Speaks func(r *http.Request, path string) bool
	// ErrorHeader sets the headers of an error as the API does; nil: none.
	ErrorHeader func(h http.Header, e Error)
	// Authorise puts an API key where the API looks for it.
	Authorise func(h http.Header, key string)
	// Patience is how long its clients wait for progress while they get only pings or comments; 0: as long as anything comes. It was
	// measured with the clients that people use, with some margin for clocks and queues. A call that is held must be released or
	// refused within it.
	Patience time.Duration
	// Chain is for a format whose provider stores calls after their response; nil: it stores none.
	Chain *Chain
	// Requests parses and edits the tools and results in requests; nil: requests have none.
	Requests *Requests
}

// A Chain parses and completes requests that continue something that the provider stores.
type Chain struct {
	// About returns the stored things that a request for a clean path asks about.
	About func(path string) Links
	// Read returns what a request's body continues. It fails if that can be read in more than one way.
	Read func(body []byte) (Links, error)
	// Mend returns the body with the outputs of refused calls, which the provider waits for, and without weir's notices, which the
	// provider does not know.
	Mend func(body []byte, links Links, known Known) []byte
}

// Links are the stored things that a request continues or refers to.
type Links struct {
	Response     string   // the previous response; "" if none is named
	Conversation string   // "" if none is named
	Notices      []string // ids of notices that the request refers to
	// Background says that the provider continues the response if its connection breaks off.
	Background bool
}

// Known is what weir remembers about a request's links.
type Known struct {
	Refused []call.Remembered          // calls whose output the provider lacks
	Notices map[string]call.Remembered // by id
}

// WantsEvents is Wants for formats whose requests say in their body whether they want events. A body that is not JSON wants a whole
// response.
func WantsEvents(_ *http.Request, body []byte) (frame.Framing, error) {
	if stream, _ := streamFlag(body); stream {
		return frame.Events, nil
	}
	return frame.Whole, nil
}

// WantsRows is Wants for a format whose requests get lines unless their body asks for one whole response.
func WantsRows(_ *http.Request, body []byte) (frame.Framing, error) {
	if stream, told := streamFlag(body); told && !stream {
		return frame.Whole, nil
	}
	return frame.Rows, nil
}

// streamFlag reads the member stream of a request as servers do: if it is given twice, the last one counts.
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

// An Error is weir's own failure, to be rendered in an API's shape.
type Error struct {
	Status    int    // the HTTP status
	Message   string // one line, with the code in it
	RequestID string
}
