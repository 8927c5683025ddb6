package otlp

import (
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/call"
)

// The headers of W3C trace contexts.
const (
	parentHeader = "Traceparent"
	stateHeader  = "Tracestate"
)

// Lengths of ids, in hex digits.
const (
	traceLen = 32
	spanLen  = 16
)

// sampledFlag is the only flag that weir understands.
const sampledFlag = 1

// Continue returns the trace of a request with these headers: the client's, if its headers are valid, else a new one. weir's own
// span is always new.
func Continue(h http.Header) call.Trace {
	t, ok := call.TraceOf(h[parentHeader]...)
	if !ok {
		return call.NewTrace()
	}
	return t
}

// Propagate sets the trace headers of a request to an upstream: its parent is weir's span of t. The client's tracestate is sent
// along only if the client's trace is continued.
func Propagate(t call.Trace, h http.Header) {
	flags := "01"
	if t.Unsampled {
		flags = "00"
	}
	h.Set(parentHeader, "00-"+t.ID+"-"+t.Span+"-"+flags)
	if t.Parent == "" {
		h.Del(stateHeader)
	}
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isZero(s string) bool { return strings.Trim(s, "0") == "" }
