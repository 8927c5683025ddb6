package outgoing

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestForwardHeaders(t *testing.T) {
	src := http.Header{
		"Connection": {"keep-alive, X-Hop", "x-second"}, "X-Hop": {"a"}, "X-Second": {"a"}, "Keep-Alive": {"a"}, "Te": {"a"}, "Trailer": {"a"},
		"Transfer-Encoding": {"a"}, "Upgrade": {"a"}, "Proxy-Authorization": {"a"}, "Proxy-Connection": {"a"}, "Proxy-Anything": {"a"},
		"Content-Length": {"a"}, "Content-Type": {"a"}, "Content-Encoding": {"a"}, "Content-Digest": {"a"}, "Expect": {"a"},
		"Host": {"a"}, "Accept": {"a"}, "Accept-Encoding": {"a"}, "Origin": {"a"}, "Referer": {"a"}, "Sec-Fetch-Mode": {"a"},
		"X-Weir-Key": {"a"}, "x-weir-session": {"a"}, "Forwarded": {"a"}, "X-Forwarded-For": {"a"}, "x-forwarded-host": {"a"}, "Via": {"a"},
		"Authorization": {"mine"}, "cookie": {"a=b"},
		"Accept-Language": {"de", "en"}, "User-Agent": {"client"}, "Traceparent": {"t"}, "Mcp-Session-Id": {"s"}, "Mcp-Param-City": {"c"},
		"X-Api-Key": {"k"}, "content-x": {"y"},
	}
	want := http.Header{
		"Accept-Language": {"de", "en"}, "User-Agent": {"client"}, "Traceparent": {"t"}, "Mcp-Session-Id": {"s"}, "Mcp-Param-City": {"c"},
		"X-Api-Key": {"k"}, "Content-X": {"y"}, "Content-Type": {"application/json"},
	}
	for _, passthrough := range []bool{false, true} {
		dst := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"replaced"}}
		ForwardHeaders(dst, src, passthrough)
		if passthrough {
			want["Authorization"], want["Cookie"] = []string{"mine"}, []string{"a=b"}
		}
		expect.NoDiff(t, cmp.Diff(want, dst), "passthrough %v", passthrough)
	}
	dst := http.Header{}
	ForwardHeaders(dst, src, false)
	dst["Accept-Language"][0] = "changed"
	expect.Equal(t, src["Accept-Language"][0], "de", "the copy shares its values with the original")
}
