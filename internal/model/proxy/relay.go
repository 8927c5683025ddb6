package proxy

import (
	"io"
	"net/http"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
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
	plain, err := decode(wire, encodings(resp.Header), x.Account.Share(budget.Responses))
	if err != nil {
		x.broken(wire, err)
		return
	}
	lines := frame.NewLines(plain, x.door.cfg.Bounds.Frame)
	lines.Charge(x.Account.Share(budget.Responses))
	defer lines.Release()
	x.relay(wire, &out{x: x, resp: resp, framing: frame.Rows}, lines)
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
