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

// errOverrun says that an observer was dropped because it fell too far behind.
var errOverrun = errors.New("the observer fell behind")

// observedRequest builds the request to the upstream if weir only observes: exactly what the client sent. It first reads as much of
// the body as the bound allows; the rest of a larger body is sent as it arrives. It also returns the body, if it was read whole.
func (q *asking) observedRequest(ctx context.Context) (req *http.Request, body []byte) {
	head, err := budget.ReadAll(q.Body, q.door.cfg.Bounds.Request, q.R.ContentLength, q.Account.Share(budget.Requests))
	q.captureRequest(head)
	var over *budget.Exceeded
	switch {
	case err == nil:
		q.size = int64(len(head))
		_ = q.readWants(head) // a body that cannot be parsed is forwarded anyway
		return q.addressed(ctx, bytes.NewReader(head)), head
	case !errors.As(err, &over) && !errors.Is(err, budget.ErrTooLong):
		q.abort("the client broke off its request")
	}
	req = q.addressed(ctx, io.MultiReader(bytes.NewReader(head), q.Body))
	req.ContentLength = q.R.ContentLength
	if q.captured != nil {
		q.captured.request.Lengthen(q.R.ContentLength)
	}
	return req, nil
}

// observe forwards a response unchanged. Another goroutine reads copies of the request and of the response.
func (a *answering) observe(request []byte) {
	h := a.W.Header()
	header := a.resp.Header.Clone()
	httpdoor.RemoveHopByHop(header)
	for name, values := range header {
		h[name] = values
	}
	if h["Content-Type"] == nil {
		h["Content-Type"] = nil // else net/http invents one
	}
	a.SendStatus(a.resp.StatusCode)
	w := a.witness()
	tap := newTap(2*a.door.cfg.Bounds.Frame, w.Account.Share(budget.Responses))
	a.recorded = true // the witness records it
	a.door.observers.Enter()
	go w.watch(request, tap)
	err := a.copyOut(tap)
	if err != nil {
		a.abort("broke off: " + err.Error())
	}
}

// witness is a copy of the exchange for the goroutine that reads the copies: it may run long after the client's request has ended.
func (a *answering) witness() *answering {
	conn, x := *a.Exchange, *a.exchange
	conn.Account, conn.R = a.Account.Open(), a.R.WithContext(context.WithoutCancel(a.R.Context()))
	x.Exchange = &conn
	return &answering{exchange: &x, learned: a.learned, resp: a.resp, waited: a.waited}
}

// copyOut copies the response to the client and to the tap, and tells the tap how it ended.
func (a *answering) copyOut(tap *tap) (err error) {
	defer func() { tap.end(err) }()
	buf := make([]byte, 32<<10)
	for {
		n, readErr := a.wire.Read(buf)
		if n > 0 {
			_, err := a.Write(buf[:n])
			if err == nil {
				err = a.Flush()
			}
			if err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
				return err
			}
			tap.take(buf[:n])
		}
		if readErr == io.EOF { // only io.EOF itself is a clean end
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// watch sends the copy of a response through the gate, which records it.
func (a *answering) watch(request []byte, tap *tap) {
	defer a.door.observers.Leave()
	defer a.Close()
	defer tap.leave()
	defer func() {
		if p := recover(); p != nil {
			a.door.cfg.Log.Error("panic while observing a response", "request", a.id, "panic", panicText(p), "stack", string(debug.Stack()))
		}
	}()
	q := &asking{exchange: a.exchange, learned: a.learned}
	q.inspectCopy(request)
	a.learned = q.learned
	if err := a.judgeCopy(tap); errors.Is(err, errOverrun) {
		a.door.cfg.Log.Warn("stopped observing a response", "request", a.id, "reason", err)
	}
	a.recordFailure()
}

// inspectCopy records the offers and the results of the request. It does not affect the request, which was sent already.
func (q *asking) inspectCopy(sent []byte) {
	room := q.Account.Share(budget.Requests)
	defer room.Free()
	plain, err := decode(bytes.NewReader(sent), encodings(q.R.Header), room)
	if err != nil {
		return
	}
	body, err := budget.ReadAll(plain, q.door.cfg.Bounds.Request, budget.Unknown, room)
	if err != nil || room.Add(strictjson.Cost(body)+len(body)) != nil {
		return
	}
	_, _ = q.inspect(q.R.Context(), body)
}

func (a *answering) judgeCopy(tap *tap) error {
	b := a.open(a.resp.Header, tap)
	defer b.close()
	var why *dialect.Refused
	switch {
	case b.err != nil && !errors.As(b.err, &why):
		return b.err
	case why == nil && a.expected().accepts(b.format):
		p := a.passage(b.format, b.framing)
		p.Source, p.In, p.Out = b.source, b.in, discard{}
		a.recorded = true
		return a.door.cfg.Gate.Pass(a.R.Context(), p)
	case a.resp.StatusCode >= 300 || b.empty && !b.strange || why == nil && b.framing == frame.Whole && a.mayRespondOtherwise():
		return nil
	}
	if why == nil {
		why = b.unreadable()
	}
	if f := a.format(); f != nil {
		return a.refuseIn(f, discard{}, *why)
	}
	return nil
}

// A tap is a pipe whose writer never waits. Its reader gets errOverrun if more than limit bytes wait for it.
type tap struct {
	mu     sync.Mutex
	more   *sync.Cond
	unread bytes.Buffer
	limit  int
	room   *budget.Share
	err    error // returned after the unread bytes; nil: more may come
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
		if t.unread.Len()+len(p) > t.limit || t.room.Set(t.unread.Len()+len(p)) != nil {
			t.unread, t.err = bytes.Buffer{}, errOverrun
			t.room.Free()
		} else {
			t.unread.Write(p)
		}
		t.more.Signal()
	}
}

// leave says that the reader has stopped reading.
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
	for t.unread.Len() == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.more.Wait()
	}
	return t.unread.Read(p)
}
