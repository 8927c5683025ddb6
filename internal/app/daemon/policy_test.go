package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

const (
	denyBash = "version: 1\ndefault: allow\nrules:\n- {id: no-bash, tool: Bash, verdict: deny}\n"
	twoRules = denyBash + "- {id: no-read, tool: Read, verdict: deny}\n"
)

// look is one look at the policy's file, as the running daemon takes it.
func (r *rig) look() {
	r.daemon.policy.look()
}

// inForce demands that a policy is in force.
func (r *rig) inForce(text string) {
	r.t.Helper()
	want, err := policy.Parse("policy.yaml", []byte(text))
	if err != nil {
		r.t.Fatal(err)
	}
	if got := r.daemon.policy.current().Version(); got != want.Version() {
		r.t.Errorf("the policy in force is not\n%s", text)
	}
}

func TestChangedPolicyIsLoadedWhenItHasSettled(t *testing.T) {
	r := newRig(t, nil)
	r.start(0)
	defer r.daemon.close()
	r.look()
	r.inForce(allowAll)
	// The first half of the new policy is a policy, and denies less.
	r.write(denyBash)
	r.look()
	r.inForce(allowAll)
	r.write(twoRules)
	r.look()
	r.inForce(allowAll)
	r.look()
	r.inForce(twoRules)
	r.look()
	r.demand(`msg="policy loaded"`, 1)
}

func TestBadPolicyIsReportedOnceAndTheOldOneStays(t *testing.T) {
	bad := map[string]func(r *rig){
		"wrong":   func(r *rig) { r.write("version: 1\ndefault: perhaps\n") },
		"empty":   func(r *rig) { r.write("") },
		"removed": func(r *rig) { os.Remove(r.config.Policy.Path) },
		"a folder": func(r *rig) {
			os.Remove(r.config.Policy.Path)
			os.Mkdir(r.config.Policy.Path, 0o700)
		},
	}
	const complaint = "the new policy cannot be loaded; the old one stays in force"
	for name, spoil := range bad {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.write(denyBash)
			r.start(0)
			defer r.daemon.close()
			spoil(r)
			for range 5 {
				r.look()
			}
			r.inForce(denyBash)
			r.demand(complaint, 1)
			// Told to reload, it says so again.
			r.daemon.policy.reload(r.source().read())
			r.inForce(denyBash)
			r.demand(complaint, 2)
			// And once the file is good again, it counts.
			os.RemoveAll(r.config.Policy.Path)
			r.write(twoRules)
			r.look()
			r.look()
			r.inForce(twoRules)
		})
	}
}

// TestEarlyHangup: who starts weir and sends SIGHUP as soon as it listens must not kill it.
func TestEarlyHangup(t *testing.T) {
	r := newRig(t, turn(toolCall{"Bash", "{}"}))
	r.start(0)
	r.write(denyBash)
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	r.run()
	waitFor(t, func() bool { return strings.Contains(r.log.String(), `msg="policy loaded"`) })
	if body := r.mustAsk(); !strings.Contains(body, "was refused (tool_denied, rule no-bash)") {
		t.Errorf("the new policy is not in force:\n%s", body)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

// waitFor waits for what another goroutine writes to the log, where there is nothing to wait on.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen")
		}
	}
}

// TestReloadUnderLoad flips between two policies, each of which denies what the other allows, while clients ask. Every
// call must be ruled by exactly one of them, and the record must say by which.
func TestReloadUnderLoad(t *testing.T) {
	only := func(word string) string {
		return "version: 1\ndefault: allow\nrules:\n- {id: no-" + word + ", tool: '*', verdict: deny, " +
			"conditions: {param_path: word, operator: equals, value: " + word + "}}\n"
	}
	versions := map[string]string{} // the word that a version denies
	for _, word := range []string{"red", "blue"} {
		p, err := policy.Parse("policy.yaml", []byte(only(word)))
		if err != nil {
			t.Fatal(err)
		}
		versions[p.Version()] = word
	}
	r := newRig(t, turn(toolCall{"paint", `{"word":"red"}`}, toolCall{"paint", `{"word":"blue"}`}))
	r.write(only("red"))
	r.serve(time.Millisecond)

	const clients, flips = 4, 20
	stop := make(chan struct{})
	released := make([]int, clients)
	var turns atomic.Int64
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				body, err := r.ask()
				if err != nil || !strings.Contains(body, "event: message_stop") {
					t.Errorf("%v, or the turn is not whole:\n%s", err, body)
					return
				}
				released[i] += strings.Count(body, `"type":"tool_use"`)
				turns.Add(1)
			}
		})
	}
	for i := range flips {
		r.write(only([]string{"blue", "red"}[i%2]))
		waitFor(t, func() bool { return strings.Count(r.log.String(), `msg="policy loaded"`) == i+1 })
		before := turns.Load()
		waitFor(t, func() bool { return turns.Load() > before+clients }) // one of them began under the new policy
	}
	close(stop)
	wg.Wait()
	if err := r.end(); err != nil {
		t.Error(err)
	}
	r.checkFlips(versions, sum(released))
}

// checkFlips compares each recorded call with the policy that it says ruled it.
func (r *rig) checkFlips(versions map[string]string, received int) {
	r.t.Helper()
	passed, ruled := 0, map[string]int{}
	for _, e := range r.events(query.Filter{Type: record.Types.ToolCall}) {
		denied := versions[e.PolicyVersion]
		ruled[denied]++
		if want := string(e.Args) == `{"word":`+strconv.Quote(denied)+`}`; e.Blocked != want || denied == "" {
			r.t.Errorf("policy %s ruled %s: blocked %t", denied, e.Args, e.Blocked)
		}
		if !e.Blocked {
			passed++
		}
	}
	if passed != received {
		r.t.Errorf("%d calls are recorded as released, clients received %d", passed, received)
	}
	if ruled["red"] == 0 || ruled["blue"] == 0 {
		r.t.Errorf("one policy ruled nothing: %v", ruled)
	}
	r.verify()
}

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}

// A policy that is made of several files is loaded again when any of them changes, comes or goes.
func TestEveryFileOfThePolicyIsWatched(t *testing.T) {
	r := newRig(t, nil)
	r.config.Policy.Path = filepath.Join(t.TempDir(), "policy")
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(r.config.Policy.Path, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r.look()
		r.look()
	}
	rules := func(want ...string) {
		t.Helper()
		var got []string
		for _, s := range r.daemon.policy.current().Rules() {
			got = append(got, s.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("rules %v, want %v", got, want)
		}
	}
	base := "version: 1\ndefault: allow\nrules: [{id: base, tool: x, verdict: deny}]\n"
	for name, text := range map[string]string{"10.yaml": "version: 1\nextends: base/base.yaml\n", "base/base.yaml": base} {
		path := filepath.Join(r.config.Policy.Path, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	r.start(0)
	defer r.daemon.close()
	rules("base")
	put("20.yaml", "rules: [{id: more, tool: y, verdict: deny}]\n")
	rules("base", "more")
	put("base/base.yaml", strings.Replace(base, "id: base", "id: other", 1))
	rules("other", "more")
	put("10.yaml", "version: 1\nextends: base/new.yaml\n") // which is not there yet
	rules("other", "more")
	put("base/new.yaml", base)
	rules("base", "more")
	for _, path := range []string{"", "10.yaml", "20.yaml", "base/new.yaml"} {
		if fixed := r.daemon.fixedFiles(&session{}); !slices.Contains(fixed, filepath.Join(r.config.Policy.Path, path)) {
			t.Errorf("programs of sessions can change %q: %v", path, fixed)
		}
	}
}
