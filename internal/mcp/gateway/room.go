package gateway

import (
	"errors"
	"net/http"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// connectionCost is about the memory of an exchange, beside what is sent in it.
const connectionCost = 64 << 10

// holding returns a function that opens accounts of a client; nil: there is no budget.
func (g *Gateway) holding(actor call.Actor) func() *budget.Account {
	if g.cfg.Budget == nil {
		return nil
	}
	return func() *budget.Account { return g.cfg.Budget.Open(actor.Holder()) }
}

// noRoom records and returns the failure of a request for which the memory budget has no room; nil: the error is nil. If weir only
// observes, the budget is lenient, and there is always room.
func (x *exchange) noRoom(err error) *failure {
	if err == nil {
		return nil
	}
	c := x.gw.act(x.server, x.Actor)
	c.Tool = "session"
	x.gw.cfg.Judge.Refused(c, call.Ruling{Code: call.CodeOverBudget, Reason: err.Error()})
	f := &failure{header: http.Header{}, code: jsonrpc.CodeInternal, message: err.Error() + " (" + call.CodeOverBudget + ")"}
	f.status, _ = httpdoor.NoRoom(err, f.header)
	return f
}

// takeReading takes the memory for parsing messages, beside their bytes.
func (x *exchange) takeReading(text []byte) error {
	return x.Account.Take(budget.Messages, strictjson.Cost(text)+len(text))
}

// isNoRoom says whether an error means that the memory budget has no room.
func isNoRoom(err error) bool {
	var over *budget.Exceeded
	return errors.As(err, &over)
}
