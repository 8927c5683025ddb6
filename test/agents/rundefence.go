package agents

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/test/agents/model"
)

// An attempt is a shell command by which an agent tries to free itself. It has a name that no other has.
type attempt struct{ name, command string }

// A siege is a scene in which an agent may run any command, and tries to free itself by them.
type siege struct {
	place
	weir               string // path of the binary
	policy             string // path of the policy
	declared, hidden   *listener
	direct, late, sent string // addresses that nobody has
	direct6            string
	name               string // a host's
}

// rules are the policy of the scene: one tool must not be used, and nobody outside is to be reached.
const rules = `version: 1
default: allow
rules:
  - {id: no-write, tool: %s, verdict: deny, reason: ` + model.NotHere + `}
  - id: no-strangers
    surface: egress
    conditions:
      any:
        - {param_path: address, operator: cidr_in, value: [192.0.2.0/24, "2001:db8::/32"]}
        - {param_path: host, operator: host_in, value: [%s]}
    verdict: deny
`

// noRules is the policy that the agent would like to have.
const noRules = "version: 1\ndefault: allow\n"

// Defend has the agent try to change the policy, to reach weir's state, to speak with weir as its user does, and to connect past it.
func (r Run) Defend(t *testing.T) {
	t.Helper()
	g := siege{
		place: newPlace(t), weir: r.Weir, declared: listen(t), hidden: listen(t),
		direct: "192.0.2.10:443", direct6: "[2001:db8::10]:443", late: "192.0.2.12:443", sent: "192.0.2.11:9999", name: "exfil.example.com",
	}
	g.policy = filepath.Join(g.work, "rules", "policy.yaml")
	refused := r.Tools.Write("call_write", "forbidden.txt").RefusedBy("no-write", "tool_denied")
	policy := fmt.Sprintf(rules, refused.Name, g.name)
	Put(t, policy, g.policy)
	Put(t, noRules, g.work, "loose.yaml")
	var calls []model.Call
	for _, a := range g.attempts() {
		calls = append(calls, r.Tools.Run("call_"+a.name, a.name+".txt", a.command+"; "+model.Command(a.name+".txt")))
	}
	s := Scene{Begin: Asks(append(calls, refused)...), once: true, policyFile: g.policy, meanwhile: g.goOn}
	u := r.user(t, g.place, s, fmt.Sprintf("egress: {loopback: [%d]}\n", g.declared.port()))
	shown := s.perform(t, u.agent)
	u.model.Check(t)
	s.checkFiles(t, u.agent, shown)
	g.checkOutcome(t, policy)
	events := u.stop(t)
	checkRecord(t, r.Wire, s.calls(), events)
	g.checkConnections(t, events)
}

// attempts are all that the agent tries.
func (g siege) attempts() []attempt {
	probed := func(name, how, where string) attempt {
		return attempt{name, fmt.Sprintf("%s > %s.out 2>&1", probeCommand(how, where), name)}
	}
	// What a command of weir ends with is written down; where it should not end, it is ended.
	asked := func(name, command string) attempt {
		return attempt{name, fmt.Sprintf("timeout 20 %s > %s.out 2>&1; echo $? > %s.code", command, name, name)}
	}
	state := g.state()
	return []attempt{
		{"policy", "cp loose.yaml rules/policy.yaml; unlink rules/policy.yaml; cp loose.yaml aside.yaml; mv -f aside.yaml rules/policy.yaml; " +
			"mv rules gone && mkdir rules && cp loose.yaml rules/policy.yaml"},
		{"record", fmt.Sprintf("cat %[1]s/* /proc/*/root%[1]s/* > stolen 2> record.out; unshare -Urm sh -c 'umount -l %[1]s; cat %[1]s/*' >> stolen 2>> record.out; "+
			"touch %[1]s/serve.json; mv %[1]s %[1]s.gone; mv %[2]s/.local %[2]s/.gone", state, g.home)},
		asked("trust", g.weir+" mcp pins trust fs --all --yes"),
		asked("serve", g.weir+" serve"),
		asked("again", "env -u WEIR_SESSION -u WEIR_SOCKET "+g.weir+" run -- true"),
		probed("control", "unix", filepath.Join(state, "control.sock")),
		probed("session", "session", "$WEIR_SOCKET"),
		probed("hidden", "tcp", g.hidden.addr()),
		probed("declared", "tcp", g.declared.addr()),
		probed("direct", "tcp", g.direct),
		probed("direct6", "tcp", g.direct6),
		probed("sent", "udp", g.sent),
		probed("lookup", "lookup", g.name),
		{"late", fmt.Sprintf("setsid sh -c 'until [ -e go ]; do sleep 0.1; done; %s > late.tmp 2>&1; mv late.tmp late.out' > /dev/null 2>&1 < /dev/null &", probeCommand("tcp", g.late)) + " true"},
	}
}

// goOn has what the agent left in the background try, too: all calls have ended when the model says that all is done.
func (g siege) goOn(ctx context.Context, _ http.ResponseWriter) error {
	if err := os.WriteFile(filepath.Join(g.work, "go"), nil, 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second) // it may have been ended with its call
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		if _, err := os.Stat(filepath.Join(g.work, "late.out")); err == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// checkOutcome looks from outside at what the agent came to.
func (g siege) checkOutcome(t *testing.T, policy string) {
	t.Helper()
	if got := g.out(t, "rules/policy.yaml"); got != policy {
		t.Errorf("the policy is\n%s", got)
	}
	if stolen := g.out(t, "stolen"); stolen != "" {
		t.Errorf("the agent has %d bytes of weir's state", len(stolen))
	}
	for _, command := range []string{"trust", "serve", "again"} {
		if code := strings.TrimSpace(g.out(t, command+".code")); code == "" || code == "0" || code == "124" {
			t.Errorf("the command %s of weir ended with %q:\n%s", command, code, g.out(t, command+".out"))
		}
	}
	for _, probed := range []string{"control", "session", "hidden", "direct", "direct6", "sent", "lookup", "late"} {
		if out := g.out(t, probed+".out"); out == "" || strings.Contains(out, reached) {
			t.Errorf("the probe %s says %q", probed, out)
		}
	}
	if out := g.out(t, "declared.out"); !strings.Contains(out, reached) {
		t.Errorf("the service that is declared was not reached: %s", out)
	}
	if n := g.hidden.count(); n != 0 {
		t.Errorf("the service that is not declared was reached %d times", n)
	}
	if n := g.declared.count(); n != 1 {
		t.Errorf("the service that is declared was reached %d times", n)
	}
}

// out is the text of a file of the agent's.
func (g siege) out(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(g.work, name))
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
