// Package webhook posts recorded events to an address, signed and filtered.
package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/ship/outbox"
)

// shapeVersion is the version of the JSON shape of a delivery, its member "version".
const shapeVersion = 1

// The headers of a delivery.
const (
	signatureHeader = "X-Weir-Signature"
	deliveryHeader  = "X-Weir-Delivery"
)

// Config sets up a Hook. Name, URL and Secret are required.
type Config struct {
	Name    string   // its name in errors and metrics
	URL     *url.URL // http or https; never shown, because it may contain a secret
	Secret  string   // the key of the signature
	Filter  Filter   // which events are posted; zero: all
	Args    bool     // post the arguments of calls, as they are recorded
	Version string   // of weir, for the user agent; "": unknown

	Batch int           // events in one delivery; 0: 100
	Every time.Duration // how long an event waits for others at most; 0: a second
	Queue int           // events that may wait; 0: 10,000

	// Transport delivers; nil: a separate transport, which connects to loopback and link-local addresses only if the URL names them as
	// such, and ignores proxies of the environment.
	Transport http.RoundTripper
	Meter     outbox.Meter // nil: not counted
	OnError   func(error)  // called when deliveries begin to fail, and when the reason changes; nil: not called
}

// A Hook posts recorded events. It is a sink of the record.
type Hook struct {
	cfg    Config
	filter matcher
	box    *outbox.Outbox
	// open are the posted calls whose arguments follow.
	open map[call.ID]bool
}

// maxOpen bounds how many calls wait for their arguments.
const maxOpen = 4096

// New starts a Hook. Close ends it.
func New(cfg Config) (*Hook, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("start webhook %q: %w", cfg.Name, err)
	}
	if cfg.Transport == nil {
		cfg.Transport = newTransport(cfg.URL.Hostname())
	}
	h := &Hook{cfg: cfg, filter: cfg.Filter.compile(), open: map[call.ID]bool{}}
	h.box = outbox.New(outbox.Config{
		Name:      "webhook " + cfg.Name,
		Encode:    h.delivery,
		Transport: cfg.Transport, Retry: retryable,
		Events:  cfg.Queue,
		Batch:   cfg.Batch,
		Every:   cfg.Every,
		Meter:   cfg.Meter,
		OnError: cfg.OnError,
	})
	return h, nil
}

func (c Config) check() error {
	switch u := c.URL; {
	case c.Name == "":
		return errors.New("the name is missing")
	case u == nil:
		return errors.New("the address is missing")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return errors.New("the address is no http or https address")
	case c.Secret == "":
		return errors.New("the secret is missing: receivers could not tell who posts")
	}
	return c.Filter.check()
}

// retryable says whether another attempt follows a response with this status: only if the failure may be temporary and is not about
// the posted data.
func retryable(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}

// Stored queues the events that pass the filter once they are durable. It does not block.
func (h *Hook) Stored(events []record.Event) {
	for _, e := range events {
		if !h.selects(&e) {
			continue
		}
		if !h.cfg.Args {
			e.Args, e.Reason = nil, call.WithoutPart(e.Reason)
		}
		h.box.Put(e)
	}
}

// selects says whether an event is posted. The arguments that follow a call are posted if the call was.
func (h *Hook) selects(e *record.Event) bool {
	if e.Type == record.Types.CallArguments && h.open[e.CallID] {
		delete(h.open, e.CallID)
		return true
	}
	if !h.filter.matches(e) {
		return false
	}
	if e.ArgsFollow() {
		if len(h.open) >= maxOpen {
			clear(h.open) // the arguments of most will never come
		}
		h.open[e.CallID] = true
	}
	return true
}

// Close posts the queued events, with one attempt for each delivery, and returns when that is done or ctx ends.
func (h *Hook) Close(ctx context.Context) error { return h.box.Close(ctx) }

// delivery makes a delivery. All attempts have the same id and body; each is signed anew, so that receivers can reject old
// signatures.
func (h *Hook) delivery(events []record.Event) (func(context.Context) (*http.Request, error), error) {
	body, err := encode(events)
	if err != nil {
		return nil, err
	}
	id := "dlv_" + strings.ToLower(rand.Text())
	return func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.cfg.URL.String(), bytes.NewReader(body))
		if err != nil {
			return nil, errors.New("make request: the address cannot be used") // the error would quote it
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("User-Agent", "weir/"+h.cfg.Version)
		req.Header.Set(deliveryHeader, id)
		req.Header.Set(signatureHeader, sign(h.cfg.Secret, time.Now(), body))
		return req, nil
	}, nil
}

// encode writes the body of a delivery. It has the events as they are recorded.
func encode(events []record.Event) ([]byte, error) {
	body := fmt.Appendf(nil, `{"version":%d,"events":[`, shapeVersion)
	for i, e := range events {
		text, err := e.JSON()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, text...)
	}
	return append(body, "]}"...), nil
}
