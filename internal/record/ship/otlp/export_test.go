package otlp

import (
	"compress/gzip"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/ship/outbox"
	"github.com/weir-gate/weir/internal/record/ship/outbox/outboxtest"
)

// A receiver takes exports as the protocol says, and nothing else.
type receiver struct {
	t      testing.TB
	answer func(n int, w http.ResponseWriter) // nil: 200 and an empty message

	mu     sync.Mutex
	n      int
	traces []*tracepb.TracesData
	logs   []*logspb.LogsData
	header http.Header
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.header = req.Header.Clone()
	if req.Method != "POST" || req.Header.Get("Content-Type") != "application/x-protobuf" || req.Header.Get("Content-Encoding") != "gzip" {
		r.t.Errorf("a request is %s with %v", req.Method, req.Header)
	}
	unpacked, err := gzip.NewReader(req.Body)
	if err != nil {
		r.t.Errorf("the body is not packed: %v", err)
		return
	}
	body, err := io.ReadAll(unpacked)
	if err != nil {
		r.t.Errorf("the body: %v", err)
	}
	var m proto.Message
	switch req.URL.Path {
	case "/base/v1/traces":
		td := &tracepb.TracesData{}
		m, r.traces = td, append(r.traces, td)
	case "/base/v1/logs":
		ld := &logspb.LogsData{}
		m, r.logs = ld, append(r.logs, ld)
	default:
		r.t.Errorf("the path is %s", req.URL.Path)
		return
	}
	if err := proto.Unmarshal(body, m); err != nil || len(m.ProtoReflect().GetUnknown()) > 0 {
		r.t.Errorf("the message: %v, unknown %x", err, m.ProtoReflect().GetUnknown())
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	if r.answer != nil {
		r.answer(r.n, w)
	}
	r.n++
}

func (r *receiver) spans() (all []*tracepb.Span) {
	for _, td := range r.traces {
		for _, rs := range td.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				all = append(all, ss.Spans...)
			}
		}
	}
	return all
}

func (r *receiver) records() (all []*logspb.LogRecord) {
	for _, ld := range r.logs {
		for _, rl := range ld.ResourceLogs {
			for _, sl := range rl.ScopeLogs {
				all = append(all, sl.LogRecords...)
			}
		}
	}
	return all
}

// flat shows attributes as text.
func flat(list []*commonpb.KeyValue) map[string]string {
	m := map[string]string{}
	for _, kv := range list {
		text := ""
		switch v := kv.Value.Value.(type) {
		case *commonpb.AnyValue_StringValue:
			text = v.StringValue
		case *commonpb.AnyValue_IntValue:
			text = fmt.Sprint(v.IntValue)
		case *commonpb.AnyValue_DoubleValue:
			text = fmt.Sprint(v.DoubleValue)
		case *commonpb.AnyValue_BoolValue:
			text = fmt.Sprint(v.BoolValue)
		}
		if _, twice := m[kv.Key]; twice {
			text += " (given twice)"
		}
		m[kv.Key] = text
	}
	return m
}

func address(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func start(t testing.TB, cfg Config) *Exporter {
	t.Helper()
	cfg.Endpoint, cfg.Version = address(t, "http://collector.example/base"), "1.2.3"
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// exported sends events and returns what came of them.
func exported(t testing.TB, cfg Config, events ...record.Event) *receiver {
	t.Helper()
	r := &receiver{t: t}
	cfg.Traces, cfg.Logs, cfg.Transport = true, true, outboxtest.Serve(t, r)
	e := start(t, cfg)
	e.Stored(events)
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 123_456_000, time.UTC)

func exchange() call.Exchange {
	return call.Exchange{
		RequestID: "req_1", ResponseID: "msg_1", Provider: "corp", Dialect: "anthropic", Model: "claude-x",
		Conversation: "conv_1",
		Trace:        call.Trace{ID: someTrace, Span: "a1a2a3a4a5a6a7a8", Parent: someSpan},
	}
}

func doneEvent() record.Event {
	return record.Event{
		ID: "evt_2", Time: noon.Add(2 * time.Second), Type: record.Types.ResponseDone, Exchange: exchange(),
		Ruling: record.Ruling{PolicyVersion: "v1"},
		Actor:  call.Actor{Org: "acme", Team: "payments", Employee: "ann@acme.com", Key: "ci", Session: "s1"},
		Detail: record.ResponseDone{
			Usage:    call.Usage{Input: 10, Output: 20, CacheRead: 300, CacheCreation: 4000},
			Released: 1, Refused: 2, Clean: true, CostMicros: 1_500_000,
			Timings: record.Timings{Started: noon, Status: 200, UpstreamMicros: 7, HeldMicros: 5, JudgedMicros: 3, RecordedMicros: 2, TotalMicros: 1_900_000},
		},
	}
}

func callEvent() record.Event {
	return record.Event{
		ID: "evt_1", Time: noon.Add(time.Second), Type: record.Types.ToolCall, Exchange: exchange(),
		Ruling: record.Ruling{
			PolicyVersion: "v1", Verdict: "deny", Blocked: true, Code: call.CodeArgsDenied, Reason: "No destruction.", Rule: "no-destruction",
		},
		Actor:  call.Actor{Employee: "ann@acme.com"},
		CallID: "call_1", Surface: call.Response, Server: "files", Tool: "Bash", WireID: "toolu_1", Args: []byte(`{"command":"rm -rf /"}`),
	}
}

var upstreams = map[string]*url.URL{"corp": {Scheme: "https", Host: "llm.corp.example"}}

func TestRequestSpan(t *testing.T) {
	r := exported(t, Config{Upstreams: upstreams}, doneEvent())
	spans := r.spans()
	if len(spans) != 1 {
		t.Fatalf("%d spans", len(spans))
	}
	s := spans[0]
	got := fmt.Sprintf("%x %x %x %s %v %d %d %v %#x", s.TraceId, s.SpanId, s.ParentSpanId, s.Name, s.Kind,
		s.StartTimeUnixNano, s.EndTimeUnixNano, s.Status.Code, s.Flags)
	want := fmt.Sprintf("%s a1a2a3a4a5a6a7a8 %s chat claude-x SPAN_KIND_CLIENT %d %d STATUS_CODE_UNSET 0x301", someTrace, someSpan,
		noon.UnixNano(), noon.Add(1900*time.Millisecond).UnixNano())
	if got != want {
		t.Errorf("the span is\n%s, want\n%s", got, want)
	}
	if diff := cmp.Diff(map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "anthropic", "gen_ai.response.model": "claude-x", "gen_ai.response.id": "msg_1",
		"gen_ai.conversation.id": "conv_1", "gen_ai.usage.input_tokens": "4310", "gen_ai.usage.output_tokens": "20",
		"gen_ai.usage.cache_read.input_tokens": "300", "gen_ai.usage.cache_creation.input_tokens": "4000",
		"server.address": "llm.corp.example", "server.port": "443", "http.response.status_code": "200",
		"weir.request.id": "req_1", "weir.upstream": "corp", "weir.dialect": "anthropic", "weir.event.id": "evt_2", "weir.policy.version": "v1",
		"weir.calls.released": "1", "weir.calls.refused": "2", "weir.cost_usd": "1.5", "weir.time.upstream_us": "7", "weir.time.held_us": "5",
		"weir.time.judged_us": "3", "weir.time.recorded_us": "2", "session.id": "s1", "weir.actor.org": "acme", "weir.actor.team": "payments",
		"weir.actor.employee": "ann@acme.com", "weir.actor.key": "ci",
	}, flat(s.Attributes)); diff != "" {
		t.Error(diff)
	}
}

func TestCallSpan(t *testing.T) {
	inner := callEvent()
	inner.CallID, inner.Within, inner.Tool, inner.Blocked, inner.Code, inner.Verdict, inner.WouldBe = "call_2", "call_1", "sh", false, "", "audit", "deny"
	r := exported(t, Config{}, callEvent(), inner)
	spans := r.spans()
	if len(spans) != 2 {
		t.Fatalf("%d spans", len(spans))
	}
	s := spans[0]
	got := fmt.Sprintf("%x %x %s %v %v %s %v %v %#x", s.TraceId, s.ParentSpanId, s.Name, s.Kind, s.Status.Code, s.Status.Message,
		s.StartTimeUnixNano == nanos(noon.Add(time.Second)), s.EndTimeUnixNano == s.StartTimeUnixNano, s.Flags)
	if want := someTrace + " a1a2a3a4a5a6a7a8 execute_tool Bash SPAN_KIND_INTERNAL STATUS_CODE_ERROR No destruction. true true 0x101"; got != want {
		t.Errorf("the span is\n%s, want\n%s", got, want)
	}
	if diff := cmp.Diff(map[string]string{
		"gen_ai.operation.name": "execute_tool", "gen_ai.provider.name": "anthropic", "gen_ai.response.model": "claude-x", "gen_ai.response.id": "msg_1",
		"gen_ai.conversation.id": "conv_1", "gen_ai.tool.name": "Bash", "gen_ai.tool.call.id": "toolu_1", "gen_ai.tool.type": "function",
		"mcp.method.name": "tools/call", "weir.mcp.server": "files", "weir.call.id": "call_1", "weir.surface": "response", "error.type": "args_denied",
		"weir.verdict": "deny", "weir.code": "args_denied", "weir.rule": "no-destruction", "weir.policy.version": "v1", "weir.event.id": "evt_1",
		"weir.request.id": "req_1", "weir.upstream": "corp", "weir.dialect": "anthropic", "weir.actor.employee": "ann@acme.com",
	}, flat(s.Attributes)); diff != "" {
		t.Error(diff)
	}
	in := spans[1]
	if string(in.ParentSpanId) != string(s.SpanId) || string(in.SpanId) == string(s.SpanId) {
		t.Errorf("the inner call %x stands in %x, want %x", in.SpanId, in.ParentSpanId, s.SpanId)
	}
	if a := flat(in.Attributes); in.Status.Code != 0 || a["error.type"] != "" || a["weir.would_be"] != "deny" || a["weir.call.within"] != "call_1" {
		t.Errorf("the inner call has %v and %v", in.Status, a)
	}
}

// What an MCP client asks for itself stands in its own trace; what a model asked for stands in that of the model's request.
func TestMCPSpans(t *testing.T) {
	own := callEvent()
	own.Type, own.Surface, own.MCP.ServerType, own.Exchange.Trace.Parent = record.Types.MCPCalled, call.MCP, "http", someSpan
	asked := own
	asked.Detail = record.ToolCall{Declared: true}
	request := own
	request.Type, request.Tool = record.Types.MCPRequest, "prompts/get"
	inner := own
	inner.CallID, inner.Within = "call_2", "call_1"
	spans := exported(t, Config{}, own, asked, request, inner).spans()
	if len(spans) != 4 {
		t.Fatalf("%d spans", len(spans))
	}
	for i, want := range []string{
		"a1a2a3a4a5a6a7a8 " + someSpan + " execute_tool Bash 0x301", hex.EncodeToString(callSpanID(&asked, "call_1")) + " a1a2a3a4a5a6a7a8 execute_tool Bash 0x101",
		"a1a2a3a4a5a6a7a8 " + someSpan + " prompts/get 0x301", hex.EncodeToString(callSpanID(&inner, "call_2")) + " a1a2a3a4a5a6a7a8 execute_tool Bash 0x101",
	} {
		s := spans[i]
		if got := fmt.Sprintf("%x %x %s %#x", s.SpanId, s.ParentSpanId, s.Name, s.Flags); got != want {
			t.Errorf("span %d is\n%s, want\n%s", i, got, want)
		}
	}
}

// Only responses and calls in sampled traces have spans; every event has a log record.
func TestWhatHasASpan(t *testing.T) {
	with := func(e record.Event, change func(*record.Event)) record.Event {
		change(&e)
		return e
	}
	events := []record.Event{
		with(callEvent(), func(e *record.Event) { e.Exchange.Trace.Unsampled, e.Blocked, e.Verdict = true, false, "allow" }),
		with(callEvent(), func(e *record.Event) { e.Exchange.Trace.ID = "" }),
		with(callEvent(), func(e *record.Event) { e.Exchange.Trace.ID = "xyz" }),
		with(callEvent(), func(e *record.Event) { e.Exchange.Trace.Span = "" }),
		with(callEvent(), func(e *record.Event) { e.Surface = call.Inbound }),
		with(callEvent(), func(e *record.Event) { e.Type = record.Types.ToolResult }),
		with(doneEvent(), func(e *record.Event) {
			e.Exchange.Trace.Unsampled, e.Detail = true, record.ResponseDone{Released: 1, Clean: true}
		}),
		{Type: record.Types.PolicyLoaded, Detail: record.PolicyLoaded{Rules: 3}},
	}
	r := exported(t, Config{}, events...)
	if n := len(r.spans()); n != 0 {
		t.Errorf("%d spans", n)
	}
	records := r.records()
	if len(records) != len(events) {
		t.Fatalf("%d records of %d events", len(records), len(events))
	}
	for i, want := range []string{
		someTrace + " a1a2a3a4a5a6a7a8 0", "  0", "  0", someTrace + "  1", someTrace + " a1a2a3a4a5a6a7a8 1",
		someTrace + " a1a2a3a4a5a6a7a8 1", someTrace + " a1a2a3a4a5a6a7a8 0", "  0",
	} {
		if got := fmt.Sprintf("%x %x %d", records[i].TraceId, records[i].SpanId, records[i].Flags); got != want {
			t.Errorf("record %d has %q, want %q", i, got, want)
		}
	}
}

// A client that does not want its trace to be kept does not hide what was refused in it.
func TestRefusalsAlwaysHaveSpans(t *testing.T) {
	unsampled := func(e record.Event, change func(*record.Event)) record.Event {
		e.Exchange.Trace.Unsampled = true
		change(&e)
		return e
	}
	events := []record.Event{
		unsampled(callEvent(), func(*record.Event) {}),
		unsampled(callEvent(), func(e *record.Event) { e.CallID, e.Blocked, e.Verdict, e.WouldBe = "call_2", false, "audit", "deny" }),
		unsampled(doneEvent(), func(*record.Event) {}),
		unsampled(doneEvent(), func(e *record.Event) { e.Detail = record.ResponseDone{} }),
	}
	r := exported(t, Config{}, events...)
	if n := len(r.spans()); n != len(events) {
		t.Errorf("%d spans of %d events", n, len(events))
	}
	for i, record := range r.records() {
		if record.Flags != flagSampled {
			t.Errorf("record %d has the flags %d", i, record.Flags)
		}
	}
}

func TestLogRecords(t *testing.T) {
	refused := record.Event{Type: record.Types.StreamRefused, Ruling: record.Ruling{
		Blocked: true, Code: "malformed",
		Reason: "It cannot be read.",
	}}
	warning := record.Event{Type: record.Types.CallWarning, Tool: "Write", Detail: record.CallWarning{SizeBytes: 9, LimitBytes: 8}}
	result := record.Event{Type: record.Types.ToolResult, Tool: "Write", Detail: record.ToolResult{SizeBytes: 5, Digest: "sha256:00", Failed: true}}
	loaded := record.Event{Type: record.Types.PolicyLoaded, Detail: record.PolicyLoaded{Source: "policy.yaml", Rules: 3, Enforcement: "shadow"}}
	would := record.Event{Type: record.Types.ToolCall, Tool: "Bash", Ruling: record.Ruling{Verdict: "audit", WouldBe: "deny"}}
	r := exported(t, Config{}, callEvent(), doneEvent(), refused, warning, result, loaded, would)
	var got []string
	for _, rec := range r.records() {
		a := flat(rec.Attributes)
		got = append(got, fmt.Sprintf("%s %s %d: %s | blocked=%s", rec.EventName, rec.SeverityText, rec.SeverityNumber, rec.Body.GetStringValue(), a["weir.blocked"]))
	}
	if diff := cmp.Diff([]string{
		"weir.tool_call WARN 13: tool_call Bash: deny (args_denied) | blocked=true",
		"weir.response_done INFO 9: response_done | blocked=false",
		"weir.stream_refused ERROR 17: stream_refused (malformed) | blocked=true",
		"weir.tool_call_warning WARN 13: tool_call_warning Write | blocked=false",
		"weir.tool_result INFO 9: tool_result Write | blocked=false",
		"weir.policy_loaded INFO 9: policy_loaded | blocked=false",
		"weir.tool_call WARN 13: tool_call Bash: audit | blocked=false",
	}, got); diff != "" {
		t.Error(diff)
	}
	records := r.records()
	if records[0].TimeUnixNano != nanos(noon.Add(time.Second)) {
		t.Errorf("the time is %d", records[0].TimeUnixNano)
	}
	if hex.EncodeToString(records[0].SpanId) != hex.EncodeToString(r.spans()[0].SpanId) {
		t.Error("the record of a call is not in its span")
	}
	if a := flat(records[0].Attributes); a["weir.reason"] != "No destruction." || a["gen_ai.tool.name"] != "Bash" || a["weir.code"] != "args_denied" {
		t.Errorf("the record of a call says %v", a)
	}
	if a := flat(records[1].Attributes); a["gen_ai.usage.output_tokens"] != "20" || a["weir.cost_usd"] != "1.5" {
		t.Errorf("the record of a response says %v", a)
	}
	if a := flat(records[3].Attributes); a["weir.call.size_bytes"] != "9" || a["weir.call.limit_bytes"] != "8" {
		t.Errorf("the record of a warning says %v", a)
	}
	if a := flat(records[4].Attributes); a["weir.result.size_bytes"] != "5" || a["weir.result.digest"] != "sha256:00" || a["weir.result.is_error"] != "true" {
		t.Errorf("the record of a result says %v", a)
	}
	if a := flat(records[5].Attributes); a["weir.policy.source"] != "policy.yaml" || a["weir.policy.rules"] != "3" || a["weir.enforcement"] != "shadow" {
		t.Errorf("the record of a policy says %v", a)
	}
}

// Arguments are told only if that is wanted, and whole or not at all.
func TestContent(t *testing.T) {
	large := callEvent()
	large.Args = []byte(`{"a":"` + strings.Repeat("x", maxContent) + `"}`)
	for _, content := range []bool{false, true} {
		r := exported(t, Config{Content: content}, callEvent(), large)
		var all []map[string]string
		for _, s := range r.spans() {
			all = append(all, flat(s.Attributes))
		}
		for _, l := range r.records() {
			all = append(all, flat(l.Attributes))
		}
		for i, a := range all {
			wantArgs, wantOmitted := "", ""
			if content && i%2 == 0 {
				wantArgs = `{"command":"rm -rf /"}`
			} else if content {
				wantOmitted = fmt.Sprint(len(large.Args))
			}
			if a["gen_ai.tool.call.arguments"] != wantArgs || a["weir.call.arguments.omitted_bytes"] != wantOmitted {
				t.Errorf("content %v, %d: %v", content, i, a)
			}
		}
		if len(all) != 4 {
			t.Errorf("content %v: %d", content, len(all))
		}
	}
}

func TestErrorTypes(t *testing.T) {
	for want, done := range map[string]record.ResponseDone{
		"":           {Clean: true, Timings: record.Timings{Status: 200}},
		"503":        {Clean: true, Timings: record.Timings{Status: 503}},
		"429":        {Timings: record.Timings{Status: 429}},
		"incomplete": {Timings: record.Timings{Status: 200}},
	} {
		e := doneEvent()
		e.Detail = done
		s := exported(t, Config{}, e).spans()[0]
		if got := flat(s.Attributes)["error.type"]; got != want || (s.Status.Code == tracepb.Status_STATUS_CODE_ERROR) != (want != "") {
			t.Errorf("%+v: %q and %v", done, got, s.Status)
		}
		if s.StartTimeUnixNano != s.EndTimeUnixNano || s.EndTimeUnixNano != nanos(e.Time) {
			t.Errorf("without times the span is from %d to %d", s.StartTimeUnixNano, s.EndTimeUnixNano)
		}
	}
}

func TestProviders(t *testing.T) {
	for _, tt := range []struct{ url, dialect, upstream, want string }{
		{"https://api.anthropic.com", "anthropic", "x", "anthropic"},
		{"https://generativelanguage.googleapis.com", "openai-chat", "x", "gcp.gemini"},
		{"https://europe-west1-aiplatform.googleapis.com", "anthropic", "x", "gcp.vertex_ai"},
		{"https://me.openai.azure.com", "openai-chat", "x", "azure.ai.openai"},
		{"https://bedrock-runtime.eu-west-1.amazonaws.com", "anthropic", "x", "aws.bedrock"},
		{"https://s3.amazonaws.com", "openai-chat", "x", "openai"},
		{"https://API.X.AI", "openai-chat", "x", "x_ai"},
		{"https://openrouter.ai/api", "openai-chat", "x", "openrouter"},
		{"http://127.0.0.1:11434", "ollama", "x", "ollama"},
		{"", "gemini", "x", "gcp.gen_ai"},
		{"", "bundle", "corp", "corp"},
	} {
		var u *url.URL
		if tt.url != "" {
			u = address(t, tt.url)
		}
		if got := provider(u, tt.dialect, tt.upstream); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
	if operation("gemini") != "generate_content" || operation("openai-responses") != "chat" {
		t.Error("the operations are others")
	}
	for text, want := range map[string]int64{"https://a": 443, "http://a": 80, "http://a:11434": 11434} {
		if got := portOf(address(t, text)); got != want {
			t.Errorf("%s: port %d", text, got)
		}
	}
}

func TestResourceAndHeaders(t *testing.T) {
	r := exported(t, Config{
		Headers:  map[string]string{"Authorization": "Bearer hush", "Content-Type": "text/plain"},
		Resource: map[string]string{"service.name": "gate", "deployment.environment.name": "test"},
	}, doneEvent())
	if got := r.header.Get("Authorization") + " " + r.header.Get("User-Agent"); got != "Bearer hush weir/1.2.3" {
		t.Errorf("the headers say %q", got)
	}
	for _, resource := range []map[string]string{flat(r.traces[0].ResourceSpans[0].Resource.Attributes), flat(r.logs[0].ResourceLogs[0].Resource.Attributes)} {
		if len(resource["service.instance.id"]) != 26 {
			t.Errorf("the instance is %q", resource["service.instance.id"])
		}
		delete(resource, "service.instance.id")
		if diff := cmp.Diff(map[string]string{"service.name": "gate", "service.version": "1.2.3", "deployment.environment.name": "test"}, resource); diff != "" {
			t.Error(diff)
		}
	}
	scope := r.traces[0].ResourceSpans[0].ScopeSpans[0]
	if scope.Scope.Name != scopeName || scope.Scope.Version != "1.2.3" || scope.SchemaUrl != schemaURL {
		t.Errorf("the scope is %v", scope.Scope)
	}
	plain := newResource(Config{})
	if got := flat(plain.Attributes)["service.name"]; got != "weir" {
		t.Errorf("weir is called %q", got)
	}
}

// The protocol names four answers that may be followed by another attempt, and a time to wait.
func TestRetries(t *testing.T) {
	for code, again := range map[int]bool{
		429: true, 502: true, 503: true, 504: true, 400: false, 401: false, 404: false, 408: false, 413: false, 500: false, 501: false, 302: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			r := &receiver{t: t, answer: func(n int, w http.ResponseWriter) {
				if n == 0 {
					w.Header().Set("Retry-After", "30")
					w.WriteHeader(code)
				}
			}}
			meter := &outboxtest.Meter{}
			e := start(t, Config{Traces: true, Transport: outboxtest.Serve(t, r), Meter: func(string) outbox.Meter { return meter }})
			began := time.Now()
			e.Stored([]record.Event{doneEvent()})
			time.Sleep(time.Minute)
			synctest.Wait()
			if got := r.n == 2; got != again {
				t.Errorf("%d: %d attempts", code, r.n)
			}
			if err := e.Close(t.Context()); err != nil {
				t.Error(err)
			}
			want := outboxtest.Counts{Dropped: 1, Failed: 1}
			if again {
				want = outboxtest.Counts{Sent: 1, Failed: 1}
			}
			if diff := cmp.Diff(want, meter.Counts()); diff != "" {
				t.Errorf("%d after %v: %s", code, time.Since(began), diff)
			}
		})
	}
}

// A receiver that takes only a part is not asked again.
func TestPartialSuccess(t *testing.T) {
	partial := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1)
	partial = protowire.AppendString(protowire.AppendTag(partial, 2, protowire.BytesType), "too\nodd")
	answer := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), partial)
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{t: t, answer: func(_ int, w http.ResponseWriter) { _, _ = w.Write(answer) }}
		meter := &outboxtest.Meter{}
		var errs []string
		e := start(t, Config{
			Logs: true, Transport: outboxtest.Serve(t, r), Meter: func(string) outbox.Meter { return meter },
			OnError: func(err error) { errs = append(errs, err.Error()) },
		})
		e.Stored([]record.Event{doneEvent(), callEvent(), callEvent()})
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(outboxtest.Counts{Sent: 2, Dropped: 1}, meter.Counts()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"deliver events to OTLP logs: part of a batch was refused: too\ufffdodd"}, errs); diff != "" {
			t.Error(diff)
		}
	})
}

// One signal that cannot be delivered does not take the other's time to be closed.
func TestCloseTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{t: t}
		slow := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if strings.HasSuffix(req.URL.Path, "traces") {
				time.Sleep(time.Hour)
			}
			r.ServeHTTP(w, req)
		})
		e := start(t, Config{Traces: true, Logs: true, Every: time.Minute, Transport: outboxtest.Serve(t, slow)})
		e.Stored([]record.Event{doneEvent()})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if err := e.Close(ctx); err == nil || err.Error() != "close OTLP traces: context deadline exceeded" {
			t.Errorf("closed with %v", err)
		}
		if len(r.records()) != 1 {
			t.Errorf("%d records", len(r.records()))
		}
		time.Sleep(time.Hour)
	})
}

// An answer cannot make the counts go wrong.
func TestOddAnswers(t *testing.T) {
	inside := func(partial []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), partial)
	}
	negative := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1<<64-1)
	fixed := protowire.AppendFixed64(protowire.AppendTag(nil, 1, protowire.Fixed64Type), 7)
	for name, tt := range map[string]struct {
		answer []byte
		want   int
	}{
		"empty":            {nil, 0},
		"no message":       {[]byte("<html>"), 0},
		"cut":              {inside(negative)[:5], 0},
		"less than none":   {inside(negative), maxRefused},
		"of another type":  {inside(fixed), 0},
		"not inside":       {negative, 0},
		"an unknown field": {append(protowire.AppendFixed32(protowire.AppendTag(nil, 9, protowire.Fixed32Type), 1), inside(negative)...), maxRefused},
	} {
		if got, _ := partialSuccess(tt.answer); got != tt.want {
			t.Errorf("%s: %d", name, got)
		}
	}
}

func TestRefusedConfigurations(t *testing.T) {
	for _, u := range []*url.URL{nil, {Scheme: "grpc", Host: "a"}, {Scheme: "http"}} {
		if _, err := New(Config{Endpoint: u}); err == nil {
			t.Errorf("%v is taken", u)
		}
	}
	if newTransport().Proxy != nil {
		t.Error("it asks for a proxy")
	}
}

// Whatever is on record can be written, is bounded, and cannot steer a terminal.
func FuzzExport(f *testing.F) {
	f.Add("Bash", "toolu_1", "reason", "m", `{"a":1}`, someTrace, int64(1), true)
	f.Add("\xff\xfe", "\x1b[31m", strings.Repeat("é", 600), "\u202e", "\xed\xa0\x80", "", int64(-1), false)
	x, err := New(Config{Endpoint: &url.URL{Scheme: "http", Host: "a"}, Content: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, tool, wire, reason, model, args, trace string, n int64, blocked bool) {
		e := record.Event{
			Type: record.Types.ToolCall, Time: time.Unix(0, n), CallID: call.ID(wire), Server: wire, Tool: tool, WireID: wire,
			Args: []byte(args), Ruling: record.Ruling{Reason: reason, Code: reason, Blocked: blocked},
			Exchange: call.Exchange{Model: model, Dialect: tool, Provider: model, Trace: call.Trace{ID: trace, Span: someSpan}},
		}
		done := e
		done.Type, done.Detail = record.Types.ResponseDone, record.ResponseDone{Usage: call.Usage{Input: n, Output: n}, CostMicros: n, Timings: record.Timings{Started: time.Unix(0, n), TotalMicros: n}}
		var spans []record.Event
		for _, ev := range []record.Event{e, done} {
			if hasSpan(&ev) {
				spans = append(spans, ev)
			}
		}
		for _, m := range []proto.Message{x.encodeTraces(spans), x.encodeLogs([]record.Event{e, done})} {
			b, err := proto.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > 64<<10+2*3*len(args) {
				t.Fatalf("%d bytes", len(b))
			}
		}
		r := x.record(&e)
		texts := flat(r.Attributes)
		delete(texts, "gen_ai.tool.call.arguments")
		texts["body"], texts["span"] = r.Body.GetStringValue(), x.callSpan(&e).Name
		for key, text := range texts {
			if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }); i >= 0 {
				t.Fatalf("%s is %q", key, text)
			}
		}
		for _, s := range []string{tool, reason} {
			if c := clean(s, maxText); len(c) > maxText || len(s) <= maxText/3 && strings.HasSuffix(c, ellipsis) != strings.HasSuffix(s, ellipsis) {
				t.Fatalf("%q becomes %q", s, c)
			}
		}
		if refused, _ := partialSuccess([]byte(args)); refused < 0 {
			t.Fatalf("%d are refused", refused)
		}
	})
}
