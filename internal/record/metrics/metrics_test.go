package metrics_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/metrics"
)

// read returns the lines of /metrics that begin so.
func read(t testing.TB, m *metrics.Metrics, prefixes ...string) []string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil || w.Code != 200 {
		t.Fatalf("%d, %v: %s", w.Code, err, body)
	}
	var lines []string
	for line := range strings.Lines(string(body)) {
		for _, p := range prefixes {
			if strings.HasPrefix(line, p) && !strings.HasSuffix(line, " 0\n") {
				lines = append(lines, strings.TrimSuffix(line, "\n"))
			}
		}
	}
	return lines
}

func want(t testing.TB, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCalls(t *testing.T) {
	m := metrics.New(metrics.Config{})
	tool := func(change func(*record.Event)) record.Event {
		e := record.Event{Type: record.Types.ToolCall, Surface: call.Response, Ruling: record.Ruling{Verdict: "allow"}, Tool: "Bash"}
		change(&e)
		return e
	}
	refused := func(e *record.Event) { e.Verdict, e.Blocked, e.Code = "deny", true, call.CodeToolDenied }
	m.Stored([]record.Event{
		tool(func(*record.Event) {}),
		tool(func(*record.Event) {}),
		tool(refused),
		tool(func(e *record.Event) { refused(e); e.Surface = call.Inbound }),
		tool(func(e *record.Event) { refused(e); e.Within = "call_1" }), // counted with the call around it
		tool(func(e *record.Event) { e.Verdict, e.WouldBe, e.Code = "audit", "deny", call.CodeToolDenied }),
		tool(func(e *record.Event) { e.Surface, e.Verdict, e.Code = "moon", "maybe", "why_not" }),
		{Type: record.Types.StreamRefused, Ruling: record.Ruling{Blocked: true, Code: call.CodeMalformed}},
		{Type: record.Types.StreamRefused, Ruling: record.Ruling{Blocked: true, Code: "new_code"}},
		{Type: record.Types.StreamRefused, Ruling: record.Ruling{Code: call.CodeMalformed}}, // only observed
		{Type: record.Types.Reread, Surface: call.Response, Ruling: record.Ruling{Verdict: "deny", Blocked: true, Code: call.CodeToolDenied}},
	})
	want(t, read(t, m, "weir_calls_total", "weir_refusals_total"),
		`weir_calls_total{code="",door="llm",surface="response",verdict="allow"} 2`,
		`weir_calls_total{code="other",door="other",surface="other",verdict="other"} 1`,
		`weir_calls_total{code="tool_denied",door="llm",surface="inbound",verdict="deny"} 1`,
		`weir_calls_total{code="tool_denied",door="llm",surface="response",verdict="audit"} 1`,
		`weir_calls_total{code="tool_denied",door="llm",surface="response",verdict="deny"} 1`,
		`weir_refusals_total{code="malformed"} 1`,
		`weir_refusals_total{code="other"} 1`,
		`weir_refusals_total{code="tool_denied"} 2`,
	)
}

func TestResponses(t *testing.T) {
	m := metrics.New(metrics.Config{Upstreams: []string{"anthropic"}})
	done := func(upstream string, usage call.Usage, micros int64) record.Event {
		return record.Event{
			Type: record.Types.ResponseDone, Exchange: call.Exchange{Provider: upstream},
			Detail: record.ResponseDone{Usage: usage, CostMicros: micros, Timings: record.Timings{TotalMicros: 2_000_000}},
		}
	}
	m.Stored([]record.Event{
		done("anthropic", call.Usage{Input: 1, Output: 2, CacheRead: 3, CacheCreation: 4}, 1_500_000),
		done("elsewhere", call.Usage{Input: 5}, 250_000),
		done("anthropic", call.Usage{Input: -5, Output: 1}, -1), // counters never fall
		{Type: record.Types.ResponseDone, Exchange: call.Exchange{Provider: "anthropic"}},
	})
	m.Request("anthropic", 200)
	m.Request("anthropic", 299)
	m.Request("anthropic", 503)
	m.Request("", 404)
	m.Request("anthropic", 0)
	m.Request("anthropic", 12345)
	m.MCPRequest("files", 200)
	m.MCPRequest("", 404)
	m.UpstreamUnreachable("anthropic")
	m.UpstreamTimedOut("anthropic")
	m.UpstreamBrokeOff("anthropic")
	m.UpstreamError("elsewhere")
	want(t, read(t, m, "weir_cost", "weir_mcp", "weir_requests", "weir_response_seconds_sum", "weir_response_seconds_count", "weir_tokens", "weir_upstream_errors"),
		`weir_cost_usd_total{upstream="anthropic"} 1.5`,
		`weir_cost_usd_total{upstream="other"} 0.25`,
		`weir_mcp_requests_total{server="files",status_class="2xx"} 1`,
		`weir_mcp_requests_total{server="other",status_class="4xx"} 1`,
		`weir_requests_total{status_class="2xx",upstream="anthropic"} 2`,
		`weir_requests_total{status_class="4xx",upstream="other"} 1`,
		`weir_requests_total{status_class="5xx",upstream="anthropic"} 1`,
		`weir_requests_total{status_class="none",upstream="anthropic"} 2`,
		`weir_response_seconds_sum 6`,
		`weir_response_seconds_count 3`,
		`weir_tokens_total{kind="cache_creation",upstream="anthropic"} 4`,
		`weir_tokens_total{kind="cache_read",upstream="anthropic"} 3`,
		`weir_tokens_total{kind="input",upstream="anthropic"} 1`,
		`weir_tokens_total{kind="input",upstream="other"} 5`,
		`weir_tokens_total{kind="output",upstream="anthropic"} 3`,
		`weir_upstream_errors_total{kind="broke_off",upstream="anthropic"} 1`,
		`weir_upstream_errors_total{kind="server_error",upstream="other"} 1`,
		`weir_upstream_errors_total{kind="timeout",upstream="anthropic"} 1`,
		`weir_upstream_errors_total{kind="unreachable",upstream="anthropic"} 1`,
	)
}

func TestTheRest(t *testing.T) {
	held := budget.New(budget.Config{Total: 1 << 20})
	account := held.Open("someone")
	if account.Take(budget.Calls, 77) != nil || account.Take(budget.Requests, 1<<20) == nil {
		t.Fatal("the budget is not as it should be")
	}
	m := metrics.New(metrics.Config{Version: "1.2.3", Budget: held, AuditQueue: func() int { return 5 }})
	m.StreamOpened()
	m.StreamOpened()
	m.StreamClosed()
	m.CallHeld(3 * time.Second)
	m.CallReleased(400 * time.Microsecond)
	m.AuditCommitted(time.Millisecond, nil)
	m.AuditCommitted(time.Millisecond, errors.New("the disk is full"))
	m.Stored([]record.Event{
		{Type: record.Types.PolicyLoaded, Ruling: record.Ruling{PolicyVersion: "old"}, Detail: record.PolicyLoaded{Rules: 9}},
		{Type: record.Types.PolicyLoaded, Ruling: record.Ruling{PolicyVersion: "new"}, Detail: record.PolicyLoaded{Rules: 4}},
	})
	x := m.Export("webhook/alerts")
	x.Queued(3)
	x.Sent(2)
	x.Dropped(1)
	x.Failed()
	want(t, read(t, m, "weir_streams", "weir_held", "weir_over_budget", "weir_audit_queue", "weir_audit_fail", "weir_audit_commit_seconds_count", "weir_policy", "weir_export",
		"weir_call_held_seconds_sum", `weir_call_release_seconds_bucket{le="0.0005"}`, `weir_call_release_seconds_bucket{le="0.00025"}`),
		`weir_audit_commit_seconds_count 2`,
		`weir_audit_failures_total 1`,
		`weir_audit_queue_events 5`,
		`weir_call_held_seconds_sum 3`,
		`weir_call_release_seconds_bucket{le="0.0005"} 1`,
		`weir_export_dropped_events_total{sink="webhook/alerts"} 1`,
		`weir_export_failures_total{sink="webhook/alerts"} 1`,
		`weir_export_queue_events{sink="webhook/alerts"} 3`,
		`weir_export_sent_events_total{sink="webhook/alerts"} 2`,
		`weir_held_bytes{kind="calls"} 77`,
		`weir_over_budget_total{scope="client"} 1`,
		`weir_policy_info{version="new"} 1`,
		`weir_policy_rules 4`,
		`weir_streams_open 1`,
	)
	if lines := read(t, m, "weir_build_info", "go_goroutines", "process_open_fds"); len(lines) < 2 || !strings.Contains(strings.Join(lines, ""), `version="1.2.3"`) {
		t.Errorf("of the process it says %q", lines)
	}
}

// Whoever has no metrics can go on as if he had.
func TestNil(t *testing.T) {
	var m *metrics.Metrics
	m.Stored([]record.Event{{Type: record.Types.ToolCall}})
	m.CallHeld(1)
	m.CallReleased(1)
	m.StreamOpened()
	m.StreamClosed()
	m.AuditCommitted(1, nil)
	m.Request("a", 200)
	m.UpstreamTimedOut("a")
	x := m.Export("a")
	x.Queued(1)
	x.Sent(1)
	x.Dropped(1)
	x.Failed()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 404 {
		t.Errorf("the answer is %d", w.Code)
	}
}

// What comes from the wire makes no series, whatever it says.
func TestBoundedSeries(t *testing.T) {
	m := metrics.New(metrics.Config{Upstreams: []string{"anthropic"}})
	count := func() int { return len(read(t, m, "weir_")) }
	feed := func(i int) {
		x := strconv.Itoa(i)
		m.Stored([]record.Event{
			{
				Type: record.Types.ToolCall, Surface: call.Surface(x), Ruling: record.Ruling{Verdict: x, Code: x, Rule: x, Blocked: true}, Tool: x,
				Server: x,
			},
			{Type: record.Types.StreamRefused, Ruling: record.Ruling{Code: x, Blocked: true}},
			{Type: record.Types.ResponseDone, Exchange: call.Exchange{Provider: x, Model: x}, Detail: record.ResponseDone{
				Usage: call.Usage{Input: 1, Output: 1, CacheRead: 1, CacheCreation: 1}, CostMicros: 1,
			}},
			{Type: record.Type(x), Tool: x},
		})
		m.Request(x, 200)
		m.UpstreamTimedOut(x)
	}
	feed(0)
	before := count()
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 500 {
				feed(g*500 + i)
			}
		})
	}
	all.Wait()
	if after := count(); after != before {
		t.Errorf("%d series became %d", before, after)
	}
	if n := m.Known(); n != 0 {
		t.Errorf("%d combinations are kept that are in no set", n)
	}
}

// Every code and verdict that weir knows has a series of its own.
func TestKnownLabels(t *testing.T) {
	codes := constants(t, "../../call", func(name, typ string) bool { return strings.HasPrefix(name, "Code") })
	verdicts := constants(t, "../../policy", func(_, typ string) bool { return typ == "Verdict" })
	surfaces := constants(t, "../../call", func(_, typ string) bool { return typ == "Surface" })
	if len(codes) < 10 || len(verdicts) < 5 || len(surfaces) < 2 {
		t.Fatalf("found %v, %v and %v", codes, verdicts, surfaces)
	}
	m := metrics.New(metrics.Config{})
	for _, code := range codes {
		m.Stored([]record.Event{{
			Type: record.Types.ToolCall, Surface: call.Response,
			Ruling: record.Ruling{Verdict: "deny", Code: code, Blocked: true},
		}})
	}
	for _, verdict := range verdicts {
		m.Stored([]record.Event{{Type: record.Types.ToolCall, Surface: call.Response, Ruling: record.Ruling{Verdict: verdict}}})
	}
	for _, surface := range surfaces {
		m.Stored([]record.Event{{Type: record.Types.ToolCall, Surface: call.Surface(surface), Ruling: record.Ruling{Verdict: "allow"}}})
	}
	for _, line := range read(t, m, "weir_calls_total", "weir_refusals_total") {
		if strings.Contains(line, `"other"`) {
			t.Errorf("a known label is counted as another: %s", line)
		}
	}
}

// constants returns the values of the string constants of a package that pick chooses by name and type.
func constants(t *testing.T, dir string, pick func(name, typ string) bool) (values []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		p, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(p, func(n ast.Node) bool {
			decl, ok := n.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST {
				return true
			}
			for _, spec := range decl.Specs {
				v := spec.(*ast.ValueSpec)
				typ, _ := v.Type.(*ast.Ident)
				if typ == nil {
					typ = &ast.Ident{}
				}
				for i, name := range v.Names {
					if i >= len(v.Values) || !pick(name.Name, typ.Name) {
						continue
					}
					if lit, ok := v.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
						text, _ := strconv.Unquote(lit.Value)
						values = append(values, text)
					}
				}
			}
			return true
		})
	}
	return values
}

// What happens for every call and every response makes no garbage.
func TestNoGarbage(t *testing.T) {
	for name, f := range observations() {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkMetrics(b *testing.B) {
	for name, f := range observations() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}

// observations are what is done for calls and responses.
func observations() map[string]func() {
	m := metrics.New(metrics.Config{Upstreams: []string{"anthropic", "openai"}})
	tool := []record.Event{{Type: record.Types.ToolCall, Surface: call.Response, Ruling: record.Ruling{Verdict: "allow"}, Tool: "Bash"}}
	refused := []record.Event{{
		Type: record.Types.ToolCall, Surface: call.Response,
		Ruling: record.Ruling{Verdict: "deny", Code: call.CodeArgsDenied, Blocked: true},
	}}
	done := []record.Event{{Type: record.Types.ResponseDone, Exchange: call.Exchange{Provider: "openai"}, Detail: record.ResponseDone{
		Usage: call.Usage{Input: 10, Output: 10}, CostMicros: 12, Timings: record.Timings{TotalMicros: 1234},
	}}}
	return map[string]func(){
		"call":     func() { m.Stored(tool) },
		"refusal":  func() { m.Stored(refused) },
		"response": func() { m.Stored(done) },
		"held":     func() { m.CallHeld(3 * time.Millisecond) },
		"released": func() { m.CallReleased(300 * time.Microsecond) },
		"stream":   func() { m.StreamOpened(); m.StreamClosed() },
		"request":  func() { m.Request("openai", 200) },
	}
}
