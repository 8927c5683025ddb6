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
)

// The content types of answers.
const (
	mediaJSON   = "application/json"
	mediaEvents = "text/event-stream"
)

// maxUnsent is how many bytes of events may be kept to be sent with the next ones.
const maxUnsent = 64 << 10

// errClientGone says that a client did not take its answer.
var errClientGone = errors.New("the client is gone")

// A reply is the answer to one HTTP request. It begins as nothing, and becomes either whole, which is a status and perhaps one
// message as its body, or a stream of events, which ends with its queue.
type reply struct {
	*httpdoor.Exchange
	keepAlive time.Duration
	// early lets the reply become a stream before there is anything to send, so that the client hears something while it waits.
	early bool
	// held says whether only a ruling is waited for, in which case the reply may become a stream early, too; nil: that is not
	// known.
	held func() bool

	// look is shown each item with a message before it is sent; nil: nobody is.
	look func(*piece)

	whole bool
	buf   []byte // events that were not sent yet
}

// run sends what comes into the queue, until it is closed, the reply is whole, or ctx ends.
func (rp *reply) run(ctx context.Context, q *queue.Queue[piece]) error {
	timer := time.NewTimer(rp.keepAlive)
	defer timer.Stop()
	for {
		it, ok, more := q.Take()
		if ok {
			if err := rp.send(it); err != nil || rp.whole {
				return err
			}
			if len(rp.buf) < maxUnsent {
				continue
			}
		}
		if err := rp.flush(); err != nil || !ok && !more {
			return err
		}
		if ok {
			continue
		}
		timer.Reset(rp.keepAlive)
		select {
		case <-q.Ready():
		case <-ctx.Done():
			return errClientGone
		case <-timer.C:
			if rp.Status != 0 || rp.early || rp.held != nil && rp.held() {
				rp.begin(http.StatusOK, mediaEvents)
				rp.buf = append(rp.buf, ": waiting\n\n"...)
			}
		}
	}
}

// send sends an item, or keeps it to be sent with the next ones.
func (rp *reply) send(it piece) error {
	if it.message != nil && rp.look != nil {
		rp.look(&it)
	}
	if rp.Status == 0 {
		maps.Copy(rp.W.Header(), it.header)
	}
	if it.status != 0 && rp.Status == 0 {
		return rp.sendWhole(it)
	}
	rp.begin(http.StatusOK, mediaEvents)
	if it.message != nil || it.event != (event{}) {
		rp.buf = appendEvent(rp.buf, it.event, it.message)
	}
	return nil
}

// sendWhole makes the item all of the answer.
func (rp *reply) sendWhole(it piece) error {
	rp.whole = true
	if it.message == nil {
		rp.begin(it.status, "")
		return nil
	}
	rp.W.Header().Set("Content-Length", strconv.Itoa(len(it.message.Raw)))
	rp.begin(it.status, mediaJSON)
	if _, err := rp.Write(it.message.Raw); err != nil {
		return errClientGone
	}
	return rp.flush() // the request may not be over on the server's side
}

// begin sends the status and the header, once.
func (rp *reply) begin(status int, media string) {
	if rp.Status != 0 {
		return
	}
	h := rp.W.Header()
	h["Content-Type"] = nil // else net/http invents one
	if media != "" {
		h.Set("Content-Type", media)
	}
	h.Set("Cache-Control", "no-cache, no-transform")
	rp.SendStatus(status)
}

// flush sends what was kept.
func (rp *reply) flush() error {
	if rp.Status == 0 {
		return nil
	}
	if len(rp.buf) > 0 {
		if _, err := rp.Write(rp.buf); err != nil {
			return errClientGone
		}
		rp.buf = rp.buf[:0]
	}
	if err := rp.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return errClientGone
	}
	return nil
}
