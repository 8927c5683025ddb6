package verify

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run/canary"
)

// A fake is somebody who answers where a weir should, and its record.
type fake struct {
	change  func(body []byte) []byte // what becomes of the canary's answer; nil: nothing
	status  int                      // 0: that of the canary
	blocked bool                     // what the record says
	silent  bool                     // it records nothing
	broken  error                    // why the record cannot be read

	mu     sync.Mutex
	events []record.Event
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest := strings.TrimPrefix(r.URL.Path, "/k/secret-key")
	path, ok := strings.CutPrefix(rest, "/"+canary.Upstream)
	if !ok {
		http.NotFound(w, r)
		return
	}
	to := *canary.Address()
	to.Path, to.RawQuery = path, r.URL.RawQuery
	out := r.Clone(r.Context())
	out.URL, out.RequestURI = &to, ""
	resp, err := canary.Transport(nil).RoundTrip(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body, _ := io.ReadAll(resp.Body)
	if f.change != nil {
		body = f.change(body)
	}
	f.record(r.Header.Get(canary.Header))
	if f.status != 0 {
		resp.StatusCode = f.status
	}
	w.WriteHeader(resp.StatusCode)
	_, _ = w.Write(body)
}

func (f *fake) record(nonce string) {
	if f.silent {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	e := record.Event{
		ID: nonce, Time: time.Now(), Type: record.Types.ToolCall, Tool: policy.CanaryTool, Surface: call.Response,
		Args: []byte(`{"nonce":"` + nonce + `"}`), Ruling: record.Ruling{Verdict: "allow"},
	}
	if f.blocked {
		e.Verdict, e.Blocked, e.Rule = "deny", true, policy.RuleCanary
	}
	f.events = append(f.events, e)
}

// Entries implements query.Source.
func (f *fake) Entries(context.Context, query.Filter) iter.Seq2[record.Entry, error] {
	f.mu.Lock()
	defer f.mu.Unlock()
	events := append([]record.Event(nil), f.events...)
	return func(yield func(record.Entry, error) bool) {
		if f.broken != nil {
			yield(record.Entry{}, f.broken)
			return
		}
		for _, e := range events {
			text, err := e.JSON()
			if !yield(record.Entry{Text: text}, err) {
				return
			}
		}
	}
}

// verifier returns one that takes the fake for the running weir.
func (f *fake) verifier(t *testing.T) *verifier {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return &verifier{began: time.Now(), Config: Config{
		Base: server.URL, Client: server.Client(), Record: f, RecordWithin: 10 * time.Millisecond,
		Running: control.SessionResponse{Enforcement: enforcing, ProxyMode: embedded, Upstreams: map[string]string{"anthropic": "https://api.anthropic.com"}},
	}}
}

// notice is what a weir says in place of a call.
var notice = call.Ruling{Code: call.CodeToolDenied, Rule: policy.RuleCanary, Reason: "No."}.Notice(policy.CanaryTool)

// refuse is what an answer is like without the call.
func refuse([]byte) []byte { return []byte("The canary sings. " + notice) }

// vanish is the same without a notice.
func vanish([]byte) []byte { return []byte("The canary sings.") }

// disguise writes what it can by numbers.
func disguise(body []byte) []byte {
	return regexp.MustCompile(`[A-Z2-7]{26}|tool_use|tool_calls|toolUse|functionCall|function_call`).ReplaceAllFunc(body, func(found []byte) []byte {
		var b bytes.Buffer
		for _, c := range found {
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		}
		return b.Bytes()
	})
}
