package approval

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// Why a vote does not count, or a yes cannot be used.
var (
	ErrNotApprover = errors.New("this person may not approve the call: no rule names them, their role or their team")
	ErrSelf        = errors.New("the call is made in this person's own name, and the rule wants somebody else's vote")
	ErrStepUp      = errors.New("the vote needs a factor")
	ErrDecided     = errors.New("the request is already decided")
	ErrExpired     = errors.New("the request has expired")
	ErrDisplay     = errors.New("what was shown is not what the request is about; look at it again")
	ErrScope       = errors.New("the rule does not offer this scope")
	ErrVoted       = errors.New("this person has already voted otherwise")
	ErrNotApproved = errors.New("there is no yes that could be used")
)

// MaxReason is how many characters a voter's reason may have.
const MaxReason = 1000

// Aged is the request as it is at a time: one that nobody decided, and a yes that nobody used, end by themselves.
func (r Request) Aged(now time.Time) Request {
	switch {
	case r.State == Pending && !now.Before(r.Expires):
		r.State, r.Decided = Expired, r.Expires
	case r.State == Approved && !now.Before(r.Until):
		r.State = Lapsed
	}
	return r
}

// Vote returns the request with a vote. The same vote of the same person again changes nothing and is no error.
func (r Request) Vote(v Vote) (Request, error) {
	r = r.Aged(v.Time)
	if v.Yes && v.Scope == "" {
		v.Scope = Once
	}
	for _, before := range r.Votes {
		if !strings.EqualFold(before.Voter.User, v.Voter.User) {
			continue
		}
		if before.Yes == v.Yes && before.Scope == v.Scope {
			return r, nil
		}
		if r.State == Pending {
			return r, ErrVoted
		}
	}
	if err := r.mayVote(v); err != nil {
		return r, err
	}
	r.Votes = append(slices.Clip(r.Votes), v)
	switch {
	case !v.Yes:
		r.State, r.Decided = Denied, v.Time
	case r.met():
		r.State, r.Decided, r.Scope = Approved, v.Time, r.scope()
		r.Until = v.Time.Add(r.Terms.GrantExpires.Duration())
	}
	return r, nil
}

// mayVote says why a vote does not count.
func (r Request) mayVote(v Vote) error {
	switch {
	case r.State == Expired:
		return ErrExpired
	case r.State != Pending:
		return ErrDecided
	case !slices.ContainsFunc(r.Terms.Demands, func(d Demand) bool { return d.MayApprove(v.Voter) }):
		return ErrNotApprover
	case v.Yes && !r.Terms.Self && r.Card.Actor.Employee != "" && strings.EqualFold(r.Card.Actor.Employee, v.Voter.User):
		return ErrSelf // a person may always say no to what is done in their name
	case r.Terms.StepUp != NoFactor && v.Factor != TOTP:
		return ErrStepUp // agents have a shell, too: a vote proves more than being at the machine
	case v.Display != r.Display:
		return ErrDisplay
	case v.Yes && !slices.Contains(r.Terms.Scopes, v.Scope):
		return ErrScope
	}
	return nil
}

// met says whether every demand has its votes.
func (r Request) met() bool {
	for _, d := range r.Terms.Demands {
		votes := 0
		for _, v := range r.Votes {
			if v.Yes && d.MayApprove(v.Voter) {
				votes++
			}
		}
		if votes < d.Votes {
			return false
		}
	}
	return true
}

// scope is the narrowest that any voter said yes to.
func (r Request) scope() Scope {
	for _, v := range r.Votes {
		if v.Scope != Session {
			return Once
		}
	}
	return Session
}

// Use returns the request with its yes used up by a call.
func (r Request) Use(by call.ID, now time.Time) (Request, error) {
	if r = r.Aged(now); r.State != Approved {
		return r, ErrNotApproved
	}
	r.State, r.UsedBy, r.Used = Used, by, now
	return r, nil
}

// Lapse returns the request after its yes was used up by a call that was not released.
func (r Request) Lapse(by call.ID) (Request, error) {
	if r.State != Used || r.UsedBy != by || r.Settled {
		return r, ErrNotApproved
	}
	r.State = Lapsed
	return r, nil
}

// Settle returns the request after the record has the call that used its yes.
func (r Request) Settle(by call.ID) (Request, error) {
	if r.State != Used || r.UsedBy != by {
		return r, ErrNotApproved
	}
	r.Settled = true
	return r, nil
}

// Withdraw returns the request after the question was taken back.
func (r Request) Withdraw(now time.Time) (Request, error) {
	if r = r.Aged(now); r.State != Pending {
		return r, ErrDecided
	}
	r.State, r.Decided = Withdrawn, now
	return r, nil
}

// Said are the reasons of the vote that decided; "": there is none.
func (r Request) Said() string {
	if len(r.Votes) == 0 {
		return ""
	}
	return r.Votes[len(r.Votes)-1].Reason
}
