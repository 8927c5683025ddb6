// Package gateway is the door for MCP over HTTP: it serves each declared server as Streamable HTTP, whatever transport that server
// has.
//
// A Gateway owns the declared servers and the table of MCP sessions. An exchange is one HTTP request of a client with its response,
// which is sent in pieces. A post is the messages of one POST. Their path depends on the kind of server:
//
//   - remote: the server has Streamable HTTP itself. A relay forwards one exchange to it. MCP sessions, streams and the ids of events
//     are the server's own.
//   - hosted: weir is the server's client, because the server is a process, or has the old transport (legacy.go). An MCP session has
//     a connection with the server; requests that wait for their responses are pending; messages that belong to no request are in
//     a mailbox. A client without an MCP session has stand-ins, which are weir's own MCP sessions.
//
// Messages to be sent, in both directions, wait in a queue (internal/mcp/queue).
package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/reach"
)

// The types of servers.
const (
	typeStdio = "stdio"
	typeHTTP  = "http"
	typeSSE   = "sse"
)

// Config sets up a Gateway.
type Config struct {
	Admission *admission.Admission
	Judge     mcp.Judge
	// Denied says whether the policy refuses every use of a server by an actor, and why. Then nothing is sent to the server. nil: no
	// server is refused.
	Denied  func(a call.Actor, server string) (call.Ruling, bool)
	Servers []Server
	Bounds  Bounds
	// Budget is the memory that clients may take; nil: without limit.
	Budget *budget.Budget
	// ClientTimeout is how long a client may take to send the next piece of its request, or to read the next piece of its response; 0:
	// 2 minutes.
	ClientTimeout time.Duration
	// KeepAlive is how long a stream to a client is silent before a comment is sent; 0: 15 seconds.
	KeepAlive time.Duration
	// Served is called after each request; nil: it is not called.
	Served func(Served)
	// Version is weir's own version, for legacy servers and their clients; "": 0.
	Version string
	Log     *slog.Logger     // nil: no log
	Now     func() time.Time // nil: time.Now
}

// A Server is a declared server.
type Server struct {
	ID   string // the last part of its path here
	Type string // stdio, http or sse
	Addr string // for the record: the program, or the URL without its query; it has no secrets
	// Declared is the declaration of the server, in any form. If the text differs, it is another server.
	Declared string
	// Open connects to a server of type stdio or sse for one MCP session. caller has the headers of the client that the server may
	// see.
	Open func(ctx context.Context, caller http.Header) (reach.Conn, error)
	// HTTP and URL are for a server of type http.
	HTTP reach.Doer
	URL  *url.URL
	// Passthrough says that the client's own credential is sent to the server.
	Passthrough bool
	// Timeout is how long the server may take to begin its response to a request; 0: 10 minutes.
	Timeout time.Duration
}

// Bounds limit what the gateway holds for clients and servers.
type Bounds struct {
	Message       int           // bytes of one message, or of one batch; 0: 16 MiB
	Sessions      int           // open MCP sessions; 0: 1,000
	ActorSessions int           // open MCP sessions of one actor; 0: 100
	Idle          time.Duration // after which an unused MCP session ends; 0: 30 minutes
	Queued        int           // bytes that wait for a slow client or server in one MCP session; 0: 64 MiB
	Waiting       int           // messages of a server that wait for a client to listen; 0: 100
	StandIns      int           // weir's own MCP sessions with one server, for requests of one client without an MCP session; 0: 4
	StandInIdle   time.Duration // after which an unused one of these ends; 0: 1 minute
}

// Served describes one request and its response.
type Served struct {
	Server string // "": no declared server
	Method string // of HTTP
	Status int    // 0: the client was gone before it was sent
	Took   time.Duration
}

// A Gateway is the handler of /mcp/<server>. It is safe for concurrent use.
type Gateway struct {
	cfg     Config
	http    httpdoor.Door
	servers atomic.Pointer[map[string]*server] // replaced as a whole
	table   *table
	relays  relays
	// standIns are weir's own MCP sessions, for requests without one.
	standIns standIns
	// life ends when the gateway is closed, and with it everything that is open.
	life context.Context
	end  context.CancelFunc

	replacing sync.Mutex

	// underway tracks work that may outlast its request.
	underway httpdoor.Underway
}

// A server is a Server with what weir has learned about it.
type server struct {
	Server
	params *paramTable
}

// New returns a Gateway, or an error about its configuration.
func New(cfg Config) (*Gateway, error) {
	if cfg.Admission == nil || cfg.Judge == nil {
		return nil, errors.New("set up the mcp gateway: it needs an admission and a judge")
	}
	applyDefaults(&cfg)
	g := &Gateway{cfg: cfg, http: httpdoor.Door{
		Admission: cfg.Admission, Budget: cfg.Budget, Cost: connectionCost, ClientTimeout: cfg.ClientTimeout, Now: cfg.Now,
	}}
	g.life, g.end = context.WithCancel(context.Background())
	g.table = newTable(cfg.Bounds)
	g.servers.Store(&map[string]*server{})
	if err := g.Replace(cfg.Servers); err != nil {
		return nil, fmt.Errorf("set up the mcp gateway: %w", err)
	}
	return g, nil
}

func applyDefaults(cfg *Config) {
	b := &cfg.Bounds
	b.Message = cmp.Or(b.Message, 16<<20)
	b.Sessions = cmp.Or(b.Sessions, 1000)
	b.ActorSessions = cmp.Or(b.ActorSessions, 100)
	b.Idle = cmp.Or(b.Idle, 30*time.Minute)
	b.Queued = cmp.Or(b.Queued, 64<<20)
	b.Waiting = cmp.Or(b.Waiting, 100)
	b.StandIns = cmp.Or(b.StandIns, 4)
	b.StandInIdle = cmp.Or(b.StandInIdle, time.Minute)
	cfg.ClientTimeout = cmp.Or(cfg.ClientTimeout, 2*time.Minute)
	cfg.KeepAlive = cmp.Or(cfg.KeepAlive, 15*time.Second)
	cfg.Version = cmp.Or(cfg.Version, "0")
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
}

// Replace replaces the whole list of servers. Sessions with servers whose declaration is unchanged continue; all others end. After
// an error nothing has changed.
func (g *Gateway) Replace(servers []Server) error {
	g.replacing.Lock()
	defer g.replacing.Unlock()
	before := *g.servers.Load()
	after := make(map[string]*server, len(servers))
	for _, s := range servers {
		if err := checkServer(s); err != nil {
			return fmt.Errorf("server %q: %w", s.ID, err)
		}
		if after[s.ID] != nil {
			return fmt.Errorf("server %q is declared twice", s.ID)
		}
		s.Timeout = cmp.Or(s.Timeout, longSilence)
		if old := before[s.ID]; old != nil && old.Type == s.Type && old.Declared == s.Declared {
			after[s.ID] = old
			continue
		}
		after[s.ID] = &server{Server: s, params: newParamTable()}
	}
	g.servers.Store(&after)
	for id, old := range before {
		if after[id] != old {
			g.table.endWhere(func(s *session) bool { return s.server == old })
		}
	}
	return nil
}

func checkServer(s Server) error {
	switch {
	case s.ID == "":
		return errors.New("it has no id")
	case s.Type == typeHTTP && (s.HTTP == nil || s.URL == nil):
		return errors.New("nothing says how to reach it: it needs a client and a url")
	case (s.Type == typeStdio || s.Type == typeSSE) && s.Open == nil:
		return errors.New("nothing says how to reach it")
	case s.Type != typeHTTP && s.Type != typeStdio && s.Type != typeSSE:
		return errors.New("its type is not stdio, http or sse")
	}
	return nil
}

// Close ends all MCP sessions, and waits until their connections are closed, or ctx ends. Later requests are refused.
func (g *Gateway) Close(ctx context.Context) error {
	g.underway.Close()
	g.end()
	g.table.close()
	if err := g.underway.Wait(ctx); err != nil {
		return fmt.Errorf("close the mcp gateway: sessions are still open: %w", err)
	}
	return nil
}

// govern returns an mcp.Session, which decides on the messages of one client and one server.
func (g *Gateway) govern(s *server, actor call.Actor) *mcp.Session {
	return mcp.New(mcp.Config{
		Server:  call.MCPServer{ID: s.ID, Type: s.Type, Addr: s.Addr},
		Actor:   actor,
		Judge:   g.cfg.Judge,
		Replays: s.Type == typeHTTP,
		Account: g.holding(actor),
		Log:     g.cfg.Log,
		Now:     g.cfg.Now,
	})
}
