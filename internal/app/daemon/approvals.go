package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/desk"
	"github.com/weir-gate/weir/internal/approval/factor"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// approvals connects people to the desk. It implements control.Approvals.
type approvals struct {
	d     *Daemon
	desk  *desk.Desk
	codes factor.Checker
	// watched is until when somebody is known to look at pending requests, in nanoseconds.
	watched atomic.Int64
}

// watchedFor is how long after a look somebody is known to look.
const watchedFor = 5 * time.Second

func newApprovals(d *Daemon) *approvals {
	a := &approvals{d: d}
	a.desk = desk.New(desk.Config{
		Store: d.store, Recorder: d.recorder, Reachable: a.reachable, Recorded: a.recorded,
		OnError: func(err error) { d.cfg.Log.Error("approvals", "err", err) },
	})
	return a
}

// reachable says whether somebody learns of a request now.
func (a *approvals) reachable(approval.Request) bool { return time.Now().UnixNano() < a.watched.Load() }

// look notes that somebody looks for a while. Somebody else may look for longer.
func (a *approvals) look(lasts time.Duration) {
	until := time.Now().Add(lasts).UnixNano()
	for was := a.watched.Load(); was < until && !a.watched.CompareAndSwap(was, until); was = a.watched.Load() {
	}
}

// recorded says whether the record has a call that a yes let pass.
func (a *approvals) recorded(ctx context.Context, id call.ID) (bool, error) {
	_, found, err := query.First(ctx, a.d.follower, query.Filter{CallID: string(id), Type: record.Types.ApprovalUsed})
	return found, err
}

// Why somebody at the socket may not do what people do.
var (
	errInsideVote  = errors.New("a session cannot decide about its own calls: do it outside")
	errClientWatch = errors.New("clients of this weir cannot watch each other's calls: read the store with weir approvals list")
	errClientVote  = errors.New("clients of this weir cannot vote, because weir.yaml names no people")
)

// mayVote says why an actor may not vote. A client is known by its key, which agents have, too: only a code of a person tells more.
func (a *approvals) mayVote(who call.Actor) error {
	switch {
	case who.Session != "":
		return errInsideVote
	case who != call.Actor{} && len(a.d.cfg.Config.People) == 0:
		return errClientVote
	}
	return nil
}

// Watch implements control.Approvals.
func (a *approvals) Watch(ctx context.Context, who call.Actor) ([]approval.Request, error) {
	if who.Session != "" {
		return nil, errInsideVote
	}
	if who != (call.Actor{}) {
		return nil, errClientWatch
	}
	a.look(watchedFor)
	return a.desk.List(ctx, approval.Filter{States: []approval.State{approval.Pending}})
}

// Vote implements control.Approvals.
func (a *approvals) Vote(ctx context.Context, who call.Actor, b control.Ballot) (approval.Request, error) {
	if err := a.mayVote(who); err != nil {
		return approval.Request{}, err
	}
	if !utf8.ValidString(b.Reason) || utf8.RuneCountInString(b.Reason) > approval.MaxReason {
		return approval.Request{}, fmt.Errorf("the reason is too long: it may have %d characters", approval.MaxReason)
	}
	person, proved, err := a.identify(b.User, b.Code)
	if err != nil {
		return approval.Request{}, err
	}
	return a.desk.Vote(ctx, b.ID, approval.Vote{
		Voter: person, Yes: b.Yes, Scope: b.Scope, Reason: b.Reason, Display: b.Display, Channel: b.Channel, Factor: proved,
	})
}

// Revoke implements control.Approvals.
func (a *approvals) Revoke(ctx context.Context, who call.Actor, r control.Revocation) error {
	if err := a.mayVote(who); err != nil {
		return err
	}
	person, _, err := a.identify(r.User, r.Code)
	if err != nil {
		return err
	}
	_, err = a.desk.Revoke(ctx, r.ID, person.User)
	return err
}

// identify says who votes, and what they proved. Where the configuration names people, a code tells who it is: a name alone would be
// anybody's. Elsewhere it is the person at the machine, who may approve.
func (a *approvals) identify(user, code string) (approval.Person, approval.Factor, error) {
	people := a.d.cfg.Config.People
	if len(people) == 0 {
		m, err := a.localPerson()
		if err != nil {
			return m.Person, "", err
		}
		if user != "" && !strings.EqualFold(user, m.User) {
			return m.Person, "", fmt.Errorf("%w: weir.yaml names no people, so only %s may vote", factor.ErrNobody, m.User)
		}
		if code == "" {
			return m.Person, approval.NoFactor, nil
		}
		return m.Person, approval.TOTP, a.check(m, code)
	}
	if user == "" || code == "" {
		return approval.Person{}, "", approval.ErrStepUp
	}
	m, err := factor.Find(people, user)
	if err != nil {
		return approval.Person{}, "", factor.ErrWrongCode // whether there is such a person is nobody's business
	}
	return m.Person, approval.TOTP, a.check(m, code)
}

func (a *approvals) check(m factor.Member, code string) error {
	return a.codes.Check(m, code, time.Now())
}

// localPerson is the person at the machine, where the configuration names no people.
func (a *approvals) localPerson() (factor.Member, error) {
	m := factor.Member{Person: localApprover()}
	if a.d.cfg.StateDir == "" {
		return m, nil
	}
	text, err := os.ReadFile(filepath.Join(a.d.cfg.StateDir, config.TOTPFile))
	if errors.Is(err, os.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		m.Secret, err = factor.ParseSecret(string(text))
	}
	if err != nil {
		return m, fmt.Errorf("read the secret of your authenticator: %w; enrol again with weir approvals enrol --again", err)
	}
	return m, nil
}

// checkAsking says why rules of a policy would ask people in vain.
func checkAsking(p *policy.Policy, c *config.Config) error {
	people := []approval.Person{localApprover()}
	if len(c.People) > 0 {
		people = nil
		for _, m := range c.People {
			people = append(people, m.Person)
		}
	}
	problems := p.AskingProblems(people, approval.Seconds(c.Bounds.Hold/time.Second))
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("the policy asks people in vain: %s", strings.Join(problems, "; "))
}

// localApprover is the person at the machine, where the configuration names no people.
func localApprover() approval.Person {
	return approval.Person{User: config.Login(), Roles: []string{approval.RoleApprover}}
}
