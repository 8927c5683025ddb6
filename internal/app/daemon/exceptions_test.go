package daemon

import (
	"errors"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A session takes only the text that a person agreed to, and cannot ask for it itself.
func TestSessionTakesAnException(t *testing.T) {
	r, ask := withSocket(t, turn(toolCall{"Bash", `{}`}))
	excepted := strings.Replace(denyBash, "verdict: deny}", "verdict: deny, unless: [{who: {session: run-first}}]}", 1)
	version := func(text string) string {
		p, err := policy.Parse("policy.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p.Version()
	}
	r.write(denyBash)
	r.serve(0)
	token := admission.NewSessionToken()
	person, inside := ask(""), ask(token)
	aSession(t, person, control.SessionRequest{Token: token})
	has := func(want string) {
		t.Helper()
		if got := r.daemon.sessions.policyOf("run-first").Version(); got != version(want) {
			t.Errorf("the session does not have\n%s", want)
		}
	}
	r.write(excepted)
	take := control.Taking{Session: "run-first", Was: version(denyBash), Version: version(excepted)}
	for name, tt := range map[string]struct {
		who    *control.Client
		change func(*control.Taking)
	}{
		"the session itself":      {inside, func(*control.Taking) {}},
		"a session that is gone":  {person, func(t *control.Taking) { t.Session = "run-other" }},
		"for another policy":      {person, func(t *control.Taking) { t.Was = version(twoRules) }},
		"a text that nobody read": {person, func(t *control.Taking) { t.Version = version(twoRules) }},
	} {
		q := take
		tt.change(&q)
		if err := tt.who.Take(t.Context(), q); !errors.Is(err, control.ErrNotDone) {
			t.Errorf("%s: %v", name, err)
		}
		has(denyBash)
	}
	a := control.Allowance{
		Call: "call_1", Tool: "Bash", Actor: call.Actor{Session: "run-first"}, Version: take.Version,
		Detail: record.PolicyAllowed{By: "ann", For: "session", Rules: []string{"no-bash"}, Was: take.Was},
	}
	if err := inside.Allowed(t.Context(), a); !errors.Is(err, control.ErrNotDone) {
		t.Errorf("the session itself records: %v", err)
	}
	if err := errors.Join(person.Allowed(t.Context(), a), person.Take(t.Context(), take)); err != nil {
		t.Fatal(err)
	}
	has(excepted)
	if events := r.events(query.Filter{Type: record.Types.PolicyAllowed}); len(events) != 1 || events[0].CallID != "call_1" {
		t.Errorf("recorded %v", events)
	}
}
