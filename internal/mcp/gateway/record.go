package gateway

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// refused records that a client's HTTP request was refused because it is invalid.
func (x *exchange) refused(reason string) {
	c := x.gw.act(x.server, x.Actor)
	c.Exchange.Trace = x.message()
	c.Tool = "session"
	x.gw.cfg.Judge.Refused(c, call.Ruling{Code: call.CodeMalformed, Reason: reason})
}

// message is the trace of one message of the request, with a span of its own; zero: the headers name none.
func (x *exchange) message() call.Trace {
	t := x.trace
	if t.ID != "" {
		t.Span = call.NewTrace().Span
	}
	return t
}

// failed records that a request that was passed on has failed.
func (g *Gateway) failed(s *server, actor call.Actor, m *jsonrpc.Message, r call.Ruling) {
	c := g.act(s, actor)
	c.MCP.RPCID = m.ID.String()
	if c.Tool, c.MCP.Method = m.Method, m.Method; m.Method == "tools/call" {
		c.MCP.Method = ""
		c.Tool, _ = m.ParamText("name") // a request that was passed on has a name
	}
	g.cfg.Judge.Refused(c, r)
}

// act returns a call with the fields that are the same in all records.
func (g *Gateway) act(s *server, actor call.Actor) call.Call {
	return call.Call{
		ID: call.NewID(g.cfg.Now()), Surface: call.MCP, Actor: actor, Server: s.ID,
		MCP: call.MCPCall{ServerType: s.Type, ServerAddr: s.Addr},
	}
}
