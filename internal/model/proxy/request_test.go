package proxy

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A flusher is what every compressor here is.
type flusher interface {
	io.WriteCloser
	Flush() error
}

// compressors open writers, by what the header calls them. "raw" is deflate as some servers take it.
var compressors = map[string]func(io.Writer) flusher{
	"gzip":    func(w io.Writer) flusher { return gzip.NewWriter(w) },
	"deflate": func(w io.Writer) flusher { return zlib.NewWriter(w) },
	"raw":     func(w io.Writer) flusher { f, _ := flate.NewWriter(w, 6); return f },
	"br":      func(w io.Writer) flusher { return brotli.NewWriter(w) },
	"zstd":    func(w io.Writer) flusher { z, _ := zstd.NewWriter(w); return z },
}

// compress encodes body, in order, with what names lists.
func compress(t *testing.T, body, names string) string {
	t.Helper()
	for name := range strings.SplitSeq(names, ",") {
		open := compressors[strings.TrimSpace(name)]
		if open == nil {
			continue
		}
		var buf bytes.Buffer
		w := open(&buf)
		if _, err := io.WriteString(w, body); err != nil {
			t.Fatal(err)
		}
		expect.OK(t, w.Close())
		body = buf.String()
	}
	return body
}

// header is the name of an encoding on the wire.
func headerName(encoding string) string { return strings.ReplaceAll(encoding, "raw", "deflate") }

func TestRequestHeaders(t *testing.T) {
	got := make(chan http.Header, 1)
	host := make(chan string, 1)
	b := newBench(t, func(_ http.ResponseWriter, r *http.Request) {
		got <- r.Header
		host <- r.Host
	})
	b.ask(true,
		"Anthropic-Version", "2023-06-01", "Anthropic-Beta", "a", "Anthropic-Beta", "b",
		"X-Forwarded-For", "192.0.2.1", "Connection", "keep-alive, X-Hop", "X-Hop", "1", "Keep-Alive", "5", "Te", "trailers",
		"Proxy-Authorization", "secret", "Proxy-Connection", "close", "X-Weir-Session", "s", "Range", "bytes=0-1",
		"If-Range", "x", "Expect", "100-continue", "User-Agent", "")
	want := http.Header{
		"Accept-Encoding": {"identity"}, "Anthropic-Version": {"2023-06-01"}, "Anthropic-Beta": {"a", "b"},
		"X-Forwarded-For": {"192.0.2.1"}, "Content-Length": {"27"},
	}
	expect.Same(t, want, <-got)
	if h := <-host; !strings.HasSuffix(b.upstream.URL, h) {
		t.Errorf("the upstream is called %q", h)
	}
}

func TestRequestBodies(t *testing.T) {
	const plain = `{"model":"m","messages":[]}`
	got := make(chan string, 1)
	b := newBench(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		expect.Equal(t, r.Header.Get("Content-Encoding"), "", "the encoding is still named")
		got <- string(body)
	}, func(c *Config) { c.Bounds.Request = 1000 })
	for _, names := range []string{"", "identity", "gzip", "deflate", "raw", "br", "zstd", "gzip, br", "zstd,identity, gzip,deflate"} {
		r := b.do("POST", "/anthropic/v1/messages", compress(t, plain, names), "Content-Encoding", headerName(names))
		if r.StatusCode != 200 {
			t.Fatalf("%q: status %d: %s", names, r.StatusCode, r.body)
		}
		expect.Equal(t, <-got, plain, "%q: sent", names)
	}
	large := strings.Repeat("a", 1001)
	for _, c := range []struct {
		name, encoding, body string
		status               int
	}{
		{"too large", "", large, 413},
		{"too large once decompressed", "gzip", compress(t, large, "gzip"), 413},
		{"bomb", "br", compress(t, strings.Repeat("a", 1<<22), "br"), 413},
		{"unknown encoding", "lzma", "x", 400},
		{"too many encodings", "gzip,gzip,gzip,gzip", compress(t, "x", "gzip,gzip,gzip,gzip"), 400},
		{"not in its encoding", "gzip", "plainly not", 400},
		{"cut off", "gzip", compress(t, plain, "gzip")[:20], 400},
		{"more behind the end", "deflate", compress(t, plain, "deflate") + "x", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.mustFail(b.do("POST", "/anthropic/v1/messages", c.body, "Content-Encoding", c.encoding), c.status, true)
		})
	}
	select {
	case body := <-got:
		t.Errorf("a refused request reached the upstream: %q", body)
	default:
	}
}

func TestChunkedRequestOverTheBound(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), func(c *Config) { c.Bounds.Request = 4 })
	resp := b.raw("POST /anthropic/v1/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
	expect.Equal(t, resp.StatusCode, http.StatusRequestEntityTooLarge, "status")
}
