// Package approvaltest is the contract of a store of approvals: the tests that every backend must pass.
package approvaltest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
)

// A Backend is a store under test. Again opens the same database once more, as another process would.
type Backend struct {
	approval.Store
	Again func(t *testing.T) approval.Store
}

// At is the time at which requests of tests are made.
var At = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// Ann may approve.
var Ann = approval.Person{User: "ann", Roles: []string{approval.RoleApprover}}

// Request is a pending request about a matter.
func Request(matter string) approval.Request {
	r := approval.Request{
		ID: approval.NewID(At), State: approval.Pending, Match: approval.Digest("sha256:" + matter), Created: At, Expires: At.Add(24 * time.Hour),
		Terms: approval.Terms{
			Wait: 240, Expires: 86400, GrantExpires: 900, StepUp: approval.NoFactor, Scopes: []approval.Scope{approval.Once, approval.Session},
			Demands: []approval.Demand{{Rule: "ask", Approvers: []string{"role:approver"}, Votes: 1}},
		},
		Card: approval.Card{
			Call: "call_1", Surface: call.Response, Tool: "Bash", Args: jsontext.Value(`{"command":"make deploy"}`), Rules: []string{"ask"},
			Actor: call.Actor{Session: "run-1"}, Policy: "sha256:0",
		},
	}
	r.Display, _ = r.Card.Digest() // a card of plain texts has one
	return r
}

// Yes is a vote for a request.
func Yes(r approval.Request, who approval.Person) approval.Vote {
	return approval.Vote{Voter: who, Yes: true, Scope: approval.Once, Display: r.Display, Channel: "test", Time: At.Add(time.Minute)}
}

// Run tests a backend.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, Backend){
		"Open":   testOpen,
		"Ended":  testEnded,
		"Change": testChange,
		"List":   testList,
		"Flood":  testFlood,
		"Grant":  testGrant,
		"Votes":  testVoteRace,
		"Use":    testUseRace,
		"Asking": testAskRace,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func mustOpen(t *testing.T, s approval.Store, r approval.Request) approval.Opened {
	t.Helper()
	o, err := s.OpenApproval(t.Context(), r, 50)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func mustChange(t *testing.T, s approval.Store, id string, change func(approval.Request) (approval.Request, error)) approval.Request {
	t.Helper()
	r, err := s.ChangeApproval(t.Context(), id, change)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// testOpen asks twice about one matter: there is one request, whichever process asks, also after a restart.
func testOpen(t *testing.T, b Backend) {
	first, again, other := Request("a"), Request("a"), Request("b")
	if o := mustOpen(t, b, first); !o.New || o.Request.ID != first.ID {
		t.Errorf("opened %+v", o)
	}
	if o := mustOpen(t, b.Again(t), again); o.New || !cmp.Equal(o.Request, first) {
		t.Errorf("asked again, and got (-want +got):\n%s", cmp.Diff(first, o.Request))
	}
	if o := mustOpen(t, b, other); !o.New || o.Request.ID != other.ID {
		t.Errorf("another matter gave %+v", o)
	}
}

// testEnded asks again after a request has ended by itself: the old one is stored as ended, and there is a new one.
func testEnded(t *testing.T, b Backend) {
	old := mustOpen(t, b, Request("a")).Request
	late := Request("a")
	late.Created = At.Add(25 * time.Hour)
	late.Expires = late.Created.Add(24 * time.Hour)
	o := mustOpen(t, b, late)
	if !o.New || o.Request.ID != late.ID || len(o.Ended) != 1 || o.Ended[0].ID != old.ID || o.Ended[0].State != approval.Expired {
		t.Fatalf("opened %+v", o)
	}
	mustChange(t, b, late.ID, func(r approval.Request) (approval.Request, error) {
		v := Yes(r, Ann)
		v.Time = late.Created
		return r.Vote(v)
	})
	later := Request("a")
	later.Created = late.Created.Add(time.Hour)
	later.Expires = later.Created.Add(24 * time.Hour)
	if o := mustOpen(t, b, later); !o.New || len(o.Ended) != 1 || o.Ended[0].State != approval.Lapsed {
		t.Errorf("after a yes that nobody used: %+v", o)
	}
}

func testChange(t *testing.T, b Backend) {
	r := mustOpen(t, b, Request("a")).Request
	refused := errors.New("not so")
	refuse := func(r approval.Request) (approval.Request, error) { return r, refused }
	if _, err := b.ChangeApproval(t.Context(), r.ID, refuse); err != refused {
		t.Errorf("error %v", err)
	}
	if _, err := b.ChangeApproval(t.Context(), "apr_none", nil); !errors.Is(err, approval.ErrUnknown) {
		t.Errorf("error %v", err)
	}
	voted := mustChange(t, b, r.ID, func(r approval.Request) (approval.Request, error) { return r.Vote(Yes(r, Ann)) })
	if voted.State != approval.Approved || voted.Version != r.Version+1 {
		t.Errorf("voted: %+v", voted)
	}
	got, err := b.Again(t).Approvals(t.Context(), approval.Filter{IDs: []string{r.ID}})
	if err != nil || len(got) != 1 || !cmp.Equal(got[0], voted) {
		t.Errorf("another process sees %+v, %v", got, err)
	}
}

func testList(t *testing.T, b Backend) {
	var ids []string
	for i := range 5 {
		r := Request(fmt.Sprint(i))
		r.Created = At.Add(time.Duration(i) * time.Minute)
		ids = append(ids, mustOpen(t, b, r).Request.ID)
	}
	deny := func(r approval.Request) (approval.Request, error) {
		v := Yes(r, Ann)
		v.Yes, v.Scope = false, ""
		return r.Vote(v)
	}
	mustChange(t, b, ids[1], deny)
	mustChange(t, b, ids[2], func(r approval.Request) (approval.Request, error) { return r.Vote(Yes(r, Ann)) })
	if _, err := b.UseApproval(t.Context(), ids[2], func(r approval.Request) (approval.Request, error) {
		return r.Use("call_2", At.Add(2*time.Minute))
	}, At); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		f    approval.Filter
		want []string
	}{
		"all":       {approval.Filter{}, []string{ids[4], ids[3], ids[2], ids[1], ids[0]}},
		"pending":   {approval.Filter{States: []approval.State{approval.Pending}}, []string{ids[4], ids[3], ids[0]}},
		"two":       {approval.Filter{Limit: 2}, []string{ids[4], ids[3]}},
		"by id":     {approval.Filter{IDs: []string{ids[0], ids[1], "apr_none"}}, []string{ids[1], ids[0]}},
		"unsettled": {approval.Filter{Unsettled: true}, []string{ids[2]}},
		"ended":     {approval.Filter{EndedBy: At.Add(48 * time.Hour)}, []string{ids[4], ids[3], ids[0]}},
		"not ended": {approval.Filter{EndedBy: At}, nil},
		"both":      {approval.Filter{IDs: ids, States: []approval.State{approval.Denied}}, []string{ids[1]}},
	} {
		got, err := b.Approvals(t.Context(), test.f)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, r := range got {
			found = append(found, r.ID)
		}
		if diff := cmp.Diff(test.want, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	mustChange(t, b, ids[2], func(r approval.Request) (approval.Request, error) { return r.Settle("call_2") })
	if got, err := b.Approvals(t.Context(), approval.Filter{Unsettled: true}); err != nil || len(got) != 0 {
		t.Errorf("unsettled after all: %v, %v", got, err)
	}
}

// testFlood opens more requests than one holder may have. Others are not affected, and decided ones do not count.
func testFlood(t *testing.T, b Backend) {
	var last approval.Request
	for i := range 3 {
		last = mustOpen(t, b, Request(fmt.Sprint(i))).Request
	}
	if _, err := b.OpenApproval(t.Context(), Request("more"), 3); !errors.Is(err, approval.ErrFlood) {
		t.Errorf("error %v", err)
	}
	other := Request("other")
	other.Card.Actor.Session = "run-2"
	if _, err := b.OpenApproval(t.Context(), other, 3); err != nil {
		t.Error(err)
	}
	if o, err := b.OpenApproval(t.Context(), Request("1"), 3); err != nil || o.New {
		t.Errorf("one that is open already: %+v, %v", o, err)
	}
	mustChange(t, b, last.ID, func(r approval.Request) (approval.Request, error) { return r.Withdraw(At) })
	if _, err := b.OpenApproval(t.Context(), Request("more"), 3); err != nil {
		t.Error(err)
	}
}

func testGrant(t *testing.T, b Backend) {
	r := mustOpen(t, b, Request("a")).Request
	mustChange(t, b, r.ID, func(r approval.Request) (approval.Request, error) {
		v := Yes(r, Ann)
		v.Scope = approval.Session
		return r.Vote(v)
	})
	now := At.Add(2 * time.Minute)
	if _, found, err := b.GrantFor(t.Context(), r.Match, "run-1", now); found || err != nil {
		t.Errorf("before the yes is used: %v, %v", found, err)
	}
	use := func(r approval.Request) (approval.Request, error) { return r.Use("call_1", now) }
	if _, err := b.UseApproval(t.Context(), r.ID, use, now); err != nil {
		t.Fatal(err)
	}
	g, found, err := b.Again(t).GrantFor(t.Context(), r.Match, "run-1", now)
	if !found || err != nil || g.Approval != r.ID || !cmp.Equal(g.By, []string{"ann"}) {
		t.Fatalf("granted %+v, %v, %v", g, found, err)
	}
	for name, ask := range map[string]func() (approval.Grant, bool, error){
		"another session": func() (approval.Grant, bool, error) { return b.GrantFor(t.Context(), r.Match, "run-2", now) },
		"no session":      func() (approval.Grant, bool, error) { return b.GrantFor(t.Context(), r.Match, "", now) },
		"another matter":  func() (approval.Grant, bool, error) { return b.GrantFor(t.Context(), "sha256:b", "run-1", now) },
		"too late": func() (approval.Grant, bool, error) {
			return b.GrantFor(t.Context(), r.Match, "run-1", now.Add(9*time.Hour))
		},
	} {
		if _, found, err := ask(); found || err != nil {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	if all, err := b.Grants(t.Context(), now); err != nil || len(all) != 1 || !cmp.Equal(all[0], g) {
		t.Errorf("listed %+v, %v", all, err)
	}
	if _, err := b.RevokeGrant(t.Context(), g.ID, "ann", now); err != nil {
		t.Fatal(err)
	}
	if _, found, err := b.GrantFor(t.Context(), r.Match, "run-1", now); found || err != nil {
		t.Errorf("revoked: %v, %v", found, err)
	}
	if _, err := b.RevokeGrant(t.Context(), g.ID, "ann", now); !errors.Is(err, approval.ErrUnknown) {
		t.Errorf("revoked twice: %v", err)
	}
}

// racers do the same at once, half of them in another process, and returns how many succeeded. Others must fail with want.
func racers(t *testing.T, b Backend, n int, want error, do func(ctx context.Context, s approval.Store, i int) error) (won int) {
	t.Helper()
	stores := []approval.Store{b.Store, b.Again(t)}
	var mu sync.Mutex
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			err := do(t.Context(), stores[i%2], i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case !errors.Is(err, want):
				t.Errorf("error %v", err)
			}
		})
	}
	close(start)
	all.Wait()
	return won
}

// testVoteRace lets 100 people vote at once, half of them yes and half no. One of them decides.
func testVoteRace(t *testing.T, b Backend) {
	r := mustOpen(t, b, Request("a")).Request
	won := racers(t, b, 100, approval.ErrDecided, func(ctx context.Context, s approval.Store, i int) error {
		_, err := s.ChangeApproval(ctx, r.ID, func(r approval.Request) (approval.Request, error) {
			v := Yes(r, approval.Person{User: fmt.Sprint("p", i), Roles: []string{approval.RoleApprover}})
			v.Yes = i%4 < 2
			return r.Vote(v)
		})
		return err
	})
	got, err := b.Approvals(t.Context(), approval.Filter{IDs: []string{r.ID}})
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if won != 1 || len(got[0].Votes) != 1 || (got[0].State == approval.Approved) != got[0].Votes[0].Yes {
		t.Errorf("%d voters decided: %+v", won, got[0])
	}
}

// testUseRace uses one yes 100 times at once: one call gets it.
func testUseRace(t *testing.T, b Backend) {
	r := mustOpen(t, b, Request("a")).Request
	mustChange(t, b, r.ID, func(r approval.Request) (approval.Request, error) { return r.Vote(Yes(r, Ann)) })
	now := At.Add(2 * time.Minute)
	won := racers(t, b, 100, approval.ErrNotApproved, func(ctx context.Context, s approval.Store, i int) error {
		_, err := s.UseApproval(ctx, r.ID, func(r approval.Request) (approval.Request, error) {
			return r.Use(call.ID(fmt.Sprint("call_", i)), now)
		}, now)
		return err
	})
	if won != 1 {
		t.Errorf("%d calls used one yes", won)
	}
}

// testAskRace asks about one matter 40 times at once: one request is opened.
func testAskRace(t *testing.T, b Backend) {
	var mu sync.Mutex
	opened, ids := 0, map[string]bool{}
	racers(t, b, 40, nil, func(ctx context.Context, s approval.Store, _ int) error {
		o, err := s.OpenApproval(ctx, Request("a"), 50)
		mu.Lock()
		defer mu.Unlock()
		if o.New {
			opened++
		}
		ids[o.Request.ID] = true
		return err
	})
	if opened != 1 || len(ids) != 1 {
		t.Errorf("%d requests were opened, and %d seen", opened, len(ids))
	}
}
