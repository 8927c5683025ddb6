package daemon

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/factor"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

const asksAboutDeploys = `version: 1
default: allow
rules:
  - {id: ask, tool: deploy, verdict: pending_approval, reason: Deploys want a yes., approval: {step_up: none}}
`

// aDeploy is a turn with a text, a call that a person is asked about, and one that passes. Calls with another number are other calls.
func aDeploy(n int) wire.Turn {
	return wire.Turn{Model: "m", Prompt: "go", ID: "resp_1", In: 1, Out: 1, Blocks: []wire.Block{
		wire.Text("Going to ", "deploy."),
		{Tool: "deploy", ID: "call_a", Pieces: []string{`{"to":`, fmt.Sprintf(`"dev %d"}`, n)}},
		{Tool: "look", ID: "call_b", Pieces: []string{`{"at":"log"}`}},
	}}
}

// A court is a rig in which a person decides.
type court struct {
	*rig
	kit      *wire.Kit
	streamed bool
	n        int
}

// ask sends the request of the turn, and returns the body of the response.
func (c *court) ask() chan string {
	path, body := c.kit.Request(aDeploy(c.n), c.streamed)
	got := make(chan string, 1)
	go func() {
		resp, err := http.Post("http://"+c.daemon.Address()+"/model"+path, "application/json", strings.NewReader(body))
		if err != nil {
			got <- err.Error()
			return
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			text = []byte(err.Error())
		}
		got <- string(text)
	}()
	return got
}

// watch returns the pending request once there is one, as somebody who watches sees it.
func (c *court) watch() approval.Request {
	c.t.Helper()
	for {
		all, err := c.daemon.approvals.Watch(c.t.Context(), call.Actor{})
		expect.OK(c.t, err)
		if len(all) > 0 {
			return all[0]
		}
		if c.t.Context().Err() != nil {
			c.t.Fatal("nobody is asked")
		}
	}
}

func (c *court) vote(r approval.Request, yes bool) {
	c.t.Helper()
	b := control.Ballot{ID: r.ID, Yes: yes, Reason: "So be it", Display: r.Display, Channel: "test"}
	_, err := c.daemon.approvals.Vote(c.t.Context(), call.Actor{}, b)
	expect.OK(c.t, err)
}

// TestApprovalsInEveryFormat holds a call in streams and bodies of every format.
func TestApprovalsInEveryFormat(t *testing.T) {
	for _, f := range formats.All() {
		for _, streamed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s streamed %v", f.Name, streamed), func(t *testing.T) {
				t.Parallel()
				c := &court{kit: f.Kit, streamed: streamed}
				c.rig = newRig(t, func(scripted.Request) scripted.Answer {
					body, kind := []byte(f.Kit.Whole(aDeploy(c.n))), "application/json"
					if streamed {
						body, kind = f.Kit.Bytes(aDeploy(c.n)), f.Kit.Framing.ContentType()
					}
					return scripted.Answer{Header: http.Header{"Content-Type": {kind}}, Steps: []scripted.Step{scripted.Write(body)}}
				})
				c.write(asksAboutDeploys)
				c.serve(0)
				c.decide(t)
			})
		}
	}
}

// decide plays what can become of a call.
func (c *court) decide(t *testing.T) {
	// Nobody watches: it is pending at once, and passes when it is made again after the yes.
	body := <-c.ask()
	expect.Text(t, body, "nobody watches", "approval_pending", "look", "!dev 0")
	all, err := c.daemon.approvals.desk.List(t.Context(), approval.Filter{})
	expect.OK(t, err)
	c.vote(all[0], true)
	expect.Text(t, <-c.ask(), "made again", "dev 0", "look", "!approval_pending")

	// Somebody watches: it is held, and delivered after the yes.
	c.daemon.approvals.watched.Store(time.Now().Add(time.Hour).UnixNano())
	c.n = 1
	held := c.ask()
	c.vote(c.watch(), true)
	expect.Text(t, <-held, "approved", "dev 1", "look", "!approval_")

	// After a no, a notice takes its place.
	c.n = 2
	held = c.ask()
	c.vote(c.watch(), false)
	expect.Text(t, <-held, "denied", "approval_denied", "So be it", "look", "!dev 2")

	// A client that goes away finds its request again.
	expect.OK(t, c.end())
	used := c.events(query.Filter{Type: record.Types.ApprovalUsed})
	expect.Equal(t, len(used), 2, "uses")
	c.verify()
}

// TestClientGoes: a client goes away while its call waits, and asks again.
func TestClientGoes(t *testing.T) {
	f, _ := formats.Named("anthropic")
	c := &court{kit: f.Kit, streamed: true}
	c.rig = newRig(t, func(scripted.Request) scripted.Answer {
		return scripted.Answer{
			Header: http.Header{"Content-Type": {f.Kit.Framing.ContentType()}}, Steps: []scripted.Step{scripted.Write(f.Kit.Bytes(aDeploy(0)))},
		}
	})
	c.write(asksAboutDeploys)
	c.serve(0)
	c.daemon.approvals.watched.Store(time.Now().Add(time.Hour).UnixNano())
	ctx, leave := context.WithCancel(t.Context())
	path, body := f.Kit.Request(aDeploy(0), true)
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.daemon.Address()+"/model"+path, strings.NewReader(body))
	expect.OK(t, err)
	gone := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(q)
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		gone <- err
	}()
	first := c.watch()
	leave()
	expect.Fails(t, <-gone)
	// Until weir has noticed that the client is gone, the yes may be used for its first call.
	for len(c.events(query.Filter{Type: record.Types.ResponseDone})) == 0 {
		expect.OK(t, t.Context().Err())
	}
	held := c.ask()
	if again := c.watch(); again.ID != first.ID {
		t.Error("a second request was opened")
	}
	c.vote(first, true)
	expect.Text(t, <-held, "asked again", "dev 0")
}

// TestWhoVotes: who is at the socket, and what they prove.
func TestWhoVotes(t *testing.T) {
	r := newRig(t, nil)
	r.stateDir = r.dir
	ann := factor.Member{Person: approval.Person{User: "ann", Roles: []string{"approver"}}, Secret: factor.NewSecret()}
	r.config.People = []factor.Member{ann}
	r.write(asksAboutDeploys)
	r.start(0)
	r.run()
	defer r.end()
	a := r.daemon.approvals
	for name, test := range map[string]struct {
		who        call.Actor
		user, code string
		want       string
	}{
		"a session":       {call.Actor{Session: "run-1"}, "ann", ann.Secret.Code(time.Now()), "a session cannot decide"},
		"no name":         {call.Actor{}, "", "", "the vote needs a factor"},
		"a name alone":    {call.Actor{}, "ann", "", "the vote needs a factor"},
		"somebody else":   {call.Actor{}, "bob", "123456", "the code is wrong"},
		"a wrong code":    {call.Actor{}, "ann", "12345", "the code is wrong"},
		"a client's key":  {call.Actor{Key: "ci"}, "ann", "", "the vote needs a factor"},
		"a good code":     {call.Actor{}, "Ann", ann.Secret.Code(time.Now()), "there is no such request"},
		"a client's code": {call.Actor{Key: "ci"}, "ann", ann.Secret.Code(time.Now().Add(-time.Hour)), "the code is wrong"},
	} {
		_, err := a.Vote(t.Context(), test.who, control.Ballot{ID: "apr_1", User: test.user, Code: test.code})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for _, who := range []call.Actor{{Session: "run-1"}, {Key: "ci"}} {
		if _, err := a.Watch(t.Context(), who); err == nil {
			t.Errorf("%+v watches", who)
		}
	}
	r.config.People = nil
	if _, err := a.Vote(t.Context(), call.Actor{Key: "ci"}, control.Ballot{ID: "apr_1"}); err == nil || !strings.Contains(err.Error(), "names no people") {
		t.Errorf("a client where weir.yaml names no people: %v", err)
	}
	long := control.Ballot{ID: "apr_1", Reason: strings.Repeat("x", 1001)}
	if _, err := a.Vote(t.Context(), call.Actor{}, long); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a long reason: %v", err)
	}
}

func TestPolicyAsksInVain(t *testing.T) {
	r := newRig(t, nil)
	r.write("version: 1\ndefault: allow\nrules: [{id: ask, tool: x, verdict: pending_approval, approval: {approvers: 'team:platform'}}]\n")
	_, err := Start(t.Context(), Config{Config: r.config, Policy: r.source()})
	if err == nil || !strings.Contains(err.Error(), "rule ask names the approver team:platform, and people in weir.yaml has none such") {
		t.Errorf("started: %v", err)
	}
}
