// Package console serves the pages and the interface with which the person at the machine decides in a browser. It has a listener of its
// own, which sessions in namespaces cannot reach.
package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
)

// A Desk is where people decide.
type Desk interface {
	// List returns requests, the newest first, as they are now.
	List(ctx context.Context, f approval.Filter) ([]approval.Request, error)
	// Cast takes a vote of the person that the ballot names and proves to be. It says whether the vote is new.
	Cast(ctx context.Context, b control.Ballot) (approval.Request, bool, error)
	// Identify says who has a code.
	Identify(user, code string) (approval.Person, error)
	// Looked notes that somebody sees what waits, for a while.
	Looked(lasts time.Duration)
}

// Config sets up a Console. Desk and Host are required.
type Config struct {
	Desk Desk
	Host string           // the name by which it is reached
	Now  func() time.Time // nil: time.Now
	Log  *slog.Logger     // nil: no log
}

// A Console serves the person at the machine, who sees all requests. It is safe for concurrent use.
type Console struct {
	cfg    Config
	logins logins
}

// New returns a Console.
func New(cfg Config) *Console {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Console{cfg: cfg}
}

// A route is a method with a path, and what is done there.
type route struct {
	method, path string
	serve        func(http.ResponseWriter, *http.Request)
}

// routes are all that the console serves. api/openapi.yaml has those below /api.
func (c *Console) routes() []route {
	return []route{
		{http.MethodGet, "/api/v1/approvals", c.known(c.list)},
		{http.MethodGet, "/api/v1/approvals/{id}", c.known(c.get)},
		{http.MethodPost, "/api/v1/approvals/{id}/votes", c.known(c.vote)},
		{http.MethodGet, "/login", c.loginPage},
		{http.MethodPost, "/login", c.login},
		{http.MethodGet, "/style.css", style},
		{http.MethodGet, "/approvals", c.shown(c.listPage)},
		{http.MethodGet, "/approvals/{id}", c.shown(c.cardPage)},
		{http.MethodPost, "/approvals/{id}/votes", c.shown(c.votePage)},
		{http.MethodGet, "/{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/approvals", http.StatusSeeOther) }},
	}
}

// Handler serves the console.
func (c *Console) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range c.routes() {
		mux.HandleFunc(r.method+" "+r.path, r.serve)
	}
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusForbidden, problem{Error: "cross_origin", Message: "another site sent this request"})
	}))
	guarded := guard.Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header())
		if !c.isOwn(r.Host) {
			// A name of a stranger's that leads here would make a stranger's page one of ours.
			refuse(w, http.StatusMisdirectedRequest, problem{Error: "wrong_host", Message: "the console is not reached by this name"})
			return
		}
		guarded.ServeHTTP(w, r)
	})
}

// isOwn says whether the console is reached by the name of a request.
func (c *Console) isOwn(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return strings.EqualFold(c.cfg.Host, name)
}

// policyOfContent lets pages load our style and nothing else. They have no script, so none may run.
const policyOfContent = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

func protect(h http.Header) {
	h.Set("Content-Security-Policy", policyOfContent)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// lastGrace is how long open responses may take when the console ends.
const lastGrace = 5 * time.Second

// Serve serves people from l until ctx ends.
func (c *Console) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: c.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(c.cfg.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve the console on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastGrace)
	defer cancel()
	return errors.Join(server.Shutdown(last), server.Close())
}
