package llm

import (
	"bufio"
	"bytes"
	"io"
	"net/http"

	"github.com/weir-gate/weir/internal/budget"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/frame"
)

// relay passes on a stream in which no model speaks, frame by frame. What could be a call ends it.
func (x *exchange) relay(wire *wire, out *out, in frame.Stream) {
	for {
		f, err := in.Next()
		switch {
		case err == io.EOF: //nolint:errorlint // streams return a clean end bare
			x.put(out, in.AppendEnd(nil))
			return
		case err != nil:
			x.abort(brokenReason(wire))
		case mayCarryCall(f.Data) && out.framing == frame.Chunks:
			// The framing has words for a failure.
			x.refuseRequest(dialect.Refused{Code: call.CodeUnrecognised, Reason: unrecognised.Reason})
			x.put(out, in.Append(nil, frame.Frame{Failure: true, Type: []byte("validationException"), Data: []byte(
				`{"message":` + dialect.Quote(dialect.ResponseNotice(unrecognised)) + `}`)}))
			return
		case mayCarryCall(f.Data):
			x.breakOff("an answer that should hold no model output has the shape of a call")
		case out.framing == frame.Rows && len(f.Data) > 0 && !isJSON(f.Data):
			x.breakOff("an answer in lines of JSON has a line that is none")
		}
		if out.framing == frame.Rows {
			x.put(out, f.Raw) // a last line without an end stays so
		} else {
			x.put(out, in.Append(nil, f))
		}
	}
}

// relayProgress passes on how a change of a model server's models goes, line by line. The upstream's settings allow it.
func (x *exchange) relayProgress(wire *wire, resp *http.Response) {
	plain, err := decode(wire, encodings(resp.Header), x.account.Share(budget.Responses))
	if err != nil {
		x.broken(wire, err)
		return
	}
	lines := frame.NewLines(plain, x.door.cfg.Bounds.Frame)
	lines.Charge(x.account.Share(budget.Responses))
	defer lines.Release()
	x.relay(wire, &out{x: x, resp: resp, framing: frame.Rows}, lines)
}

// relayContent passes on a file that is not JSON. A line in it that is JSON all the same, and could be a call, ends it: a
// reader of lines may skip what it cannot read.
func (x *exchange) relayContent(wire *wire, resp *http.Response, a *answer) {
	out := &out{x: x, resp: resp, framing: frame.Whole}
	in := bufio.NewReaderSize(a.plain, 64<<10)
	if head, _ := in.Peek(4); isWideJSON(head) {
		x.refuse(resp, notJSON)
		return
	}
	for {
		line, err := x.nextLine(in)
		if lineCarriesCall(line) {
			_ = out.Flush() // the client may have what came before
			x.breakOff("a file has a line with the shape of a call")
		}
		if _, gone := out.Write(line); gone != nil || in.Buffered() == 0 && out.Flush() != nil {
			x.abort("the client is gone")
		}
		switch {
		case err == io.EOF: //nolint:errorlint // only io.EOF itself is a clean end
			return
		case err != nil:
			x.abort(brokenReason(wire))
		}
	}
}

// isWideJSON says whether a body begins as JSON does in one of the encodings that have two or four bytes for a character. Some
// readers find out about those by themselves.
func isWideJSON(head []byte) bool {
	narrow := bytes.Trim(head, "\x00\xff\xfe")
	return len(narrow) < len(head) && len(narrow) > 0 && bytes.IndexByte([]byte("{[\" \t\r\n"), narrow[0]) >= 0
}

// longLine is how much of a line is looked at that does not begin as JSON does.
const longLine = 1 << 20

// nextLine reads to the end of a line, at LF, CR or the mark that begins a record; of one that does not begin as JSON does, no
// more than is needed to see that.
func (x *exchange) nextLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		b, err := in.ReadByte()
		if err != nil {
			return line, err
		}
		line = append(line, b)
		switch {
		case b == '\n' || b == '\r':
			return line, nil
		case len(line) > x.door.cfg.Bounds.Frame:
			return nil, frame.ErrOversize
		case len(line) >= longLine && !mayBecomeJSON(line):
			return line, nil
		}
	}
}

// mayBecomeJSON says whether a line begins as JSON does, or is blank so far.
func mayBecomeJSON(line []byte) bool {
	rest := bytes.TrimLeft(line, " \t\x1e\ufeff")
	rest = bytes.TrimLeft(bytes.TrimPrefix(rest, []byte("data:")), " \t")
	return len(rest) == 0 || rest[0] == '{' || rest[0] == '['
}

// breakOff ends an answer of which the client has some already, and records why.
func (x *exchange) breakOff(why string) {
	x.refuseRequest(dialect.Refused{Code: call.CodeMalformed, Reason: why})
	x.abort(why)
}

// put sends bytes to the client, and the header before the first.
func (x *exchange) put(out *out, b []byte) {
	_, err := out.Write(b)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		x.abort("the client is gone")
	}
}
