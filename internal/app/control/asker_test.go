package control

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
)

// serveConfigured answers at a socket until the test ends.
func serveConfigured(t *testing.T, cfg ServerConfig) *Client {
	t.Helper()
	path := socket(t)
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Admission, err = admission.New(admission.Config{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- NewServer(cfg).Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	c := NewClient(ClientConfig{Path: path})
	t.Cleanup(c.Close)
	return c
}

// At the socket of a session a shim speaks for the server that it entered as, and for no other.
func TestPeers(t *testing.T) {
	j := &echo{ruling: call.Ruling{Released: true}}
	peers := &Peers{}
	c := serveConfigured(t, ServerConfig{Judge: j, Peers: peers})
	files := call.Call{Server: "files", Tool: "read", Args: jsontext.Value(`{}`)}
	if r := c.Call(t.Context(), files); r.Released {
		t.Error("who did not enter is answered")
	}
	if err := c.Enter(t.Context(), Command{ID: "files", Path: "server-files"}); err != nil {
		t.Fatal(err)
	}
	if r := c.Call(t.Context(), files); !r.Released {
		t.Errorf("%+v", r)
	}
	if peerKnown := peers.Server(os.Getpid()) == "files" || peers.Server(0) == "files"; !peerKnown {
		t.Error("it is not known who entered")
	}
	for _, server := range []string{"other", ""} {
		if r := c.Call(t.Context(), call.Call{Server: server, Tool: "read"}); r.Released {
			t.Errorf("it speaks for %q, too", server)
		}
		if _, err := c.Tools(t.Context(), call.Listing{Server: call.MCPServer{ID: server}}); err == nil {
			t.Errorf("it lists for %q, too", server)
		}
		if r := c.Given(t.Context(), call.Given{Server: call.MCPServer{ID: server}}); r.Released {
			t.Errorf("it responds with for %q, too", server)
		}
	}
}

// A program that is not weir's own stands in for nobody.
func TestUntrustedPeer(t *testing.T) {
	c := serveConfigured(t, ServerConfig{Judge: &echo{}, Peers: &Peers{Trust: func(int) bool { return false }}})
	if err := c.Enter(t.Context(), Command{ID: "files"}); err == nil || !strings.Contains(err.Error(), "only weir itself") {
		t.Errorf("entered: %v", err)
	}
}

// Arguments that are no JSON are refused before anybody has to record them.
func TestArgumentsThatAreNone(t *testing.T) {
	j := &echo{ruling: call.Ruling{Released: true}}
	c := serveConfigured(t, ServerConfig{Judge: j})
	for _, args := range []string{"{", `{} {}`, "nothing"} {
		if r := c.Call(t.Context(), call.Call{Server: "files", Tool: "read", Args: jsontext.Value(args)}); r.Released || r.Code != call.CodeArgsUnreadable {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// A connection does not wait for a weir that is away.
func TestConnectDoesNotWait(t *testing.T) {
	c := NewClient(ClientConfig{Path: filepath.Join(t.TempDir(), "none"), BackWithin: 1 << 40})
	defer c.Close()
	if r := c.Connect(t.Context(), call.Connection{Act: call.Connect}); r.Released {
		t.Errorf("%+v", r)
	}
}
