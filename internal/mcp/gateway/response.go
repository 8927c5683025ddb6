package gateway

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/mcp/queue"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// maxUnsent is how many bytes of events are buffered before they are sent.
const maxUnsent = 64 << 10

// errClientGone says that a client is gone before it got its response.
var errClientGone = errors.New("the client is gone")

// A response is the HTTP response to a client. It starts undecided, and becomes either whole, which is a status and perhaps one
// message as its body, or a stream of events, which ends with its queue.
type response struct {
	*httpdoor.Exchange
	keepAlive time.Duration
	// early lets the response become a stream before there is anything to send, so that the client gets comments while it waits.
	early bool
	// held says whether only a ruling is missing; then, too, the response may become a stream early. nil: unknown.
	held func() bool

	// look is called with each piece with a message before it is sent; nil: it is not called.
	look func(*piece)

	whole bool
	buf   []byte // events that are not sent yet
}

// run sends the pieces of the queue, until it is closed, the response is whole, or ctx ends.
func (rs *response) run(ctx context.Context, q *queue.Queue[piece]) error {
	timer := time.NewTimer(rs.keepAlive)
	defer timer.Stop()
	for {
		it, ok, more := q.Take()
		if ok {
			if err := rs.send(it); err != nil || rs.whole {
				return err
			}
			if len(rs.buf) < maxUnsent {
				continue
			}
		}
		if err := rs.flush(); err != nil || !ok && !more {
			return err
		}
		if ok {
			continue
		}
		timer.Reset(rs.keepAlive)
		select {
		case <-q.Ready():
		case <-ctx.Done():
			return errClientGone
		case <-timer.C:
			if rs.Status != 0 || rs.early || rs.held != nil && rs.held() {
				rs.begin(http.StatusOK, streamable.MediaEvents)
				rs.buf = append(rs.buf, ": waiting\n\n"...)
			}
		}
	}
}

// send sends a piece, or buffers it to be sent with the next ones.
func (rs *response) send(it piece) error {
	if it.message != nil && rs.look != nil {
		rs.look(&it)
	}
	if rs.Status == 0 {
		maps.Copy(rs.W.Header(), it.header)
	}
	if it.status != 0 && rs.Status == 0 {
		return rs.sendWhole(it)
	}
	rs.begin(http.StatusOK, streamable.MediaEvents)
	if it.message != nil || it.event != (event{}) {
		rs.buf = appendEvent(rs.buf, it.event, it.message)
	}
	return nil
}

// sendWhole sends the piece as the whole response.
func (rs *response) sendWhole(it piece) error {
	rs.whole = true
	if it.message == nil {
		rs.begin(it.status, "")
		return nil
	}
	rs.W.Header().Set("Content-Length", strconv.Itoa(len(it.message.Raw)))
	rs.begin(it.status, streamable.MediaJSON)
	if _, err := rs.Write(it.message.Raw); err != nil {
		return errClientGone
	}
	return rs.flush() // the handler may still wait for the server
}

// begin sends the status and the header, once.
func (rs *response) begin(status int, media string) {
	if rs.Status != 0 {
		return
	}
	h := rs.W.Header()
	h["Content-Type"] = nil // else net/http invents one
	if media != "" {
		h.Set("Content-Type", media)
	}
	h.Set("Cache-Control", "no-cache, no-transform")
	rs.SendStatus(status)
}

// flush sends the buffered events.
func (rs *response) flush() error {
	if rs.Status == 0 {
		return nil
	}
	if len(rs.buf) > 0 {
		if _, err := rs.Write(rs.buf); err != nil {
			return errClientGone
		}
		rs.buf = rs.buf[:0]
	}
	if err := rs.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return errClientGone
	}
	return nil
}
