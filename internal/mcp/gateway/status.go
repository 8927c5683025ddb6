package gateway

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"strconv"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/text/inert"
)

// isMedia says whether a server's response has a content type.
func isMedia(resp *http.Response, want string) bool {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && media == want
}

// trouble is the failure of a request to which the server did not respond properly. err has a text by weir.
func (x *exchange) trouble(err error) *failure {
	status := http.StatusBadGateway
	if err == errSilent { // watch.explain does not wrap it
		status = http.StatusGatewayTimeout
	}
	f := fail(status, jsonrpc.CodeInternal, fmt.Sprintf("the MCP server %s failed: %s", inert.Name(x.server.ID, 64), err.Error()))
	f.record = call.CodeCutShort
	return f
}

// unfit is the failure of a request whose response cannot be passed on.
func (x *exchange) unfit(reason string) *failure {
	f := x.trouble(errors.New(reason))
	f.record = call.CodeMalformed
	return f
}

// unheld is the failure of a request for whose response the memory budget has no room.
func (x *exchange) unheld(err error) *failure {
	f := x.unfit("there is no room for its response: " + err.Error() + " (" + call.CodeOverBudget + ")")
	f.record = call.CodeOverBudget
	return f
}

// failed sends the client the failure of its message, and records it. If the client is gone, it does neither.
func (rl *relay) failed(m *jsonrpc.Message, f *failure) {
	if rl.R.Context().Err() != nil {
		rl.governed.Failed(m.ID, errClientGone.Error())
		return
	}
	level := slog.LevelWarn
	declined := f.status >= 400 && f.status < 500 // the server itself refuses the request
	if declined {
		level = slog.LevelInfo
	}
	rl.gw.cfg.Log.Log(rl.ctx, level, "mcp server did not respond", "server", rl.server.ID, "status", f.status, "reason", f.message)
	switch {
	case m.Kind != jsonrpc.Request && !rl.numbered:
		return // the response to a batch has no room for it
	case m.Kind == jsonrpc.Request:
		if rl.governed.Failed(m.ID, f.message) == nil && !rl.isOver() {
			return // it has its response, or nobody wants one any more
		}
		if !declined || m.Method == "tools/call" {
			rl.gw.failed(rl.server, rl.Actor, m, call.Ruling{Code: cmp.Or(f.record, call.CodeCutShort), Reason: f.message + "."})
		}
	}
	if m.Kind == jsonrpc.Request && (f.status == http.StatusBadGateway || f.status == http.StatusGatewayTimeout) {
		// Clients show people the error in a response, but of an error status only its number.
		f.status = http.StatusOK
	}
	it := f.about(m).piece()
	it.status = rl.statusOf(it.status)
	rl.out.Put(it)
}

// isOver says whether the MCP session has ended while the request was under way.
func (rl *relay) isOver() bool {
	return rl.session != nil && rl.session.side.(*remote).life.Err() != nil
}

// checkStatus returns the failure for a status that is not a success; nil: it is a success.
func (rl *relay) checkStatus(resp *http.Response) *failure {
	status := resp.StatusCode
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotFound && rl.session != nil && rl.R.Method != http.MethodGet:
		// Some servers without support for GET respond to it with this status.
		rl.gw.table.end(rl.session)
		return noSession()
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return rl.notAuthorized(resp)
	}
	f := rl.trouble(fmt.Errorf("its HTTP status is %d", status))
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusConflict,
		http.StatusGone, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
		http.StatusTooManyRequests:
		f.status = status
	}
	f.header = http.Header{}
	if status == http.StatusMethodNotAllowed {
		f.header.Set("Allow", "POST")
	}
	if after, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 20); err == nil {
		f.header.Set("Retry-After", strconv.FormatUint(after, 10))
	}
	return f
}

// notAuthorized is the failure if the server wants another credential: from the client, if the client's was sent; else from weir.
func (rl *relay) notAuthorized(resp *http.Response) *failure {
	if !rl.server.Passthrough {
		return rl.trouble(fmt.Errorf("it did not take the credential that weir has for it (HTTP status %d); "+
			"see auth of this server in the policy", resp.StatusCode))
	}
	f := rl.trouble(fmt.Errorf("it did not take the client's credential (HTTP status %d)", resp.StatusCode))
	f.status = resp.StatusCode
	f.header = http.Header{}
	for _, challenge := range resp.Header["Www-Authenticate"] {
		if len(challenge) <= maxChallenge && within(challenge, ' ') {
			f.header.Add("Www-Authenticate", rl.ownMetadata(challenge))
		}
	}
	return f
}
