package httpdoor

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/ingress"
)

// ServerConfig sets up a Server.
type ServerConfig struct {
	Handler http.Handler
	// Admission says whether clients are configured: without them only loopback is served.
	Admission *admission.Admission
	// TLS is the server's certificate and what belongs to it; nil: plain HTTP, on loopback only.
	TLS *tls.Config
	// Ingress is what stands between clients and the server; nil: nothing.
	Ingress *ingress.Ingress
	// Grace is how long open responses may continue after the server was told to end; 0: 30 seconds.
	Grace time.Duration
	// Underway counts work that may outlast all requests; nil: there is none.
	Underway *Underway
	Log      *slog.Logger // nil: no log
}

// A Server serves doors to the network.
type Server struct {
	cfg ServerConfig
}

// NewServer returns a Server.
func NewServer(cfg ServerConfig) *Server {
	cfg.Grace = cmp.Or(cfg.Grace, 30*time.Second)
	if cfg.Underway == nil {
		cfg.Underway = &Underway{}
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{cfg: cfg}
}

// lastGrace is how long requests may take to notice that their connections were cut.
const lastGrace = 5 * time.Second

// Serve serves requests from l until ctx ends. Then it accepts no more, gives open responses Grace to end, and cuts the rest; nil
// says that none was cut. It fails at once if l can be reached from other machines and there are no clients, or no TLS up to here or to
// the ingress.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if !isLoopback(l.Addr()) && (!s.cfg.Admission.HasClients() || s.cfg.TLS == nil && !s.cfg.Ingress.EndsTLS()) {
		return fmt.Errorf("listen on %s: an address beyond loopback needs clients and tls", l.Addr())
	}
	var open Underway
	server := s.httpServer()
	server.Handler = open.handler(s.cfg.Ingress.Handler(s.cfg.Handler))
	l = s.cfg.Ingress.Listener(l)
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

// httpServer returns a server without a timeout for whole responses: they last as long as the model's output. For slow clients, the
// deadlines of their exchanges apply.
func (s *Server) httpServer() *http.Server {
	// Some clients use HTTP/2 without TLS for a service that they take for Amazon's.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:           s.cfg.Handler,
		TLSConfig:         s.cfg.TLS,
		ConnContext:       s.cfg.Ingress.ConnContext,
		Protocols:         &protocols,
		ReadHeaderTimeout: 20 * time.Second,
		IdleTimeout:       3 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// Else net/http itself would respond to "OPTIONS *".
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelWarn),
	}
}

func (s *Server) shutDown(server *http.Server, open *Underway) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Grace)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("shut down: responses were still open and have been cut")
		_ = server.Close() // the listener is closed already; this closes the connections
	}
	last, cancel := context.WithTimeout(context.Background(), lastGrace)
	defer cancel()
	_ = open.Wait(last) // requests that are still open then are not waited for
	_ = s.cfg.Underway.Wait(last)
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
