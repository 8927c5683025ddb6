package control

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/mcp"
)

// echo is a judge that keeps what it was asked and rules as it is told.
type echo struct {
	mu      sync.Mutex
	call    call.Call
	listing call.Listing
	given   call.Given
	refused chan call.Ruling
	ruling  call.Ruling
	trouble error
	waits   bool
}

func (e *echo) Call(ctx context.Context, c call.Call) call.Ruling {
	e.mu.Lock()
	e.call = c
	e.mu.Unlock()
	if e.waits {
		<-ctx.Done()
	}
	return e.ruling
}

func (e *echo) Tools(_ context.Context, l call.Listing) (call.Offer, error) {
	e.listing = l
	return call.Offer{Shown: []bool{true, false}}, e.trouble
}

func (e *echo) Given(_ context.Context, g call.Given) call.Ruling {
	e.given = g
	return e.ruling
}

func (e *echo) Refused(c call.Call, r call.Ruling) {
	e.mu.Lock()
	e.call = c
	e.mu.Unlock()
	e.refused <- r
}

// serve answers at a socket until the test ends.
func serve(t *testing.T, path string, j mcp.Judge, clients ...admission.Client) {
	t.Helper()
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	serveAt(t, l, j, clients...)
}

func serveAt(t *testing.T, l net.Listener, j mcp.Judge, clients ...admission.Client) {
	t.Helper()
	a, err := admission.New(admission.Config{Clients: clients})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- NewServer(ServerConfig{Judge: j, Admission: a, Version: "v1"}).Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func socket(t *testing.T) string {
	t.Helper()
	// The folder of a test has a name too long for a socket.
	dir, err := os.MkdirTemp("", "weir")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) }) // it is temporary
	return filepath.Join(dir, "s")
}

// oddArgs are arguments that a writer of JSON would write otherwise.
const oddArgs = "{ \"n\": 1.0e2,\t\"s\":\"\\u0061\", \"big\":12345678901234567890123 }"

func TestQuestions(t *testing.T) {
	path := socket(t)
	j := &echo{refused: make(chan call.Ruling, 1), ruling: call.Ruling{Released: true, Args: jsontext.Value(oddArgs), Call: "call_x"}}
	ann := call.Actor{Employee: "ann", Key: "ann"}
	serve(t, path, j, admission.Client{Key: "secret", Actor: ann})
	ann = ann.InSession("") // a shim names none
	c := NewClient(ClientConfig{Path: path, Key: "secret", Folder: "/srv/app"})
	defer c.Close()
	asked := call.Call{
		ID: "call_1", Surface: call.Response, Actor: call.Actor{Employee: "eve"}, Server: "files", Tool: "read\x00\xff", Args: jsontext.Value(oddArgs),
		MCP: call.MCPCall{ServerType: "stdio", ServerAddr: "server", RPCID: `"1"`, Method: ""},
	}
	got := c.Call(t.Context(), asked)
	if diff := cmp.Diff(j.ruling, got); diff != "" {
		t.Errorf("ruling (-want +got):\n%s", diff)
	}
	want := asked
	want.Folder = "/srv/app"
	want.Actor, want.Surface, want.Tool = ann, call.MCP, "read\x00\ufffd" // who asks is known by the key
	want.ID = j.call.ID                                                   // nor is the id believed that it made up
	if diff := cmp.Diff(want, j.call); diff != "" || j.call.ID == "call_1" || j.call.ID == "" {
		t.Errorf("call %s (-want +got):\n%s", j.call.ID, diff)
	}

	server := call.MCPServer{ID: "files", Type: "stdio", Addr: "server"}
	listing := call.Listing{Actor: call.Actor{Team: "x"}, Server: server, Tools: []jsontext.Value{jsontext.Value(oddArgs), jsontext.Value(`{}`)}, Complete: true}
	offer, err := c.Tools(t.Context(), listing)
	if err != nil || !cmp.Equal(offer.Shown, []bool{true, false}) {
		t.Errorf("offer %v, %v", offer, err)
	}
	listing.Actor = ann
	if diff := cmp.Diff(listing, j.listing); diff != "" {
		t.Errorf("listing (-want +got):\n%s", diff)
	}
	j.trouble = errors.New("the store is full")
	if _, err := c.Tools(t.Context(), listing); err == nil || err.Error() != "the store is full" {
		t.Errorf("trouble: %v", err)
	}

	given := call.Given{Server: server, Method: "tools/call", Tool: "read", Call: "call_x", RPCID: "7", Result: jsontext.Value(oddArgs), Again: true}
	j.ruling = call.Ruling{Code: call.CodeContentDenied, Reason: "no"}
	if diff := cmp.Diff(j.ruling, c.Given(t.Context(), given)); diff != "" {
		t.Errorf("given (-want +got):\n%s", diff)
	}
	given.Actor = ann
	if diff := cmp.Diff(given, j.given); diff != "" {
		t.Errorf("given (-want +got):\n%s", diff)
	}

	// What answers a call that nobody was given the id of is linked to none.
	given.Call = "call_of_another"
	c.Given(t.Context(), given)
	if j.given.Call != "" {
		t.Errorf("linked to %s", j.given.Call)
	}

	refusal := call.Ruling{Code: call.CodeMalformed, Reason: "odd"}
	c.Refused(asked, call.Ruling{Code: "made up", Reason: "odd", Rule: "of the policy", Policy: "sha256:00"})
	if diff := cmp.Diff(refusal, <-j.refused); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
}

// Who has no key of a client is refused, and told what to do.
func TestUnknownClient(t *testing.T) {
	path := socket(t)
	j := &echo{ruling: call.Ruling{Released: true}}
	serve(t, path, j, admission.Client{Key: "secret"})
	var told error
	c := NewClient(ClientConfig{Path: path, Key: "wrong", OnTrouble: func(err error) { told = err }})
	defer c.Close()
	if err := c.Ensure(t.Context()); err == nil || !strings.Contains(err.Error(), "set WEIR_KEY") {
		t.Errorf("ensured: %v", err)
	}
	if r := c.Call(t.Context(), call.Call{Tool: "read"}); r.Released || r.Code != call.CodeStoreUnavailable {
		t.Errorf("ruling %+v", r)
	}
	if told == nil || !strings.Contains(told.Error(), "set WEIR_KEY") {
		t.Errorf("told %v", told)
	}
}

// Where nobody answers, one weir is started, however many want one.
func TestStarts(t *testing.T) {
	path := socket(t)
	starts := 0
	j := &echo{ruling: call.Ruling{Released: true}}
	c := NewClient(ClientConfig{Path: path, Start: func() (<-chan struct{}, error) {
		starts++
		serve(t, path, j)
		return nil, nil
	}})
	defer c.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := c.Ensure(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if r := c.Call(t.Context(), call.Call{Tool: "read"}); !r.Released {
		t.Errorf("ruling %+v", r)
	}
	if starts != 1 {
		t.Errorf("%d were started", starts)
	}
}

func TestNobodyStarts(t *testing.T) {
	over := make(chan struct{})
	close(over)
	for want, start := range map[string]func() (<-chan struct{}, error){
		"no weir serve runs":                      nil,
		"it cannot be":                            func() (<-chan struct{}, error) { return nil, errors.New("it cannot be") },
		"does not respond within":                 func() (<-chan struct{}, error) { return make(chan struct{}), nil },
		"started, but stopped at once; see a.log": func() (<-chan struct{}, error) { return over, nil },
	} {
		synctest.Test(t, func(t *testing.T) {
			c := NewClient(ClientConfig{Path: "/nowhere/s", Start: start, Log: "a.log"})
			if err := c.Ensure(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
			c.Close()
		})
	}
}

// A weir that ended is waited for, and nobody starts another in its place, which could have another policy.
func TestComesBack(t *testing.T) {
	path := socket(t)
	j := &echo{ruling: call.Ruling{Released: true}}
	c := NewClient(ClientConfig{Path: path, Start: func() (<-chan struct{}, error) {
		t.Error("another was started")
		return nil, nil
	}})
	defer c.Close()
	ruled := make(chan call.Ruling)
	go func() { ruled <- c.Call(t.Context(), call.Call{Tool: "read"}) }()
	serve(t, path, j)
	if r := <-ruled; !r.Released {
		t.Errorf("ruling %+v", r)
	}
}

func TestStaysAway(t *testing.T) {
	c := NewClient(ClientConfig{Path: socket(t), BackWithin: 1, Start: func() (<-chan struct{}, error) {
		t.Error("another was started")
		return nil, nil
	}})
	defer c.Close()
	if r := c.Call(t.Context(), call.Call{Tool: "read"}); r.Released || r.Code != call.CodeStoreUnavailable {
		t.Errorf("ruling %+v", r)
	}
	if r := c.Given(t.Context(), call.Given{}); r.Released || r.Code != call.CodeStoreUnavailable {
		t.Errorf("ruling %+v", r)
	}
	if _, err := c.Tools(t.Context(), call.Listing{}); err == nil {
		t.Error("tools are shown")
	}
	if err := c.Enter(t.Context(), Command{ID: "files"}); err == nil {
		t.Error("a shim may stand in")
	}
}

func TestEnter(t *testing.T) {
	path := socket(t)
	a, err := admission.New(admission.Config{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	var asked Command
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	server := NewServer(ServerConfig{Judge: &echo{}, Admission: a, Enter: func(_ call.Actor, c Command) error {
		asked = c
		if c.ID == "bad" {
			return errors.New("that is another")
		}
		return nil
	}})
	go func() { done <- server.Serve(ctx, l) }()
	c := NewClient(ClientConfig{Path: path})
	want := Command{ID: "files", Path: "npx", Args: []string{"a", ""}}
	if err := c.Enter(t.Context(), want); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if err := c.Enter(t.Context(), Command{ID: "bad"}); err == nil || err.Error() != "that is another" {
		t.Errorf("bad: %v", err)
	}
	c.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A caller that is gone is refused, and the judge is told that it need not wait.
func TestCallerGone(t *testing.T) {
	path := socket(t)
	j := &echo{ruling: call.Ruling{Released: true}, waits: true}
	serve(t, path, j)
	c := NewClient(ClientConfig{Path: path, OnTrouble: func(err error) { t.Errorf("trouble: %v", err) }})
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ruled := make(chan call.Ruling)
	go func() { ruled <- c.Call(ctx, call.Call{Tool: "read"}) }()
	cancel()
	if r := <-ruled; r.Released {
		t.Errorf("ruling %+v", r)
	}
}

// A together is a judge that rules once so many calls wait for it.
type together struct {
	echo
	atOnce int

	mu      sync.Mutex
	waiting int
	ruled   chan struct{} // closed when the calls that wait now are ruled
}

func (j *together) Call(context.Context, call.Call) call.Ruling {
	j.mu.Lock()
	if j.waiting == 0 {
		j.ruled = make(chan struct{})
	}
	ruled := j.ruled
	if j.waiting++; j.waiting == j.atOnce {
		j.waiting = 0
		close(ruled)
	}
	j.mu.Unlock()
	<-ruled
	return call.Ruling{Released: true}
}

// accepted counts the connections to a socket.
type accepted struct {
	net.Listener
	n atomic.Int64
}

func (a *accepted) Accept() (net.Conn, error) {
	c, err := a.Listener.Accept()
	if err == nil {
		a.n.Add(1)
	}
	return c, err
}

// Requests that come again and again use the connections of those before.
func TestConnectionsAreKept(t *testing.T) {
	path := socket(t)
	plain, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	l := &accepted{Listener: plain}
	j := &together{atOnce: 32}
	serveAt(t, l, j)
	c := NewClient(ClientConfig{Path: path})
	defer c.Close()
	for range 5 {
		var all sync.WaitGroup
		for range j.atOnce {
			all.Go(func() {
				if r := c.Call(t.Context(), call.Call{Tool: "read"}); !r.Released {
					t.Errorf("ruling %+v", r)
				}
			})
		}
		all.Wait()
	}
	if n := l.n.Load(); n != int64(j.atOnce) {
		t.Errorf("%d connections were opened for %d requests at once", n, j.atOnce)
	}
}

func TestListen(t *testing.T) {
	path := socket(t)
	// What a killed weir leaves.
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	if err := stale.Close(); err != nil {
		t.Fatal(err)
	}
	serve(t, path, &echo{})
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	if _, err := Listen(path); !errors.Is(err, ErrServed) {
		t.Errorf("a second weir: %v", err)
	}
	// One that lives and does not answer has its socket all the same.
	mute := socket(t)
	l, err := Listen(mute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(mute); !errors.Is(err, ErrServed) {
		t.Errorf("beside a mute weir: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	next, err := Listen(mute)
	if err != nil {
		t.Fatalf("after it ended: %v", err)
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
	c := NewClient(ClientConfig{Path: path})
	defer c.Close()
	if h, err := c.Hello(t.Context()); err != nil || h.Version != "v1" || h.PID != os.Getpid() || !h.Admitted {
		t.Errorf("hello %+v, %v", h, err)
	}
}

func TestPath(t *testing.T) {
	short, err := Path("/s")
	if err != nil || short != filepath.Join("/s", "control.sock") {
		t.Errorf("%s, %v", short, err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	long := "/" + strings.Repeat("long/", 30)
	one, err := Path(long + "one")
	if err != nil {
		t.Fatal(err)
	}
	two, err := Path(long + "two")
	if err != nil || one == two || filepath.Dir(one) != filepath.Dir(two) {
		t.Errorf("%s, %s, %v", one, two, err)
	}
	if err := os.Chmod(filepath.Dir(one), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Path(long); err == nil || !strings.Contains(err.Error(), "others can use the folder") {
		t.Errorf("a folder that others can write to: %v", err)
	}
}
