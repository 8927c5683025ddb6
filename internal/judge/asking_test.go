package judge_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	approvaldesk "github.com/weir-gate/weir/internal/approval/desk"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

const askingRules = `version: 1
default: allow
rules:
  - {id: ask, tool: [deploy, both, "mcp__ops__*"], verdict: pending_approval, reason: Deploys want a yes., approval: {step_up: none}}
  - {id: mask, tool: deploy, verdict: sanitize, sanitize: {presets: [email]}}
  - {id: never, tool: both, verdict: deny, conditions: {param_path: to, operator: equals, value: prod}}
`

// A hearing is a judge with a desk and a store, under a policy that asks.
type hearing struct {
	*judge.Judge
	t    *testing.T
	desk *approvaldesk.Desk
	book *notebook
}

// hear runs a test in a bubble.
func hear(t *testing.T, test func(t *testing.T, h *hearing)) {
	t.Helper()
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(context.Background(), url)
		expect.OK(t, err)
		h := &hearing{t: t, book: &notebook{}}
		h.desk = approvaldesk.New(approvaldesk.Config{Store: s, Recorder: h.book, Reachable: func(approval.Request) bool { return true }})
		p := parse(t, askingRules)
		h.Judge = judge.New(judge.Config{
			Policy: func() *policy.Policy { return p }, Recorder: h.book, Approvals: h.desk, Now: time.Now,
		})
		ctx, cancel := context.WithCancel(context.Background())
		var running sync.WaitGroup
		running.Go(func() { h.desk.Run(ctx) })
		t.Cleanup(func() {
			cancel()
			running.Wait()
			expect.OK(t, s.Close())
		})
		test(t, h)
	})
}

// held is a call that can be held for an hour.
func held(id call.ID, args string) call.Call {
	c := aCall("deploy", args)
	c.ID, c.HoldUntil = id, time.Now().Add(time.Hour)
	return c
}

func (h *hearing) judge(c call.Call) chan call.Ruling {
	ruled := make(chan call.Ruling, 1)
	h.Judge.Judge(h.t.Context(), c, func(r call.Ruling) { ruled <- r })
	synctest.Wait()
	return ruled
}

func (h *hearing) pending() []approval.Request {
	h.t.Helper()
	all, err := h.desk.List(h.t.Context(), approval.Filter{States: []approval.State{approval.Pending}})
	expect.OK(h.t, err)
	return all
}

func (h *hearing) vote(r approval.Request, yes bool, reason string) {
	h.t.Helper()
	v := approval.Vote{
		Voter: approval.Person{User: "ann", Roles: []string{"approver"}}, Yes: yes, Display: r.Display, Factor: approval.NoFactor, Reason: reason,
	}
	_, err := h.desk.Vote(h.t.Context(), r.ID, v)
	expect.OK(h.t, err)
	synctest.Wait()
}

// types are the events so far, with the state of a request or the code of a call.
func (h *hearing) types() (out []string) {
	h.book.mu.Lock()
	defer h.book.mu.Unlock()
	for _, e := range h.book.events {
		d, _ := e.Detail.(record.Approval)
		out = append(out, strings.TrimSpace(string(e.Type)+" "+d.State+e.Code))
	}
	return out
}

func TestApprovedCall(t *testing.T) {
	hear(t, func(t *testing.T, h *hearing) {
		ruled := h.judge(held("call_1", `{"to":"ann@acme.com","text":"x"}`))
		r := h.pending()[0]
		if got := string(r.Card.Args); got != `{"to":"[redacted:email]","text":"x"}` {
			t.Errorf("people are shown %s", got)
		}
		h.vote(r, true, "")
		got := <-ruled
		if !got.Released || string(got.Args) != `{"to":"[redacted:email]","text":"x"}` || got.Approval != r.ID {
			t.Errorf("ruled %+v", got)
		}
		expect.Same(t, []string{
			"approval_requested pending", "approval_voted approved", "approval_decided approved", "tool_call", "approval_used used",
		}, h.types())
		e := h.book.events[3]
		if e.Blocked || e.Verdict != "pending_approval" || e.Rule != "ask" {
			t.Errorf("recorded %+v", e.Ruling)
		}
	})
}

func TestUnapprovedCalls(t *testing.T) {
	hear(t, func(t *testing.T, h *hearing) {
		ruled := h.judge(held("call_1", `{"to":"dev"}`))
		h.vote(h.pending()[0], false, "Not on a Friday")
		got := <-ruled
		if got.Released || got.Code != call.CodeApprovalDenied || got.Reason != "A person said no: Not on a Friday." {
			t.Errorf("denied: %+v", got)
		}
		late := held("call_2", `{"to":"dev"}`)
		late.HoldUntil = time.Time{}
		got = <-h.judge(late)
		if got.Code != call.CodeApprovalPending || got.Rule != "ask" || got.Approval == "" {
			t.Errorf("pending: %+v", got)
		}
		const notice = `[weir] The call to "deploy" waits for a person (approval_pending, rule ask, `
		if text := got.Notice("deploy"); !strings.HasPrefix(text, notice+got.Approval+"): Deploys want a yes. Nothing ran.") {
			t.Errorf("the model reads %s", text)
		}
		denied := aCall("both", `{"to":"prod"}`)
		if got := <-h.judge(denied); got.Code != call.CodeArgsDenied {
			t.Errorf("a deny wins: %+v", got)
		}
		if len(h.pending()) != 1 {
			t.Error("a person is asked about a denied call")
		}
	})
}

// TestApprovedOnce: the call of a model that a person let pass is made at the MCP gateway. It is one act, and nobody is asked twice.
func TestApprovedOnce(t *testing.T) {
	hear(t, func(t *testing.T, h *hearing) {
		asked := held("call_1", `{"to":"dev"}`)
		asked.Tool = "mcp__ops__deploy"
		ruled := h.judge(asked)
		h.vote(h.pending()[0], true, "")
		if r := <-ruled; !r.Released {
			t.Fatalf("ruled %+v", r)
		}
		made := call.Call{
			ID: "call_2", Surface: call.MCP, Actor: asked.Actor, Server: "ops", Tool: "deploy", Args: []byte(`{"to":"dev"}`),
			HoldUntil: time.Now().Add(time.Minute), MCP: call.MCPCall{Approved: "a client's word"},
		}
		if r := h.Call(t.Context(), made); !r.Released || r.Call != "call_1" {
			t.Errorf("made: %+v", r)
		}
		if r := h.Call(t.Context(), made); r.Released || r.Code != call.CodeApprovalPending {
			t.Errorf("made again: %+v", r)
		}
	})
}

// TestYesLapses: the record fails after a yes was used up. The call is refused, and the yes is not used again.
func TestYesLapses(t *testing.T) {
	hear(t, func(t *testing.T, h *hearing) {
		ruled := h.judge(held("call_1", `{}`))
		r := h.pending()[0]
		h.vote(r, true, "")
		if got := <-ruled; !got.Released {
			t.Fatalf("ruled %+v", got)
		}
		again := h.judge(held("call_2", `{}`))
		h.vote(h.pending()[0], true, "")
		<-again
		third := h.judge(held("call_3", `{}`))
		next := h.pending()[0]
		h.book.mu.Lock()
		h.book.err = errors.New("the disk is full")
		h.book.mu.Unlock()
		_, err := h.desk.Vote(t.Context(), next.ID, approval.Vote{
			Voter: approval.Person{User: "ann", Roles: []string{"approver"}}, Yes: true, Display: next.Display, Factor: approval.NoFactor,
		})
		expect.Fails(t, err)
		synctest.Wait()
		if got := <-third; got.Released || got.Code != call.CodeStoreUnavailable {
			t.Errorf("not recorded: %+v", got)
		}
		synctest.Wait()
		all, err := h.desk.List(t.Context(), approval.Filter{IDs: []string{next.ID}})
		if err != nil || all[0].State != approval.Lapsed {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

// TestReleasedMeansUsed makes random calls and votes. Each released call has one use of a yes, recorded with it, whose match digest is
// that of the call, and no yes is used twice.
func TestReleasedMeansUsed(t *testing.T) {
	for seed := range uint64(5) {
		hear(t, func(t *testing.T, h *hearing) {
			chance := rand.New(rand.NewPCG(seed, 2))
			var mu sync.Mutex
			released := map[call.ID]string{} // their arguments
			for i := range 60 {
				id, args := call.ID(fmt.Sprint("call_", i)), fmt.Sprintf(`{"n":%d}`, chance.IntN(4))
				h.Judge.Judge(t.Context(), held(id, args), func(r call.Ruling) {
					mu.Lock()
					defer mu.Unlock()
					if r.Released {
						released[id] = args
					}
				})
				synctest.Wait()
				if pending := h.pending(); chance.IntN(2) == 0 && len(pending) > 0 {
					h.vote(pending[chance.IntN(len(pending))], chance.IntN(3) > 0, "")
				}
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			matches, uses, used := map[string]string{}, map[call.ID]int{}, map[string]int{}
			for i, e := range h.book.events {
				d, _ := e.Detail.(record.Approval)
				if e.Type != record.Types.ApprovalUsed {
					continue
				}
				uses[e.CallID]++
				used[d.ID]++
				if before := h.book.events[i-1]; before.CallID != e.CallID || before.Blocked || before.Type != record.Types.ToolCall {
					t.Errorf("seed %d: a use is not recorded with its call", seed)
				}
				if args := released[e.CallID]; matches[args] == "" {
					matches[args] = d.Match
				} else if matches[args] != d.Match {
					t.Errorf("seed %d: the same call has two digests", seed)
				}
			}
			distinct := map[string]bool{}
			for _, m := range matches {
				distinct[m] = true
			}
			for id, n := range used {
				if n != 1 {
					t.Errorf("seed %d: the yes of %s was used %d times", seed, id, n)
				}
			}
			if len(uses) != len(released) || len(released) == 0 || len(distinct) != len(matches) {
				t.Errorf("seed %d: %d uses, %d released, %d digests for %d matters", seed, len(uses), len(released), len(distinct), len(matches))
			}
		})
	}
}

const askingConnections = `version: 1
default: allow
rules:
  - id: ask
    surface: egress
    conditions: {param_path: host, operator: host_in, value: [upload.example]}
    verdict: pending_approval
    approval: {step_up: none}
`

// TestHeldConnection: a connection is held for 20 seconds. A lookup is not: people are asked about the connection that follows.
func TestHeldConnection(t *testing.T) {
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(context.Background(), url)
		expect.OK(t, err)
		t.Cleanup(func() { expect.OK(t, s.Close()) })
		book := &notebook{}
		d := approvaldesk.New(approvaldesk.Config{Store: s, Recorder: book, Reachable: func(approval.Request) bool { return true }})
		p := parse(t, askingConnections)
		h := &hearing{t: t, desk: d, book: book, Judge: judge.New(judge.Config{
			Policy: func() *policy.Policy { return p }, Recorder: book, Approvals: d, Now: time.Now,
		})}
		conn := call.Connection{
			Act: call.Resolve, Actor: call.Actor{Session: "run-1"}, Hosts: []string{"upload.example"}, Process: call.Process{Name: "curl"},
		}
		if r := h.Connect(t.Context(), conn); !r.Released {
			t.Errorf("the lookup: %+v", r)
		}
		conn.Act, conn.Port, conn.Protocol, conn.Addr = call.Connect, 443, "tcp", netip.MustParseAddr("192.0.2.1")
		began := time.Now()
		if r := h.Connect(t.Context(), conn); r.Code != call.CodeApprovalPending || time.Since(began) != 20*time.Second {
			t.Errorf("after %v: %+v", time.Since(began), r)
		}
		ruled := make(chan call.Ruling, 1)
		conn.Addr = netip.MustParseAddr("192.0.2.2") // the host has several
		go func() { ruled <- h.Connect(t.Context(), conn) }()
		synctest.Wait()
		h.vote(h.pending()[0], true, "")
		if r := <-ruled; !r.Released {
			t.Errorf("approved: %+v", r)
		}
		other := conn
		other.Process.Name = "wget"
		go func() { ruled <- h.Connect(t.Context(), other) }()
		synctest.Wait()
		if all := h.pending(); len(all) != 1 || all[0].Card.Tool != "connect" {
			t.Errorf("another program: %+v", all)
		}
		<-ruled
	})
}
