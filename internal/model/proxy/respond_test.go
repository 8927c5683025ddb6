package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestEncodingsOfResponses(t *testing.T) {
	for _, names := range []string{"", "identity", "gzip", "deflate", "raw", "br", "zstd", "gzip, br", "zstd, gzip, deflate"} {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%v", names, stream), func(t *testing.T) {
				body, kind := deniedBody, "application/json"
				if stream {
					body, kind = deniedStream, "text/event-stream; charset=utf-8"
				}
				b := newBench(t, responding(200, compress(t, body, names), "Content-Encoding", headerName(names), "Content-Type", kind))
				r := b.ask(stream)
				if r.err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != kind {
					t.Fatalf("status %d, error %v, type %s", r.StatusCode, r.err, r.Header.Get("Content-Type"))
				}
				expect.Equal(t, r.Header.Get("Content-Encoding"), "", "the encoding is still named")
				b.mustNotLeak(r)
				for _, want := range []string{"hello", `The call to \"Denied\" was refused`} {
					expect.Text(t, r.body, "", want)
				}
			})
		}
	}
}

func TestTextPassesByteForByte(t *testing.T) {
	b := newBench(t, responding(200, textStream, "Content-Type", "text/event-stream"))
	if r := b.ask(true); r.body != textStream {
		t.Error(cmp.Diff(textStream, r.body))
	}
}

// Each piece must reach the client before the upstream sends the next, whatever it is compressed with.
func TestCompressedStreamsAreLive(t *testing.T) {
	pieces := strings.SplitAfter(strings.TrimSuffix(textStream, "\n\n"), "\n\n")
	for name, open := range compressors {
		t.Run(name, func(t *testing.T) {
			next := make(chan struct{})
			b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", headerName(name))
				z := open(w)
				for _, piece := range pieces {
					_, _ = io.WriteString(z, piece)
					_ = z.Flush()
					_ = http.NewResponseController(w).Flush()
					select {
					case <-next:
					case <-r.Context().Done():
						return
					}
				}
				_ = z.Close()
			})
			resp, err := http.Post(b.weir.URL+"/anthropic/v1/messages", "", strings.NewReader(`{"stream":true}`))
			expect.OK(t, err)
			defer resp.Body.Close()
			lines := bufio.NewReader(resp.Body)
			for range len(pieces) - 1 { // the last lacks its end, and comes with that of the stream
				for line := ""; line != "\n"; {
					if line, err = lines.ReadString('\n'); err != nil {
						t.Fatal(err)
					}
				}
				next <- struct{}{}
			}
			next <- struct{}{}
		})
	}
}

func TestUnreadableEncodingsEndTheTurn(t *testing.T) {
	gzipped := compress(t, deniedStream, "gzip")
	for name, answer := range map[string]http.HandlerFunc{
		"unknown":   responding(200, deniedStream, "Content-Encoding", "lzma"),
		"too many":  responding(200, compress(t, deniedStream, "gzip,gzip,gzip,gzip"), "Content-Encoding", "gzip,gzip,gzip,gzip"),
		"not in it": responding(200, deniedStream, "Content-Encoding", "gzip"),
		"zstd":      responding(200, gzipped, "Content-Encoding", "zstd"),
	} {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%v", name, stream), func(t *testing.T) {
				b := newBench(t, answer)
				b.mustRefuseTurn(b.ask(stream), stream, call.CodeUndecodable)
			})
		}
	}
	b := newBench(t, responding(200, deniedStream, "Content-Encoding", "lzma"))
	r := b.do("GET", "/anthropic/v1/models", "")
	b.mustFail(r, 400, true)
	expect.Text(t, r.body, "", "(firewall_blocked, undecodable)")
}

func TestOversizeAndUnrecognisedEndTheTurn(t *testing.T) {
	for name, c := range map[string]struct{ body, code string }{
		"oversize body":        {`{"type":"message","x":"` + strings.Repeat("a", 5000) + `"}`, call.CodeMalformed},
		"oversize first frame": {"data: " + strings.Repeat("a", 5000), call.CodeMalformed},
		"bomb":                 {compress(t, strings.Repeat("a", 1<<22), "gzip"), call.CodeMalformed},
		"page":                 {"<html>log in first</html>", call.CodeMalformed},
		"another format":       {`{"object":"chat.completion","choices":[]}`, call.CodeUnrecognised},
		"two documents":        {`{"x":1}` + "\n\n" + deniedStream, call.CodeMalformed},
		"broken json":          {`{"type":"message",`, call.CodeMalformed},
		"gzip without a name":  {compress(t, deniedBody, "gzip"), call.CodeMalformed},
	} {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%v", name, stream), func(t *testing.T) {
				header := []string{"Content-Type", "text/plain"}
				if name == "bomb" {
					header = append(header, "Content-Encoding", "gzip")
				}
				b := newBench(t, responding(200, c.body, header...), func(c *Config) { c.Bounds.Frame = 4096 })
				b.mustRefuseTurn(b.ask(stream), stream, c.code)
			})
		}
	}
}

func TestContentTypeIsSniffed(t *testing.T) {
	for _, c := range []struct{ name, body, sent, want string }{
		{"stream called json", deniedStream, "application/json", "text/event-stream"},
		{"json called stream", deniedBody, "text/event-stream", "application/json"},
		{"stream", deniedStream, "text/event-stream;charset=UTF-8", "text/event-stream;charset=UTF-8"},
		{"stream in another character set", deniedStream, "text/event-stream; charset=utf-7", "text/event-stream"},
		{"json in another character set", deniedBody, "application/json; charset=utf-16", "application/json"},
		{"unreadable type", deniedBody, "application/json; =", "application/json"},
		{"no type", deniedStream, "", ""},
		{"odd first line", "x: 1\n\n" + deniedStream, "text/event-stream", "text/event-stream"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var header []string
			if c.sent != "" {
				header = []string{"Content-Type", c.sent}
			}
			b := newBench(t, responding(200, c.body, header...))
			r := b.ask(true)
			expect.Equal(t, r.Header.Get("Content-Type"), c.want, "content type")
			b.mustNotLeak(r)
			expect.Text(t, r.body, "the text is missing", "hello")
		})
	}
}

func TestResponseHeaders(t *testing.T) {
	b := newBench(t, responding(200, deniedBody,
		"Request-Id", "req_up", "Anthropic-Ratelimit-Requests-Remaining", "5", "Cache-Control", "no-cache", "Content-Type", "application/json",
		"Location", "https://elsewhere", "Content-Location", "/x", "Alt-Svc", `h3=":443"`, "Set-Cookie", "a=b",
		"Strict-Transport-Security", "max-age=1", "Etag", `"x"`, "Content-Md5", "x", "Access-Control-Allow-Origin", "*",
		"Connection", "X-Hop", "X-Hop", "1", "Keep-Alive", "5", "Proxy-Authenticate", "x", "Trailer", "X-Late", "X-Weir-Request-Id", "forged"))
	r := b.ask(false)
	id := r.Header.Get(requestIDHeader)
	if !strings.HasPrefix(id, "req_") {
		t.Errorf("request id %q", id)
	}
	r.Header.Del("Date")
	r.Header.Del(requestIDHeader)
	want := http.Header{
		"Request-Id": {"req_up"}, "Anthropic-Ratelimit-Requests-Remaining": {"5"}, "Cache-Control": {"no-cache"},
		"Content-Type": {"application/json"},
	}
	expect.Same(t, want, r.Header)
	if r.Trailer != nil {
		t.Errorf("trailers %v", r.Trailer)
	}
	b.mustNotLeak(r)
	if got := b.judge.lastEnd(t).Exchange; got.RequestID != id || got.Provider != "anthropic" || got.Dialect != "anthropic" {
		t.Errorf("recorded as %+v", got)
	}
}

func TestRedirectsAreErrors(t *testing.T) {
	for _, status := range []int{300, 301, 302, 303, 307, 308} {
		b := newBench(t, responding(status, deniedBody, "Location", "https://elsewhere.example/"))
		r := b.ask(true)
		b.mustFail(r, 400, true)
		expect.Equal(t, r.Header.Get("Location"), "", "%d: %v %s", status, r.Header, r.body)
		expect.Text(t, r.body, "", "redirects", "!elsewhere.example")
	}
}

func TestErrorsPassUnchanged(t *testing.T) {
	const native = `{ "type":"error", "error":{"type":"rate_limit_error","message":"slow down"} }`
	for name, c := range map[string]struct{ body, encoding string }{
		"native": {native, ""},
		"coded":  {compress(t, native, "gzip"), "gzip"},
		"page":   {"<html>\ndata: no\n", ""},
		"empty":  {"", ""},
		"other":  {`{"detail":"x"}`, ""},
	} {
		for _, status := range []int{400, 401, 404, 429, 500, 529} {
			t.Run(fmt.Sprintf("%s/%d", name, status), func(t *testing.T) {
				header := []string{"Retry-After", "7", "X-Should-Retry", "true", "Content-Type", "x/y", "Location", "https://e"}
				if c.encoding != "" {
					header = append(header, "Content-Encoding", c.encoding)
				}
				b := newBench(t, responding(status, c.body, header...))
				r := b.ask(true)
				if r.StatusCode != status || r.body != c.body || r.Header.Get("Content-Encoding") != c.encoding {
					t.Errorf("status %d, header %v, body %q", r.StatusCode, r.Header, r.body)
				}
				if r.Header.Get("Retry-After") != "7" || r.Header.Get("X-Should-Retry") != "true" || r.Header.Get("Location") != "" {
					t.Errorf("header %v", r.Header)
				}
			})
		}
	}
}

func TestErrorStatusIsNoWayAround(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		text   string
	}{
		"message":             {responding(500, deniedBody), "refused"},
		"stream":              {responding(500, deniedStream), "refused"},
		"coded stream":        {responding(500, compress(t, deniedStream, "br"), "Content-Encoding", "br"), "refused"},
		"unknown encoding":    {responding(500, deniedStream, "Content-Encoding", "lzma"), "cannot read"},
		"unrecognised stream": {responding(500, "data: {}\n\n"+deniedStream), "cannot read"},
		"oversize":            {responding(500, strings.Repeat(" ", 9000)+deniedBody), "cannot read"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.answer, func(c *Config) { c.Bounds.Frame = 8 << 10 })
			r := b.ask(true)
			expect.Equal(t, r.StatusCode, 500, "status %d: %s", r.StatusCode, r.body)
			expect.Text(t, r.body, "", c.text)
			b.mustNotLeak(r)
		})
	}
}

func TestListedEndpointsPass(t *testing.T) {
	const list = `{"data":[{"id":"m","type":"model"}], "has_more":false}`
	for _, encoding := range []string{"", "gzip"} {
		header := []string{"Content-Type", "application/json"}
		if encoding != "" {
			header = append(header, "Content-Encoding", encoding)
		}
		b := newBench(t, responding(200, compress(t, list, encoding), header...))
		for _, path := range []string{"/anthropic/v1/models", "/bare/v1/models/m"} {
			if r := b.do("GET", path, ""); r.StatusCode != 200 || r.body != list {
				t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
			}
		}
		r := b.do("GET", "/anthropic/v1/models/m/x", "")
		b.mustFail(r, 400, true)
		expect.Equal(t, b.judge.lastEnd(t).Code, call.CodeUnrecognised, "%+v", r.body)
		expect.Text(t, r.body, "", "(firewall_blocked, unrecognised)")
		b.mustFail(b.do("GET", "/bare/v1/what/x", ""), 400, false)
	}
}

func TestKnownShapesAreGatedOnEveryPath(t *testing.T) {
	for _, body := range []string{deniedBody, deniedStream} {
		b := newBench(t, responding(200, body))
		for _, path := range []string{"/anthropic/v1/models", "/bare/v1/models", "/bare/some/thing", "/bare/v1/files/f/content"} {
			r := b.do("GET", path, "")
			b.mustNotLeak(r)
			expect.Text(t, r.body, path, "refused")
		}
	}
	b := newBench(t, responding(200, "{}\n\n"+deniedStream))
	b.mustFail(b.do("GET", "/anthropic/v1/models", ""), 400, true)
}

func TestResponsesWithoutBody(t *testing.T) {
	for _, c := range []struct {
		method string
		status int
	}{{"POST", 200}, {"POST", 204}, {"GET", 304}, {"HEAD", 200}, {"HEAD", 500}, {"HEAD", 302}} {
		b := newBench(t, responding(c.status, "", "X-Kept", "1", "Location", "https://e", "Content-Encoding", "gzip"))
		r := b.do(c.method, "/anthropic/v1/messages", "")
		if r.StatusCode != c.status || r.body != "" || r.Header.Get("X-Kept") != "1" || r.Header.Get("Location") != "" {
			t.Errorf("%s %d: %d %v %q", c.method, c.status, r.StatusCode, r.Header, r.body)
		}
	}
}

// Whoever looks neither at the status nor at the path would find a call in these bodies: they do not pass.
func TestCallsInUnexpectedPlaces(t *testing.T) {
	use := `{"type":"tool_use","id":"t","name":"denied","input":{"path":"` + secretArgument + `"}}`
	for name, body := range map[string]string{
		"no type":             `{"role":"assistant","content":[` + use + `]}`,
		"another format":      `{"choices":[{"message":{"tool_calls":[{"function":{"name":"denied","arguments":"` + secretArgument + `"}}]}}]}`,
		"error with content":  `{"type":"error","error":{"type":"x"},"content":[` + use + `]}`,
		"stream behind a tag": "<!-- \n\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + use + "}\n\n",
		"two documents":       "{}\n\n" + `{"content":[` + use + `]}`,
		"two formats":         `{"type":"message","content":[],"choices":[{"message":{"tool_calls":[{"function":{"name":"denied","arguments":"` + secretArgument + `"}}]}}]}`,
	} {
		for _, status := range []int{200, 400, 500} {
			t.Run(fmt.Sprintf("%s/%d", name, status), func(t *testing.T) {
				b := newBench(t, responding(status, body, "Content-Type", "application/json"))
				for _, path := range []string{"/anthropic/v1/messages", "/anthropic/v1/models"} {
					method := "POST"
					if strings.HasSuffix(path, "models") {
						method = "GET"
					}
					if r := b.do(method, path, "{}"); strings.Contains(r.body, secretArgument) {
						t.Errorf("%s: %s", path, r.body)
					}
				}
			})
		}
	}
}

const secretArgument = "only-in-the-arguments"
