package otlp

import (
	"strings"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"

	"github.com/weir-gate/weir/internal/record"
)

// record is the log record of an event.
func (x *Exporter) record(e *record.Event) *logspb.LogRecord {
	var a attributes
	x.exchangeAttributes(&a, e)
	switch d := e.Detail.(type) {
	case record.ResponseDone:
		doneAttributes(&a, d)
	case record.CallWarning:
		a.number("weir.call.size_bytes", d.SizeBytes)
		a.number("weir.call.limit_bytes", d.LimitBytes)
	case record.ToolResult:
		a.number("weir.result.size_bytes", d.SizeBytes)
		a.text("weir.result.digest", d.Digest)
		a.flag("weir.result.is_error", d.Failed)
	case record.PolicyLoaded:
		a.text("weir.policy.source", d.Source)
		a.number("weir.policy.rules", int64(d.Rules))
		a.text("weir.enforcement", d.Enforcement)
	}
	if e.Tool != "" || e.CallID != "" {
		x.callAttributes(&a, e)
	}
	eventAttributes(&a, e)
	a.flag("weir.blocked", e.Blocked)
	if reason := clean(e.Reason, maxReason); reason != "" {
		a.exact("weir.reason", reason)
	}
	at, severity := nanos(e.Time), severityOf(e)
	r := &logspb.LogRecord{
		TimeUnixNano: at, ObservedTimeUnixNano: at, EventName: "weir." + clean(string(e.Type), maxText),
		SeverityNumber: severity, SeverityText: severityTexts[severity],
		Body:       &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: sentence(e)}},
		Attributes: a, TraceId: idOf(e.Exchange.Trace.ID, traceLen),
	}
	if r.TraceId != nil {
		r.SpanId = spanOf(e)
		if isSampled(e) {
			r.Flags = flagSampled
		}
	}
	return r
}

// spanOf is the span that a log record belongs to: the span of its call, else the span of its request.
func spanOf(e *record.Event) []byte {
	if hasSpan(e) && e.Type != record.Types.ResponseDone && (!ownSpan(e) || e.Within != "") {
		return callSpanID(e, e.CallID)
	}
	return idOf(e.Exchange.Trace.Span, spanLen)
}

var severityTexts = map[logspb.SeverityNumber]string{
	logspb.SeverityNumber_SEVERITY_NUMBER_INFO:  "INFO",
	logspb.SeverityNumber_SEVERITY_NUMBER_WARN:  "WARN",
	logspb.SeverityNumber_SEVERITY_NUMBER_ERROR: "ERROR",
}

// severityOf is the severity of an event: an error if a whole request or response was refused, because somebody should look at it;
// a warning for other refusals, enforced or not, and notable events.
func severityOf(e *record.Event) logspb.SeverityNumber {
	k := e.Type.Kind()
	switch {
	case k.Whole && e.Blocked:
		return logspb.SeverityNumber_SEVERITY_NUMBER_ERROR
	case e.Blocked, e.WouldBe != "", k.Notable, k.Whole:
		return logspb.SeverityNumber_SEVERITY_NUMBER_WARN
	}
	return logspb.SeverityNumber_SEVERITY_NUMBER_INFO
}

// sentence says in short what happened.
func sentence(e *record.Event) string {
	var b strings.Builder
	b.WriteString(clean(string(e.Type), maxText))
	for _, part := range []struct{ before, text, after string }{
		{" ", e.Tool, ""}, {": ", e.Verdict, ""}, {" (", e.Code, ")"},
	} {
		if text := clean(part.text, maxText); text != "" {
			b.WriteString(part.before + text + part.after)
		}
	}
	return b.String()
}
