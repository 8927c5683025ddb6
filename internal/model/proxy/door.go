// Package proxy is the door for model APIs: an HTTP proxy that sends their responses through the gate.
package proxy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/metrics"
)

// A Gate passes responses, or replaces them by notices in their formats.
type Gate interface {
	Pass(ctx context.Context, p gate.Passage) error
	Refuse(ctx context.Context, p gate.Passage, why dialect.Refused) error
	Missed(p gate.Passage, clean bool)
}

// Config sets up a Door.
type Config struct {
	Gate Gate
	// Judge rules on the tools that requests offer; nil: requests are not inspected.
	Judge Judge
	// Strip removes refused tools from requests. Else requests with refused tools are refused.
	Strip bool
	// Formats are the wire formats that the door can read. A response in no format is refused, except from listed endpoints.
	Formats []dialect.Format
	// Upstreams are the model APIs by name: the first part of a request's path.
	Upstreams map[string]Upstream
	// Pages are weir's own pages, by the first part of their paths, beside the root and healthz.
	Pages map[string]Page
	// Admission says who may use the door; nil: everybody who reaches it at a loopback address.
	Admission *admission.Admission
	Bounds    Bounds
	// Budget is the memory that exchanges may take; nil: without limit.
	Budget *budget.Budget
	// Drop removes refused calls without a notice in their place.
	Drop bool
	// Observe forwards first and inspects a copy: nothing that an upstream sends is changed, delayed or refused.
	Observe bool
	// Transport reaches the upstreams that have none of their own; nil: NewTransport.
	Transport http.RoundTripper
	// Memory remembers the rulings of calls that providers store; nil: nothing is remembered.
	Memory Memory
	// Contact is whom to ask about what was refused; "": nobody is named.
	Contact string
	// Bodies stores the bodies of requests to models and of responses to clients; nil: bodies are not stored.
	Bodies *bodies.Archive
	// Off stops forwarding to upstreams: only weir's own pages are served.
	Off bool
	// IdleTimeout is how long an upstream may be silent before it counts as dead; 0: 10 minutes.
	IdleTimeout time.Duration
	// ClientTimeout is how long a client may take to send the next piece of its request, or to read the next piece of its response; 0:
	// 2 minutes.
	ClientTimeout time.Duration
	// Trace returns the position of a request with these headers in a distributed trace; nil: there are no traces.
	Trace func(http.Header) call.Trace
	// Propagate writes the trace into the header for the upstream; nil: the client's own trace headers are sent unchanged.
	Propagate func(call.Trace, http.Header)
	Metrics   *metrics.Metrics // counts requests; nil: nothing is counted
	Log       *slog.Logger     // nil: no log
	Now       func() time.Time // nil: time.Now
}

// An Upstream is a model API.
type Upstream struct {
	URL *url.URL
	// Key replaces the credentials that the client sends; "": the client's own are sent. A key needs configured clients: else
	// everybody who reaches the door could spend it.
	Key string
	// Changes lets clients change the models of a model server: pull, create, copy, push, delete.
	Changes bool
	// Format names the format of its errors and responses, where nothing else says it; "": unknown.
	Format string
	// Transport reaches it; nil: the door's.
	Transport http.RoundTripper
	// Unlisted leaves its name out of messages to clients.
	Unlisted bool
}

// Bounds limit what one exchange may hold in memory, in bytes.
type Bounds struct {
	Frame     int // one frame, or one whole response; 0: 16 MiB
	Arguments int // the arguments of one call; 0: 8 MiB
	Request   int // one request's body, also once decompressed; 0: 64 MiB
}

// A Door is the handler of the proxy.
type Door struct {
	cfg       Config
	served    atomic.Pointer[upstreamSet] // replaced as a whole
	admission *admission.Admission
	http      httpdoor.Door
	observers httpdoor.Underway // copies of responses that are still read
}

// New returns a Door, or an error about its configuration.
func New(cfg Config) (*Door, error) {
	if cfg.Gate == nil {
		return nil, errors.New("set up the llm door: no gate")
	}
	applyDefaults(&cfg)
	d := &Door{cfg: cfg, admission: cfg.Admission}
	if d.admission == nil {
		var err error
		if d.admission, err = admission.New(admission.Config{}); err != nil {
			return nil, fmt.Errorf("set up the llm door: %w", err)
		}
	}
	d.http = httpdoor.Door{
		Admission: d.admission, Budget: cfg.Budget, Cost: connectionCost, ClientTimeout: cfg.ClientTimeout, Now: cfg.Now,
	}
	if err := d.ReplaceUpstreams(cfg.Upstreams); err != nil {
		return nil, fmt.Errorf("set up the llm door: %w", err)
	}
	return d, nil
}

func applyDefaults(cfg *Config) {
	cfg.Bounds.Frame = cmp.Or(cfg.Bounds.Frame, 16<<20)
	cfg.Bounds.Arguments = cmp.Or(cfg.Bounds.Arguments, 8<<20)
	cfg.Bounds.Request = cmp.Or(cfg.Bounds.Request, 64<<20)
	cfg.IdleTimeout = cmp.Or(cfg.IdleTimeout, 10*time.Minute)
	cfg.ClientTimeout = cmp.Or(cfg.ClientTimeout, 2*time.Minute)
	if cfg.Transport == nil {
		cfg.Transport = NewTransport()
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
}

// Underway tracks work that may outlast its request: reading responses that weir only observes.
func (d *Door) Underway() *httpdoor.Underway { return &d.observers }

// ServeHTTP forwards one request to its upstream, and sends the response back through the gate.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &asking{exchange: newExchange(d, w, r)}
	defer q.finish()
	if f := q.admit(); f != nil {
		q.fail(f)
		return
	}
	if q.path == "/" {
		q.own = &Page{Handler: http.HandlerFunc(greeting), Open: true}
	}
	if q.own != nil {
		q.page()
		return
	}
	q.forward()
}
