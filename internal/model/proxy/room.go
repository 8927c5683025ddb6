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

// connectionCost is about what an exchange takes whatever is sent in it: the buffers of both connections, and goroutines.
const connectionCost = 96 << 10

// noRoom is the failure of a request for which there is no room; nil: the error is nil. It is on record. When weir only observes nothing
// fails for that.
func (q *asking) noRoom(err error) *failure {
	if err == nil || q.door.cfg.Observe {
		return nil
	}
	f := q.refuseExchange(*overBudget(err))
	f.status, f.retry = httpdoor.NoRoom(err, q.W.Header())
	return f
}

// overBudget is the refusal of what there is no room for.
func overBudget(err error) *dialect.Refused {
	return &dialect.Refused{Code: call.CodeOverBudget, Reason: err.Error()}
}

// takeReading takes what it needs to read a request, beside its bytes: what is found in it, and for a form the parts of it.
func (q *asking) takeReading(body []byte) (*budget.Share, error) {
	room, cost := q.Account.Share(budget.Requests), strictjson.Cost(body)
	if q.sendsForm() {
		cost += len(body)
	}
	return room, room.Set(cost)
}

// A sending is the body of a request on its way to the upstream. What it holds is given back once it was sent: the response may take long,
// and net/http has the request until its end.
type sending struct {
	room *budget.Share

	mu    sync.Mutex
	body  []byte        // nil: it is not needed any more
	last  *bytes.Reader // that net/http reads, or has read
	wrote bool          // last is not read any more
	over  bool          // nobody will ask for another reader
}

// newSending returns the request with a body that is given back. The reader stays one that net/http knows: it writes head and body of such
// requests together, and so can tell whether it may try again.
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

// written says that the last reader is not read any more.
func (s *sending) written() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote = true
	s.settle()
}

// release says that the upstream has responded, or will not.
func (s *sending) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.settle()
}

// settle gives the body back if it is not needed any more. The caller has the lock.
func (s *sending) settle() {
	if s.over && s.wrote {
		s.body = nil
		s.last.Reset(nil)
		s.room.Free()
	}
}
