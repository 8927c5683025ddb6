package dialect

import (
	"net/http"

	"github.com/weir-gate/weir/internal/frame"
)

// Options say how one response is to be read and edited.
type Options struct {
	Whole        bool // the response is one body, not a stream
	Drop         bool // refused calls vanish instead of being replaced by a notice
	MaxArguments int  // bytes of arguments one call may have; past that its Fault is args_oversize
}

// A Format is one wire format as a door sees it before and around a response.
type Format struct {
	Name string
	// Recognises says whether f, the first frame with data, is of this format.
	Recognises func(f frame.Frame) bool
	// New returns a Dialect for one response.
	New func(Options) Dialect
	// Asks says whether a request for the cleaned path, without the upstream's prefix, asks for a response of this
	// format. It is a hint: the response decides.
	Asks func(r *http.Request, path string) bool
	// Error renders an error of weir's own as the API would.
	Error func(Error) []byte
	// Authorise puts an API key where the API looks for it.
	Authorise func(h http.Header, key string)
}

// An Error is a failure of weir's own, to be told in an API's shape.
type Error struct {
	Status    int    // the HTTP status
	Message   string // one line, with the code in it
	RequestID string
}
