package gateway

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// read is an event as the reader returned it.
type read struct {
	Event event
	Data  string
}

func readAll(t testing.TB, src io.Reader) (events []read) {
	t.Helper()
	r := newEventReader(src, 1<<20, nil)
	for {
		ev, data, err := r.next()
		if err != nil {
			return events
		}
		events = append(events, read{ev, string(data)})
	}
}

func TestEventReader(t *testing.T) {
	for name, tt := range map[string]struct {
		stream string
		want   []read
	}{
		"plain":           {"data: {}\n\n", []read{{event{}, "{}"}}},
		"all fields":      {"event: message\nid: 7\nretry: 10\ndata: {}\n\n", []read{{event{name: "message", id: "7", retry: "10"}, "{}"}}},
		"no blanks":       {"id:7\ndata:{}\n\n", []read{{event{id: "7"}, "{}"}}},
		"CRLF":            {"id: 7\r\ndata: {}\r\n\r\n", []read{{event{id: "7"}, "{}"}}},
		"CR":              {"id: 7\rdata: {}\r\r", []read{{event{id: "7"}, "{}"}}},
		"several lines":   {"data: {\ndata: }\n\n", []read{{event{}, "{\n}"}}},
		"byte order mark": {"\ufeffid: 7\ndata: {}\n\n", []read{{event{id: "7"}, "{}"}}},
		"priming":         {"id: 7\ndata:\n\n", []read{{event{id: "7", empty: true}, ""}}},
		"only an id":      {"id: 7\n\n", []read{{event{id: "7"}, ""}}},
		"the last id":     {"id: 7\nid: 8\ndata: {}\n\n", []read{{event{id: "8"}, "{}"}}},
		"comments":        {": x\n\n: y\ndata: {}\n\n", []read{{event{}, "{}"}}},
		"odd id":          {"id: \x00\ndata: {}\n\n", []read{{event{}, "{}"}}},
		"long id":         {"id: " + strings.Repeat("x", streamable.MaxEventID+1) + "\ndata: {}\n\n", []read{{event{}, "{}"}}},
		"odd retry":       {"retry: 1s\ndata: {}\n\n", []read{{event{}, "{}"}}},
		"cut off":         {"data: {}\n\nid: 8\ndata: {}", []read{{event{}, "{}"}}},
		"odd name":        {"event: a\u202eb\ndata: {}\n\n", []read{{event{}, "{}"}}},
	} {
		for _, src := range []io.Reader{strings.NewReader(tt.stream), iotest.OneByteReader(strings.NewReader(tt.stream))} {
			expect.NoDiff(t, cmp.Diff(tt.want, readAll(t, src), cmp.AllowUnexported(event{})), "%s", name)
		}
	}
}

// What is written is read as the same.
func FuzzEvent(f *testing.F) {
	f.Add([]byte("event: message\nid: 7\nretry: 10\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\\u2028b\"}\n\n"))
	f.Add([]byte("id: 1\ndata:\n\nid: 2\r\ndata: [\r\ndata: ]\r\n\r\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		for _, ev := range readAll(t, bytes.NewReader(stream)) {
			var m *jsonrpc.Message
			if ev.Data != "" {
				messages, batch, err := jsonrpc.ParseBody([]byte(ev.Data))
				if err != nil || batch {
					continue
				}
				m = messages[0]
				ev.Data = string(m.AppendLine(nil))
			}
			written := appendEvent(nil, ev.Event, m)
			expect.NoDiff(t, cmp.Diff([]read{ev}, readAll(t, bytes.NewReader(written)), cmp.AllowUnexported(event{})), "%q", written)
		}
	})
}

// Whenever a client loses its stream, what comes after the last id that it saw has all that it did not get.
func TestSequenceLosesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var s sequence
		n := 1 + random.IntN(8)
		places := make([]*position, n)
		for i := range places {
			places[i] = s.add(string(rune('a' + i)))
		}
		seen := map[int]bool{}
		last := -1
		for _, i := range random.Perm(n) {
			if id := s.settle(places[i]); id != "" {
				last = int(id[0] - 'a')
			}
			seen[i] = true
			for j := 0; j <= last; j++ {
				if !seen[j] {
					t.Fatalf("after event %d the client asks for what comes after %d, and has not seen %d", i, last, j)
				}
			}
		}
		if last != n-1 || len(s.open) != 0 {
			t.Fatalf("%d of %d", last, n)
		}
	}
}
