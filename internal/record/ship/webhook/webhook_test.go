package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/ship/outbox/outboxtest"
	"github.com/weir-gate/weir/internal/record/ship/webhook"
)

const secret = "whsec_of_the_tests"

// A delivery is what a receiver got.
type delivery struct {
	header http.Header
	body   []byte
	at     time.Time
}

// A receiver remembers deliveries and answers with statuses in turn, the last one for ever; none: 200.
type receiver struct {
	statuses []int

	mu  sync.Mutex
	got []delivery
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.statuses) > 0 {
		w.WriteHeader(r.statuses[min(len(r.got), len(r.statuses)-1)])
	}
	r.got = append(r.got, delivery{req.Header.Clone(), body, time.Now()})
}

func parse(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func start(t testing.TB, cfg webhook.Config) *webhook.Hook {
	t.Helper()
	cfg.Name, cfg.Secret, cfg.Version = "alerts", secret, "1.2.3"
	if cfg.URL == nil {
		cfg.URL = parse(t, "https://hooks.example/in/hush?token=hush")
	}
	h, err := webhook.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// verify is what a receiver does, written from the documentation alone.
func verify(header string, body []byte, now time.Time) error {
	m := regexp.MustCompile(`^t=([0-9]+),v1=([0-9a-f]{64})$`).FindStringSubmatch(header)
	if m == nil {
		return fmt.Errorf("the signature is %q", header)
	}
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s", m[1], body)
	if hex.EncodeToString(mac.Sum(nil)) != m[2] {
		return fmt.Errorf("the signature is wrong")
	}
	if at, _ := strconv.ParseInt(m[1], 10, 64); now.Unix()-at > 1 || now.Unix() < at {
		return fmt.Errorf("it was signed at %d, and now is %d", at, now.Unix())
	}
	return nil
}

// inMemory is a store in memory.
type inMemory struct{ entries []record.Entry }

func (k *inMemory) Append(_ context.Context, entries []record.Entry) error {
	k.entries = append(k.entries, entries...)
	return nil
}

func (k *inMemory) Head(_ context.Context, chain string) (record.Head, error) {
	return record.Head{Chain: chain, Hash: record.Genesis}, nil
}

// call1 is a call that was refused.
func call1() record.Event {
	return record.Event{
		Type: record.Types.ToolCall, Actor: call.Actor{Employee: "ann@acme.com", Team: "payments", Session: "s1"},
		Exchange: call.Exchange{
			RequestID: "req_1", Provider: "anthropic", Dialect: "anthropic", Model: "m",
			Trace: call.Trace{ID: "4bf92f3577b34da6a3ce929d0e0e4736", Span: "00f067aa0ba902b7", Unsampled: true},
		},
		CallID: "call_1", Surface: call.Response, Server: "files", Tool: "Ba\u200bsh", WireID: "toolu_1",
		Args: jsontext.Value(`{ "command": "rm -rf /",  "u": "\ud800" }`),
		Ruling: record.Ruling{
			Verdict: "deny", Blocked: true, Code: call.CodeArgsDenied, Reason: "No <b>destruction</b>.", Rule: "no-destruction",
			PolicyVersion: "v1",
		},
		Detail: record.ToolCall{Aliases: []string{"sh"}},
	}
}

// recordAll has events recorded and returns the entries.
func recordAll(t testing.TB, sink recorder.Sink, events ...record.Event) []record.Entry {
	t.Helper()
	store := &inMemory{}
	r := recorder.New(recorder.Config{Store: store, Sinks: []recorder.Sink{sink}})
	for _, e := range events {
		r.Record(e, nil)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return store.entries
}

// What is posted is what is on record, byte for byte; without arguments it is the same without them.
func TestPostedAsRecorded(t *testing.T) {
	for _, args := range []bool{true, false} {
		r := &receiver{}
		server := httptest.NewServer(r)
		defer server.Close()
		hook := start(t, webhook.Config{URL: parse(t, server.URL), Args: args})
		entries := recordAll(t, hook, call1(), record.Event{Type: record.Types.ResponseDone, Detail: record.ResponseDone{Usage: call.Usage{Input: 3}}})
		if err := hook.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(r.got) != 1 {
			t.Fatalf("%d deliveries", len(r.got))
		}
		var lines [][]byte
		for _, e := range entries {
			line, err := e.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if !args {
				line = bytes.Replace(line, []byte(`,"args":{"command":"rm -rf /","u":"\ud800"}`), nil, 1)
			}
			lines = append(lines, line)
		}
		want := `{"version":1,"events":[` + string(bytes.Join(lines, []byte(","))) + `]}`
		if diff := cmp.Diff(want, string(r.got[0].body)); diff != "" {
			t.Errorf("args %v (-want +got):\n%s", args, diff)
		}
		if has := bytes.Contains(r.got[0].body, []byte("rm -rf")); has != args {
			t.Errorf("args %v: the arguments are there: %v", args, has)
		}
		head := r.got[0].header
		if err := verify(head.Get("x-weir-signature"), r.got[0].body, r.got[0].at); err != nil {
			t.Error(err)
		}
		if id := head.Get("x-weir-delivery"); !regexp.MustCompile(`^dlv_[a-z0-9]{26}$`).MatchString(id) {
			t.Errorf("the id is %q", id)
		}
		if got := head.Get("User-Agent") + " " + head.Get("Content-Type"); got != "weir/1.2.3 application/json" {
			t.Errorf("the headers say %q", got)
		}
	}
}

// Attempts share id and body. Each is signed when it is made.
func TestAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{statuses: []int{500, 408, 425, 429, 503, 200}}
		meter := &outboxtest.Meter{}
		hook := start(t, webhook.Config{Transport: outboxtest.Serve(t, r), Meter: meter, URL: parse(t, "http://hooks.example/in")})
		hook.Stored([]record.Event{call1()})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if len(r.got) != 6 {
			t.Fatalf("%d attempts", len(r.got))
		}
		signatures := map[string]bool{}
		for i, d := range r.got {
			if d.header.Get("X-Weir-Delivery") != r.got[0].header.Get("X-Weir-Delivery") || !bytes.Equal(d.body, r.got[0].body) {
				t.Errorf("attempt %d is another delivery", i)
			}
			if err := verify(d.header.Get("X-Weir-Signature"), d.body, d.at); err != nil {
				t.Errorf("attempt %d: %v", i, err)
			}
			signatures[d.header.Get("X-Weir-Signature")] = true
		}
		if len(signatures) < 5 { // the first pause may be shorter than a second
			t.Errorf("%d signatures", len(signatures))
		}
		hook.Stored([]record.Event{call1()})
		if err := hook.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if a, b := r.got[0].header, r.got[6].header; a.Get("X-Weir-Delivery") == b.Get("X-Weir-Delivery") {
			t.Error("two deliveries have one id")
		}
		if diff := cmp.Diff(outboxtest.Counts{Sent: 2, Failed: 5}, meter.Counts()); diff != "" {
			t.Error(diff)
		}
	})
}

// Answers that will not change are not waited for.
func TestGivenUpAtOnce(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 410, 413, 422, 301, 302, 307, 308} {
		synctest.Test(t, func(t *testing.T) {
			r := &receiver{statuses: []int{status}}
			var errs []string
			hook := start(t, webhook.Config{
				Transport: outboxtest.Serve(t, r), URL: parse(t, "http://user:hush@hooks.example/hush?t=hush"),
				OnError: func(err error) { errs = append(errs, err.Error()) },
			})
			hook.Stored([]record.Event{call1()})
			time.Sleep(2 * time.Hour)
			synctest.Wait()
			if len(r.got) != 1 {
				t.Errorf("%d: %d attempts", status, len(r.got))
			}
			want := []string{fmt.Sprintf("deliver events to webhook alerts: the answer is %d %s", status, http.StatusText(status))}
			if diff := cmp.Diff(want, errs); diff != "" {
				t.Error(diff)
			}
			_ = hook.Close(t.Context())
		})
	}
}

// A receiver that is away for most of an hour gets everything when it is back.
func TestAwayForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{statuses: []int{503}}
		meter := &outboxtest.Meter{}
		hook := start(t, webhook.Config{Transport: outboxtest.Serve(t, r), Meter: meter, URL: parse(t, "http://hooks.example/in")})
		for range 10 {
			hook.Stored([]record.Event{call1()})
			time.Sleep(5 * time.Minute)
		}
		r.mu.Lock()
		r.statuses = []int{200}
		r.mu.Unlock()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if c := meter.Counts(); c.Sent != 10 || c.Dropped != 0 {
			t.Errorf("counts are %+v", c)
		}
		_ = hook.Close(t.Context())
	})
}

func TestFilters(t *testing.T) {
	other := record.Event{Type: record.Types.ResponseDone, Actor: call.Actor{Employee: "bob@acme.com"}}
	for name, tt := range map[string]struct {
		filter webhook.Filter
		want   string // which events pass: c the call, d the end of a response
	}{
		"all":                   {webhook.Filter{}, "cd"},
		"type":                  {webhook.Filter{Types: []record.Type{record.Types.ResponseDone}}, "d"},
		"two types":             {webhook.Filter{Types: []record.Type{record.Types.ResponseDone, record.Types.ToolCall}}, "cd"},
		"verdict":               {webhook.Filter{Verdicts: []string{"deny"}}, "c"},
		"another verdict":       {webhook.Filter{Verdicts: []string{"allow"}}, ""},
		"code":                  {webhook.Filter{Codes: []string{"args_denied"}}, "c"},
		"another code":          {webhook.Filter{Codes: []string{"tool_denied"}}, ""},
		"rule":                  {webhook.Filter{Rules: []string{"x", "no-destruction"}}, "c"},
		"tool, folded":          {webhook.Filter{Tools: []string{"BASH"}}, "c"},
		"tool, glob":            {webhook.Filter{Tools: []string{"b*H"}}, "c"},
		"tool, alias":           {webhook.Filter{Tools: []string{"sh"}}, "c"},
		"tool with its server":  {webhook.Filter{Tools: []string{"mcp__files__*"}}, "c"},
		"another tool":          {webhook.Filter{Tools: []string{"Read"}}, ""},
		"any tool":              {webhook.Filter{Tools: []string{"*"}}, "c"},
		"server":                {webhook.Filter{Servers: []string{"FILE*"}}, "c"},
		"another server":        {webhook.Filter{Servers: []string{"web"}}, ""},
		"employee":              {webhook.Filter{Employees: []string{"Ann@*"}}, "c"},
		"employees":             {webhook.Filter{Employees: []string{"*@acme.com"}}, "cd"},
		"team":                  {webhook.Filter{Teams: []string{"payments"}}, "c"},
		"any team":              {webhook.Filter{Teams: []string{"*"}}, "c"},
		"all of them":           {webhook.Filter{Tools: []string{"bash"}, Verdicts: []string{"deny"}, Teams: []string{"payments"}}, "c"},
		"all of them, but one":  {webhook.Filter{Tools: []string{"bash"}, Verdicts: []string{"deny"}, Teams: []string{"sales"}}, ""},
		"rule without the type": {webhook.Filter{Types: []record.Type{record.Types.ResponseDone}, Rules: []string{"no-destruction"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := &receiver{}
			server := httptest.NewServer(r)
			defer server.Close()
			hook := start(t, webhook.Config{URL: parse(t, server.URL), Filter: tt.filter})
			hook.Stored([]record.Event{call1(), other})
			if err := hook.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, d := range r.got {
				var body struct{ Events []struct{ Type string } }
				if err := json.Unmarshal(d.body, &body); err != nil {
					t.Fatal(err)
				}
				for _, e := range body.Events {
					got += map[string]string{"tool_call": "c", "response_done": "d"}[e.Type]
				}
			}
			if got != tt.want {
				t.Errorf("passed %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRefusedConfigurations(t *testing.T) {
	good := webhook.Config{Name: "alerts", URL: parse(t, "https://hooks.example/hush"), Secret: "hush"}
	for want, change := range map[string]func(*webhook.Config){
		"the name is missing":                                       func(c *webhook.Config) { c.Name = "" },
		"the address is missing":                                    func(c *webhook.Config) { c.URL = nil },
		"the address is no http or https address":                   func(c *webhook.Config) { c.URL = parse(t, "ftp://hooks.example/hush") },
		"the secret is missing: receivers could not tell who posts": func(c *webhook.Config) { c.Secret = "" },
		`filter: "tool_calls" is no type of events`:                 func(c *webhook.Config) { c.Filter.Types = []record.Type{"tool_calls"} },
		"filter: a team is empty":                                   func(c *webhook.Config) { c.Filter.Teams = []string{"a", ""} },
	} {
		cfg := good
		change(&cfg)
		_, err := webhook.New(cfg)
		if err == nil || err.Error() != fmt.Sprintf("start webhook %q: %s", cfg.Name, want) {
			t.Errorf("%v, want %s", err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("the error shows a secret: %v", err)
		}
	}
}

// A body that is changed, cut or signed with another secret has another signature.
func FuzzSign(f *testing.F) {
	f.Add("secret", int64(1), []byte(`{}`), []byte(`{ }`))
	f.Add("", int64(-1), []byte{}, []byte{0})
	f.Add("s", int64(12), []byte("3.x"), []byte(".x"))
	f.Fuzz(func(t *testing.T, secret string, at int64, a, b []byte) {
		when := time.Unix(at%(1<<40), 0)
		one := webhook.Sign(secret, when, a)
		if one != webhook.Sign(secret, when, bytes.Clone(a)) {
			t.Fatal("it is not the same twice")
		}
		if same := one == webhook.Sign(secret, when, b); same != bytes.Equal(a, b) {
			t.Fatalf("signatures of %q and %q are the same: %v", a, b, same)
		}
		if one == webhook.Sign(secret+"x", when, a) || one == webhook.Sign(secret, when.Add(time.Second), a) {
			t.Fatal("secret or time do not matter")
		}
	})
}

// TestArgumentsFollow: who is told of a refusal is told of the arguments that follow it, and of no others.
func TestArgumentsFollow(t *testing.T) {
	refused := call1()
	refused.Args, refused.Detail = nil, record.ToolCall{ArgsFollow: true}
	args := record.Event{Type: record.Types.CallArguments, CallID: refused.CallID, Tool: refused.Tool, Args: jsontext.Value(`{"command":"rm"}`)}
	others := args
	others.CallID = "call_2"
	for name, tt := range map[string]struct {
		filter webhook.Filter
		want   int
	}{
		"all": {webhook.Filter{}, 3}, "verdict": {webhook.Filter{Verdicts: []string{"deny"}}, 2},
		"type": {webhook.Filter{Types: []record.Type{record.Types.ToolCall}}, 2}, "another verdict": {webhook.Filter{Verdicts: []string{"allow"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := &receiver{}
			server := httptest.NewServer(r)
			defer server.Close()
			hook := start(t, webhook.Config{URL: parse(t, server.URL), Filter: tt.filter, Args: true})
			hook.Stored([]record.Event{refused, others})
			hook.Stored([]record.Event{args})
			if err := hook.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			posted, calls := 0, 0
			for _, d := range r.got {
				posted += strings.Count(string(d.body), `"type":"tool_call`)
				calls += strings.Count(string(d.body), `"type":"tool_call"`)
			}
			if posted != tt.want || calls != min(1, tt.want) {
				t.Errorf("%d events were posted, %d of them calls; want %d and one call at most", posted, calls, tt.want)
			}
		})
	}
}
