package daemon

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// nowhere is an address at which nobody takes telemetry.
func nowhere(t *testing.T) *url.URL {
	t.Helper()
	u, err := url.Parse("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

const clientTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// Upstreams learn of traces only where weir sends its own spans and may change what it forwards. The record knows the trace in any case.
func TestOutflowTraceContext(t *testing.T) {
	receiver := nowhere(t)
	for name, c := range map[string]struct {
		set  func(*config.Config)
		ours bool // the upstream gets weir's context
	}{
		"no otlp":   {func(*config.Config) {}, false},
		"logs only": {func(c *config.Config) { c.OTLP = config.OTLP{Endpoint: receiver, Logs: true} }, false},
		"traces":    {func(c *config.Config) { c.OTLP = config.OTLP{Endpoint: receiver, Traces: true} }, true},
		"observe": {func(c *config.Config) {
			c.OTLP, c.Enforcement = config.OTLP{Endpoint: receiver, Traces: true}, config.Observe
		}, false},
		"mcp-only": {func(c *config.Config) {
			c.OTLP, c.Proxy.Mode = config.OTLP{Endpoint: receiver, Traces: true}, config.MCPOnly
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			sent := make(chan http.Header, 2)
			answer := turn()
			r := newRig(t, func(req scripted.Request) scripted.Answer {
				sent <- req.Header
				return answer(req)
			})
			c.set(r.config)
			r.serve(0)
			for _, given := range []string{clientTrace, ""} {
				r.askTraced(given)
				got := (<-sent).Get("Traceparent")
				if !c.ours && got != given {
					t.Errorf("of %q the upstream got %q", given, got)
				}
				if c.ours && (got == given || len(got) != len(clientTrace) || given != "" && got[:35] != given[:35]) {
					t.Errorf("of %q the upstream got %q", given, got)
				}
			}
			if err := r.end(); err != nil {
				t.Error(err)
			}
			var parents []string
			for _, e := range r.events(query.Filter{Type: record.Types.ResponseDone}) {
				parents = append(parents, e.Exchange.Trace.Parent)
				if e.Exchange.Trace.ID == "" || e.Exchange.Trace.Span == "" {
					t.Errorf("the record has no trace: %+v", e)
				}
			}
			slices.Sort(parents) // ends of responses may be recorded in any order
			if diff := cmp.Diff([]string{"", "b7ad6b7169203331"}, parents); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// askTraced sends a request in a trace; "": in none.
func (r *rig) askTraced(traceparent string) {
	r.t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://"+r.daemon.Address()+"/model/v1/messages",
		strings.NewReader(`{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if traceparent != "" {
		req.Header.Set("Traceparent", traceparent)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		r.t.Fatal(resp.Status, err)
	}
}
