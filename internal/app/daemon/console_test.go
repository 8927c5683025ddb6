package daemon

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/approvaltest"
	"github.com/weir-gate/weir/internal/approval/factor"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// browser is a client that takes cookies, and that finds the name of the console on this machine as browsers do.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	expect.OK(t, err)
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		return (&net.Dialer{}).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Jar: jar, Transport: transport}
}

func text(t *testing.T, resp *http.Response, err error) (int, string) {
	t.Helper()
	expect.OK(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	expect.OK(t, err)
	return resp.StatusCode, string(body)
}

// TestConsole opens the console of a running weir, logs in by the link, and decides with a code. A session cannot reach its port.
func TestConsole(t *testing.T) {
	r := newRig(t, nil)
	r.stateDir = t.TempDir()
	secret := factor.NewSecret()
	expect.OK(t, os.WriteFile(filepath.Join(r.stateDir, config.TOTPFile), []byte(secret.String()), 0o600))
	r.serve(0)
	a := r.daemon.approvals
	q := approvaltest.Request("deploy")
	q.Terms.StepUp = approval.TOTP
	asked := make(chan approval.Answer, 1)
	a.desk.Ask(t.Context(), approval.Question{Match: q.Match, Terms: q.Terms, Card: q.Card, By: "call_1", Until: time.Now()},
		func(got approval.Answer) { asked <- got })
	id := (<-asked).Request.ID

	link, err := a.Open(t.Context(), call.Actor{})
	expect.OK(t, err)
	u, err := url.Parse(link)
	expect.OK(t, err)
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	expect.OK(t, err)
	expect.Equal(t, r.daemon.egress().Own(uint16(port)), true, "the port of the console is weir's own, so no session reaches it")
	expect.Equal(t, r.daemon.egress().Own(uint16(port)^1), false, "the port beside it is not")

	b := browser(t)
	resp, err := b.Get(link)
	status, page := text(t, resp, err)
	expect.Equal(t, status, http.StatusOK, page)
	expect.Text(t, page, "the list", id)
	expect.Equal(t, a.reachable(approval.Request{}), true, "whoever looks at the list is reachable")
	resp, err = b.Get("http://" + u.Host + "/approvals/" + id)
	_, page = text(t, resp, err)
	expect.Text(t, page, "the card", "make deploy", string(q.Display))
	vote := func(code string) int {
		t.Helper()
		resp, err := b.PostForm("http://"+u.Host+"/approvals/"+id+"/votes", url.Values{
			"decision": {"approve"}, "scope": {"once"}, "display": {string(q.Display)}, "code": {code},
		})
		status, _ := text(t, resp, err)
		return status
	}
	expect.Equal(t, fmt.Sprint(vote(""), vote("x"), vote(secret.Code(time.Now()))), "403 403 200", "votes")
	all, err := a.desk.List(t.Context(), approval.Filter{IDs: []string{id}})
	expect.OK(t, err)
	expect.Equal(t, all[0].State, approval.Approved, "state")

	again, err := a.Open(t.Context(), call.Actor{})
	expect.OK(t, err)
	v, err := url.Parse(again)
	expect.OK(t, err)
	expect.Equal(t, v.Host, u.Host, "opened again")
	expect.OK(t, r.end())
	_, err = b.Get(link)
	expect.Fails(t, err, "the console ends with weir")
	_, err = a.Open(t.Context(), call.Actor{})
	expect.Fails(t, err, "opened after the end")
}

// TestConsoleIsForThePerson refuses to open it for sessions and clients, and where weir.yaml names people.
func TestConsoleIsForThePerson(t *testing.T) {
	r := newRig(t, nil)
	r.serve(0)
	a := r.daemon.approvals
	_, err := a.Open(t.Context(), call.Actor{Session: "run-1"})
	expect.Is(t, err, errInsideVote)
	_, err = a.Open(t.Context(), call.Actor{Key: "k"})
	expect.Is(t, err, errClientWatch)
	expect.Equal(t, r.daemon.room.listener == nil, true, "no port is taken")
	r.config.People = []factor.Member{{Person: approvaltest.Ann}}
	_, err = a.Open(t.Context(), call.Actor{})
	expect.Is(t, err, errPeopleOpen)
}

// TestConsoleWithoutAuthenticator refuses a vote with a code of nobody.
func TestConsoleWithoutAuthenticator(t *testing.T) {
	r := newRig(t, nil)
	r.serve(0)
	_, err := people{r.daemon.approvals}.Identify("", "123456")
	expect.Is(t, err, factor.ErrNoSecret)
}
