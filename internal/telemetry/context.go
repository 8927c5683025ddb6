package telemetry

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/call"
)

// The headers of W3C trace contexts.
const (
	parentHeader = "Traceparent"
	stateHeader  = "Tracestate"
)

// Lengths of the parts of a traceparent, in hex digits, and of one of version 00 as a whole.
const (
	traceLen  = 32
	spanLen   = 16
	parentLen = 2 + 1 + traceLen + 1 + spanLen + 1 + 2
)

// sampledFlag is the only flag that weir understands.
const sampledFlag = 1

// Continue returns where a request with these headers stands in a distributed trace: in the client's, if it named one
// well, else in a new one. weir's own span is always new.
func Continue(h http.Header) call.Trace {
	t, ok := parse(h[parentHeader])
	if !ok {
		t = call.Trace{ID: randomHex(traceLen)}
	}
	t.Span = randomHex(spanLen)
	return t
}

// Propagate sets the headers by which an upstream learns where its request stands: below weir's span of t. What the
// client's tracing system said beside that goes along only if the client's trace goes on.
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

// parse reads a traceparent as its specification demands: given once, lower case, with ids that are not zero. Of a
// later version only the parts that this one knows are read.
func parse(values []string) (t call.Trace, ok bool) {
	if len(values) != 1 {
		return t, false
	}
	text := values[0]
	if len(text) < parentLen || len(text) > parentLen && (text[:2] == "00" || text[parentLen] != '-') {
		return t, false
	}
	parts := strings.Split(text[:parentLen], "-")
	if len(parts) != 4 || len(parts[0]) != 2 || len(parts[1]) != traceLen || len(parts[2]) != spanLen {
		return t, false
	}
	for _, part := range parts {
		if !isHex(part) {
			return t, false
		}
	}
	if parts[0] == "ff" || isZero(parts[1]) || isZero(parts[2]) {
		return t, false
	}
	flags, err := hex.DecodeString(parts[3])
	if err != nil {
		return t, false
	}
	return call.Trace{ID: parts[1], Parent: parts[2], Unsampled: flags[0]&sampledFlag == 0}, true
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

// randomHex returns n hex digits that are not all zero.
func randomHex(n int) string {
	b := make([]byte, n/2)
	for {
		rand.Read(b) //nolint:errcheck // crypto/rand.Read never fails
		if s := hex.EncodeToString(b); !isZero(s) {
			return s
		}
	}
}
