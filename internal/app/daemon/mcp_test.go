package daemon

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store"
)

// weather is an MCP server with one tool.
type weather struct {
	*httptest.Server
	calls  atomic.Int64 // of its tool
	listed atomic.Int64
	// requests are all that it got, but those for streams. One of these belongs to every hello at most, and may come late, because
	// nobody waits for it.
	requests, streams, hellos atomic.Int64
}

func newWeather(t *testing.T) *weather {
	t.Helper()
	s := &weather{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.streams.Add(1)
		} else {
			s.requests.Add(1)
		}
		body, err := io.ReadAll(r.Body)
		messages, _, refused := jsonrpc.ParseBody(body)
		if r.Method != http.MethodPost || err != nil || refused != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		m := messages[0]
		result := `{}`
		switch m.Method {
		case "initialize":
			s.hellos.Add(1)
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"the weather","version":"3"}}`
		case "tools/list":
			s.listed.Add(1)
			result = `{"tools":[{"name":"forecast","description":"Tells the weather.","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			s.calls.Add(1)
			result = `{"content":[{"type":"text","text":"rain"}]}`
		}
		if m.Kind != jsonrpc.Request {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := jsonrpc.NewResponse(m.ID, []byte(result))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer.Raw) // a client that is gone has no use for it
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *weather) policy(more string) string {
	return allowAll + "mcp:\n  servers: [{id: weather, type: http, url: '" + s.URL + "/mcp?region=x'}]\n" + more
}

// call calls the tool by way of the gateway.
func (r *rig) call(server string) (status int, body string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, "http://"+r.daemon.Address()+"/mcp/"+server,
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast","arguments":{}}}`))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-06-18"},
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// A declared server is known before anybody calls it: a model's call of its tool is known as that server's.
func TestDeclaredServerIsAsked(t *testing.T) {
	s := newWeather(t)
	r := newRig(t, turn(toolCall{"weather_forecast", `{}`}))
	r.write(s.policy("  fail_closed: true\n"))
	r.serve(0)
	waitFor(t, func() bool { return r.daemon.registry.State("weather", "forecast").State == registry.Trusted })
	if body := r.mustAsk(); !strings.Contains(body, `"name":"weather_forecast"`) {
		t.Errorf("the call does not pass:\n%s", body)
	}
	if status, body := r.call("weather"); status != http.StatusOK || !strings.Contains(body, "rain") {
		t.Errorf("the gateway answers %d: %s", status, body)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	asked, made := r.events(query.Filter{Type: record.Types.MCPIntercepted}), r.events(query.Filter{Type: record.Types.MCPCalled})
	if len(asked) != 1 || len(made) != 1 || asked[0].CallID != made[0].CallID || asked[0].Server != "weather" || asked[0].Tool != "forecast" || asked[0].MCP.ToolHash == "" {
		t.Errorf("asked %+v\nmade %+v", asked, made)
	}
	if len(made) == 1 && (made[0].MCP.ServerType != "http" || made[0].MCP.ServerAddr != s.URL+"/mcp") {
		t.Errorf("the server is %s at %s", made[0].MCP.ServerType, made[0].MCP.ServerAddr)
	}
	seen := r.events(query.Filter{Type: record.Types.MCPToolSeen})
	if len(seen) != 1 || seen[0].Tool != "forecast" {
		t.Errorf("seen: %+v", seen)
	}
	if known := r.daemon.registry.Known(); len(known) != 1 || known[0].Name != "the weather" || known[0].Version != "3" {
		t.Errorf("met: %+v", known)
	}
	r.verify()
}

// Nothing is sent to a denied server: not at the start, not for a client. It ends with what it had when it becomes denied, and it is asked
// when it may be.
func TestDeniedServerIsNotAsked(t *testing.T) {
	s, other := newWeather(t), newWeather(t)
	seen := func() int64 { return s.requests.Load() }
	r := newRig(t, turn(toolCall{"forecast", `{}`}))
	both := allowAll + "mcp:\n  servers: [{id: weather, type: http, url: '" + s.URL + "/mcp'}, {id: other, type: http, url: '" + other.URL + "/mcp'}]\n"
	reload := func(text string) {
		r.write(text)
		if !r.daemon.policy.reload(r.daemon.policy.cfg.Policy.read()) {
			t.Errorf("the policy was not loaded:\n%s", r.log)
		}
	}
	r.write(both + "  denied_servers: [{id: weather}]\n  fail_closed: true\n")
	r.serve(0)
	waitFor(t, func() bool { return r.daemon.registry.State("other", "forecast").State == registry.Trusted })
	if status, body := r.call("weather"); status != http.StatusOK || !strings.Contains(body, "server_denied") {
		t.Errorf("the gateway answers %d: %s", status, body)
	}
	if seen() != 0 || s.streams.Load() != 0 || r.daemon.registry.State("weather", "forecast").State != registry.Unknown {
		t.Errorf("the denied server got %d requests, and %d for streams", seen(), s.streams.Load())
	}
	reload(both + "  fail_closed: true\n")
	waitFor(t, func() bool { return r.daemon.registry.State("weather", "forecast").State == registry.Trusted })
	// What is known of it by now takes no name away from the other.
	for name, denial := range map[string]string{
		"list": "  denied_servers: [{id: weather}]\n", "rule": "rules: [{id: no, server: weather, tool: '*', verdict: deny}]\n",
		"prefixed": "rules: [{id: no, tool: 'mcp__weather__*', verdict: deny}]\n",
	} {
		reload(both + "  fail_closed: true\n" + denial)
		before := seen()
		if status, body := r.call("weather"); status != http.StatusOK || !strings.Contains(body, "isError") {
			t.Errorf("%s: the gateway answers %d: %s", name, status, body)
		}
		if seen() != before {
			t.Errorf("%s: the denied server was asked", name)
		}
		if body := r.mustAsk(); !strings.Contains(body, `"name":"forecast"`) {
			t.Errorf("%s: the other server's tool is refused:\n%s", name, body)
		}
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if s.streams.Load() > s.hellos.Load() {
		t.Errorf("the denied server was asked for %d streams after %d hellos", s.streams.Load(), s.hellos.Load())
	}
	if refused := r.events(query.Filter{Type: record.Types.MCPCalled}); len(refused) != 4 || !refused[0].Blocked || refused[0].Code != call.CodeServerDenied {
		t.Errorf("%+v", refused)
	}
}

// A new policy brings and takes servers, and its lists hold at once.
func TestReloadServers(t *testing.T) {
	s := newWeather(t)
	r := newRig(t, turn())
	r.serve(0)
	if status, _ := r.call("weather"); status != http.StatusNotFound {
		t.Errorf("before: %d", status)
	}
	reload := func(text string) {
		r.write(text)
		if !r.daemon.policy.reload(r.daemon.policy.cfg.Policy.read()) {
			t.Errorf("the policy was not loaded:\n%s", r.log)
		}
	}
	reload(s.policy(""))
	if status, body := r.call("weather"); status != http.StatusOK || !strings.Contains(body, "rain") {
		t.Errorf("declared: %d %s", status, body)
	}
	waitFor(t, func() bool { return s.listed.Load() > 0 })
	before := s.calls.Load()
	reload(s.policy("  denied_servers: [{id: weather}]\n"))
	if status, body := r.call("weather"); status != http.StatusOK || !strings.Contains(body, "server_denied, rule mcp.denied_servers") || s.calls.Load() != before {
		t.Errorf("denied: %d %s, %d calls reached the server", status, body, s.calls.Load()-before)
	}
	reload(allowAll)
	if status, _ := r.call("weather"); status != http.StatusNotFound {
		t.Errorf("taken away: %d", status)
	}
	reload(s.policy("") + "    # again\n")
	if status, _ := r.call("weather"); status != http.StatusOK {
		t.Errorf("declared again: %d", status)
	}
}

// A server of which a secret is missing keeps weir from starting, and does not take a running one down.
func TestServerWithoutItsSecret(t *testing.T) {
	const secret = "WEIR_TEST_SECRET_THAT_IS_NOT_SET"
	text := allowAll + "mcp: {servers: [{id: weather, type: http, url: 'https://mcp.example/mcp', auth: {type: bearer, token: '${" + secret + "}'}}]}\n"
	r := newRig(t, turn())
	r.write(text)
	if _, err := Start(t.Context(), Config{Config: r.config, Policy: r.source()}); err == nil || !strings.Contains(err.Error(), "server weather, auth.token: the variable "+secret+" is not set") {
		t.Errorf("started: %v", err)
	}
	r.write(allowAll)
	r.serve(0)
	r.write(text)
	r.daemon.policy.reload(r.daemon.policy.cfg.Policy.read())
	if status, _ := r.call("weather"); status != http.StatusNotFound {
		t.Errorf("it is served: %d", status)
	}
	if !strings.Contains(r.log.String(), secret) {
		t.Errorf("nobody hears of it:\n%s", r.log)
	}
}

// Shims ask the one weir that has the state folder.
func TestControl(t *testing.T) {
	r := newRig(t, turn())
	r.config.Enforcement = config.Enforce
	r.write(allowAll + "rules: [{id: no-write, tool: write_file, verdict: deny}]\n")
	state, err := os.MkdirTemp("", "weir") // the folder of a test has a name too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(state) }) // it is temporary
	r.stateDir = state
	r.serve(0)
	path, err := control.Path(state)
	if err != nil {
		t.Fatal(err)
	}
	c := control.NewClient(control.ClientConfig{Path: path})
	defer c.Close()
	waitFor(t, func() bool { _, err := c.Hello(t.Context()); return err == nil })
	for tool, code := range map[string]string{"write_file": call.CodeToolDenied, "read_file": ""} {
		asked := call.Call{ID: call.NewID(time.Now()), Server: "files", Tool: tool, Args: []byte(`{}`)}
		if got := c.Call(t.Context(), asked); got.Code != code || got.Released != (code == "") {
			t.Errorf("%s: %+v", tool, got)
		}
	}
	second := newRig(t, turn())
	second.stateDir = state
	second.serve(0)
	if !strings.Contains(second.log.String(), "another weir uses this state folder") {
		t.Errorf("the second says nothing:\n%s", second.log)
	}
	if err := second.end(); err != nil {
		t.Error(err)
	}
	if _, err := c.Hello(t.Context()); err != nil {
		t.Errorf("the first does not answer any more: %v", err)
	}
	third := newRig(t, turn())
	third.stateDir = state
	third.serve(0)
	if err := r.end(); err != nil {
		t.Error(err)
	}
	waitFor(t, func() bool { _, err := c.Hello(t.Context()); return err == nil }) // another takes over
}

// Nobody passes a program of its own off as a declared server.
func TestEnter(t *testing.T) {
	r := newRig(t, turn())
	r.write(allowAll + `mcp:
  servers:
    - {id: files, type: stdio, command: npx, args: [server, /srv]}
    - {id: weather, type: http, url: "https://mcp.example/mcp"}
`)
	r.start(0)
	for name, tt := range map[string]struct {
		command control.Command
		refused bool
	}{
		"the very one":         {control.Command{ID: "files", Path: "npx", Args: []string{"server", "/srv"}}, false},
		"not declared":         {control.Command{ID: "notes", Path: "evil"}, false},
		"another program":      {control.Command{ID: "files", Path: "evil", Args: []string{"server", "/srv"}}, true},
		"other arguments":      {control.Command{ID: "files", Path: "npx", Args: []string{"server", "/"}}, true},
		"the id in other case": {control.Command{ID: "Files", Path: "npx", Args: []string{"server", "/srv"}}, true},
		"one at a URL":         {control.Command{ID: "weather", Path: "npx"}, true},
	} {
		if err := r.daemon.enter(call.Actor{}, tt.command); (err != nil) != tt.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	r.run()
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

// A process that weir starts does not get weir's own secrets.
func TestHostedEnvironment(t *testing.T) {
	t.Setenv("ANOTHERS_SECRET", "hunter2")
	t.Setenv("GITHUB_TOKEN", "its own")
	r := newRig(t, turn())
	r.start(0)
	out := filepath.Join(r.dir, "env")
	for name, more := range map[string]string{"nothing said": "", "allowed": ", env: {allow: ['GITHUB_*']}"} {
		p, err := policy.Parse("", []byte(allowAll+"mcp: {servers: [{id: a, type: stdio, command: sh, args: [-c, 'env > "+out+"']"+more+"}]}"))
		if err != nil {
			t.Fatal(err)
		}
		servers, err := r.daemon.declaredServers(p)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := servers[0].connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Receive(t.Context()); err == nil {
			t.Error("it says something")
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		env, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(env); strings.Contains(text, "hunter2") || !strings.Contains(text, "PATH=") || strings.Contains(text, "its own") != (more != "") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	r.run()
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

// Where only MCP is judged, it is at both doors, and the record has it. What is an agent's own passes, and leaves no trace but how the
// response ended.
func TestMCPOnly(t *testing.T) {
	s := newWeather(t)
	r := newRig(t, turn(toolCall{"weather_forecast", `{}`}, toolCall{"Bash", `{"command":"ls"}`}, toolCall{"mcp__other__x", `{}`}))
	r.config.Proxy.Mode = config.MCPOnly
	r.write(s.policy("  denied_tools: [{tool: forecast}]\n  fail_closed: true\n") + "rules: [{id: no-bash, tool: Bash, verdict: deny}]\n")
	r.serve(0)
	waitFor(t, func() bool { _, known := r.daemon.registry.Tool("weather", "forecast"); return known })
	body := r.mustAsk()
	for _, want := range []string{`"name":"Bash"`, `\"weather_forecast\" was refused (tool_denied, rule mcp.denied_tools)`, `\"mcp__other__x\" was refused (unknown_tool, rule mcp.fail_closed)`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in:\n%s", want, body)
		}
	}
	if strings.Contains(body, `"name":"weather_forecast"`) || strings.Contains(body, `"name":"mcp__other__x"`) {
		t.Errorf("a denied call passes:\n%s", body)
	}
	if status, body := r.call("weather"); status != http.StatusOK || !strings.Contains(body, "was refused (tool_denied, rule mcp.denied_tools)") {
		t.Errorf("the client's call: %d %s", status, body)
	}
	if s.calls.Load() != 0 {
		t.Error("it reached the server")
	}
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	recorded := map[string]int{}
	for _, e := range r.events(query.Filter{}) {
		if e.Type.IsCall() {
			recorded[string(e.Type)+" "+e.Tool]++
		}
	}
	want := map[string]int{"mcp_tool_call_intercepted forecast": 1, "mcp_tool_call_intercepted x": 1, "mcp_tool_called forecast": 1}
	if diff := cmp.Diff(want, recorded); diff != "" {
		t.Error(diff)
	}
}

// A process that the lists of servers refuse is not started.
func TestRefusedServerIsNotStarted(t *testing.T) {
	r := newRig(t, turn())
	ran := filepath.Join(r.dir, "ran")
	text := allowAll + "mcp:\n  servers: [{id: bad, type: stdio, command: sh, args: [-c, 'touch " + ran + "']}]\n"
	r.write(text + "  denied_servers: [{id: bad}]\n")
	r.serve(0)
	begin := func() string {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.daemon.Address()+"/mcp/bad",
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	if body := begin(); !strings.Contains(body, "the policy refuses this server (mcp.denied_servers)") {
		t.Errorf("answered: %s", body)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("it was started")
	}
	r.write(text)
	if !r.daemon.policy.reload(r.daemon.policy.cfg.Policy.read()) {
		t.Fatal("the policy was not loaded")
	}
	begin()
	if _, err := os.Stat(ran); err != nil {
		t.Errorf("it was not started where it may be: %v", err)
	}
}

// How the tools of servers stand is noted where the record does not say it, and what something else than weir changed is told.
func TestRegistryIsNoted(t *testing.T) {
	s := newWeather(t)
	r := newRig(t, turn())
	r.write(s.policy(""))
	run := func(until func() bool) {
		t.Helper()
		r.serve(20 * time.Millisecond)
		waitFor(t, until)
		if err := r.end(); err != nil {
			t.Error(err)
		}
	}
	noted := func() []record.Event { return r.events(query.Filter{Type: record.Types.RegistryNoted}) }
	run(func() bool { return r.daemon.registry.State("weather", "forecast").State == registry.Trusted })
	if seen := r.events(query.Filter{Type: record.Types.MCPToolSeen}); len(seen) != 1 || seen[0].MCP.Registry.Digest == "" || seen[0].MCP.Registry.Revision == 0 || seen[0].Exchange.Trace.ID == "" {
		t.Errorf("seen: %+v", seen)
	}
	run(func() bool { return s.listed.Load() > 1 })
	if len(noted()) != 0 {
		t.Errorf("noted though the record has it: %+v", noted())
	}
	change := func() {
		t.Helper()
		db, err := store.Open(t.Context(), r.daemon.cfg.Config.Store.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close() // what was written is durable
		known, err := registry.New(t.Context(), registry.Config{Store: db})
		if err != nil {
			t.Fatal(err)
		}
		id := registry.Identity{Server: "weather", Name: "forecast"}
		if _, err := known.Trust(t.Context(), registry.Trust{Identity: id, Hash: known.State(id.Server, id.Name).Hash, By: "eve"}); err != nil {
			t.Fatal(err)
		}
	}
	change()
	r.serve(20 * time.Millisecond)
	waitFor(t, func() bool { return len(noted()) == 1 })
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if d := noted()[0].Detail.(record.RegistryNoted); len(d.Differ) != 1 || d.Differ[0] != "weather" || len(d.Servers) != 1 {
		t.Errorf("%+v", d)
	}
	r.demand("something else changed them", 1)
	r.verify()
}
