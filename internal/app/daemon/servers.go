package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/gateway"
	"github.com/weir-gate/weir/internal/mcp/outgoing"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/declared"
	"github.com/weir-gate/weir/internal/text/echo"
)

// A declaredServer is an MCP server of the policy, and how it is reached.
type declaredServer struct {
	gateway.Server
	// mute says that weir itself cannot ask it: it needs the credential of the caller.
	mute bool
}

// declaredServers returns the MCP servers that a policy declares. Servers that cannot be set up are left out, and are named in the
// error.
func (d *Daemon) declaredServers(p *policy.Policy) (servers []declaredServer, err error) {
	declarations := p.MCP()
	if declarations == nil {
		return nil, nil
	}
	var problems []error
	for _, declaration := range declarations.Servers {
		s, err := d.declaredServer(declaration)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		servers = append(servers, s)
	}
	return servers, errors.Join(problems...)
}

func (d *Daemon) declaredServer(written declared.Server) (declaredServer, error) {
	c, err := written.Expand(os.LookupEnv)
	if err != nil {
		return declaredServer{}, err
	}
	s := declaredServer{Server: gateway.Server{ID: c.ID, Type: c.Type, Timeout: c.Timeout}}
	if s.Declared, err = declaration(c); err != nil {
		return declaredServer{}, fmt.Errorf("server %s: %w", c.ID, err)
	}
	if c.Type == declared.Stdio {
		s.Addr = c.PublicAddr()
		s.Open = d.openProcess(c)
		return s, nil
	}
	if s.URL, err = url.Parse(c.URL); err != nil {
		return declaredServer{}, fmt.Errorf("server %s: its url is not valid; correct it in the policy", c.ID)
	}
	s.Addr = c.PublicAddr()
	sender, err := outgoing.New(outgoing.Config{
		URL: s.URL, Auth: outgoing.Auth(c.Auth), Fingerprint: c.TLSFingerprint, Allow: c.AllowAddresses,
		Secrets: dialect.SecretsInQuery(s.URL.Query()),
	})
	if err != nil {
		return declaredServer{}, fmt.Errorf("server %s: %w", c.ID, err)
	}
	s.Passthrough = c.Auth.Type == declared.AuthPassthrough
	s.mute = s.Passthrough
	s.HTTP = sender
	if c.Type == declared.SSE {
		s.Open = openStream(s.URL, sender, c.Timeout)
	}
	return s, nil
}

// declaration returns a hash of the declaration of a server. It covers the secrets, but does not reveal them.
func declaration(d declared.Server) (string, error) {
	d.Line = 0
	text, err := json.Marshal(d, json.Deterministic(true), json.StringifyNumbers(false), durationsAsNumbers)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

var durationsAsNumbers = json.WithMarshalers(json.MarshalFunc(func(d time.Duration) ([]byte, error) {
	return json.Marshal(int64(d))
}))

// An opener connects to a server for one session.
type opener = func(context.Context, http.Header) (reach.Conn, error)

// refuses says why an actor may not use a server; nil: the policy allows it, or is not enforced.
func (d *Daemon) refuses(who call.Actor, id string) error {
	ruling, denied := d.judge.DeniesServer(who, id)
	if !denied {
		return nil
	}
	return fmt.Errorf("the policy refuses this server (%s): %s", ruling.Rule, ruling.Reason+ruling.Questions())
}

// openProcess starts a process for each session.
func (d *Daemon) openProcess(c declared.Server) opener {
	if c.Env.Allow == nil {
		// weir's own environment has the secrets of its configuration, such as the keys of all clients and the credentials of other
		// servers.
		c.Env.Allow = []string{}
	}
	mask := echo.New(dialect.SecretsOf(c.Env.Set, c.Args)...)
	return func(ctx context.Context, _ http.Header) (reach.Conn, error) {
		return reach.Stdio(reach.StdioConfig{Mask: mask, Room: budget.FromContext(ctx).Share(budget.Messages), Process: child.Config{
			Path: c.Command, Args: c.Args, Dir: c.Dir, Env: child.Environ(os.Environ(), child.Lists(c.Env)),
			Stderr: &said{server: c.ID, mask: mask, log: d.cfg.Log},
		}})
	}
}

// openStream opens the stream of a legacy server for each session.
func openStream(u *url.URL, sender *outgoing.Sender, timeout time.Duration) opener {
	return func(ctx context.Context, caller http.Header) (reach.Conn, error) {
		return reach.SSE(ctx, reach.SSEConfig{
			URL: u, Sender: sender, Caller: caller, Timeout: timeout, Room: budget.FromContext(ctx).Share(budget.Messages),
		})
	}
}

// doors returns the servers in the form of the gateway.
func doors(servers []declaredServer) []gateway.Server {
	out := make([]gateway.Server, len(servers))
	for i, s := range servers {
		out[i] = s.Server
	}
	return out
}

// connect connects to a server on weir's own behalf.
func (s declaredServer) connect(ctx context.Context) (reach.Conn, error) {
	if s.Open != nil {
		return s.Open(ctx, nil)
	}
	return reach.HTTP(reach.HTTPConfig{URL: s.URL, Sender: s.HTTP, Timeout: s.Timeout}), nil
}

// isMCPPath says whether a path, with or without a key in front, belongs to the gateway.
func isMCPPath(path string) bool {
	segments := strings.SplitN(strings.TrimPrefix(path, "/"), "/", 4)
	if len(segments) > 2 && segments[0] == "k" {
		segments = segments[2:]
	}
	return segments[0] == "mcp" || slices.Equal(segments[:min(2, len(segments))], []string{".well-known", "oauth-protected-resource"})
}
