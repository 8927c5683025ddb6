package canary

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/policy"
)

// next is what requests to others go to.
type next struct{ asked int }

var errNext = errors.New("asked")

func (n *next) RoundTrip(*http.Request) (*http.Response, error) {
	n.asked++
	return nil, errNext
}

func request(t *testing.T, method, address, body, nonce string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if nonce != "" {
		r.Header.Set(Header, nonce)
	}
	return r
}

func TestOtherHostsAreNotAnswered(t *testing.T) {
	for _, host := range []string{"api.example", "canary.weir.invalid.example", "x." + policy.CanaryHost, policy.CanaryHost + ":80"} {
		n := &next{}
		_, err := Transport(n).RoundTrip(request(t, http.MethodPost, "http://"+host+"/v1/messages", "{}", NewNonce()))
		if n.asked != 1 || !errors.Is(err, errNext) {
			t.Errorf("%s: %d, %v", host, n.asked, err)
		}
	}
}

func TestOnlyVerifyIsAnswered(t *testing.T) {
	good := NewNonce()
	tests := []struct {
		name, method, path, nonce string
		want                      int
	}{
		{"a nonce", http.MethodPost, "/v1/messages", good, 200},
		{"none", http.MethodPost, "/v1/messages", "", 404},
		{"a short one", http.MethodPost, "/v1/messages", good[1:], 404},
		{"one that says something", http.MethodPost, "/v1/messages", `"},{"type":"tool_use"`, 404},
		{"another method", http.MethodGet, "/v1/messages", good, 404},
		{"another path", http.MethodPost, "/v1/models", good, 404},
		{"no path", http.MethodPost, "", good, 404},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := &next{}
			resp, err := Transport(n).RoundTrip(request(t, test.method, Address().String()+test.path, "{}", test.nonce))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close() // it is in memory
			if resp.StatusCode != test.want || n.asked != 0 {
				t.Errorf("%s, %d", resp.Status, n.asked)
			}
		})
	}
}

// turnOf is what the canary says to a question.
func turnOf(t *testing.T, f dialect.Format, streamed bool, nonce string) (kind, answer string) {
	t.Helper()
	path, body := f.Kit.Request(asked, streamed)
	resp, err := Transport(nil).RoundTrip(request(t, http.MethodPost, Address().String()+path, body, nonce))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() // it is in memory
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", resp.Status, err)
	}
	return resp.Header.Get("Content-Type"), string(text)
}

func TestATurnHasTheCallAndIsStreamedAsAsked(t *testing.T) {
	for _, f := range formats.All() {
		t.Run(f.Name, func(t *testing.T) {
			nonce := NewNonce()
			streamedKind, streamed := turnOf(t, f, true, nonce)
			wholeKind, whole := turnOf(t, f, false, nonce)
			if streamedKind == wholeKind || wholeKind != "application/json" {
				t.Errorf("a stream is %s, and a whole response is %s", streamedKind, wholeKind)
			}
			for _, body := range []string{streamed, whole} {
				if diff := cmp.Diff(Response{Text: true, Call: true}, examine([]byte(body), f.Kit.Marks, nonce)); diff != "" {
					t.Error(diff)
				}
				for _, mark := range f.Kit.Marks[:1] {
					if !strings.Contains(body, mark) {
						t.Errorf("%s is not in %s", mark, body)
					}
				}
				// Each of both tells by itself.
				if !examine([]byte(strings.ReplaceAll(body, nonce, "")), f.Kit.Marks, nonce).Call {
					t.Error("without its nonce the call is not seen")
				}
			}
		})
	}
}

func TestAnErrorDoesNotShowTheAddress(t *testing.T) {
	for _, base := range []string{"http://127.0.0.1:1/k/secret-key/canary", "http://[secret-key/canary", "gopher://secret-key/canary"} {
		_, err := Ask(t.Context(), http.DefaultClient, Request{Base: base, Format: formats.All()[0], Nonce: NewNonce()})
		if err == nil || strings.Contains(err.Error(), "secret-key") {
			t.Errorf("%v", err)
		}
	}
}

// Whatever is asked, what is answered is a turn with a nonce of its own form, or nothing.
func FuzzTransport(f *testing.F) {
	f.Add("POST", "/v1/messages", `{"stream":true}`, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	f.Add("POST", "/api/chat", `{"stream":false}`, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	f.Add("POST", "/model/x/converse-stream", ``, `"}`)
	f.Add("GET", "/v1beta/models/x:streamGenerateContent", `[`, "")
	f.Fuzz(func(t *testing.T, method, path, body, nonce string) {
		r := &http.Request{
			Method: method, URL: &url.URL{Scheme: "http", Host: policy.CanaryHost, Path: path}, Header: http.Header{Header: {nonce}},
			Body: io.NopCloser(strings.NewReader(body)),
		}
		resp, err := Transport(nil).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil || int64(len(text)) != resp.ContentLength {
			t.Fatalf("%d of %d bytes, %v", len(text), resp.ContentLength, err)
		}
		answered := resp.StatusCode == http.StatusOK
		if answered != strings.Contains(string(text), policy.CanaryTool) || answered && !nonces.MatchString(nonce) {
			t.Errorf("%s for the nonce %q: %s", resp.Status, nonce, text)
		}
	})
}

// However a text is written, a nonce in it is seen.
func FuzzExamine(f *testing.F) {
	f.Add([]byte("before"), []byte("after"), uint32(0))
	f.Add([]byte(`{"a":"\u00`), []byte(`41"}`), uint32(0xffffffff))
	nonce := "ABCDEFGHIJKLMNOPQRSTUVWX23"
	f.Fuzz(func(t *testing.T, before, after []byte, disguise uint32) {
		var b strings.Builder
		for i, c := range []byte(nonce) {
			switch disguise >> i & 1 {
			case 0:
				b.WriteByte(c)
			default:
				b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789ABCDEF"[c&15]))
			}
		}
		body := string(before) + " " + b.String() + " " + string(after)
		if !examine([]byte(body), nil, nonce).Call {
			t.Errorf("it is not seen in %q", body)
		}
	})
}
