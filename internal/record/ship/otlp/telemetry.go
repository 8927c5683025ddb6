// Package otlp sends recorded events to OpenTelemetry: traces and logs over OTLP/HTTP, by the semantic conventions for generative
// AI and MCP of version 1.41.0.
package otlp

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/ship/outbox"
)

// schemaURL names the version of the conventions.
const schemaURL = "https://opentelemetry.io/schemas/1.41.0"

// scopeName is weir's name as the source of spans and logs.
const scopeName = "github.com/weir-gate/weir"

// The bounds of one batch, and how long its delivery is tried.
const (
	batchEvents = 512
	batchBytes  = 4 << 20
	giveUpAt    = 5 * time.Minute
)

// Config sets up an Exporter.
type Config struct {
	// Endpoint is the base address of the receiver, such as http://127.0.0.1:4318; v1/traces and v1/logs are added to its path.
	Endpoint *url.URL
	Headers  map[string]string // sent with every request; they may be secrets
	Traces   bool              // send traces
	Logs     bool              // send logs
	Content  bool              // send the arguments of calls, as they are recorded
	Version  string            // of weir; "": unknown
	// Resource are attributes of this weir, such as deployment.environment.name. service.name is "weir" unless it is here.
	Resource map[string]string
	// Upstreams are the addresses of upstreams, by their names in the configuration; nil: addresses are not sent.
	Upstreams map[string]*url.URL

	Queue     int               // events that may wait, for traces and for logs each; 0: 10,000
	Every     time.Duration     // how long an event waits for others at most; 0: a second
	Transport http.RoundTripper // nil: a separate transport, without a proxy
	// Meter returns the meter of a signal, which is "traces" or "logs"; nil: events are not counted.
	Meter func(signal string) outbox.Meter
	// OnError is called when deliveries begin to fail, and when the reason changes. Both signals may call it at the same time. nil:
	// not called.
	OnError func(error)
}

// An Exporter sends recorded events. It is a sink of the record.
type Exporter struct {
	cfg      Config
	resource *resourcepb.Resource
	scope    *commonpb.InstrumentationScope
	traces   *outbox.Outbox // nil: not sent
	logs     *outbox.Outbox // nil: not sent

	mu    sync.Mutex
	early map[call.ID]record.Event // calls that wait for their arguments
}

// New starts an Exporter. Close ends it.
func New(cfg Config) (*Exporter, error) {
	switch u := cfg.Endpoint; {
	case u == nil:
		return nil, errors.New("start telemetry: the endpoint is missing")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, errors.New("start telemetry: the endpoint is no http or https address")
	}
	if cfg.Transport == nil {
		cfg.Transport = newTransport()
	}
	e := &Exporter{
		cfg: cfg, early: map[call.ID]record.Event{}, resource: newResource(cfg),
		scope: &commonpb.InstrumentationScope{Name: scopeName, Version: clean(cfg.Version, maxText)},
	}
	if cfg.Traces {
		e.traces = e.outbox("traces", e.encodeTraces)
	}
	if cfg.Logs {
		e.logs = e.outbox("logs", e.encodeLogs)
	}
	return e, nil
}

// newTransport returns a transport that ignores proxies of the environment.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	return t
}

// newResource describes this weir.
func newResource(cfg Config) *resourcepb.Resource {
	var a attributes
	if cfg.Resource["service.name"] == "" {
		a.text("service.name", "weir")
	}
	a.text("service.version", cfg.Version)
	if cfg.Resource["service.instance.id"] == "" {
		a.text("service.instance.id", strings.ToLower(rand.Text()))
	}
	for _, name := range sortedKeys(cfg.Resource) {
		if name != "service.version" {
			a.text(name, cfg.Resource[name])
		}
	}
	return &resourcepb.Resource{Attributes: a}
}

func (e *Exporter) outbox(signal string, encode func([]record.Event) proto.Message) *outbox.Outbox {
	var meter outbox.Meter
	if e.cfg.Meter != nil {
		meter = e.cfg.Meter(signal)
	}
	address := e.cfg.Endpoint.JoinPath("v1", signal).String()
	return outbox.New(outbox.Config{
		Name: "OTLP " + signal,
		Encode: func(events []record.Event) (func(context.Context) (*http.Request, error), error) {
			return e.requests(address, encode(events))
		},
		Transport: e.cfg.Transport, Retry: retryable,
		Accept:   partialSuccess,
		Events:   e.cfg.Queue,
		Every:    e.cfg.Every,
		Batch:    batchEvents,
		Most:     batchBytes,
		GiveUpAt: giveUpAt,
		Meter:    meter,
		OnError:  e.cfg.OnError,
	})
}

// retryable says whether the protocol allows another attempt after a response with this status.
func retryable(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// requests encodes a message once, for all attempts.
func (e *Exporter) requests(address string, m proto.Message) (func(context.Context) (*http.Request, error), error) {
	plain, err := proto.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("marshal: %w", err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(plain)
	if closed := w.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	body := packed.Bytes()
	return func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return nil, errors.New("make request: the endpoint is no address") // the error would quote it
		}
		for name, value := range e.cfg.Headers {
			req.Header.Set(name, value)
		}
		req.Header.Set("Content-Type", "application/x-protobuf")
		req.Header.Set("Content-Encoding", "gzip")
		req.Header.Set("User-Agent", "weir/"+clean(e.cfg.Version, maxText))
		return req, nil
	}, nil
}

// Stored queues events once they are durable. It does not block.
func (e *Exporter) Stored(events []record.Event) {
	for _, ev := range events {
		if !e.cfg.Content {
			ev.Args = nil // they must not take room in the queue, either
			ev.Reason = call.WithoutPart(ev.Reason)
		}
		if e.traces != nil {
			e.trace(ev)
		}
		if e.logs != nil {
			e.logs.Put(ev)
		}
	}
}

// trace queues events that become spans. A call that was refused before its arguments had arrived waits for them, if arguments are
// sent.
func (e *Exporter) trace(ev record.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case ev.Type == record.Types.CallArguments:
		if called, ok := e.early[ev.CallID]; ok {
			delete(e.early, ev.CallID)
			e.traces.Put(called.Join(ev))
		}
	case !hasSpan(&ev):
	case e.cfg.Content && ev.ArgsFollow():
		if len(e.early) >= maxEarly {
			e.traceEarly() // the arguments of most will never come
		}
		e.early[ev.CallID] = ev
	default:
		e.traces.Put(ev)
	}
}

// maxEarly bounds how many calls wait for their arguments.
const maxEarly = 1024

// traceEarly queues the calls whose arguments have not come.
func (e *Exporter) traceEarly() {
	for _, called := range e.early {
		e.traces.Put(called)
	}
	clear(e.early)
}

// Close sends the queued events, with one attempt for each batch, and returns when that is done or ctx ends.
func (e *Exporter) Close(ctx context.Context) error {
	e.mu.Lock()
	e.traceEarly()
	e.mu.Unlock()
	var errs [2]error
	var closed sync.WaitGroup
	for i, box := range []*outbox.Outbox{e.traces, e.logs} {
		if box != nil {
			closed.Go(func() { errs[i] = box.Close(ctx) }) // at the same time, so that one cannot use up the time of the other
		}
	}
	closed.Wait()
	return errors.Join(errs[:]...)
}

func (e *Exporter) encodeTraces(events []record.Event) proto.Message {
	spans := make([]*tracepb.Span, 0, len(events))
	for i := range events {
		spans = append(spans, e.span(&events[i]))
	}
	// TracesData has the wire form of an export request.
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: e.resource, SchemaUrl: schemaURL,
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: e.scope, SchemaUrl: schemaURL, Spans: spans}},
	}}}
}

func (e *Exporter) encodeLogs(events []record.Event) proto.Message {
	records := make([]*logspb.LogRecord, 0, len(events))
	for i := range events {
		records = append(records, e.record(&events[i]))
	}
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: e.resource, SchemaUrl: schemaURL,
		ScopeLogs: []*logspb.ScopeLogs{{Scope: e.scope, SchemaUrl: schemaURL, LogRecords: records}},
	}}}
}
