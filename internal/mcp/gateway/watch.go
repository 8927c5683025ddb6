package gateway

import (
	"context"
	"errors"
	"io"
	"time"
)

// A watch ends a context when a server is silent for too long.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	most   time.Duration // 0: there is no bound
}

// newWatch returns a watch that allows a silence of most.
func newWatch(ctx context.Context, most time.Duration) *watch {
	w := &watch{most: most}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(most, func() { w.cancel(errSilent) })
	return w
}

// allow changes how long a silence may be from now on; 0: without limit.
func (w *watch) allow(most time.Duration) {
	w.timer.Stop()
	if w.most = most; most > 0 {
		w.timer.Reset(most)
	}
}

// heard notes that the server has sent something.
func (w *watch) heard() { w.allow(w.most) }

// stop ends the watch.
func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// explain returns why something failed: the error itself, or that the server was silent, or is denied now.
func (w *watch) explain(err error) error {
	for _, why := range []error{errSilent, errDenied} {
		if errors.Is(context.Cause(w.ctx), why) {
			return why
		}
	}
	return err
}

// read returns a reader of r that calls heard after each read.
func (w *watch) read(r io.Reader) io.Reader { return watchedReader{w, r} }

type watchedReader struct {
	w *watch
	r io.Reader
}

func (r watchedReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.w.heard()
	return n, err
}
