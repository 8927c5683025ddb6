// Package proxy is the door for model APIs: an HTTP proxy that leads their responses through the gate.
package proxy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
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

// A Gate lets responses through, or ends them in the wire's own words.
type Gate interface {
	Pass(ctx context.Context, p gate.Passage) error
	Refuse(ctx context.Context, p gate.Passage, why dialect.Refused) error
	Missed(p gate.Passage, clean bool)
}

// Config sets up a Door.
type Config struct {
	Gate Gate
	// Judge rules on what requests offer; nil: requests are not looked at.
	Judge Judge
	// Strip takes refused tools out of requests. Else such requests are refused.
	Strip bool
	// Formats are the wire formats that the door can read. A response of no format is refused, but for listed endpoints.
	Formats []dialect.Format
	// Upstreams are the model APIs by name: the first part of a request's path.
	Upstreams map[string]Upstream
	// Pages are what weir says of itself, by the first part of their paths, beside the root and healthz.
	Pages map[string]Page
	// Admission says who may use the door; nil: whoever reaches a loopback address of it.
	Admission *admission.Admission
	Bounds    Bounds
	// Budget is the memory that exchanges may take; nil: it has no bound.
	Budget *budget.Budget
	// Drop makes refused calls vanish instead of being replaced by a notice.
	Drop bool
	// Observe forwards first and reads after: nothing an upstream says is changed, delayed or refused.
	Observe bool
	// Transport reaches the upstreams; nil: NewTransport.
	Transport http.RoundTripper
	// Memory is what weir remembers of calls that providers store; nil: nothing.
	Memory Memory
	// Bodies takes what models are asked and what clients get; nil: bodies are not stored.
	Bodies *bodies.Archive
	// Off closes the way to the upstreams: only weir's own pages are served.
	Off bool
	// IdleTimeout is how long an upstream may be silent before it counts as dead; 0: 10 minutes.
	IdleTimeout time.Duration
	// ClientTimeout is how long a client may take over the next piece of its request or of its response; 0: 2 minutes.
	ClientTimeout time.Duration
	// Trace says where a request with these headers stands in a distributed trace; nil: there are no traces.
	Trace func(http.Header) call.Trace
	// Propagate tells the upstream; nil: nobody does, and what the client says of traces goes on as it is.
	Propagate func(call.Trace, http.Header)
	Metrics   *metrics.Metrics // count requests; nil: nobody does
	Log       *slog.Logger     // nil: no log
	Now       func() time.Time // nil: time.Now
}

// An Upstream is a model API.
type Upstream struct {
	URL *url.URL
	// Key replaces the credentials that the client sends; "": the client's own go on. A key needs clients: else whoever
	// reaches the door spends it.
	Key string
	// Changes lets clients change the models of a model server: pull, create, copy, push, delete.
	Changes bool
	// Format names the format of its errors and responses, where nothing else tells; "": unknown.
	Format string
	// Unlisted says that clients are not told its name.
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
	upstreams map[string]*upstream
	names     []string // of the upstreams that are listed, sorted
	admission *admission.Admission
	http      httpdoor.Door
	observers httpdoor.Underway // copies of responses that are still read
}

// New returns a Door, or says what is wrong with its configuration.
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
	if err := d.setUpstreams(cfg.Upstreams); err != nil {
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

// ServeHTTP leads one request to its upstream, and the response back through the gate.
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
