package gateway

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// An event is the fields of a server-sent event beside its message.
type event struct {
	name  string // "": it has none
	id    string // "": it has none
	retry string // how long a client waits before it reconnects, in milliseconds; "": not given
	empty bool   // it has data of zero bytes
	bare  bool   // it has no message, only an id or a retry time
}

// An eventReader reads the events of a server's stream.
type eventReader struct{ frames *frame.SSE }

func newEventReader(src io.Reader, maxEvent int, room *budget.Share) eventReader {
	frames := frame.NewSSE(src, maxEvent)
	frames.Charge(room)
	return eventReader{frames}
}

// next returns the next event and a copy of its data; nil: none. Events without data, id and retry time are skipped. An event that
// the end of the stream cut off is skipped, too: not every client would read it.
func (r eventReader) next() (event, []byte, error) {
	for {
		f, err := r.frames.Next()
		if err != nil {
			return event{}, nil, err
		}
		if f.Cut {
			continue
		}
		ev := readFields(f.Raw)
		if plainText(string(f.Type)) {
			ev.name = string(f.Type)
		}
		if len(f.Data) > 0 {
			ev.empty = false
			return ev, bytes.Clone(f.Data), nil
		}
		if ev.id != "" || ev.retry != "" {
			return ev, nil, nil
		}
	}
}

// readFields finds the fields of an event that a frame.Frame does not have.
func readFields(raw []byte) (ev event) {
	for name, value := range streamable.Fields(raw) {
		switch name {
		case "id":
			if len(value) <= streamable.MaxEventID && plainText(value) {
				ev.id = value
			}
		case "retry":
			if value != "" && len(value) <= 9 && strings.Trim(value, "0123456789") == "" {
				ev.retry = value
			}
		case "data":
			ev.empty = true
		}
	}
	return ev
}

// plainText says whether a line or a header can hold a text without escapes.
func plainText(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(c rune) bool {
		return c == utf8.RuneError || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	}) < 0
}

// appendEvent appends an event in a form that all clients read the same. m is nil for an event without a message.
func appendEvent(dst []byte, ev event, m *jsonrpc.Message) []byte {
	for _, f := range []struct{ name, value string }{{"event: ", ev.name}, {"id: ", ev.id}, {"retry: ", ev.retry}} {
		if f.value != "" {
			dst = append(append(append(dst, f.name...), f.value...), '\n')
		}
	}
	switch {
	case m != nil:
		dst = append(m.AppendLine(append(dst, "data: "...)), '\n')
	case ev.empty:
		dst = append(dst, "data: \n"...)
	}
	return append(dst, '\n')
}

// A sequence gives the events of one stream their ids. A client that lost its stream asks for the events after the last id that it
// got. So an id is sent only when all earlier events are settled. An event that overtakes another one, which waits for the judge,
// is sent without its id; the overtaken event is sent with that id later.
type sequence struct {
	open []*position // in the order in which the events came
}

// A position is the position of an event in a sequence.
type position struct {
	id      string
	settled bool
}

// add adds an event that arrived.
func (s *sequence) add(id string) *position {
	p := &position{id: id}
	s.open = append(s.open, p)
	return p
}

// settle notes that an event is sent now, or dropped. It returns the id to send; "": none.
func (s *sequence) settle(p *position) (id string) {
	p.settled = true
	for len(s.open) > 0 && s.open[0].settled {
		if s.open[0].id != "" {
			id = s.open[0].id
		}
		s.open = s.open[1:]
	}
	return id
}
