package desk_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/approvaltest"
	"github.com/weir-gate/weir/internal/approval/desk"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A book is a record that notes the types of events.
type book struct {
	mu    sync.Mutex
	types []string
	err   error
}

func (b *book) Record(e record.Event, done func(error)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d, _ := e.Detail.(record.Approval)
	b.types = append(b.types, string(e.Type)+" "+d.State)
	if done != nil {
		done(b.err)
	}
}

func (b *book) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.types
	b.types = nil
	return out
}

// An office is a desk under test.
type office struct {
	*desk.Desk
	t       *testing.T
	store   *store.Store
	book    *book
	watched atomic.Bool
	records sync.Map // the ids of calls that the record has
}

// in runs a test in a bubble, with a store of its own.
func in(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	synctest.Test(t, func(t *testing.T) {
		o := open(t, url)
		test(t, o)
	})
}

func open(t *testing.T, url string) *office {
	t.Helper()
	s, err := store.Open(context.Background(), url)
	expect.OK(t, err)
	o := &office{t: t, store: s, book: &book{}}
	o.watched.Store(true)
	o.Desk = desk.New(desk.Config{
		Store: s, Recorder: o.book, Reachable: func(approval.Request) bool { return o.watched.Load() },
		Recorded: func(_ context.Context, id call.ID) (bool, error) {
			_, found := o.records.Load(id)
			return found, nil
		},
		OnError: func(err error) { t.Log(err) },
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { o.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		expect.OK(t, s.Close())
	})
	return o
}

// question asks about a matter for a call that can be held for some time.
func question(matter string, by call.ID, hold time.Duration) approval.Question {
	r := approvaltest.Request(matter)
	return approval.Question{Match: r.Match, Terms: r.Terms, Card: r.Card, By: by, Until: time.Now().Add(hold)}
}

func (o *office) ask(ctx context.Context, q approval.Question) chan approval.Answer {
	answered := make(chan approval.Answer, 1)
	o.Ask(ctx, q, func(a approval.Answer) { answered <- a })
	return answered
}

// pending returns the only pending request.
func (o *office) pending() approval.Request {
	o.t.Helper()
	all, err := o.List(o.t.Context(), approval.Filter{States: []approval.State{approval.Pending}})
	expect.OK(o.t, err)
	if len(all) != 1 {
		o.t.Fatalf("%d requests are pending", len(all))
	}
	return all[0]
}

func (o *office) vote(r approval.Request, yes bool, reason string) error {
	v := approvaltest.Yes(r, approvaltest.Ann)
	v.Yes, v.Reason = yes, reason
	if !yes {
		v.Scope = ""
	}
	_, err := o.Vote(o.t.Context(), r.ID, v)
	return err
}

func (o *office) recorded(want ...string) {
	o.t.Helper()
	synctest.Wait()
	expect.Same(o.t, want, o.book.take())
}

func TestApprovedInTime(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		answered := o.ask(t.Context(), question("a", "call_1", time.Hour))
		synctest.Wait()
		time.Sleep(3 * time.Minute)
		expect.OK(t, o.vote(o.pending(), true, ""))
		a := <-answered
		if !a.Released || a.Request.UsedBy != "call_1" || a.Request.State != approval.Used {
			t.Fatalf("answer %+v", a)
		}
		o.recorded("approval_requested pending", "approval_voted approved", "approval_decided approved")
		o.Settled(a, "call_1", true)
		synctest.Wait()
		// The yes is used up: the same call asks again.
		o.watched.Store(false)
		if again := <-o.ask(t.Context(), question("a", "call_2", time.Hour)); again.Released || again.Code != call.CodeApprovalPending {
			t.Errorf("the second call got %+v", again)
		}
	})
}

func TestDenied(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		answered := o.ask(t.Context(), question("a", "call_1", time.Hour))
		synctest.Wait()
		expect.OK(t, o.vote(o.pending(), false, "Not on a Friday"))
		a := <-answered
		if a.Released || a.Code != call.CodeApprovalDenied || a.Said != "Not on a Friday" {
			t.Errorf("answer %+v", a)
		}
	})
}

// TestPastTheWait lets the wait pass. The call repeated after a yes is released at once, without a second question.
func TestPastTheWait(t *testing.T) {
	for name, test := range map[string]struct {
		hold, want time.Duration
		watched    bool
	}{
		"the rule's wait":     {time.Hour, 4 * time.Minute, true},
		"the client's":        {time.Minute, time.Minute, true},
		"it cannot be held":   {-time.Second, 0, true},
		"nobody can be asked": {time.Hour, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, o *office) {
				o.watched.Store(test.watched)
				began := time.Now()
				a := <-o.ask(t.Context(), question("a", "call_1", test.hold))
				if a.Code != call.CodeApprovalPending || time.Since(began) != test.want {
					t.Fatalf("after %v: %+v", time.Since(began), a)
				}
				expect.OK(t, o.vote(o.pending(), true, ""))
				again := <-o.ask(t.Context(), question("a", "call_2", -time.Second))
				if !again.Released || again.Request.ID != a.Request.ID || again.Request.UsedBy != "call_2" {
					t.Errorf("the repeated call got %+v", again)
				}
			})
		})
	}
}

// TestClientGone lets the client go while its call waits. Its request stays, and the yes that comes meanwhile is not used up by the
// call that nobody waits for.
func TestClientGone(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		ctx, leave := context.WithCancel(t.Context())
		answered := o.ask(ctx, question("a", "call_1", time.Hour))
		synctest.Wait()
		leave()
		if a := <-answered; a.Released || a.Code != call.CodeApprovalPending {
			t.Errorf("answer %+v", a)
		}
		first := o.pending()
		waiting := o.ask(t.Context(), question("a", "call_2", time.Hour))
		synctest.Wait()
		if again := o.pending(); again.ID != first.ID {
			t.Error("a second request was opened")
		}
		expect.OK(t, o.vote(first, true, ""))
		if a := <-waiting; !a.Released || a.Request.ID != first.ID {
			t.Errorf("the repeated call got %+v", a)
		}
	})
}

// TestTwoCalls holds two calls that are the same. One yes lets one of them pass, and the other asks again.
func TestTwoCalls(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		answered := make(chan approval.Answer, 2)
		for _, id := range []call.ID{"call_1", "call_2"} {
			o.Ask(t.Context(), question("a", id, time.Hour), func(a approval.Answer) { answered <- a })
		}
		synctest.Wait()
		first := o.pending()
		expect.OK(t, o.vote(first, true, ""))
		a := <-answered
		synctest.Wait()
		second := o.pending()
		if !a.Released || second.ID == first.ID {
			t.Fatalf("answer %+v, then %+v", a, second)
		}
		expect.OK(t, o.vote(second, true, ""))
		if b := <-answered; !b.Released || b.Request.UsedBy == a.Request.UsedBy {
			t.Errorf("the other call got %+v", b)
		}
	})
}

func TestSession(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		answered := o.ask(t.Context(), question("a", "call_1", time.Hour))
		synctest.Wait()
		v := approvaltest.Yes(o.pending(), approvaltest.Ann)
		v.Scope = approval.Session
		_, err := o.Vote(t.Context(), o.pending().ID, v)
		expect.OK(t, err)
		if a := <-answered; !a.Released || a.Grant != "" {
			t.Fatalf("answer %+v", a)
		}
		again := <-o.ask(t.Context(), question("a", "call_2", time.Hour))
		if !again.Released || again.Grant == "" {
			t.Fatalf("the same call got %+v", again)
		}
		o.Settled(again, "call_2", true) // there is no yes to settle
		_, err = o.Revoke(t.Context(), again.Grant, "ann")
		expect.OK(t, err)
		o.watched.Store(false)
		if last := <-o.ask(t.Context(), question("a", "call_3", time.Hour)); last.Released {
			t.Errorf("after the end of the grant: %+v", last)
		}
	})
}

// TestExpires: nobody decides in time, then a yes is not used in time.
func TestExpires(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		q := question("a", "call_1", 48*time.Hour)
		q.Terms.Wait, q.Terms.Expires = 100_000, 3600
		answered := o.ask(t.Context(), q)
		synctest.Wait()
		began := time.Now()
		a := <-answered
		if late := time.Since(began); a.Code != call.CodeApprovalExpired || late < time.Hour || late > time.Hour+11*time.Second {
			t.Errorf("after %v: %+v", late, a)
		}
		o.recorded("approval_requested pending", "approval_decided expired")
		r := a.Request
		if err := o.vote(r, true, ""); !errors.Is(err, approval.ErrExpired) {
			t.Errorf("a late vote: %v", err)
		}
		o.watched.Store(false)
		<-o.ask(t.Context(), question("a", "call_2", time.Hour))
		expect.OK(t, o.vote(o.pending(), true, ""))
		o.book.take()
		time.Sleep(16 * time.Minute)
		o.recorded("approval_lapsed lapsed")
	})
}

// TestCrash: weir ends after a yes was used up and before the call is on record. The yes is lost, and the record says so. If the record
// has the call, all is well.
func TestCrash(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		t.Run(fmt.Sprint("recorded ", recorded), func(t *testing.T) {
			in(t, func(t *testing.T, o *office) {
				o.watched.Store(false)
				<-o.ask(t.Context(), question("a", "call_1", time.Hour))
				expect.OK(t, o.vote(o.pending(), true, ""))
				a := <-o.ask(t.Context(), question("a", "call_2", time.Hour))
				if !a.Released {
					t.Fatalf("answer %+v", a)
				}
				o.book.take()
				if recorded {
					o.records.Store(call.ID("call_2"), true)
				}
				time.Sleep(3 * time.Minute)
				want := []string{"approval_lapsed lapsed"}
				if recorded {
					want = nil
				}
				o.recorded(want...)
				all, err := o.List(t.Context(), approval.Filter{Unsettled: true})
				if err != nil || len(all) != 0 {
					t.Errorf("unsettled %v, %v", all, err)
				}
			})
		})
	}
}

func TestNotRecorded(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		o.watched.Store(false)
		<-o.ask(t.Context(), question("a", "call_1", time.Hour))
		expect.OK(t, o.vote(o.pending(), true, ""))
		a := <-o.ask(t.Context(), question("a", "call_2", time.Hour))
		o.book.take()
		o.Settled(a, "call_2", false)
		o.recorded("approval_lapsed lapsed")
	})
}

// TestTwoProcesses: a vote that another process takes is seen within a second.
func TestTwoProcesses(t *testing.T) {
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	synctest.Test(t, func(t *testing.T) {
		one, other := open(t, url), open(t, url)
		answered := one.ask(t.Context(), question("a", "call_1", time.Hour))
		synctest.Wait()
		time.Sleep(time.Minute)
		began := time.Now()
		expect.OK(t, other.vote(other.pending(), true, ""))
		if a := <-answered; !a.Released || time.Since(began) > time.Second {
			t.Errorf("after %v: %+v", time.Since(began), a)
		}
	})
}

func TestFlood(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		o.watched.Store(false)
		var codes []string
		for i := range 52 {
			codes = append(codes, (<-o.ask(t.Context(), question(fmt.Sprint(i), "call_1", time.Hour))).Code)
		}
		if !slices.Equal(codes[49:], []string{call.CodeApprovalPending, call.CodeApprovalFlood, call.CodeApprovalFlood}) {
			t.Errorf("codes %v", codes[49:])
		}
	})
}

// TestStoreGone: nobody can tell what was decided, so the call is refused.
func TestStoreGone(t *testing.T) {
	in(t, func(t *testing.T, o *office) {
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if a := <-o.ask(gone, question("a", "call_1", time.Hour)); a.Released || a.Code != call.CodeStoreUnavailable {
			t.Errorf("answer %+v", a)
		}
		o.book.err = errors.New("the disk is full")
		if a := <-o.ask(t.Context(), question("b", "call_1", time.Hour)); a.Released || a.Code != call.CodeStoreUnavailable {
			t.Errorf("a request that cannot be recorded: %+v", a)
		}
	})
}
