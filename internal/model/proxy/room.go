package proxy

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// connectionCost is about the memory of an exchange, beside what is sent in it: the buffers of both connections, and goroutines.
const connectionCost = 96 << 10

// noRoom records and returns the failure of a request for which the memory budget has no room; nil: the error is nil, or weir only
// observes.
func (q *asking) noRoom(err error) *failure {
	if err == nil || q.door.cfg.Observe {
		return nil
	}
	f := q.refuseExchange(*overBudget(err))
	f.status, f.retry = httpdoor.NoRoom(err, q.W.Header())
	return f
}

// overBudget is the refusal of a request or response for which the memory budget has no room.
func overBudget(err error) *dialect.Refused {
	return &dialect.Refused{Code: call.CodeOverBudget, Reason: err.Error()}
}

// takeReading takes the memory for parsing a request, beside its bytes: for the parsed values, and for the parts of a form.
func (q *asking) takeReading(body []byte) (*budget.Share, error) {
	room, cost := q.Account.Share(budget.Requests), strictjson.Cost(body)
	if q.sendsForm() {
		cost += len(body)
	}
	return room, room.Set(cost)
}

// A sending is the body of a request on its way to the upstream. Its memory is given back once the body was sent: the response may
// take long, and net/http holds the request until the response ends.
type sending struct {
	room *budget.Share

	mu    sync.Mutex
	body  []byte        // nil: it is not needed any more
	last  *bytes.Reader // the reader that net/http got last
	wrote bool          // last is not read any more
	over  bool          // nobody will ask for another reader
}

// newSending returns the request with a body whose memory is given back. The body is a reader type that net/http knows: it writes
// header and body of such requests together, and so knows whether it may try again.
func newSending(req *http.Request, body []byte, room *budget.Share) (*http.Request, *sending) {
	s := &sending{room: room, body: body}
	if len(body) == 0 {
		return req, s
	}
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { s.written() },
	}))
	req.GetBody = func() (io.ReadCloser, error) { return s.reader(), nil }
	req.Body = s.reader()
	return req, s
}

func (s *sending) reader() io.ReadCloser {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.wrote = bytes.NewReader(s.body), false
	return io.NopCloser(s.last)
}

// written notes that the last reader is no longer read.
func (s *sending) written() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote = true
	s.settle()
}

// release notes that the upstream has responded, or will not.
func (s *sending) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.settle()
}

// settle gives the memory of the body back if it is no longer needed. The caller holds the lock.
func (s *sending) settle() {
	if s.over && s.wrote {
		s.body = nil
		s.last.Reset(nil)
		s.room.Free()
	}
}
