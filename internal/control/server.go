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

	"github.com/weir-gate/weir/internal/admission"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp"
)

// ServerConfig sets up a Server.
type ServerConfig struct {
	Judge     mcp.Judge
	Admission *admission.Admission // who may ask, by the key in the header x-weir-key
	// Enter says why a shim may not stand in for a server; nil: every one may.
	Enter   func(Command) error
	Version string       // weir's
	Log     *slog.Logger // nil: no log
}

// A Server answers for the judge.
type Server struct {
	cfg  ServerConfig
	http *http.Server
}

// NewServer returns a Server.
func NewServer(cfg ServerConfig) *Server {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{cfg: cfg}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+pathHello, s.hello)
	mux.HandleFunc("POST "+pathEnter, s.asked(s.enter))
	mux.HandleFunc("POST "+pathCall, s.asked(s.call))
	mux.HandleFunc("POST "+pathTools, s.asked(s.tools))
	mux.HandleFunc("POST "+pathGiven, s.asked(s.given))
	mux.HandleFunc("POST "+pathRefused, s.asked(s.refused))
	s.http = &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 10 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelWarn),
	}
	return s
}

// ErrServed says that another weir answers at the socket.
var ErrServed = errors.New("another weir serves this state folder already")

// Listen opens the socket. What a weir that was killed left there is removed; that of one that lives is left alone, whether it answers
// or not: a lock says so, which the system takes back when a process ends.
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

// A claimed listener has the lock of its socket.
type claimed struct {
	net.Listener
	lock *os.File
}

// Close removes the socket, and then lets another weir have it.
func (c *claimed) Close() error { return errors.Join(c.Listener.Close(), c.lock.Close()) }

// Serve answers until ctx ends. Questions that are open then have a moment to be answered.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve the control socket: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastAnswers)
	defer cancel()
	if err := s.http.Shutdown(last); err != nil {
		return errors.Join(errors.New("serve the control socket: questions were still open"), s.http.Close())
	}
	return nil
}

// lastAnswers is how long open questions may take when weir ends.
const lastAnswers = 5 * time.Second

func (s *Server) hello(w http.ResponseWriter, r *http.Request) {
	_, admitted := s.cfg.Admission.Identify(admission.HeaderKey(r.Header))
	encode(w, Hello{Version: s.cfg.Version, PID: os.Getpid(), Admitted: admitted})
}

// asked has a question answered on behalf of who asks: never of whom the question names.
func (s *Server) asked(answer func(http.ResponseWriter, *http.Request, call.Actor)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		actor, ok := s.cfg.Admission.Identify(admission.HeaderKey(r.Header))
		if !ok {
			http.Error(w, "unknown client", http.StatusUnauthorized)
			return
		}
		answer(w, r, actor)
	}
}

func (s *Server) enter(w http.ResponseWriter, r *http.Request, _ call.Actor) {
	var c Command
	if !understood(w, r, &c) {
		return
	}
	var a enterAnswer
	if s.cfg.Enter != nil {
		if err := s.cfg.Enter(c); err != nil {
			a.Trouble = err.Error()
		}
	}
	encode(w, a)
}

func (s *Server) call(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q callQuestion
	if !understood(w, r, &q) {
		return
	}
	c := q.call()
	c.Actor, c.Surface = actor, call.MCP
	encode(w, rulingOf(s.cfg.Judge.Call(r.Context(), c)))
}

func (s *Server) tools(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q toolsQuestion
	if !understood(w, r, &q) {
		return
	}
	l := q.listing()
	l.Actor = actor
	offer, err := s.cfg.Judge.Tools(r.Context(), l)
	if err != nil {
		encode(w, toolsAnswer{Trouble: err.Error()})
		return
	}
	encode(w, toolsAnswer{Offer: offer})
}

func (s *Server) given(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q givenQuestion
	if !understood(w, r, &q) {
		return
	}
	g := q.given()
	g.Actor = actor
	encode(w, rulingOf(s.cfg.Judge.Given(r.Context(), g)))
}

func (s *Server) refused(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q callQuestion
	if !understood(w, r, &q) {
		return
	}
	c := q.call()
	c.Actor, c.Surface = actor, call.MCP
	s.cfg.Judge.Refused(c, q.Ruling.ruling())
	encode(w, struct{}{})
}

func understood(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := decode(r.Body, into); err != nil {
		http.Error(w, "the question cannot be read", http.StatusBadRequest)
		return false
	}
	return true
}
