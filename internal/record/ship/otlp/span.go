package otlp

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// Flags of a span: its trace is sampled; its parent is in this process; its parent is in another process.
const (
	flagSampled = uint32(1)
	flagLocal   = uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK)
	flagRemote  = flagLocal | uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK)
)

// Lengths of ids, in hex digits.
const (
	traceLen = 32
	spanLen  = 16
)

// errorIncomplete is the error.type of a response that did not come to its end.
const errorIncomplete = "incomplete"

// hasSpan says whether an event becomes a span: the end of a response, and each call in a response. Tools that a request offers are
// not calls.
func hasSpan(e *record.Event) bool {
	if !isSampled(e) || idOf(e.Exchange.Trace.ID, traceLen) == nil || idOf(e.Exchange.Trace.Span, spanLen) == nil {
		return false
	}
	if !e.Type.IsRuling() {
		return e.Type == record.Types.ResponseDone
	}
	return !e.Type.IsConnection() && e.Surface != call.Inbound && e.CallID != ""
}

// isSampled says whether an event is sent as sampled: unless the client does not want it. If something was refused, or would have
// been, it is sent in any case: an agent must not be able to hide that.
func isSampled(e *record.Event) bool {
	if !e.Exchange.Trace.Unsampled || e.Blocked || e.WouldBe != "" {
		return true
	}
	done, ok := e.Detail.(record.ResponseDone)
	return ok && (done.Refused > 0 || !done.Clean) // a response that weir ended is not clean
}

// idOf parses an id; nil: it is invalid. Its letters are small, and it is not all zeros.
func idOf(text string, digits int) []byte {
	id, err := hex.DecodeString(text)
	if err != nil || len(text) != digits || text != strings.ToLower(text) || strings.Trim(text, "0") == "" {
		return nil
	}
	return id
}

// callSpanID is the span id of a call. It is computed from recorded members, so that calls inside of calls can compute it, too.
func callSpanID(e *record.Event, id call.ID) []byte {
	sum := sha256.Sum256([]byte(e.Exchange.Trace.ID + "\x00" + e.Exchange.Trace.Span + "\x00" + string(e.Type) + "\x00" + string(id)))
	sum[0] |= 1 // never zero
	return sum[:spanLen/2]
}

func (x *Exporter) span(e *record.Event) *tracepb.Span {
	if e.Type == record.Types.ResponseDone {
		return x.requestSpan(e)
	}
	return x.callSpan(e)
}

// requestSpan is about a request as a whole. weir is the client of the model here.
func (x *Exporter) requestSpan(e *record.Event) *tracepb.Span {
	done, _ := e.Detail.(record.ResponseDone)
	var a attributes
	a.exact("gen_ai.operation.name", operation(e.Exchange.Dialect))
	x.exchangeAttributes(&a, e)
	doneAttributes(&a, done)
	eventAttributes(&a, e)
	started, ended := interval(e.Time, done.Timings)
	s := &tracepb.Span{
		TraceId: idOf(e.Exchange.Trace.ID, traceLen), SpanId: idOf(e.Exchange.Trace.Span, spanLen),
		ParentSpanId: idOf(e.Exchange.Trace.Parent, spanLen),
		Flags:        flagSampled | flagLocal, Kind: tracepb.Span_SPAN_KIND_CLIENT,
		Name:              named(operation(e.Exchange.Dialect), e.Exchange.Model),
		StartTimeUnixNano: nanos(started), EndTimeUnixNano: nanos(ended),
	}
	if s.ParentSpanId != nil {
		s.Flags |= flagRemote
	}
	s.Status, a = failed(errorOf(done), "", a)
	s.Attributes = a
	return s
}

// ownSpan says that an event is about a message between an MCP client and a server that belongs to no request to a model. Then
// weir's span in the trace is the span of the message. A call that a model asked for is below the span of the model's request.
func ownSpan(e *record.Event) bool {
	d, _ := e.Detail.(record.ToolCall)
	return e.Surface == call.MCP && !d.Declared
}

// callSpan is about one call. weir does not see the call run: the span is the moment of its ruling.
func (x *Exporter) callSpan(e *record.Event) *tracepb.Span {
	var a attributes
	name := named(operationTool, e.Tool)
	if e.Type.IsRequest() {
		name = clean(e.Tool, maxText) // the method: no tool is called
	} else {
		a.exact("gen_ai.operation.name", operationTool)
	}
	x.exchangeAttributes(&a, e)
	x.callAttributes(&a, e)
	eventAttributes(&a, e)
	s := &tracepb.Span{
		TraceId: idOf(e.Exchange.Trace.ID, traceLen), SpanId: callSpanID(e, e.CallID), ParentSpanId: idOf(e.Exchange.Trace.Span, spanLen),
		Flags: flagSampled | flagLocal, Kind: tracepb.Span_SPAN_KIND_INTERNAL, Name: name,
		StartTimeUnixNano: nanos(e.Time), EndTimeUnixNano: nanos(e.Time),
	}
	switch {
	case ownSpan(e) && e.Within != "": // its parent has weir's span
	case e.Within != "":
		s.ParentSpanId = callSpanID(e, e.Within)
	case ownSpan(e):
		if s.SpanId, s.ParentSpanId = idOf(e.Exchange.Trace.Span, spanLen), idOf(e.Exchange.Trace.Parent, spanLen); s.ParentSpanId != nil {
			s.Flags |= flagRemote
		}
	}
	code := ""
	if e.Blocked {
		code = e.Code
	}
	s.Status, a = failed(code, e.Reason, a)
	s.Attributes = a
	return s
}

// named is the name of a span: what is done, and with what, if that is known.
func named(operation, what string) string {
	if what = clean(what, maxText); what == "" {
		return operation
	}
	return operation + " " + what
}

// failed adds an error of this type to the attributes and returns the status; "": there is no error.
func failed(errorType, message string, a attributes) (*tracepb.Status, attributes) {
	if errorType == "" {
		return &tracepb.Status{}, a
	}
	a.text("error.type", errorType)
	return &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: clean(message, maxReason)}, a
}

// errorOf is the error.type of a response; "": it has none.
func errorOf(done record.ResponseDone) string {
	switch {
	case done.Timings.Status >= 400:
		return strconv.Itoa(done.Timings.Status)
	case !done.Clean:
		return errorIncomplete
	}
	return ""
}

// interval is when a request came and when its response ended, as far as that is known. It never ends before it starts, even if
// somebody sets the clock.
func interval(recorded time.Time, t record.Timings) (started, ended time.Time) {
	if t.Started.IsZero() {
		return recorded, recorded
	}
	return t.Started, t.Started.Add(time.Duration(max(0, t.TotalMicros)) * time.Microsecond)
}

func nanos(t time.Time) uint64 { return uint64(max(0, t.UnixNano())) }
