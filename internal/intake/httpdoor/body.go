package httpdoor

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// A Body is the body of one request, from a client that may be slow, and that may not listen before it has sent everything. One goroutine
// uses it.
type Body struct {
	r       *http.Request
	ctl     *http.ResponseController
	timeout time.Duration

	begun bool // something was read, or it was tried
	over  bool // it is at its end, or broke off
}

func newBody(r *http.Request, ctl *http.ResponseController, timeout time.Duration) *Body {
	return &Body{r: r, ctl: ctl, timeout: timeout, over: r.Body == nil || r.Body == http.NoBody}
}

// Expect gives the client time for the next piece, also if nobody but net/http wants it any more. Where a deadline cannot be set there is
// no connection that could be pinned.
func (b *Body) Expect() {
	if !b.over {
		_ = b.ctl.SetReadDeadline(time.Now().Add(b.timeout))
	}
}

// Read reads the next piece.
func (b *Body) Read(p []byte) (int, error) {
	b.Expect()
	return b.read(p)
}

func (b *Body) read(p []byte) (int, error) {
	b.begun = true
	n, err := b.r.Body.Read(p)
	if err == io.EOF {
		_ = b.ctl.SetReadDeadline(time.Time{}) // from here on the client only listens
	}
	b.over = b.over || err != nil
	return n, err
}

// respondEarly responds before the body was read: a client that listens has the response at once. The rest of the body is read and
// forgotten after that, so that a client that listens only after it has sent everything gets the response too: else its connection would
// be cut while it sends. No more than most bytes are read, and no piece is waited for longer than the timeout. A client of HTTP/2, or one
// that asked whether it should send the body, listens before.
func (b *Body) respondEarly(most int64, send func()) {
	asks := strings.EqualFold(b.r.Header.Get("Expect"), "100-continue")
	if b.over || b.r.ProtoMajor != 1 || asks && !b.begun || b.r.ContentLength > most || b.ctl.EnableFullDuplex() != nil {
		send()
		return
	}
	send()
	if b.ctl.Flush() != nil || b.ctl.SetReadDeadline(time.Now().Add(b.timeout)) != nil {
		return // nobody listens, or it might never end
	}
	_, _ = io.CopyN(io.Discard, readerFunc(b.read), most) // whether all came is for net/http to see
}

type readerFunc func([]byte) (int, error)

func (r readerFunc) Read(p []byte) (int, error) { return r(p) }
