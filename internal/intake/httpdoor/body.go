package httpdoor

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// A Body is the body of one request. The client may be slow, and may not read the response before it has sent everything. Only one
// goroutine may use a Body.
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

// Expect gives the client time for the next piece, even if only net/http still reads it. If a deadline cannot be set, there is no
// connection that could be blocked.
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
		_ = b.ctl.SetReadDeadline(time.Time{}) // from here on the client only reads
	}
	b.over = b.over || err != nil
	return n, err
}

// respondEarly responds before the body was read: a client that reads meanwhile gets the response at once. Then it reads and drops
// the rest of the body, so that a client that reads only after it has sent everything gets the response, too: else its connection
// would be cut while it sends. It reads at most most bytes, and waits for each piece no longer than the timeout. A client of
// HTTP/2, or one that asked whether to send the body, reads the response before it sends.
func (b *Body) respondEarly(most int64, send func()) {
	asks := strings.EqualFold(b.r.Header.Get("Expect"), "100-continue")
	if b.over || b.r.ProtoMajor != 1 || asks && !b.begun || b.r.ContentLength > most || b.ctl.EnableFullDuplex() != nil {
		send()
		return
	}
	send()
	if b.ctl.Flush() != nil || b.ctl.SetReadDeadline(time.Now().Add(b.timeout)) != nil {
		return // the client is gone, or the reading might never end
	}
	_, _ = io.CopyN(io.Discard, readerFunc(b.read), most) // net/http handles an incomplete body
}

type readerFunc func([]byte) (int, error)

func (r readerFunc) Read(p []byte) (int, error) { return r(p) }
