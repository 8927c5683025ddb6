package gateway

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/text/inert"
)

// errDenied says that the policy does not let the client use the server.
var errDenied = errors.New("the policy refuses this server")

// deniedText is the message for a client that may not use the server; it names the rule.
func deniedText(r call.Ruling) string {
	return "[weir] " + errDenied.Error() + " (" + inert.Text(r.Rule, 128) + "): " + call.Sentence(r.Reason) + r.Questions()
}

// denied says whether the policy refuses every use of a server by a client.
func (g *Gateway) denied(a call.Actor, s *server) (call.Ruling, bool) {
	if g.cfg.Denied == nil {
		return call.Ruling{}, false
	}
	return g.cfg.Denied(a, s.ID)
}

// EndDenied ends the MCP sessions and the requests of clients with servers that the policy now refuses to them. Call it after the
// policy has changed.
func (g *Gateway) EndDenied() {
	g.table.endWhere(func(s *session) bool {
		_, denied := g.denied(s.actor, s.server)
		return denied
	})
	g.relays.end(func(rl *relay) bool {
		_, denied := g.denied(rl.Actor, rl.server)
		return denied
	})
}

// relays are the relays under way. A relay enters before it checks whether its server is denied. So if the policy changes
// meanwhile, either that check or EndDenied notices.
type relays struct {
	mu    sync.Mutex
	under map[*relay]context.CancelCauseFunc
}

func (r *relays) enter(rl *relay, cancel context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.under == nil {
		r.under = map[*relay]context.CancelCauseFunc{}
	}
	r.under[rl] = cancel
}

func (r *relays) leave(rl *relay) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.under, rl)
}

// end breaks off the relays for which fits returns true.
func (r *relays) end(fits func(*relay) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for rl, cancel := range r.under {
		if fits(rl) {
			cancel(errDenied)
		}
	}
}

// refuseServer responds to a request for a server that the client may not use. Nothing of the request reaches the server.
func (x *exchange) refuseServer(ruling call.Ruling) {
	if x.R.Method != http.MethodPost {
		c := x.gw.act(x.server, x.Actor)
		c.Exchange.Trace = x.message()
		c.Tool = "session"
		x.gw.cfg.Judge.Refused(c, ruling)
		x.fail(fail(http.StatusForbidden, jsonrpc.CodeInvalidRequest, deniedText(ruling)))
		return
	}
	p, f := x.readPost()
	if f != nil {
		x.fail(f)
		return
	}
	governed := x.gw.govern(x.server, x.Actor)
	defer governed.ClientGone()
	out := newPieces(x.gw.holding(x.Actor), nil)
	var under sync.WaitGroup
	for _, m := range p.messages {
		under.Add(1)
		answer := func(m *jsonrpc.Message) {
			defer under.Done()
			it := piece{message: m}
			if !p.batch {
				it.status = http.StatusOK
			}
			out.Put(it)
		}
		governed.FromClient(x.R.Context(), m, mcp.Way{
			Trace: x.message(),
			Forward: func(*jsonrpc.Message) {
				if m.Kind != jsonrpc.Request {
					under.Done()
					return
				}
				x.gw.failed(x.server, x.Actor, m, ruling)
				answer(jsonrpc.NewError(m.ID, jsonrpc.CodeInternal, deniedText(ruling), nil))
			},
			Respond: answer,
			Drop:    under.Done,
		})
	}
	go func() {
		under.Wait()
		if p.requests == 0 {
			out.Put(piece{status: http.StatusAccepted})
		}
		out.Close()
	}()
	x.send(out)
}
