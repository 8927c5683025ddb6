package call

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
)

// A Trace is where a request stands in a distributed trace, in the hex of W3C trace contexts.
type Trace struct {
	ID     string // of the trace; "": there is none
	Span   string // weir's own
	Parent string // the client's; "": it named none
	// Unsampled says that the client does not want the trace to be kept.
	Unsampled bool
}

// Lengths of the parts of a traceparent, in hex digits, and of one of version 00 as a whole.
const (
	traceLen  = 32
	spanLen   = 16
	parentLen = 2 + 1 + traceLen + 1 + spanLen + 1 + 2
)

// sampledFlag is the only flag of a traceparent that weir understands.
const sampledFlag = 1

// NewTrace begins a trace.
func NewTrace() Trace { return Trace{ID: randomHex(traceLen), Span: randomHex(spanLen)} }

// TraceOf returns where a request with such a traceparent stands: in the trace that it names, if it does so well, with a span of weir's
// own. What is given more than once, or not at all, names none. It is read as its specification demands: lower case, with ids that are
// not zero. Of a later version only the parts that this one knows are read.
func TraceOf(parents ...string) (t Trace, ok bool) {
	if len(parents) != 1 {
		return t, false
	}
	text := parents[0]
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
	return Trace{ID: parts[1], Span: randomHex(spanLen), Parent: parts[2], Unsampled: flags[0]&sampledFlag == 0}, true
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
		rand.Read(b) // crypto/rand.Read never fails
		if s := hex.EncodeToString(b); !isZero(s) {
			return s
		}
	}
}
