package daemon

import (
	"net/http"

	"github.com/weir-gate/weir/internal/call"
)

// The headers of W3C trace contexts.
const (
	parentHeader = "Traceparent"
	stateHeader  = "Tracestate"
)

// continueTrace returns the trace of a request with these headers: the client's, if its headers are valid, else a new one. weir's own
// span is always new.
func continueTrace(h http.Header) call.Trace {
	t, ok := call.TraceOf(h[parentHeader]...)
	if !ok {
		return call.NewTrace()
	}
	return t
}

// propagateTrace sets the trace headers of a request to an upstream: its parent is weir's span of t. The client's tracestate is sent
// along only if the client's trace is continued.
func propagateTrace(t call.Trace, h http.Header) {
	flags := "01"
	if t.Unsampled {
		flags = "00"
	}
	h.Set(parentHeader, "00-"+t.ID+"-"+t.Span+"-"+flags)
	if t.Parent == "" {
		h.Del(stateHeader)
	}
}
