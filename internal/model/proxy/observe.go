package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// errOverrun says that an observer fell so far behind that it was left behind.
var errOverrun = errors.New("the observer fell behind")

// observedRequest builds what goes to the upstream when weir only observes: what the client sent, as it sent it. As
// much as the bound allows is read first; of a larger body the rest is sent as it comes.
func (x *exchange) observedRequest(ctx context.Context) *http.Request {
	src := x.Body
	head := &headReader{r: src, limit: x.door.cfg.Bounds.Request, room: x.Account.Share(budget.Requests)}
	whole, err := head.read()
	x.keepRequest(head.kept)
	if err != nil {
		x.abort("the client broke off its request")
	}
	if whole {
		x.sent = head.kept
		x.size = int64(len(x.sent))
		_ = x.readWants(x.sent) // what cannot be read is forwarded all the same
		return x.addressed(ctx, bytes.NewReader(x.sent))
	}
	req := x.addressed(ctx, io.MultiReader(bytes.NewReader(head.kept), src))
	req.ContentLength = x.R.ContentLength
	if x.kept != nil {
		x.kept.request.Lengthen(x.R.ContentLength)
	}
	return req
}

// observe forwards a response as it is, and has a copy read on the side.
func (x *exchange) observe(wire *wire, resp *http.Response) {
	h := x.W.Header()
	header := resp.Header.Clone()
	httpdoor.RemoveHopByHop(header)
	for name, values := range header {
		h[name] = values
	}
	if h["Content-Type"] == nil {
		h["Content-Type"] = nil // else net/http invents one
	}
	x.SendStatus(resp.StatusCode)
	witness, its := *x, *x.Exchange
	witness.Exchange = &its
	witness.Account = x.Account.Open() // it may last longer
	tap := newTap(2*x.door.cfg.Bounds.Frame, witness.Account.Share(budget.Responses))
	// The client's request may be over long before its record is.
	witness.R = x.R.WithContext(context.WithoutCancel(x.R.Context()))
	x.recorded = true // the witness does it
	x.door.observers.Enter()
	go witness.watch(resp, tap)
	err := x.copyOut(wire, tap)
	if err != nil {
		x.abort("broke off: " + err.Error())
	}
}

// copyOut copies the response to the client and to the tap, and tells the tap how it ended.
func (x *exchange) copyOut(wire *wire, tap *tap) (err error) {
	defer func() { tap.end(err) }()
	buf := make([]byte, 32<<10)
	for {
		n, readErr := wire.Read(buf)
		if n > 0 {
			_, err := x.Write(buf[:n])
			if err == nil {
				err = x.Flush()
			}
			if err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
				return err
			}
			tap.take(buf[:n])
		}
		if readErr == io.EOF { //nolint:errorlint // only io.EOF itself is a clean end
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// watch reads the copy of a response as the gate would have, and has it recorded.
func (x *exchange) watch(resp *http.Response, tap *tap) {
	defer x.door.observers.Leave()
	defer x.Account.Close()
	defer tap.leave()
	defer func() {
		if p := recover(); p != nil {
			x.door.cfg.Log.Error("panic while observing a response", "request", x.id, "panic", panicText(p), "stack", string(debug.Stack()))
		}
	}()
	x.inspectCopy()
	if err := x.judgeCopy(resp, tap); errors.Is(err, errOverrun) {
		x.door.cfg.Log.Warn("stopped observing a response", "request", x.id, "reason", err)
	}
	x.recordFailure()
}

// inspectCopy has recorded what the request offers and brings. Nothing comes of it for the request, which is sent.
func (x *exchange) inspectCopy() {
	room := x.Account.Share(budget.Requests)
	defer room.Free()
	plain, err := decode(bytes.NewReader(x.sent), encodings(x.R.Header), room)
	if err != nil {
		return
	}
	body, err := budget.ReadAll(plain, x.door.cfg.Bounds.Request, budget.Unknown, room)
	if err != nil || room.Add(strictjson.Cost(body)+len(body)) != nil {
		return
	}
	_, _ = x.inspect(x.R.Context(), body)
}

func (x *exchange) judgeCopy(resp *http.Response, tap *tap) error {
	a, err := x.open(resp.Header, tap)
	defer a.close()
	var why *dialect.Refused
	switch {
	case err != nil && !errors.As(err, &why):
		return err
	case why == nil && a.format != nil && !x.otherThanAsked(a.format):
		p := x.passage(a.format, a.framing)
		p.Source, p.In, p.Out = a.source, a.in, discard{}
		x.recorded = true
		return x.door.cfg.Gate.Pass(x.R.Context(), p)
	case resp.StatusCode >= 300 || a.empty && !a.strange || why == nil && a.framing == frame.Whole && x.mayAnswerOtherwise():
		return nil
	}
	if why == nil {
		why = x.unreadableAs(a)
	}
	if f := x.format(); f != nil {
		return x.refuseIn(f, discard{}, *why)
	}
	return nil
}

// A tap is a pipe whose writer never waits. Its reader is left behind if more than limit bytes wait for it.
type tap struct {
	mu    sync.Mutex
	more  *sync.Cond
	kept  bytes.Buffer
	limit int
	room  *budget.Share
	err   error // what follows the bytes kept; nil: more may come
}

func newTap(limit int, room *budget.Share) *tap {
	t := &tap{limit: limit, room: room}
	t.more = sync.NewCond(&t.mu)
	return t
}

func (t *tap) take(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		if t.kept.Len()+len(p) > t.limit || t.room.Set(t.kept.Len()+len(p)) != nil {
			t.kept, t.err = bytes.Buffer{}, errOverrun
			t.room.Free()
		} else {
			t.kept.Write(p)
		}
		t.more.Signal()
	}
}

// leave says that nobody reads any more.
func (t *tap) leave() { t.end(errOverrun) }

// end says that no more comes, and why; nil is a clean end.
func (t *tap) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		if t.err = err; err == nil {
			t.err = io.EOF
		}
		t.more.Signal()
	}
}

func (t *tap) Read(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.kept.Len() == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.more.Wait()
	}
	return t.kept.Read(p)
}
