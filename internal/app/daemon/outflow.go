package daemon

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/model/proxy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/metrics"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/ship/otlp"
	"github.com/weir-gate/weir/internal/record/ship/outbox"
	"github.com/weir-gate/weir/internal/record/ship/webhook"
)

// An outflow sends what was recorded to other services: metrics, traces, logs and webhooks.
type outflow struct {
	metrics *metrics.Metrics // nil: there are none
	sinks   []recorder.Sink
	closers []func(context.Context) error
}

// openOutflow starts the services that the configuration names.
func (d *Daemon) openOutflow() error {
	c := d.cfg.Config
	if c.Metrics.Enabled {
		names := make([]string, 0, len(c.Upstreams))
		for name := range c.Upstreams {
			names = append(names, name)
		}
		d.out.metrics = metrics.New(metrics.Config{
			Version: d.cfg.Version, Upstreams: names, Budget: d.budget,
			AuditQueue: func() int { events, _ := d.recorder.Waiting(); return events },
			AuditBytes: func() int { _, bytes := d.recorder.Waiting(); return bytes },
			Behind: func() metrics.Behind {
				b := d.follower.Behind()
				return metrics.Behind{Events: b.Events, Bytes: b.Bytes, Seconds: b.For.Seconds()}
			},
		})
		d.out.sinks = append(d.out.sinks, d.out.metrics)
	}
	if err := d.openOTLP(c.OTLP); err != nil {
		return err
	}
	for _, w := range c.Webhooks {
		if err := d.openWebhook(w); err != nil {
			return err
		}
	}
	return nil
}

func (d *Daemon) openOTLP(c config.OTLP) error {
	if c.Endpoint == nil {
		return nil
	}
	addresses := map[string]*url.URL{}
	for name, u := range d.cfg.Config.Upstreams {
		addresses[name] = u.URL
	}
	e, err := otlp.New(otlp.Config{
		Endpoint: c.Endpoint, Headers: c.Headers, Traces: c.Traces, Logs: c.Logs, Content: c.Content, Resource: c.Resource,
		Version: d.cfg.Version, Upstreams: addresses,
		Meter:   func(signal string) outbox.Meter { return d.out.metrics.Export("otlp_" + signal) },
		OnError: func(err error) { d.cfg.Log.Error("otlp", "err", err) },
	})
	if err != nil {
		return fmt.Errorf("set up otlp: %w", err)
	}
	d.out.sinks, d.out.closers = append(d.out.sinks, e), append(d.out.closers, e.Close)
	return nil
}

// propagate returns the function that sends traces to upstreams; nil: none. Traces are sent only if weir exports its own spans:
// otherwise the upstream's spans would have no parent. They are not sent in observe mode, in which weir changes nothing.
func (d *Daemon) propagate(mode judge.Mode) func(call.Trace, http.Header) {
	if c := d.cfg.Config.OTLP; c.Endpoint == nil || !c.Traces || mode == judge.Observe {
		return nil
	}
	return propagateTrace
}

func (d *Daemon) openWebhook(w config.Webhook) error {
	types := make([]record.Type, len(w.Types))
	for i, t := range w.Types {
		types[i] = record.Type(t)
	}
	h, err := webhook.New(webhook.Config{
		Name: w.Name, URL: w.URL, Secret: w.Secret, Args: w.Args, Version: d.cfg.Version,
		Filter: webhook.Filter{
			Types: types, Verdicts: w.Verdicts, Codes: w.Codes, Rules: w.Rules, Tools: w.Tools, Servers: w.Servers,
			Employees: w.Employees, Teams: w.Teams,
		},
		Meter:   d.out.metrics.Export("webhook/" + w.Name),
		OnError: func(err error) { d.cfg.Log.Error("webhook", "name", w.Name, "err", err) },
	})
	if err != nil {
		return fmt.Errorf("set up the webhook %s: %w", w.Name, err)
	}
	d.out.sinks, d.out.closers = append(d.out.sinks, h), append(d.out.closers, h.Close)
	return nil
}

// close sends what is still queued, until ctx ends.
func (o *outflow) close(ctx context.Context, failed func(error)) {
	for _, end := range o.closers {
		if err := end(ctx); err != nil {
			failed(err)
		}
	}
}

// pages returns weir's own pages.
func (d *Daemon) pages() map[string]proxy.Page {
	pages := map[string]proxy.Page{"readyz": {Handler: http.HandlerFunc(d.ready), Open: true}}
	if d.out.metrics != nil {
		pages["metrics"] = proxy.Page{Handler: d.out.metrics.Handler(), Token: d.cfg.Config.Metrics.Token}
	}
	return pages
}
