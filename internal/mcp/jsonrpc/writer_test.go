package jsonrpc_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// recorder keeps what each Write wrote.
type recorder struct{ writes []string }

func (r *recorder) Write(p []byte) (int, error) {
	r.writes = append(r.writes, string(p))
	return len(p), nil
}

func TestWriter(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"as it is":        {` { "jsonrpc" :"2.0",  "method": "\u006e","params":{"x":1.0e0 , "y":"a\/b  \n" } } `, `{ "jsonrpc" :"2.0",  "method": "\u006e","params":{"x":1.0e0 , "y":"a\/b  \n" } }`},
		"lines":           {"{\n  \"jsonrpc\": \"2.0\",\r\n\t\"method\" : \"n  n\"\r}", `{"jsonrpc": "2.0","method" : "n  n"}`},
		"blanks and ends": {"{\"jsonrpc\":\"2.0\" \t\n \r \n , \"method\":\"n\"}", `{"jsonrpc":"2.0", "method":"n"}`},
		"separators": {
			"{\"jsonrpc\":\"2.0\",\"method\":\"a\u0085b\u2028c\u2029d\u2027e\u0086f\"}",
			"{\"jsonrpc\":\"2.0\",\"method\":\"a\\u0085b\\u2028c\\u2029d\u2027e\u0086f\"}",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out recorder
			w := jsonrpc.NewWriter(&out)
			m := one(t, tt.in)
			expect.OK(t, errors.Join(w.Write(m), w.WriteBatch([]*jsonrpc.Message{m, m})))
			expect.Same(t, []string{tt.want + "\n", "[" + tt.want + "," + tt.want + "]\n"}, out.writes)
			if got := one(t, out.writes[0]); got.Method != m.Method {
				t.Errorf("method %q became %q", m.Method, got.Method)
			}
		})
	}
}

// Messages of several goroutines do not mix.
func TestWriterIsShared(t *testing.T) {
	var out recorder
	w := jsonrpc.NewWriter(&out)
	var all sync.WaitGroup
	var want []string
	for i := range 50 {
		text := fmt.Sprintf(`{"jsonrpc":"2.0","method":"%s"}`, strings.Repeat("m", 1+i*100))
		want = append(want, text+"\n")
		m := one(t, text)
		all.Go(func() {
			expect.Is(t, w.Write(m), nil)
		})
	}
	all.Wait()
	expect.Same(t, slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(out.writes)))
}

// shortWriter takes one byte less than it is given, once.
type shortWriter struct{ calls int }

func (w *shortWriter) Write(p []byte) (int, error) {
	w.calls++
	return len(p) - 1, nil
}

// Nothing follows half a message.
func TestWriterStaysBroken(t *testing.T) {
	out := &shortWriter{}
	w := jsonrpc.NewWriter(out)
	for range 2 {
		expect.Is(t, w.Write(one(t, note)), io.ErrShortWrite)
	}
	expect.Equal(t, out.calls, 1, "%d writes after the first failed", out.calls-1)
}
