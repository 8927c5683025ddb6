package proxy

import (
	"io"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// relay sends on a stream without model output, frame by frame. It ends the stream at a frame that could be a call.
func (a *answering) relay(out *out, in frame.Stream) {
	for {
		f, err := in.Next()
		switch {
		case err == io.EOF: // streams return a clean end bare
			a.put(out, in.AppendEnd(nil))
			return
		case err != nil:
			a.abort(a.brokenReason())
		case mayCarryCall(f.Data) && out.framing == frame.Chunks:
			// This framing has frames for failures.
			a.refuseExchange(dialect.Refused{Code: call.CodeUnrecognised, Reason: unrecognised.Reason})
			a.put(out, in.Append(nil, frame.Frame{Failure: true, Type: []byte("validationException"), Data: []byte(
				`{"message":` + dialect.Quote(dialect.ResponseNotice(unrecognised)) + `}`)}))
			return
		case mayCarryCall(f.Data):
			a.breakOff("a response that should hold no model output has the shape of a call")
		case out.framing == frame.Rows && len(f.Data) > 0 && !isJSON(f.Data):
			a.breakOff("a response in lines of JSON has a line that is not JSON")
		}
		if out.framing == frame.Rows {
			a.put(out, f.Raw) // a last line without a line break stays so
		} else {
			a.put(out, in.Append(nil, f))
		}
	}
}

// relayProgress sends on the progress of a change of a model server's models, line by line. The configuration of the upstream
// allows such changes.
func (a *answering) relayProgress() {
	plain, err := decode(a.wire, encodings(a.resp.Header), a.Account.Share(budget.Responses))
	if err != nil {
		a.broken(err)
		return
	}
	lines := frame.NewLines(plain, a.door.cfg.Bounds.Frame)
	lines.Charge(a.Account.Share(budget.Responses))
	defer lines.Release()
	a.relay(&out{a: a, framing: frame.Rows}, lines)
}

// breakOff ends a response whose beginning was already sent, and records why.
func (a *answering) breakOff(why string) {
	a.refuseExchange(dialect.Refused{Code: call.CodeMalformed, Reason: why})
	a.abort(why)
}

// put sends bytes to the client, and the header before the first.
func (a *answering) put(out *out, b []byte) {
	_, err := out.Write(b)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		a.abort(clientGone)
	}
}
