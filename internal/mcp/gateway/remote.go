package gateway

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// longSilence is how long a server's stream for a request may be silent, and how long a server may take to respond if no timeout is
// declared for it.
const longSilence = 10 * time.Minute

// errSilent says that a server took too long.
var errSilent = errors.New("the server took too long")

// remote is the server side of an MCP session with a server that has Streamable HTTP itself. The server holds the state of the MCP
// session.
type remote struct {
	governed *mcp.Session
	life     context.Context // ends with the MCP session, and with it all requests under way
	cancel   context.CancelFunc
}

func newRemote(governed *mcp.Session) *remote {
	r := &remote{governed: governed}
	r.life, r.cancel = context.WithCancel(context.Background())
	return r
}

func (r *remote) end() {
	r.cancel()
	r.governed.ClientGone()
}

// postRemote forwards a POST to the server.
func (x *exchange) postRemote(p post) {
	s, f := x.sessionOf()
	if f != nil {
		x.fail(f.about(p.messages[0]))
		return
	}
	rl := &relay{exchange: x, session: s, opens: p.opens && s == nil, numbered: !p.batch, out: newPieces(x.gw.holding(x.Actor), nil)}
	if s != nil {
		defer x.gw.table.leave(s)
		rl.governed = s.side.(*remote).governed
	} else {
		rl.governed = x.gw.govern(x.server, x.Actor)
		defer func() {
			if rl.session == nil {
				rl.governed.ClientGone() // it was only for this request
			} else {
				x.gw.table.leave(rl.session)
			}
		}()
	}
	if f := x.checkBatch(p, rl.governed.Version()); f != nil {
		x.fail(f)
		return
	}
	x.response.held = rl.isHeld
	cancel := rl.begin()
	defer rl.under.Wait()
	defer cancel()
	for _, m := range p.messages {
		rl.take(m)
	}
	go func() {
		rl.under.Wait()
		if p.requests == 0 {
			rl.out.Put(piece{status: http.StatusAccepted})
		}
		rl.out.Close()
	}()
	x.send(rl.out)
}

// getRemote forwards a GET to the server.
func (x *exchange) getRemote(s *session) {
	rl := &relay{exchange: x, session: s, numbered: true, out: newPieces(x.gw.holding(x.Actor), nil)}
	if s != nil {
		rl.governed = s.side.(*remote).governed
	} else {
		rl.governed = x.gw.govern(x.server, x.Actor)
		defer rl.governed.ClientGone()
	}
	cancel := rl.begin()
	defer rl.under.Wait()
	defer cancel()
	w := newWatch(rl.ctx, x.server.Timeout)
	defer w.stop()
	resp, err := rl.do(w.ctx, http.MethodGet, nil, nil)
	if err != nil {
		x.fail(rl.trouble(w.explain(err)))
		return
	}
	defer resp.Body.Close()
	if f := rl.checkStatus(resp); f != nil {
		x.fail(f)
		return
	}
	if !isMedia(resp, streamable.MediaEvents) {
		x.fail(rl.unfit("the server's response is not a stream of events"))
		return
	}
	w.allow(0) // such a stream may be silent without limit
	rl.out.Put(piece{})
	rl.under.Add(1)
	go func() {
		rl.events(w, resp.Body, nil)
		rl.under.Done()
		rl.under.Wait()
		rl.out.Close()
	}()
	x.send(rl.out)
}

// deleteRemote forwards a DELETE to the server, which ends the MCP session.
func (x *exchange) deleteRemote(s *session) *failure {
	rl := &relay{exchange: x, session: s}
	w := newWatch(x.R.Context(), x.server.Timeout)
	defer w.stop()
	resp, err := rl.do(w.ctx, http.MethodDelete, nil, nil)
	if err != nil {
		return rl.trouble(w.explain(err))
	}
	_ = resp.Body.Close()
	return rl.checkStatus(resp)
}
