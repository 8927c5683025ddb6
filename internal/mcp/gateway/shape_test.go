package gateway

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// What is no request of MCP is refused before anything is sent.
func TestShape(t *testing.T) {
	s := &script{answer: says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{}}`)}
	b := newBench(t, Config{Bounds: Bounds{Message: 1000}}, remoteServer(t, "up", s)).serve()
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, tt := range map[string]struct {
		q      question
		status int
		want   string
	}{
		"another method":     {question{method: http.MethodPut}, 405, "-32600"},
		"head":               {question{method: http.MethodHead}, 405, ""},
		"no server":          {question{path: "/mcp/other", body: ping}, 404, "no server"},
		"no path":            {question{path: "/mcp", body: ping}, 404, "no server"},
		"below a server":     {question{path: "/mcp/up/x", body: ping}, 404, "no server"},
		"page of no origin":  {question{body: ping, header: map[string]string{"Origin": "null"}}, 403, "web pages"},
		"page over TLS":      {question{body: ping, header: map[string]string{"Origin": strings.Replace(b.url, "http:", "https:", 1)}}, 403, "web pages"},
		"web page":           {question{body: ping, header: map[string]string{"Origin": "https://evil.example"}}, 403, "web pages"},
		"accepts JSON":       {question{body: ping, header: map[string]string{"Accept": "application/json"}}, 406, "accept both"},
		"accepts nothing":    {question{body: ping, header: map[string]string{"Accept": ""}}, 406, "accept both"},
		"accepts by q":       {question{body: ping, header: map[string]string{"Accept": "application/json, text/event-stream;q=0.0"}}, 406, "accept both"},
		"listens to JSON":    {question{method: http.MethodGet, header: map[string]string{"Accept": "application/json"}}, 406, "text/event-stream"},
		"content type":       {question{body: ping, header: map[string]string{"Content-Type": "text/plain"}}, 415, "application/json"},
		"no content type":    {question{body: ping, header: map[string]string{"Content-Type": ""}}, 415, "application/json"},
		"charset":            {question{body: ping, header: map[string]string{"Content-Type": "application/json; charset=utf-7"}}, 415, "application/json"},
		"compressed":         {question{body: ping, header: map[string]string{"Content-Encoding": "gzip"}}, 415, "compressed"},
		"too large":          {question{body: `"` + strings.Repeat("x", 1000) + `"`}, 413, "1000 bytes"},
		"not JSON":           {question{body: "{"}, 400, "-32700"},
		"empty":              {question{}, 400, "-32700"},
		"no message":         {question{body: `{"id":1}`}, 400, "-32600"},
		"empty batch":        {question{body: `[]`}, 400, "-32600"},
		"bad in a batch":     {question{body: `[` + ping + `,{"SECRET":1}]`}, 400, "-32600"},
		"batch begins":       {question{body: `[` + initialize + `]`}, 400, "by itself"},
		"unknown version":    {question{body: ping, header: map[string]string{headerVersion: "2031-01-01"}}, 400, `"requested":"2031-01-01"`},
		"odd version":        {question{body: ping, header: map[string]string{headerVersion: "\u202ex"}}, 400, "-32022"},
		"odd last event":     {question{method: http.MethodGet, header: map[string]string{"Last-Event-ID": "\u202e"}}, 400, "Last-Event-ID"},
		"disagreement":       {question{body: ping, header: map[string]string{headerMethod: "tools/list"}}, 400, "-32020"},
		"underscore session": {question{method: http.MethodGet, header: map[string]string{"Mcp_Session_Id": "x"}}, 400, "-32020"},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			a := b.whole(tt.q)
			expect.Equal(t, a.status, tt.status, "%+v", a)
			expect.Text(t, a.body, "", tt.want, "!SECRET")
			if tt.q.method != http.MethodHead {
				if _, _, err := jsonrpc.ParseBody([]byte(a.body)); err != nil || a.header.Get("Content-Type") != mediaJSON {
					t.Errorf("no error of JSON-RPC: %+v", a)
				}
			}
		})
	}
	b.t = t
	if _, bodies := s.seen(); len(bodies) != 0 {
		t.Errorf("the server got %q", bodies)
	}
	b.whole(question{body: ping, header: map[string]string{"Origin": b.url}}).is(t, "own origin", 200)
	for _, accept := range []string{"*/*", "application/*, text/*;q=0.5", "text/event-stream, application/json"} {
		b.whole(question{path: "/mcp/up/", body: ping, header: map[string]string{"Accept": accept}}).is(t, accept, 200)
	}
}

// A header that is there twice says two things.
func TestHeadersTwice(t *testing.T) {
	s := &script{answer: says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{}}`)}
	b := newBench(t, Config{}, remoteServer(t, "up", s)).serve()
	for _, name := range []string{headerVersion, headerSession, headerLastEvent, "Content-Type"} {
		method := http.MethodPost
		if name == headerLastEvent {
			method = http.MethodGet
		}
		req := question{method: method, body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`}.request(t, b.url)
		req.Header[name] = []string{"application/json", "application/json"}
		resp, err := http.DefaultClient.Do(req)
		expect.OK(t, err)
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != 400 && resp.StatusCode != 415 {
			t.Errorf("%s: %d %s", name, resp.StatusCode, body)
		}
	}
}

// A gateway needs to know who may use it and who judges.
func TestNewRefuses(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("nothing is enough")
	}
	admit, err := admission.New(admission.Config{})
	expect.OK(t, err)
	if _, err := New(Config{Admission: admit, Judge: &referee{}, Servers: []Server{{ID: "x"}}}); err == nil {
		t.Error("a server of no type is taken")
	}
}

// Who wants to know is told of each request.
func TestServed(t *testing.T) {
	served := make(chan Served, 2)
	s := &script{answer: says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{}}`)}
	b := newBench(t, Config{Served: func(s Served) { served <- s }}, remoteServer(t, "up", s)).serve()
	b.whole(question{body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`})
	b.whole(question{path: "/mcp/x", method: "BREW"})
	if got := <-served; got.Server != "up" || got.Method != "POST" || got.Status != 200 {
		t.Errorf("%+v", got)
	}
	if got := <-served; got.Server != "" || got.Method != "other" || got.Status != 405 {
		t.Errorf("%+v", got)
	}
}
