package reach

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A told event is what a test knows of one, with what was known of the stream after it.
type told struct {
	Name, Data, LastID string
	Retry              time.Duration
}

// readEvents reads a stream to its end.
func readEvents(src io.Reader) (list []told, end error) {
	s := newEvents(src, 1<<16)
	for {
		e, err := s.next()
		if err != nil {
			return list, err
		}
		list = append(list, told{e.name, string(e.data), s.lastID, s.retry})
	}
}

func TestEvents(t *testing.T) {
	tests := map[string]struct {
		text string
		want []told
	}{
		"ids stay":       {"id: 1\ndata: a\n\ndata: b\n\n", []told{{"", "a", "1", 0}, {"", "b", "1", 0}}},
		"without data":   {"id:2\n\n", []told{{"", "", "2", 0}}},
		"last id counts": {"id: 1\nid: 2\ndata: a\n\n", []told{{"", "a", "2", 0}}},
		"taken back":     {"id: 1\ndata: a\n\nid\ndata: b\n\n", []told{{"", "a", "1", 0}, {"", "b", "", 0}}},
		"with NUL":       {"id: a\x00b\ndata: a\n\n", []told{{"", "a", "", 0}}},
		"too long":       {"id: " + strings.Repeat("x", 1025) + "\ndata: a\n\n", []told{{"", "a", "", 0}}},
		"with blanks":    {"id:  a\ndata: a\n\nid: a b\n\n", []told{{"", "a", "", 0}, {"", "", "a b", 0}}},
		"in data":        {"data: id: 1\n\n", []told{{"", "id: 1", "", 0}}},
		"in a comment":   {":id: 1\nid : 2\nID: 3\ndata: a\n\n", []told{{"", "a", "", 0}}},
		"CR":             {"id: 1\rdata: a\r\rid: 2\rdata: b\r\r", []told{{"", "a", "1", 0}, {"", "b", "2", 0}}},
		"CRLF":           {"id: 1\r\nretry: 7\r\ndata: a\r\n\r\n", []told{{"", "a", "1", 7 * time.Millisecond}}},
		"mark":           {"\ufeffid: 1\ndata: a\n\n", []told{{"", "a", "1", 0}}},
		"odd retry":      {"retry: -1\nretry: 1.5\nretry: x\nretry\ndata: a\n\n", []told{{"", "a", "", 0}}},
		"long retry":     {"retry: 4000000000\ndata: a\n\n", []told{{"", "a", "", 30 * time.Second}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, end := readEvents(strings.NewReader(test.text))
			expect.Same(t, test.want, got)
			expect.Is(t, end, io.EOF, "it ended with")
		})
	}
}

// A stream that fails is broken, and nothing that its source says of it is shown.
func TestEventsBroken(t *testing.T) {
	_, end := readEvents(io.MultiReader(strings.NewReader("data: a\n\n"), iotest.ErrReader(errors.New("SECRET"))))
	if !errors.Is(end, errBroken) || strings.Contains(end.Error(), "SECRET") {
		t.Error(end)
	}
}

// modelEvents reads a stream line by line, as the rules are written.
func modelEvents(text string) (list []told) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	lines := strings.Split(text, "\n")
	var e told
	var data []string
	for _, line := range lines[:len(lines)-1] { // the last has no end
		line = strings.TrimPrefix(line, "\ufeff")
		if line == "" {
			e.Data = strings.Join(data, "\n")
			list = append(list, e)
			e.Name, data = "", nil
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			e.Name = value
		case "data":
			data = append(data, value)
		case "id":
			e.LastID = ""
			if len(value) <= streamable.MaxEventID && strings.TrimFunc(value, func(r rune) bool { return r == ' ' }) == value &&
				!strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
				e.LastID = value
			}
		}
	}
	return list
}

// Events that tell nothing may be told in another number.
func telling(list []told) (kept []told) {
	for _, e := range list {
		e.Retry = 0
		if e.Data != "" {
			kept = append(kept, e)
		}
	}
	return kept
}

func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"event: endpoint\ndata: /messages?id=1\n\n", "id: 1\nretry: 5\ndata:\n\ndata: {}\r\n\r\n", "\ufeffdata: a\rdata: b\r\r",
		": comment\n\n\n\nevent\ndata\n\n", "data: a\n", "id: \x00\ndata: \xff\n\n", "data: a\r\n\r\r\ndata: b\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<12 {
			return
		}
		got, end := readEvents(bytes.NewReader(text))
		if !errors.Is(end, io.EOF) && !errors.Is(end, errBroken) {
			t.Errorf("it ended with %v", end)
		}
		pieces, pieceEnd := readEvents(iotest.OneByteReader(bytes.NewReader(text)))
		if diff := cmp.Diff(got, pieces); diff != "" || !errors.Is(pieceEnd, end) {
			t.Errorf("in pieces: %s %v %v", diff, end, pieceEnd)
		}
		expect.NoDiff(t, cmp.Diff(telling(modelEvents(string(text))), telling(got)), "by the rules")
	})
}

// FuzzMessages has whatever a stream says handed on: nothing is lost, hangs, or is handed on twice for a request.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n", "data: [{\"jsonrpc\":\"2.0\",\"method\":\"n\"}]\n\n", "data: {\n\n",
		"data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"error\":{\"code\":1,\"message\":\"x\"}}\n\n", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		box := newInbox()
		d := &delivery{inbox: box, awaited: awaited}
		go func() {
			src := newEvents(bytes.NewReader(text), 1<<12)
			for {
				e, err := src.next()
				if err != nil {
					break
				}
				if e.isMessage() && !d.deliver(e.data) {
					t.Error("nobody receives")
				}
				if d.answered {
					break
				}
			}
			d.finish("it did not come")
			box.end(io.EOF)
		}()
		answers := 0
		for {
			m, err := box.Receive(t.Context())
			refused, isRefused := asRefused(err)
			switch {
			case err == nil && m.ID == awaited && isResponse(m.Kind):
				answers++
			case isRefused && refused.ID == awaited && isResponse(refused.Kind):
				answers++
			case errors.Is(err, io.EOF):
				if answers < 1 {
					t.Errorf("%d answers", answers)
				}
				return
			case err != nil && !isRefused:
				t.Fatal(err)
			}
		}
	})
}
