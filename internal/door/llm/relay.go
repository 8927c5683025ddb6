package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"

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
	plain, err := decode(wire, encodings(resp.Header))
	if err != nil {
		x.broken(wire, err)
		return
	}
	lines := frame.NewLines(plain, x.door.cfg.Bounds.Frame)
	defer lines.Release()
	x.relay(wire, &out{x: x, resp: resp, framing: frame.Rows}, lines)
}

// relayContent passes on a file that is not JSON. A line in it that is JSON all the same, and could be a call, ends it: a
// reader of lines may skip what it cannot read.
func (x *exchange) relayContent(wire *wire, resp *http.Response, a *answer) {
	out := &out{x: x, resp: resp, framing: frame.Whole}
	in := bufio.NewReaderSize(a.plain, 64<<10)
	for begins := true; ; {
		piece, err := in.ReadSlice('\n')
		ended := len(piece) > 0 && piece[len(piece)-1] == '\n'
		if begins && startsJSON(piece) && !ended && errors.Is(err, bufio.ErrBufferFull) {
			piece, err = x.restOfLine(piece, in)
			ended = true
		}
		if begins && startsJSON(piece) && mayCarryCall(piece) {
			x.breakOff("a file has a line with the shape of a call")
		}
		x.put(out, piece)
		switch {
		case err == io.EOF: //nolint:errorlint // only io.EOF itself is a clean end
			return
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			x.abort(brokenReason(wire))
		}
		begins = ended
	}
}

// breakOff ends an answer of which the client has some already, and records why.
func (x *exchange) breakOff(why string) {
	x.refuseRequest(dialect.Refused{Code: call.CodeMalformed, Reason: why})
	x.abort(why)
}

// restOfLine reads a line that is longer than the buffer to its end.
func (x *exchange) restOfLine(begin []byte, in *bufio.Reader) ([]byte, error) {
	line := bytes.Clone(begin)
	for {
		piece, err := in.ReadSlice('\n')
		if line = append(line, piece...); len(line) > x.door.cfg.Bounds.Frame {
			return nil, frame.ErrOversize
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func startsJSON(line []byte) bool {
	b := firstByte(line)
	return b == '{' || b == '['
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
