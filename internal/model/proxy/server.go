package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// ServerConfig sets up a Server.
type ServerConfig struct {
	Door *Door
	// Handler answers requests, those for the Door by asking it; nil: the Door.
	Handler http.Handler
	// TLS is the server's certificate and what belongs to it; nil: plain HTTP, on loopback only.
	TLS *tls.Config
	// Grace is how long open responses may go on once the server is told to end; 0: 30 seconds.
	Grace time.Duration
}

// A Server serves a Door to the network.
type Server struct {
	cfg ServerConfig
}

// NewServer returns a Server.
func NewServer(cfg ServerConfig) *Server {
	setDefault(&cfg.Grace, 30*time.Second)
	return &Server{cfg: cfg}
}

// lastGrace is how long requests may take to notice that their connections were cut.
const lastGrace = 5 * time.Second

// Serve answers what comes through l until ctx ends. Then it takes no more, lets open responses come to their end within
// Grace, and cuts what is left; nil says that all of them did. It does not begin if l can be reached from beyond this
// machine and the door has no clients, or there is no TLS.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if !isLoopback(l.Addr()) && (!s.cfg.Door.admission.HasClients() || s.cfg.TLS == nil) {
		return fmt.Errorf("listen on %s: an address beyond loopback needs clients and tls", l.Addr())
	}
	var open tracker
	handler := s.cfg.Handler
	if handler == nil {
		handler = s.cfg.Door
	}
	server := s.httpServer(open.handler(handler))
	failed := make(chan error, 1)
	go func() {
		if s.cfg.TLS != nil {
			failed <- server.ServeTLS(l, "", "")
		} else {
			failed <- server.Serve(l)
		}
	}()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	return s.shutDown(server, &open)
}

// httpServer has no time-out for whole responses: they last as long as the model speaks. Slow clients meet the door's
// deadlines.
func (s *Server) httpServer(h http.Handler) *http.Server {
	// Some clients speak HTTP/2 without TLS to whom they take for a service of Amazon's.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:           h,
		TLSConfig:         s.cfg.TLS,
		Protocols:         &protocols,
		ReadHeaderTimeout: 20 * time.Second,
		IdleTimeout:       3 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// Else net/http itself would answer "OPTIONS *".
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.cfg.Door.cfg.Log.Handler(), slog.LevelWarn),
	}
}

func (s *Server) shutDown(server *http.Server, open *tracker) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Grace)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("shut down: responses were still open and have been cut")
		_ = server.Close() // the listener is closed already; what matters is that the connections are
	}
	last, cancel := context.WithTimeout(context.Background(), lastGrace)
	defer cancel()
	open.wait(last)
	s.cfg.Door.observers.wait(last)
	return err
}

// isLoopback says whether only this machine can reach an address.
func isLoopback(a net.Addr) bool {
	switch a := a.(type) {
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	return false
}
