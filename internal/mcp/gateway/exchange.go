package gateway

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/intake/ingress"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// An exchange is one HTTP request of a client and its response.
type exchange struct {
	*httpdoor.Exchange
	gw       *Gateway
	response *response

	// Known once the request is admitted.
	server  *server // nil: no declared server
	version string  // as the header names it; "": it names none
	// trace is the trace that the headers name; zero: none.
	trace call.Trace
}

// ServeHTTP responds to a request for /mcp/<server>, with or without a key ahead of it, or for the metadata of its protection,
// which has the same path after /.well-known/oauth-protected-resource.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{Exchange: g.http.Begin(w, r), gw: g}
	x.trace, _ = call.TraceOf(r.Header["Traceparent"]...)
	x.response = &response{Exchange: x.Exchange, keepAlive: g.cfg.KeepAlive}
	defer x.finish()
	resource, aboutResource := cutWellKnown(r)
	if f := x.admit(resource); f != nil {
		x.fail(f)
		return
	}
	if ruling, denied := g.denied(x.Actor, x.server); denied {
		x.refuseServer(ruling)
		return
	}
	switch {
	case aboutResource:
		x.metadata(resource)
	case r.Method == http.MethodPost:
		x.servePost()
	case x.version == streamable.VersionStateless:
		f := fail(http.StatusMethodNotAllowed, jsonrpc.CodeInvalidRequest, "this version of the protocol has only POST")
		f.header = http.Header{"Allow": {http.MethodPost}}
		x.fail(f)
	case r.Method == http.MethodGet:
		x.serveGet()
	default:
		x.serveDelete()
	}
}

// admit decides whether the request may go on, and to which server. It reads no body. resource is the path that the request
// is about; "": its own.
func (x *exchange) admit(resource string) (f *failure) {
	if refusal := x.gw.cfg.Admission.Check(withoutOwnOrigin(x.R)); refusal != nil {
		return fail(refusal.Status, jsonrpc.CodeInvalidRequest, refusal.Message)
	}
	key, path := keyOf(x.R, resource)
	if refusal := x.Identify(key); refusal != nil {
		return fail(refusal.Status, jsonrpc.CodeInvalidRequest, refusal.Message)
	}
	if x.server = x.gw.serverAt(path); x.server == nil {
		return fail(http.StatusNotFound, jsonrpc.CodeInvalidRequest, "no server is declared under this name; the path is /mcp/<server>")
	}
	if f := x.noRoom(x.OpenAccount()); f != nil {
		return f
	}
	switch x.R.Method {
	case http.MethodGet, http.MethodPost, http.MethodDelete:
	default:
		f := fail(http.StatusMethodNotAllowed, jsonrpc.CodeInvalidRequest, "MCP has only GET, POST and DELETE")
		f.header = http.Header{"Allow": {"GET, POST, DELETE"}}
		return f
	}
	if x.version, f = versionOf(x.R.Header); f != nil {
		return f
	}
	return plainNames(x.R.Header)
}

// keyOf returns the key that a request shows, and its path without it. resource is the path that it is about; "": its own.
func keyOf(r *http.Request, resource string) (key, path string) {
	if resource == "" {
		return admission.KeyOf(r)
	}
	about := *r
	u, err := url.Parse(resource)
	if err != nil {
		return "", ""
	}
	about.URL = u
	return admission.KeyOf(&about)
}

// withoutOwnOrigin returns the request without the header Origin, if that is exactly the address of the request: MCP requires
// servers to accept it. A page of another address cannot send this one, and admission checks that the address is weir's.
func withoutOwnOrigin(r *http.Request) *http.Request {
	scheme := "http://"
	if ingress.Secure(r) {
		scheme = "https://"
	}
	if origin := r.Header["Origin"]; len(origin) != 1 || origin[0] != scheme+r.Host {
		return r
	}
	checked := *r
	checked.Header = maps.Clone(r.Header)
	delete(checked.Header, "Origin")
	return &checked
}

// serverAt returns the server of a path; nil: none.
func (g *Gateway) serverAt(path string) *server {
	escaped, ok := strings.CutPrefix(path, "/mcp/")
	if !ok {
		return nil
	}
	id, err := url.PathUnescape(strings.TrimSuffix(escaped, "/"))
	if err != nil {
		return nil
	}
	return (*g.servers.Load())[id]
}

// finish ends and logs the exchange. It does not stop a panic, which breaks the connection.
func (x *exchange) finish() {
	defer x.Close()
	served := Served{Method: x.Method(), Status: x.Status, Took: x.Took()}
	if x.server != nil {
		served.Server = x.server.ID
	}
	attrs := []slog.Attr{
		slog.String("request", x.ID), slog.String("method", served.Method), slog.Int("status", served.Status),
		slog.Duration("took", served.Took), slog.String("server", served.Server),
	}
	if from := ingress.From(x.R); from != "" {
		attrs = append(attrs, slog.String("from", from))
	}
	x.gw.cfg.Log.LogAttrs(x.R.Context(), slog.LevelInfo, "mcp request", append(attrs, slog.String("key", x.Actor.Key))...)
	if x.gw.cfg.Served != nil {
		x.gw.cfg.Served(served)
	}
}

// fail responds with a failure. A client that sends a large message gets the failure, too, if it may use the gateway and has not
// sent far too much.
func (x *exchange) fail(f *failure) {
	x.SendEarly(4*int64(x.gw.cfg.Bounds.Message), func() { x.respond(f.piece()) })
}

// respond responds with one piece.
func (x *exchange) respond(it piece) {
	q := newPieces(nil, nil)
	q.Put(it)
	q.Close()
	x.send(q)
}

// send responds with the pieces of the queue. Nothing can be put into the queue afterwards.
func (x *exchange) send(q *queue.Queue[piece]) {
	err := x.response.run(x.R.Context(), q)
	q.Drain()
	if err != nil {
		x.gw.cfg.Log.Debug("mcp response not taken", "reason", err.Error())
		return
	}
	// If all requests were cancelled, the response is an empty stream.
	x.response.begin(http.StatusOK, streamable.MediaEvents)
}

// accepts says whether the client accepts all of these content types.
func (x *exchange) accepts(types ...string) bool {
	taken := map[string]bool{}
	for part := range strings.SplitSeq(strings.Join(x.R.Header["Accept"], ","), ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if q, hasQ := params["q"]; err == nil && (!hasQ || strings.Trim(q, "0.") != "") {
			taken[media] = true
		}
	}
	for _, want := range types {
		main, _, _ := strings.Cut(want, "/")
		if !taken[want] && !taken[main+"/*"] && !taken["*/*"] {
			return false
		}
	}
	return true
}

// readBody reads the body of a POST.
func (x *exchange) readBody() ([]byte, *failure) {
	media, params, err := mime.ParseMediaType(x.R.Header.Get("Content-Type"))
	if charset := params["charset"]; err != nil || media != streamable.MediaJSON || len(x.R.Header["Content-Type"]) != 1 ||
		charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nil, fail(http.StatusUnsupportedMediaType, jsonrpc.CodeInvalidRequest, "the content type must be application/json")
	}
	if x.R.Header["Content-Encoding"] != nil {
		return nil, fail(http.StatusUnsupportedMediaType, jsonrpc.CodeInvalidRequest, "the body must not be compressed")
	}
	limit, room := x.gw.cfg.Bounds.Message, x.Account.Share(budget.Messages)
	body, err := budget.ReadAll(x.Body, limit, x.R.ContentLength, room)
	if err == nil {
		err = x.takeReading(body)
	}
	if err != nil {
		room.Free() // nothing of the body is held while the rest of it arrives
	}
	switch {
	case isNoRoom(err):
		return nil, x.noRoom(err)
	case err != nil && !errors.Is(err, budget.ErrTooLong):
		return nil, badRequest("the body broke off, or came too slowly")
	case err != nil:
		x.refused("The client's message is too large.")
		return nil, fail(http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message has more than %d bytes", limit))
	}
	return body, nil
}

// serveGet responds to a GET with messages that are not responses, or that the server sends again.
func (x *exchange) serveGet() {
	if !x.accepts(streamable.MediaEvents) {
		x.fail(fail(http.StatusNotAcceptable, jsonrpc.CodeInvalidRequest, "the client must accept text/event-stream"))
		return
	}
	s, f := x.sessionOf()
	switch {
	case f != nil:
		x.fail(f)
		return
	case s == nil && x.server.Type != typeHTTP:
		x.fail(needsSession())
		return
	case s != nil:
		defer x.gw.table.leave(s)
	}
	if last, ok := single(x.R.Header, streamable.HeaderLastEvent); !ok || len(last) > streamable.MaxEventID || !plainText(last) {
		x.fail(badRequest("the header Last-Event-ID cannot be read"))
		return
	}
	if x.server.Type != typeHTTP {
		s.side.(*hosted).mailbox.serve(x)
		return
	}
	x.getRemote(s)
}

// serveDelete responds to a DELETE: it ends an MCP session.
func (x *exchange) serveDelete() {
	s, f := x.sessionOf()
	if f == nil && s == nil {
		f = needsSession()
	}
	if f != nil {
		x.fail(f)
		return
	}
	defer x.gw.table.leave(s)
	if x.server.Type == typeHTTP {
		if f := x.deleteRemote(s); f != nil {
			x.fail(f)
			return
		}
	}
	x.gw.table.end(s)
	x.respond(piece{status: http.StatusNoContent})
}
