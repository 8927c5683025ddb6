package control

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/record/summary"
)

// ServerConfig sets up a Server.
type ServerConfig struct {
	Judge     mcp.Judge
	Admission *admission.Admission // who may ask, by the key in the header x-weir-key
	// Enter says why a shim may not serve for an MCP server; nil: every shim may.
	Enter func(call.Actor, Command) error
	// Peers are the known shims. Each may ask only for its own server; nil: everybody may ask for every server.
	Peers *Peers
	// Sessions opens sessions; nil: there are none.
	Sessions Sessions
	// Connections rules on connections of sessions; nil: such requests are not served.
	Connections Connections
	// Budget is the memory that requests may take; nil: it has no bound.
	Budget *budget.Budget
	// Policy returns the policy in force; nil: Hello does not name it.
	Policy func() PolicyInForce
	// Standing returns what else Hello says; nil: nothing.
	Standing func() Standing
	// Pins records changes of pins; nil: such requests are not served.
	Pins Pins
	// Exceptions takes note of exceptions that a person has written; nil: such requests are not served.
	Exceptions Exceptions
	// Approvals takes people's decisions; nil: such requests are not served.
	Approvals Approvals
	// Reload reads the configuration again; nil: such requests are not served.
	Reload  func(context.Context) Reloaded
	Version string       // weir's
	Log     *slog.Logger // nil: no log
}

// A Server serves requests to the judge, over the control socket.
type Server struct {
	cfg  ServerConfig
	http *http.Server
	// ending is closed when the server ends: all sessions end with it.
	ending chan struct{}
	large  chan struct{} // one for each large request that is being served
	issued issued
}

// Sessions opens sessions, and is told when their programs start and end.
type Sessions interface {
	// Open opens a session for an actor. It lasts until done is called. An error says why it was not opened.
	Open(who call.Actor, q SessionRequest) (a SessionResponse, done func(), err error)
	// Started notes that the program of a session runs.
	Started(who call.Actor, s SessionStarted)
	// Ended notes that the program of a session has ended, and returns the summary of the session.
	Ended(ctx context.Context, who call.Actor, s SessionEnded) summary.Session
}

// Connections rules on connections of sessions.
type Connections interface {
	// Connect rules on a connection. When it returns, the ruling is recorded.
	Connect(ctx context.Context, c call.Connection) call.Ruling
}

// NewServer returns a Server.
func NewServer(cfg ServerConfig) *Server {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{cfg: cfg, ending: make(chan struct{}), large: make(chan struct{}, maxLarge)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+pathHello, s.hello)
	mux.HandleFunc("POST "+pathEnter, s.asked(s.enter))
	mux.HandleFunc("POST "+pathCall, s.asked(s.call))
	mux.HandleFunc("POST "+pathTools, s.asked(s.tools))
	mux.HandleFunc("POST "+pathGiven, s.asked(s.given))
	mux.HandleFunc("POST "+pathRefused, s.asked(s.refused))
	if cfg.Sessions != nil {
		mux.HandleFunc("POST "+pathSession, s.asked(s.session))
		mux.HandleFunc("POST "+pathStarted, s.asked(s.started))
		mux.HandleFunc("POST "+pathEnded, s.asked(s.ended))
	}
	if cfg.Reload != nil {
		mux.HandleFunc("POST "+pathReload, s.reload)
	}
	if cfg.Pins != nil {
		mux.HandleFunc("POST "+pathPins, s.asked(s.pins))
	}
	if cfg.Exceptions != nil {
		mux.HandleFunc("POST "+pathAllowed, s.asked(s.allowed))
		mux.HandleFunc("POST "+pathTake, s.asked(s.take))
	}
	if cfg.Approvals != nil {
		mux.HandleFunc("POST "+pathWatch, s.asked(s.watch))
		mux.HandleFunc("POST "+pathVote, s.asked(s.vote))
		mux.HandleFunc("POST "+pathOpen, s.asked(s.open))
		mux.HandleFunc("POST "+pathRevoke, s.asked(s.revoke))
	}
	if cfg.Connections != nil {
		mux.HandleFunc("POST "+pathConnect, s.asked(s.connect))
	}
	s.http = &http.Server{
		Handler: mux, ConnContext: withPeer, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 10 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelWarn),
	}
	return s
}

// ErrServed says that another weir uses the socket.
var ErrServed = errors.New("another weir already uses this state folder")

// Listen opens the socket. It removes the socket of a weir that was killed, but not that of a running weir, even if that does not
// respond. A lock shows which it is: the system releases it when a process ends.
func Listen(path string) (net.Listener, error) {
	lock, err := claim(path + ".lock")
	if err != nil {
		return nil, err
	}
	l, err := listen(path)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return &claimed{Listener: l, lock: lock}, nil
}

func listen(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("open the control socket: %w", err), l.Close())
	}
	return l, nil
}

// A claimed listener holds the lock of its socket.
type claimed struct {
	net.Listener
	lock *os.File
}

// Close removes the socket, and then releases the lock for another weir.
func (c *claimed) Close() error { return errors.Join(c.Listener.Close(), c.lock.Close()) }

// Serve serves requests until ctx ends. Then it gives open requests a short time to get their response.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve the control socket: %w", err)
	case <-ctx.Done():
	}
	close(s.ending)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastResponses)
	defer cancel()
	if err := s.http.Shutdown(last); err != nil {
		return errors.Join(errors.New("serve the control socket: requests were still open"), s.http.Close())
	}
	return nil
}

// lastResponses is how long it may take to respond to open requests when weir ends.
const lastResponses = 5 * time.Second

func (s *Server) hello(w http.ResponseWriter, r *http.Request) {
	_, admitted := s.cfg.Admission.Identify(admission.HeaderKey(r.Header))
	h := Hello{Version: s.cfg.Version, PID: os.Getpid(), Admitted: admitted}
	if admitted && s.cfg.Policy != nil {
		h.Policy = s.cfg.Policy()
	}
	if admitted && s.cfg.Standing != nil {
		h.Standing = s.cfg.Standing()
	}
	encode(w, h)
}

// asked wraps a handler. The actor is always the client that asks, never one that the request names.
func (s *Server) asked(serve func(http.ResponseWriter, *http.Request, call.Actor)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		actor, ok := s.cfg.Admission.Identify(admission.HeaderKey(r.Header))
		if !ok {
			http.Error(w, "unknown client", http.StatusUnauthorized)
			return
		}
		done, ok := s.turn(r)
		if !ok {
			return // the client is gone
		}
		defer done()
		account := s.cfg.Budget.Open(actor.Holder())
		defer account.Close()
		serve(w, r.WithContext(budget.NewContext(r.Context(), account)), actor)
	}
}

func (s *Server) enter(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var c Command
	if !understood(w, r, &c) {
		return
	}
	var a enterResponse
	if s.cfg.Enter != nil {
		if err := s.cfg.Enter(actor, c); err != nil {
			a.Trouble = err.Error()
		}
	}
	if pid, _ := r.Context().Value(peerKey{}).(int); a.Trouble == "" && s.cfg.Peers != nil && !s.cfg.Peers.enter(pid, c.ID) {
		a.Trouble = "in a session only weir itself may serve for MCP servers"
	}
	encode(w, a)
}

func (s *Server) call(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q callRequest
	if !understood(w, r, &q) {
		return
	}
	actor = actor.InSession("")
	c, valid := q.calledBy(actor)
	if !s.speaksFor(w, r, c.Server) {
		return
	}
	if !valid {
		encode(w, rulingOf(call.Ruling{Code: call.CodeArgsUnreadable, Reason: "The arguments are no JSON."}))
		return
	}
	ruling := s.cfg.Judge.Call(r.Context(), c)
	if ruling.Call == "" {
		ruling.Call = c.ID
	}
	s.issued.add(ruling.Call, actor)
	encode(w, rulingOf(ruling))
}

func (s *Server) tools(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q toolsRequest
	if !understood(w, r, &q) {
		return
	}
	l := q.listing()
	if !s.speaksFor(w, r, l.Server.ID) {
		return
	}
	l.Actor = actor.InSession("")
	offer, err := s.cfg.Judge.Tools(r.Context(), l)
	if err != nil {
		encode(w, toolsResponse{Trouble: err.Error()})
		return
	}
	encode(w, toolsResponse{Offer: offer})
}

func (s *Server) given(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q givenRequest
	if !understood(w, r, &q) {
		return
	}
	g := q.given()
	if !s.speaksFor(w, r, g.Server.ID) {
		return
	}
	actor = actor.InSession("")
	g.Actor = actor
	if !s.issued.has(g.Call, actor) {
		g.Call = "" // the call is another client's, or from a weir that has ended
	}
	encode(w, rulingOf(s.cfg.Judge.Given(r.Context(), g)))
}

func (s *Server) refused(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q callRequest
	if !understood(w, r, &q) {
		return
	}
	c, valid := q.calledBy(actor.InSession(""))
	if !s.speaksFor(w, r, c.Server) {
		return
	}
	if !valid {
		c.Args = nil
	}
	s.cfg.Judge.Refused(c, plain(q.Ruling.ruling()))
	encode(w, struct{}{})
}

func understood(w http.ResponseWriter, r *http.Request, into any) bool {
	err := decode(r.Body, into, budget.FromContext(r.Context()).Share(budget.Messages))
	if over := (*budget.Exceeded)(nil); errors.As(err, &over) {
		http.Error(w, over.Error(), http.StatusServiceUnavailable)
		return false
	}
	if err != nil {
		http.Error(w, "the request cannot be read", http.StatusBadRequest)
		return false
	}
	return true
}
