package reach

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The methods that are sent or handled here.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodDiscover    = "server/discover"
	methodListTools   = "tools/list"
	methodPing        = "ping"
)

// The keys in _meta by which a stateless request describes the client, and its response the server.
const (
	metaClientInfo         = "io.modelcontextprotocol/clientInfo"
	metaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo         = "io.modelcontextprotocol/serverInfo"
)

var (
	errVersion = errors.New("the server speaks no version of MCP that weir does")
	errNotText = errors.New("a member that is to be a text is none")
)

// AskConfig describes the client.
type AskConfig struct {
	Name    string // of the client; "": weir
	Version string // of the client; "": unknown
	// Versions of MCP that may be used; nil: all that weir supports. A session is opened if the server supports one of the versions
	// with sessions; else there is no session.
	Versions []string
}

// A Server is what a server says about itself. It is the server's text: make it inert before it is shown.
type Server struct {
	Name, Version   string
	Instructions    string
	ProtocolVersion string // that was used
}

// Ask asks a server for its description and for all its tools, each as the server sent it. Meanwhile only Ask receives from conn:
// it responds to pings, and refuses other requests of the server. The connection stays open.
func Ask(ctx context.Context, conn Conn, cfg AskConfig) (Server, []jsontext.Value, error) {
	a := &asker{conn: conn, info: clientInfo(cfg)}
	server, err := a.introduce(ctx, cfg.Versions)
	if err != nil {
		return Server{}, nil, err
	}
	tools, err := a.tools(ctx)
	if err != nil {
		return Server{}, nil, err
	}
	return server, tools, nil
}

// Greet opens a session on a new connection, in one version of MCP. Others use the connection afterwards.
func Greet(ctx context.Context, conn Conn, cfg AskConfig, version string) error {
	// No other request on the connection has such an id.
	a := &asker{conn: conn, info: clientInfo(cfg), id: jsonrpc.TextID("weir-" + rand.Text())}
	if _, err := a.open(ctx, version); err != nil {
		return err
	}
	return a.confirm(ctx)
}

// An asker sends requests to a server, one at a time.
type asker struct {
	conn Conn
	info []byte     // the client, as JSON
	id   jsonrpc.ID // of the one request; zero: requests are numbered
	// asked is how many requests were sent.
	asked int64
	// received counts the received messages that were not responses.
	received  int
	stateless bool // requests need no session
}

// introduce opens a session if the server has sessions, and returns the server's description of itself.
func (a *asker) introduce(ctx context.Context, allowed []string) (Server, error) {
	may := func(version string) bool { return allowed == nil || slices.Contains(allowed, version) }
	newest := ""
	for _, version := range streamable.SessionVersions {
		if may(version) {
			newest = version
		}
	}
	failure := errVersion
	if newest != "" {
		server, err := a.initialize(ctx, newest)
		switch {
		case err == nil && !may(server.ProtocolVersion):
			err = errVersion
		case err == nil:
			return server, nil
		}
		failure = err
	}
	if !may(streamable.VersionStateless) || !mayBeStateless(failure) {
		return Server{}, failure
	}
	a.stateless = true
	server, err := a.discover(ctx)
	switch {
	case err == nil:
		return server, nil
	case newest == "", ctx.Err() != nil:
		return Server{}, err
	}
	// The error of the stateless attempt is not interesting if the server is not stateless.
	return Server{}, failure
}

// mayBeStateless reports whether the server may have refused to open a session because it has no sessions.
func mayBeStateless(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		return status.Status/100 == 4 && status.Status != http.StatusUnauthorized && status.Status != http.StatusForbidden
	}
	var failed *failedError
	return errors.As(err, &failed) || errors.Is(err, errVersion)
}

// open asks the server to open a session.
func (a *asker) open(ctx context.Context, version string) (*jsonrpc.Message, error) {
	params := fmt.Appendf(nil, `{"protocolVersion":%q,"capabilities":{},"clientInfo":%s}`, version, a.info)
	return a.request(ctx, methodInitialize, params)
}

// confirm tells the server that the session is open.
func (a *asker) confirm(ctx context.Context) error {
	if err := a.conn.Send(ctx, jsonrpc.NewNotification(methodInitialized, nil)); err != nil {
		return fmt.Errorf("%s: %w", methodInitialized, err)
	}
	return nil
}

// initialize opens a session.
func (a *asker) initialize(ctx context.Context, version string) (Server, error) {
	m, err := a.open(ctx, version)
	if err != nil {
		return Server{}, err
	}
	var server Server
	root := m.Root()
	err = errors.Join(
		text(&server.ProtocolVersion, root, "result", "protocolVersion"),
		text(&server.Name, root, "result", "serverInfo", "name"),
		text(&server.Version, root, "result", "serverInfo", "version"),
		text(&server.Instructions, root, "result", "instructions"),
	)
	if err != nil {
		return Server{}, err
	}
	if !slices.Contains(streamable.SessionVersions, server.ProtocolVersion) {
		return Server{}, fmt.Errorf("%s: %w", methodInitialize, errVersion)
	}
	return server, a.confirm(ctx)
}

// discover asks a server without sessions for its description.
func (a *asker) discover(ctx context.Context) (Server, error) {
	m, err := a.request(ctx, methodDiscover, a.params(""))
	if err != nil {
		return Server{}, err
	}
	versions, err := member(m.Root(), "result", "supportedVersions")
	if err != nil {
		return Server{}, err
	}
	isSpoken := false
	for v := range versions.Elems() {
		isSpoken = isSpoken || v.Is(streamable.VersionStateless)
	}
	if !isSpoken {
		return Server{}, fmt.Errorf("%s: %w", methodDiscover, errVersion)
	}
	server := Server{ProtocolVersion: streamable.VersionStateless}
	root := m.Root()
	err = errors.Join(
		text(&server.Name, root, "result", "_meta", metaServerInfo, "name"),
		text(&server.Version, root, "result", "_meta", metaServerInfo, "version"),
		text(&server.Instructions, root, "result", "instructions"),
	)
	return server, err
}

// params returns the params of a request for the page at a cursor; "": the first page.
func (a *asker) params(cursor string) jsontext.Value {
	b := []byte(`{`)
	if cursor != "" {
		b = strictjson.AppendString(append(b, `"cursor":`...), cursor)
	}
	if a.stateless {
		if cursor != "" {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"_meta":{%q:%q,%q:%s,%q:{}}`, streamable.MetaVersion, streamable.VersionStateless,
			metaClientInfo, a.info, metaClientCapabilities)
	}
	return append(b, '}')
}

// clientInfo returns the description of the client as JSON.
func clientInfo(cfg AskConfig) []byte {
	b := strictjson.AppendString([]byte(`{"name":`), cmp.Or(cfg.Name, "weir"))
	b = strictjson.AppendString(append(b, `,"version":`...), cmp.Or(cfg.Version, "unknown"))
	return append(b, '}')
}

// member returns the value at a path of names; it is missing if there is none.
func member(v strictjson.Value, path ...string) (strictjson.Value, error) {
	for _, name := range path {
		var err error
		if v, err = v.Member(name); err != nil {
			return v, fmt.Errorf("read response: %w", err)
		}
	}
	return v, nil
}

// text reads the text at a path of names; "" if there is none.
func text(to *string, v strictjson.Value, path ...string) error {
	v, err := member(v, path...)
	if err != nil || v.Kind() == strictjson.Missing {
		return err
	}
	var ok bool
	if *to, ok = v.Text(); !ok {
		return fmt.Errorf("read response: %w", errNotText)
	}
	return nil
}
