package approval_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/approvaltest"
	"github.com/weir-gate/weir/internal/call"
)

var (
	at  = approvaltest.At
	ann = approvaltest.Ann
	bob = approval.Person{User: "bob", Teams: []string{"platform"}}
	eve = approval.Person{User: "eve", Roles: []string{"reader"}}
)

func TestVote(t *testing.T) {
	fourEyes := []approval.Demand{
		{Rule: "a", Approvers: []string{"role:approver", "team:platform"}, Votes: 2},
	}
	both := []approval.Demand{
		{Rule: "a", Approvers: []string{"role:approver"}, Votes: 1}, {Rule: "b", Approvers: []string{"user:bob"}, Votes: 1},
	}
	type vote struct {
		who   approval.Person
		no    bool
		alter func(*approval.Vote)
	}
	for name, test := range map[string]struct {
		alter func(*approval.Request)
		votes []vote
		want  approval.State
		err   error // of the last vote
	}{
		"yes":                         {votes: []vote{{who: ann}}, want: approval.Approved},
		"no":                          {votes: []vote{{who: ann, no: true}}, want: approval.Denied},
		"the same again":              {votes: []vote{{who: ann}, {who: ann}}, want: approval.Approved},
		"another mind":                {votes: []vote{{who: ann}, {who: ann, no: true}}, want: approval.Approved, err: approval.ErrDecided},
		"too late":                    {votes: []vote{{who: ann, no: true}, {who: bobAsApprover()}}, want: approval.Denied, err: approval.ErrDecided},
		"nobody who may":              {votes: []vote{{who: eve}}, want: approval.Pending, err: approval.ErrNotApprover},
		"nobody who may say no":       {votes: []vote{{who: eve, no: true}}, want: approval.Pending, err: approval.ErrNotApprover},
		"a user of no name":           {alter: demands(approval.Demand{Approvers: []string{"user:"}, Votes: 1}), votes: []vote{{}}, want: approval.Pending, err: approval.ErrNotApprover},
		"four eyes, one pair":         {alter: demands(fourEyes...), votes: []vote{{who: ann}}, want: approval.Pending},
		"four eyes, twice the same":   {alter: demands(fourEyes...), votes: []vote{{who: ann}, {who: ann}}, want: approval.Pending},
		"four eyes, in another case":  {alter: demands(fourEyes...), votes: []vote{{who: ann}, {who: named(ann, "ANN")}}, want: approval.Pending},
		"four eyes":                   {alter: demands(fourEyes...), votes: []vote{{who: ann}, {who: bob}}, want: approval.Approved},
		"four eyes, one no":           {alter: demands(fourEyes...), votes: []vote{{who: ann}, {who: bob, no: true}}, want: approval.Denied},
		"yes, then no":                {alter: demands(fourEyes...), votes: []vote{{who: ann}, {who: ann, no: true}}, want: approval.Pending, err: approval.ErrVoted},
		"two rules, one is satisfied": {alter: demands(both...), votes: []vote{{who: ann}}, want: approval.Pending},
		"two rules":                   {alter: demands(both...), votes: []vote{{who: ann}, {who: bob}}, want: approval.Approved},
		"own call":                    {alter: of("Ann"), votes: []vote{{who: ann}}, want: approval.Pending, err: approval.ErrSelf},
		"own call, no":                {alter: of("Ann"), votes: []vote{{who: ann, no: true}}, want: approval.Denied},
		"own call, allowed":           {alter: func(r *approval.Request) { of("ann")(r); r.Terms.Self = true }, votes: []vote{{who: ann}}, want: approval.Approved},
		"somebody else's call":        {alter: of("carl"), votes: []vote{{who: ann}}, want: approval.Approved},
		"not what was shown":          {votes: []vote{{who: ann, alter: func(v *approval.Vote) { v.Display = "sha256:other" }}}, want: approval.Pending, err: approval.ErrDisplay},
		"nothing was shown":           {votes: []vote{{who: ann, alter: func(v *approval.Vote) { v.Display = "" }}}, want: approval.Pending, err: approval.ErrDisplay},
		"a scope that is not offered": {votes: []vote{{who: ann, alter: func(v *approval.Vote) { v.Scope = "always" }}}, want: approval.Pending, err: approval.ErrScope},
		"without the factor":          {alter: strict, votes: []vote{{who: ann}}, want: approval.Pending, err: approval.ErrStepUp},
		"no without the factor":       {alter: strict, votes: []vote{{who: ann, no: true}}, want: approval.Pending, err: approval.ErrStepUp},
		"with the factor":             {alter: strict, votes: []vote{{who: ann, alter: proved}}, want: approval.Approved},
		"no terms":                    {alter: func(r *approval.Request) { r.Terms.StepUp = "" }, votes: []vote{{who: ann}}, want: approval.Pending, err: approval.ErrStepUp},
		"expired":                     {votes: []vote{{who: ann, alter: func(v *approval.Vote) { v.Time = at.Add(24 * time.Hour) }}}, want: approval.Expired, err: approval.ErrExpired},
	} {
		t.Run(name, func(t *testing.T) {
			r := approvaltest.Request("a")
			if test.alter != nil {
				test.alter(&r)
			}
			var err error
			for _, one := range test.votes {
				v := approvaltest.Yes(r, one.who)
				if one.no {
					v.Yes, v.Scope = false, ""
				}
				if one.alter != nil {
					one.alter(&v)
				}
				r, err = r.Vote(v)
			}
			if r.State != test.want || !errors.Is(err, test.err) {
				t.Errorf("%s, %v; want %s, %v", r.State, err, test.want, test.err)
			}
		})
	}
}

func bobAsApprover() approval.Person {
	return approval.Person{User: "bob", Roles: []string{approval.RoleApprover}}
}

func named(p approval.Person, user string) approval.Person {
	p.User = user
	return p
}

func demands(all ...approval.Demand) func(*approval.Request) {
	return func(r *approval.Request) { r.Terms.Demands = all }
}

func of(employee string) func(*approval.Request) {
	return func(r *approval.Request) { r.Card.Actor.Employee = employee }
}

func strict(r *approval.Request) { r.Terms.StepUp = approval.TOTP }

func proved(v *approval.Vote) { v.Factor = approval.TOTP }

func TestUse(t *testing.T) {
	pending := approvaltest.Request("a")
	if _, err := pending.Use("call_1", at); !errors.Is(err, approval.ErrNotApproved) {
		t.Errorf("nobody has said yes: %v", err)
	}
	yes, err := pending.Vote(approvaltest.Yes(pending, ann))
	if err != nil {
		t.Fatal(err)
	}
	if late, err := yes.Use("call_1", yes.Until); !errors.Is(err, approval.ErrNotApproved) || late.State != approval.Lapsed {
		t.Errorf("too late: %s, %v", late.State, err)
	}
	used, err := yes.Use("call_1", yes.Until.Add(-time.Nanosecond))
	if err != nil || used.State != approval.Used || used.UsedBy != "call_1" {
		t.Fatalf("used %+v, %v", used, err)
	}
	if _, err := used.Use("call_1", at); !errors.Is(err, approval.ErrNotApproved) {
		t.Errorf("used twice: %v", err)
	}
	if _, err := used.Lapse("call_2"); err == nil {
		t.Error("another call's use has lapsed")
	}
	settled, err := used.Settle("call_1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := settled.Lapse("call_1"); err == nil {
		t.Error("a use that is on record has lapsed")
	}
	if lapsed, err := used.Lapse("call_1"); err != nil || lapsed.State != approval.Lapsed {
		t.Errorf("lapsed %+v, %v", lapsed, err)
	}
}

// TestLife does random things to requests. A yes is used at most once, only after the votes that it needs, and nothing leaves an end.
func TestLife(t *testing.T) {
	for seed := range uint64(5000) {
		chance := rand.New(rand.NewPCG(seed, 1))
		r := approvaltest.Request("a")
		r.Terms.Demands[0].Votes = 1 + chance.IntN(3)
		now, uses, yeses := at, 0, map[string]bool{}
		for range 20 {
			was := r
			now = now.Add(time.Duration(chance.IntN(120)) * time.Minute)
			switch chance.IntN(6) {
			case 0:
				if next, err := r.Use(call.ID(fmt.Sprint("call_", chance.IntN(3))), now); err == nil {
					uses++
					r = next
				}
			case 1:
				r, _ = r.Withdraw(now)
			case 2:
				r, _ = r.Lapse(r.UsedBy)
			case 3:
				r = r.Aged(now)
			default:
				v := approvaltest.Yes(r, approval.Person{User: fmt.Sprint("p", chance.IntN(4)), Roles: ann.Roles})
				v.Time, v.Yes = now, chance.IntN(8) > 0
				next, err := r.Vote(v)
				if r = next; err == nil && v.Yes {
					yeses[v.Voter.User] = true
				}
			}
			if !was.State.Open() && r.State != was.State && !(was.State == approval.Used && r.State == approval.Lapsed) {
				t.Fatalf("seed %d: %s became %s", seed, was.State, r.State)
			}
		}
		if uses > 1 || uses == 1 && len(yeses) < r.Terms.Demands[0].Votes {
			t.Fatalf("seed %d: used %d times after the votes of %v", seed, uses, yeses)
		}
	}
}
