package daemon

import (
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/price"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run/canary"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

const denyAll = "version: 1\ndefault: deny\n"

// withSocket is a daemon that serves a socket, and a client of it.
func withSocket(t *testing.T, answer func(scripted.Request) scripted.Answer) (*rig, func(key string) *control.Client) {
	t.Helper()
	r := newRig(t, answer)
	dir, err := os.MkdirTemp("", "weir") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) }) // it is the system's to clean
	r.stateDir = dir
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	return r, func(key string) *control.Client {
		c := control.NewClient(control.ClientConfig{Path: filepath.Join(dir, "control.sock"), Key: key})
		t.Cleanup(c.Close)
		return c
	}
}

func aSession(t *testing.T, c *control.Client, q control.SessionRequest) *control.Session {
	t.Helper()
	if q.ID == "" {
		q.ID = "run-first"
	}
	s, err := c.OpenSession(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// post asks the model by way of an address and returns status and body.
func post(t *testing.T, address string) (int, string) {
	t.Helper()
	resp, err := http.Post(address+"/model/v1/messages", "application/json",
		strings.NewReader(`{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// A session has an address that only its token opens, is in the record by its id, and ends with the one who opened it.
func TestSession(t *testing.T) {
	r, ask := withSocket(t, turn(toolCall{"Bash", `{"command":"ls"}`}))
	r.serve(0)
	token := admission.NewSessionToken()
	outer := ask("")
	s := aSession(t, outer, control.SessionRequest{Token: token})
	at := fmt.Sprintf("http://127.0.0.1:%d", s.Response.Port)
	for prefix, want := range map[string]int{
		"/k/" + token: http.StatusOK, "": http.StatusUnauthorized, "/k/" + admission.NewSessionToken(): http.StatusUnauthorized,
	} {
		if status, body := post(t, at+prefix); status != want {
			t.Errorf("%q at the session's address: %d: %s", prefix, status, body)
		}
	}
	if status, _ := post(t, "http://"+r.daemon.Address()+"/k/"+admission.NewSessionToken()); status != http.StatusUnauthorized {
		t.Errorf("the token of no session is taken: %d", status)
	}
	inner := ask(token)
	if ruling := inner.Connect(t.Context(), call.Connection{Act: call.Connect, Addr: netip.MustParseAddr("192.0.2.1"), Port: 443, Protocol: "tcp"}); !ruling.Released {
		t.Errorf("%+v", ruling)
	}
	if _, err := inner.OpenSession(t.Context(), control.SessionRequest{ID: "run-other", Token: admission.NewSessionToken()}); err == nil {
		t.Error("a session opens another")
	}
	if err := outer.Started(t.Context(), control.SessionStarted{ID: "run-first", Detail: record.SessionStarted{Program: "sh", Isolation: "none"}}); err != nil {
		t.Error(err)
	}
	sum, err := outer.Ended(t.Context(), control.SessionEnded{ID: "run-first", Exit: 3})
	if err != nil || sum.Calls != 1 || sum.Refused != 0 || sum.Connections != 1 || sum.Responses != 1 || len(sum.Tools) != 1 || sum.Tools[0].Tool != "Bash" {
		t.Errorf("%+v, %v", sum, err)
	}
	if status, body := post(t, at+"/k/"+token); status == http.StatusOK {
		t.Errorf("a session whose program has ended still serves: %s", body)
	}
	s.Close()
	if status, _ := post(t, "http://"+r.daemon.Address()+"/k/"+token); status != http.StatusUnauthorized {
		t.Errorf("its token is still taken: %d", status)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	var types []string
	for _, e := range r.events(query.Filter{Session: "run-first"}) {
		types = append(types, string(e.Type))
	}
	for _, want := range []string{"tool_call", "response_done", "network_connection", "session_started", "session_ended"} {
		if !slices.Contains(types, want) {
			t.Errorf("no %s among %v", want, types)
		}
	}
	r.verify()
}

// The policy of a session does not change: neither with the one in force, nor by what others have.
func TestSessionPolicyIsFixed(t *testing.T) {
	r, ask := withSocket(t, turn(toolCall{"Bash", `{"command":"ls"}`}))
	r.serve(0)
	outer := ask("")
	first, strict := admission.NewSessionToken(), admission.NewSessionToken()
	a := aSession(t, outer, control.SessionRequest{Token: first})
	b := aSession(t, outer, control.SessionRequest{ID: "run-strict", Token: strict, Policy: &control.PolicyText{Source: "strict.yaml", Text: []byte(denyAll)}})
	defer a.Close()
	defer b.Close()
	passes := func(port uint16, token string) bool {
		_, body := post(t, fmt.Sprintf("http://127.0.0.1:%d/k/%s", port, token))
		return strings.Contains(body, `"name":"Bash"`)
	}
	if !passes(a.Response.Port, first) || passes(b.Response.Port, strict) {
		t.Error("sessions are not judged by their own policies")
	}
	r.write(denyAll)
	r.daemon.policy.look()
	r.daemon.policy.look()
	if strings.Contains(r.mustAsk(), `"name":"Bash"`) {
		t.Error("the new policy is not in force")
	}
	if !passes(a.Response.Port, first) {
		t.Error("the policy of a session has changed")
	}
}

// $project is the folder of the session, and the policy of a session may have several files.
func TestSessionFolderIsItsProject(t *testing.T) {
	t.Chdir(t.TempDir()) // weir itself runs in no repository
	r, ask := withSocket(t, turn(toolCall{"Write", `{"file_path":"/srv/app/x"}`}))
	r.serve(0)
	outer := ask("")
	files := policy.Sources{
		Files: []policy.Text{{Name: "/p/policy.yaml", Data: []byte("version: 1\nextends: base.yaml\nrules: [{id: writes, disabled: false}]\n")}},
		Bases: []policy.Text{{Name: "/p/base.yaml", Data: []byte("version: 1\ndefault: deny\nrules:\n" +
			"- {id: writes, tool: Write, verdict: allow, disabled: true, conditions: {operator: writes, value: \"$project/**\"}}\n")}},
	}
	for i, folder := range []string{"/srv/app", "/srv/other", "", "/"} {
		token, passes := admission.NewSessionToken(), i == 0
		q := control.SessionRequest{ID: fmt.Sprintf("run-number-%d", i), Token: token, Folder: folder, Policy: control.NewPolicyText("/p/policy.yaml", files)}
		a := aSession(t, outer, q)
		_, body := post(t, fmt.Sprintf("http://127.0.0.1:%d/k/%s", a.Response.Port, token))
		if got := strings.Contains(body, `"name":"Write"`); got != passes {
			t.Errorf("in %q: released %v", folder, got)
		}
		if fixed := a.Response.Fixed; fixed == nil || len(fixed.Sources().Bases) != 1 {
			t.Errorf("the session cannot be opened again with all files of its policy: %+v", fixed)
		}
		a.Close()
	}
}

// What cannot be a session is refused, with a reason.
func TestSessionRefused(t *testing.T) {
	r, ask := withSocket(t, turn())
	r.config.Clients = []config.Client{{Key: "ann-key", Employee: "ann"}}
	r.serve(0)
	token := admission.NewSessionToken()
	for want, tt := range map[string]struct {
		key string
		q   control.SessionRequest
	}{
		"no valid key was given":    {"", control.SessionRequest{ID: "run-first", Token: token}},
		"no valid id":               {"ann-key", control.SessionRequest{ID: "../run", Token: token}},
		"or token":                  {"ann-key", control.SessionRequest{ID: "run-first", Token: "short"}},
		"has clients, and they all": {"ann-key", control.SessionRequest{ID: "run-first", Token: token, Policy: &control.PolicyText{Source: "p", Text: []byte(allowAll)}}},
	} {
		if _, err := ask(tt.key).OpenSession(t.Context(), tt.q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	s := aSession(t, ask("ann-key"), control.SessionRequest{Token: token})
	defer s.Close()
	if who, ok := r.daemon.admission.Identify(token); !ok || who.Employee != "ann" || who.Session != "run-first" {
		t.Errorf("the session is %+v's, %v", who, ok)
	}
	if _, err := ask("ann-key").OpenSession(t.Context(), control.SessionRequest{ID: "run-first", Token: admission.NewSessionToken()}); err == nil {
		t.Error("two sessions have one id")
	}
}

// Sessions end with weir, which does not wait for them.
func TestSessionsEndWithWeir(t *testing.T) {
	r, ask := withSocket(t, turn())
	r.serve(0)
	s := aSession(t, ask(""), control.SessionRequest{Token: admission.NewSessionToken()})
	if err := r.end(); err != nil {
		t.Error(err)
	}
	<-s.Lost
}

// What a session must not see or change is named.
func TestSessionFacts(t *testing.T) {
	r, ask := withSocket(t, turn())
	t.Setenv("WEATHER_TOKEN", "secret")
	r.write(allowAll + "mcp:\n  servers: [{id: weather, type: http, url: 'https://mcp.example/mcp', auth: {type: bearer, token: '${WEATHER_TOKEN}'}}]\n")
	r.config.Egress.Loopback = []config.PortRange{{First: 5432, Last: 5433}}
	r.serve(0)
	a := aSession(t, ask(""), control.SessionRequest{Token: admission.NewSessionToken(), Loopback: []uint16{3000}}).Response
	if !slices.Contains(a.Hide, r.stateDir) || !slices.Contains(a.Fix, r.config.Policy.Path) || !slices.Contains(a.Secrets, "WEATHER_TOKEN") {
		t.Errorf("hidden %v, fixed %v, secrets %v", a.Hide, a.Fix, a.Secrets)
	}
	if log := filepath.Join(r.dir, "weir.db-log"); !slices.Contains(a.Hide, log) {
		t.Errorf("the log %s is not among what is hidden: %v", log, a.Hide)
	}
	if a.Servers["https://mcp.example/mcp"] != "weather" || len(a.Loopback) != 2 || a.Upstreams["model"] == "" {
		t.Errorf("%+v", a)
	}
	e := r.daemon.egress()
	for port, declared := range map[uint16]bool{5432: true, 5433: true, 3000: true, 6379: false} {
		if e.Loopback("run-first", port) != declared {
			t.Errorf("port %d: declared %v", port, !declared)
		}
	}
	if id, ok := e.Server("run-first", "MCP.example", 443); !ok || id != "weather" {
		t.Errorf("the declared server is not known by its host: %q", id)
	}
}

// A session that is opened again, since weir was restarted, has the policy that it began with.
func TestSessionOpenedAgain(t *testing.T) {
	r, ask := withSocket(t, turn(toolCall{"Bash", `{"command":"ls"}`}))
	r.write(denyAll)
	r.serve(0)
	token := admission.NewSessionToken()
	first := aSession(t, ask(""), control.SessionRequest{Token: token})
	fixed := first.Response.Fixed
	if fixed == nil || string(fixed.Text) != denyAll {
		t.Fatalf("the policy of the session is %+v", fixed)
	}
	first.Close()
	r.write(allowAll)
	r.daemon.policy.look()
	r.daemon.policy.look()
	waitFor(t, func() bool { return r.daemon.sessions.find("run-first") == nil })
	again := aSession(t, ask(""), control.SessionRequest{Token: token, Fixed: fixed})
	defer again.Close()
	if _, body := post(t, fmt.Sprintf("http://127.0.0.1:%d/k/%s", again.Response.Port, token)); strings.Contains(body, `"name":"Bash"`) {
		t.Error("it is judged by the new policy")
	}
}

// Folders that have only weir's files are kept as wholes; and the configuration folder is there, so that nobody else makes it.
func TestProtectedFolders(t *testing.T) {
	r, ask := withSocket(t, turn())
	apart, mixed := filepath.Join(r.dir, "record"), filepath.Join(r.dir, "project")
	for _, dir := range []string{apart, mixed} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"policy.yaml", "main.go"} {
		if err := os.WriteFile(filepath.Join(mixed, file), []byte(allowAll), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.config.Store.URL, r.config.Audit.Key = "sqlite://"+filepath.Join(apart, "weir.db"), filepath.Join(apart, "audit.key")
	r.config.Policy.Path = filepath.Join(mixed, "policy.yaml")
	r.serve(0)
	a := aSession(t, ask(""), control.SessionRequest{Token: admission.NewSessionToken()}).Response
	if !slices.Contains(a.Hide, apart) {
		t.Errorf("the folder of the record is not among what is hidden: %v", a.Hide)
	}
	if slices.Contains(a.Fix, mixed) || !slices.Contains(a.Fix, filepath.Join(mixed, "policy.yaml")) {
		t.Errorf("a folder with other files in it is fixed: %v", a.Fix)
	}
	config := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "weir")
	if info, err := os.Stat(config); err != nil || !info.IsDir() || !slices.Contains(a.Fix, config) {
		t.Errorf("the configuration folder is %v, %v; fixed are %v", info, err, a.Fix)
	}
}

// What a session declares is its own: servers and secrets of its policy count, and those of others do not.
func TestFactsOfOwnPolicy(t *testing.T) {
	r, ask := withSocket(t, turn())
	r.serve(0)
	text := denyAll + "mcp:\n  servers: [{id: weather, type: http, url: 'https://mcp.example/mcp', auth: {type: bearer, token: '${WEATHER_TOKEN}'}}]\n"
	t.Setenv("WEATHER_TOKEN", "secret")
	own := control.SessionRequest{ID: "run-own", Token: admission.NewSessionToken(), Policy: &control.PolicyText{Source: "own.yaml", Text: []byte(text)}}
	a := aSession(t, ask(""), own)
	defer a.Close()
	if !slices.Contains(a.Response.Secrets, "WEATHER_TOKEN") {
		t.Errorf("secrets are %v", a.Response.Secrets)
	}
	for session, declared := range map[string]bool{"run-own": true, "run-other": false} {
		if _, ok := r.daemon.serverAt(session, "mcp.example", 443); ok != declared {
			t.Errorf("%s: declared %v", session, ok)
		}
	}
}

// A canary costs nothing: it is no model.
func TestCanaryIsFree(t *testing.T) {
	table, err := price.New(price.Config{})
	if err != nil {
		t.Fatal(err)
	}
	used := call.Usage{Input: 1_000_000, Output: 1_000_000}
	if micro, _ := (tariff{table}).Cost(canary.Upstream, "anything", used); micro != 0 {
		t.Errorf("it costs %d", micro)
	}
	if micro, _ := (tariff{table}).Cost("anthropic", "anything", used); micro == 0 {
		t.Error("nothing costs anything")
	}
}
