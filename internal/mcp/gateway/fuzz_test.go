package gateway

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A prude lets calls pass, and nothing that a server gives.
type prude struct{ referee }

func (*prude) Given(context.Context, call.Given) call.Ruling {
	return call.Ruling{Code: call.CodeContentDenied, Reason: "No."}
}

func (*prude) Tools(context.Context, call.Listing) (call.Offer, error) { return call.Offer{}, io.EOF }

// Whatever a server answers, nothing of it reaches the client as a response that the judge did not release, and a client that
// cannot ask for the rest is told that there is no response.
func FuzzServerAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"x":1}}`,
		"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n",
		"id: 1\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"m\"}}\n\n",
		"data: [{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}},{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}]\n\n",
		"event: message\rdata: {\"jsonrpc\":\"2.0\",\rdata: \"id\":1,\"result\":{\"a\":1}}\r\r",
		"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sampling/createMessage\"}\n\n",
		"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"result\":{}}\n\n",
	} {
		f.Add(seed, 200, true)
		f.Add(seed, 200, false)
		f.Add(seed, 400, false)
	}
	admit, err := admission.New(admission.Config{})
	expect.OK(f, err)
	f.Fuzz(func(t *testing.T, text string, status int, stream bool) {
		if status < 200 || status > 599 {
			return
		}
		media := mediaJSON
		if stream {
			media = mediaEvents
		}
		up := doer(func(r *http.Request) (*http.Response, error) {
			answer := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(strings.NewReader(text))}
			return answer, r.Context().Err()
		})
		g, err := New(Config{Admission: admit, Judge: &prude{}, Servers: []Server{{ID: "up", Type: typeHTTP, HTTP: up, URL: &url.URL{Scheme: "http", Host: "up.example"}}}})
		expect.OK(t, err)
		defer g.Close(t.Context()) // it has no connection to wait for
		w := httptest.NewRecorder()
		req := question{body: toolCall(1, "echo", `{}`)}.request(t, "")
		req.Host = "localhost"
		g.ServeHTTP(w, req)
		checkAnswers(t, w)
	})
}

// checkAnswers checks that the one request is answered in weir's own words, and nothing else is.
func checkAnswers(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	var events []read
	if w.Header().Get("Content-Type") == mediaEvents {
		events = readAll(t, w.Body)
	} else {
		events = []read{{Data: w.Body.String()}}
	}
	answers, resumes := 0, false
	for _, ev := range events {
		resumes = resumes || ev.Event.id != ""
		if ev.Data == "" {
			continue
		}
		messages, batch, err := jsonrpc.ParseBody([]byte(ev.Data))
		if err != nil || batch {
			t.Fatalf("%q is no message: %v", ev.Data, err)
		}
		if m := messages[0]; m.Kind == jsonrpc.Response {
			answers++
			if m.ID != jsonrpc.IntID(1) || !strings.Contains(ev.Data, "[weir]") && !strings.Contains(ev.Data, "the MCP server up failed") {
				t.Errorf("the client is told %q", ev.Data)
			}
		}
	}
	if answers > 1 || answers == 0 && !resumes {
		t.Errorf("%d answers: %+v", answers, events)
	}
}
