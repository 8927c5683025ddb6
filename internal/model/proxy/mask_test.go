package proxy

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

const (
	upstreamKey = "sk-up/stream+0123456789abcdef"
	annsKey     = "client-0123456789abcdef"
)

// keyed gives the bench's upstream a key, and the door a client.
func keyed(t *testing.T) func(*Config) {
	return func(cfg *Config) {
		cfg.Admission = admits(t, admission.Client{Key: annsKey})
		for name, u := range cfg.Upstreams {
			u.Key = upstreamKey
			cfg.Upstreams[name] = u
		}
	}
}

// mustKeepKey checks that the key is in nothing that the client got, and in no line of the log.
func (b *bench) mustKeepKey(r reply) {
	b.Helper()
	expect.Text(b, fmt.Sprint(r.Header, r.body), "the client got the key", "!"+upstreamKey, "!0123456789abcdef")
	if strings.Contains(b.log.String(), "0123456789abcdef") {
		b.Errorf("the log has a key: %s", b.log)
	}
}

func delta(text string) string {
	return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" + text + "\"}}\n\n"
}

// streamOf is a stream whose text comes in these pieces.
func streamOf(pieces ...string) string {
	text := ""
	for _, p := range pieces {
		text += delta(p)
	}
	return strings.Replace(textStream, delta("hello"), text, 1)
}

func TestKeyDoesNotComeBack(t *testing.T) {
	escaped := strings.ReplaceAll(strings.ReplaceAll(upstreamKey, "/", `\/`), "a", `\u0061`)
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	fmt.Fprintf(w, `{"type":"error","error":{"type":"authentication_error","message":"bad key %s"}}`, upstreamKey)
	_ = w.Close()
	for name, c := range map[string]struct {
		status int
		body   string
		header []string
		stream bool
		want   string
	}{
		"error":         {401, `{"type":"error","error":{"type":"authentication_error","message":"bad key ` + upstreamKey + `"}}`, nil, false, "bad key [redacted]"},
		"error, gzip":   {401, small.String(), []string{"Content-Encoding", "gzip"}, false, "bad key [redacted]"},
		"error, text":   {502, "no way: Bearer " + upstreamKey, nil, false, "[redacted]"},
		"header":        {200, textStream, []string{"Content-Type", "text/event-stream", "X-Echo", "Bearer " + upstreamKey}, true, "hello"},
		"text":          {200, streamOf("key: " + upstreamKey + "."), []string{"Content-Type", "text/event-stream"}, true, "key: [redacted]."},
		"escaped text":  {200, streamOf("key: " + escaped + "."), []string{"Content-Type", "text/event-stream"}, true, "key: [redacted]."},
		"query":         {200, streamOf("?key=" + url.QueryEscape(upstreamKey)), []string{"Content-Type", "text/event-stream"}, true, "?key=[redacted]"},
		"whole":         {200, strings.Replace(deniedBody, "hello", upstreamKey, 1), nil, false, "[redacted]"},
		"in two":        {200, streamOf("key: "+upstreamKey[:20], upstreamKey[20:]+"."), []string{"Content-Type", "text/event-stream"}, true, "repeats the key"},
		"in letters":    {200, streamOf(strings.Split("key: "+upstreamKey, "")...), []string{"Content-Type", "text/event-stream"}, true, "repeats the key"},
		"a false start": {200, streamOf(upstreamKey[:20], "no", " more"), []string{"Content-Type", "text/event-stream"}, true, `"text":"` + upstreamKey[:20]},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, responding(c.status, c.body, c.header...), keyed(t))
			r := b.ask(c.stream, admission.KeyHeader, annsKey)
			if name != "error, text" && !strings.Contains(r.body, c.want) || c.status != r.StatusCode {
				t.Errorf("status %d, got %s", r.StatusCode, r.body)
			}
			if name == "a false start" && !strings.Contains(r.body, `"text":" more"`) {
				t.Errorf("the rest is missing: %s", r.body)
			}
			b.mustKeepKey(r)
			if name == "header" && r.Header.Get("X-Echo") != "Bearer [redacted]" {
				t.Errorf("the header is %q", r.Header.Get("X-Echo"))
			}
		})
		t.Run(name+", observed", func(t *testing.T) {
			b := newBench(t, responding(c.status, c.body, c.header...), keyed(t), func(cfg *Config) { cfg.Observe = true })
			r := b.ask(c.stream, admission.KeyHeader, annsKey)
			if got := fmt.Sprint(r.Header, r.body); strings.Contains(got, upstreamKey) || r.StatusCode != c.status {
				t.Errorf("status %d, got %s", r.StatusCode, got)
			}
		})
	}
}

// TestKeyInArguments checks that a call whose arguments spell out the key in pieces is not released.
func TestKeyInArguments(t *testing.T) {
	piece := func(text string) string {
		return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":" + fmt.Sprintf("%q", text) + "}}\n\n"
	}
	open := strings.Replace(strings.SplitAfter(callOpen, "\n\n")[0], "Denied", "Fine", 1)
	body := messageStart + textBlock + open + piece(`{"a":"`+upstreamKey[:12]) + piece(upstreamKey[12:]+`"}`) + callClose + messageEnd
	b := newBench(t, responding(http.StatusOK, body, "Content-Type", "text/event-stream"), keyed(t))
	r := b.ask(true, admission.KeyHeader, annsKey)
	b.mustKeepKey(r)
	if strings.Contains(r.body, "tool_use\",\"id") {
		t.Errorf("the call was released: %s", r.body)
	}
	if end := b.judge.lastEnd(t); end.Code != keyRepeated.Code {
		t.Errorf("the record says %q", end.Code)
	}
}

// TestClientKeyStaysHere checks that a key of weir's in the wrong place is neither sent on nor logged.
func TestClientKeyStaysHere(t *testing.T) {
	for path, status := range map[string]int{
		"/anthropic/k/" + annsKey + "/v1/messages":                 http.StatusBadRequest,
		"/anthropic/k/mistyped-0123456789abcdef/v1/messages":       http.StatusBadRequest,
		"/anthropic/v1/messages/" + annsKey:                        http.StatusBadRequest,
		"/anthropic/v1/messages:" + annsKey:                        http.StatusBadRequest,
		"/anthropic/v1/%63lient-0123456789abcdef/messages":         http.StatusBadRequest,
		"/anthropic/v1/messages?x=" + annsKey:                      http.StatusBadRequest,
		"/anthropic/v1/messages?x=%63lient-0123456789abcdef":       http.StatusBadRequest,
		"/k/" + annsKey + "/anthropic/k/" + annsKey + "/v1/models": http.StatusBadRequest,
		"/k/" + annsKey + "/anthropic/v1/models":                   http.StatusOK,
		"/" + annsKey + "/anthropic/v1/models":                     http.StatusNotFound,
		"/anthropic/v1/models":                                     http.StatusOK,
	} {
		for _, known := range []bool{true, false} {
			t.Run(path, func(t *testing.T) {
				b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
					if got := fmt.Sprint(r.URL, r.Header); strings.Contains(got, annsKey) {
						t.Errorf("the upstream got the key: %s", got)
					}
					expect.Equal(t, r.Header.Get("X-Fine"), "yes", "another header is missing")
					_, _ = w.Write([]byte(`{"data":[]}`))
				}, func(cfg *Config) { cfg.Admission = admits(t, admission.Client{Key: annsKey}) })
				header := []string{"Referer", "http://127.0.0.1/k/" + annsKey + "/x", "Cookie", "a=" + annsKey, "Authorization", "Bearer " + annsKey, "X-Fine", "yes"}
				if known {
					header = append(header, admission.KeyHeader, annsKey)
				}
				r := b.do(http.MethodGet, path, "", header...)
				if known && r.StatusCode != status || !known && r.StatusCode != http.StatusUnauthorized && !strings.HasPrefix(path, "/k/") {
					t.Errorf("status %d, want %d: %s", r.StatusCode, status, r.body)
				}
				expect.Text(t, r.body, "", "!0123456789abcdef")
				expect.Text(t, b.log.String(), "", "!0123456789abcdef")
			})
		}
	}
}

// TestHeadersLeadNowhere checks that no header of an upstream leads a client past weir, or tells a browser something in weir's name.
func TestHeadersLeadNowhere(t *testing.T) {
	gone := map[string]string{
		"Link": "</v1/models?after=x>; rel=next", "Location": "/v1/x", "Refresh": "0", "Content-Location": "/x", "Alt-Svc": "h3=\":443\"", "Set-Cookie": "a=b",
		"Operation-Location": "https://elsewhere.example/x", "Azure-AsyncOperation": "https://elsewhere.example/x", "X-Next": "https://elsewhere.example/x",
		"X-Other": "go to //elsewhere.example/x", "X-Back": `\\elsewhere.example\x`, "WWW-Authenticate": `Bearer resource_metadata="https://elsewhere.example/"`,
		"X-Socket": "wss://elsewhere.example", "Report-To": "{}", "NEL": "{}", "Content-Security-Policy": "default-src *", "Access-Control-Allow-Origin": "*",
		"X-Accel-Redirect": "/x", "SourceMap": "/x.map", "Service-Worker-Allowed": "/", "Clear-Site-Data": "*", "X-Goog-Upload-URL": "https://elsewhere.example/upload",
		"Cross-Origin-Opener-Policy": "same-origin", "Speculation-Rules": "\"/x\"", "X-Forwarded-Host": "elsewhere.example",
	}
	stay := map[string]string{
		"Request-Id": "req_1", "Openai-Processing-Ms": "5", "X-Ratelimit-Reset-Requests": "1s", "X-Amz-Id-2": "ab//cd+ef==", "Cf-Ray": "1-FRA", "Retry-After": "3",
		"Content-Disposition": `attachment; filename="a.txt"`, "Cache-Control": "no-store", "X-Time": "2026-01-01T10:20:30Z", "Openai-Organization": "org: a/b",
		"Www-Authenticate": "Basic realm=\"x\"",
	}
	var header []string
	for name, value := range gone {
		if name != "WWW-Authenticate" {
			header = append(header, name, value)
		}
	}
	for name, value := range stay {
		header = append(header, name, value)
	}
	for _, status := range []int{http.StatusOK, http.StatusBadRequest} {
		b := newBench(t, responding(status, `{"data":[]}`, header...))
		r := b.do(http.MethodGet, "/anthropic/v1/models", "")
		for name := range gone {
			if name != "WWW-Authenticate" && r.Header[http.CanonicalHeaderKey(name)] != nil {
				t.Errorf("%s passes: %q", name, r.Header[http.CanonicalHeaderKey(name)])
			}
		}
		for name, value := range stay {
			expect.Equal(t, r.Header.Get(name), value, "%s is", name)
		}
	}
	b := newBench(t, responding(http.StatusUnauthorized, `{"error":{}}`, "WWW-Authenticate", gone["WWW-Authenticate"]))
	if r := b.do(http.MethodGet, "/anthropic/v1/models", ""); r.Header["Www-Authenticate"] != nil {
		t.Error("a challenge leads elsewhere")
	}
}

// TestUploadGoesOnAtWeir checks that the address at which a client is to go on is weir's.
func TestUploadGoesOnAtWeir(t *testing.T) {
	b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Goog-Upload-Url", "http://"+r.Host+"/upload/v1beta/files?upload_id=1&upload_protocol=resumable")
		_, _ = w.Write([]byte(`{}`))
	}, func(cfg *Config) { cfg.Admission = admits(t, admission.Client{Key: annsKey}) })
	want := "/bare/upload/v1beta/files?upload_id=1&upload_protocol=resumable"
	if r := b.do(http.MethodPost, "/bare/upload/v1beta/files", `{}`, admission.KeyHeader, annsKey); r.Header.Get("X-Goog-Upload-Url") != b.weir.URL+want {
		t.Errorf("the address is %q", r.Header.Get("X-Goog-Upload-Url"))
	}
	if r := b.do(http.MethodPost, "/k/"+annsKey+"/bare/upload/v1beta/files", `{}`); r.Header.Get("X-Goog-Upload-Url") != b.weir.URL+"/k/"+annsKey+want {
		t.Errorf("the address is %q", r.Header.Get("X-Goog-Upload-Url"))
	}
}
