package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// errStalled says that an upstream was silent for too long.
var errStalled = errors.New("the upstream is silent")

// A wire is the connection to an upstream for one exchange. Its timeout runs only while weir waits for the upstream: the time that
// weir or the client takes does not count.
type wire struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   time.Duration
	timer  *time.Timer
	body   io.ReadCloser
}

// newWire returns a wire whose requests end with ctx. cancel ends ctx.
func newWire(ctx context.Context, cancel context.CancelCauseFunc, idle time.Duration) *wire {
	w := &wire{ctx: ctx, cancel: cancel, idle: idle, body: http.NoBody}
	w.timer = time.AfterFunc(idle, func() { cancel(errStalled) })
	w.timer.Stop()
	return w
}

// roundTrip sends the request and waits for the response's header. The response's body is read through the wire.
func (w *wire) roundTrip(t http.RoundTripper, req *http.Request) (*http.Response, error) {
	w.timer.Reset(w.idle)
	resp, err := t.RoundTrip(req)
	w.timer.Stop()
	if err != nil {
		return nil, err
	}
	w.body = resp.Body
	return resp, nil
}

// Read reads from the response's body.
func (w *wire) Read(p []byte) (int, error) {
	w.timer.Reset(w.idle)
	n, err := w.body.Read(p)
	w.timer.Stop()
	if err != nil && err != io.EOF && w.stalled() { // only io.EOF itself is a clean end
		err = errStalled
	}
	return n, err
}

// stalled says whether the wire was ended because the upstream was silent.
func (w *wire) stalled() bool { return errors.Is(context.Cause(w.ctx), errStalled) }

// cut ends the wire, also during a read.
func (w *wire) cut() { w.cancel(nil) }

func (w *wire) close() {
	w.cut()
	w.timer.Stop()
	_ = w.body.Close() // an error would change nothing
}
