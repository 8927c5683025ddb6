package console

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/approvaltest"
	"github.com/weir-gate/weir/internal/approval/desk"
	"github.com/weir-gate/weir/internal/approval/factor"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A shelf is a record that takes everything.
type shelf struct{}

func (shelf) Record(_ record.Event, done func(error)) {
	if done != nil {
		done(nil)
	}
}

// An office is a console under test, with a real desk and a real store.
type office struct {
	*desk.Desk
	t       *testing.T
	console *Console
	handler http.Handler
	member  factor.Member
	codes   factor.Checker
	now     time.Time // the console's
	looked  time.Duration
	cookie  *http.Cookie // nil: nobody is logged in
}

const testHost = "weir.localhost:4000"

func newOffice(t *testing.T) *office {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "weir.db"))
	expect.OK(t, err)
	t.Cleanup(func() { expect.OK(t, s.Close()) })
	o := &office{t: t, now: time.Now(), member: factor.Member{Person: approvaltest.Ann, Secret: factor.NewSecret()}}
	o.Desk = desk.New(desk.Config{
		Store: s, Recorder: shelf{}, Reachable: func(approval.Request) bool { return false },
		Recorded: func(context.Context, call.ID) (bool, error) { return true, nil }, OnError: func(err error) { t.Error(err) },
	})
	o.console = New(Config{Desk: o, Host: "weir.localhost", Now: func() time.Time { return o.now }})
	o.handler = o.console.Handler()
	return o
}

// Identify implements Desk.
func (o *office) Identify(_, code string) (approval.Person, error) {
	if code == "" {
		return o.member.Person, nil
	}
	return o.member.Person, o.codes.Check(o.member, code, time.Now())
}

// Cast implements Desk.
func (o *office) Cast(ctx context.Context, b control.Ballot) (approval.Request, bool, error) {
	person, err := o.Identify(b.User, b.Code)
	if err != nil {
		return approval.Request{}, false, err
	}
	proved := approval.NoFactor
	if b.Code != "" {
		proved = approval.TOTP
	}
	return o.Desk.Cast(ctx, b.ID, approval.Vote{
		Voter: person, Yes: b.Yes, Scope: b.Scope, Reason: b.Reason, Display: b.Display, Channel: b.Channel, Factor: proved,
	})
}

// Looked implements Desk.
func (o *office) Looked(lasts time.Duration) { o.looked = lasts }

// wait has a call wait for a person, and returns the request.
func (o *office) wait(args string, change func(*approval.Question)) approval.Request {
	o.t.Helper()
	r := approvaltest.Request(args)
	r.Card.Args = jsontext.Value(args)
	q := approval.Question{Match: r.Match, Terms: r.Terms, Card: r.Card, By: "call_1", Until: time.Now()}
	if change != nil {
		change(&q)
	}
	answered := make(chan approval.Answer, 1)
	o.Ask(o.t.Context(), q, func(a approval.Answer) { answered <- a })
	return o.read((<-answered).Request.ID)
}

// read returns a request as it is stored.
func (o *office) read(id string) approval.Request {
	o.t.Helper()
	all, err := o.List(o.t.Context(), approval.Filter{IDs: []string{id}})
	expect.OK(o.t, err)
	expect.Equal(o.t, len(all), 1, "requests "+id)
	return all[0]
}

// send sends a request as a browser of this machine does, changed as a test wants.
func (o *office) send(method, path, kind, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = testHost
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if o.cookie != nil {
		r.AddCookie(o.cookie)
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, r)
	return w
}

func (o *office) get(path string) *httptest.ResponseRecorder {
	return o.send(http.MethodGet, path, "", "")
}

// enter logs in by a link.
func (o *office) enter() *office {
	o.t.Helper()
	w := o.get(o.console.Link())
	expect.Equal(o.t, w.Code, http.StatusSeeOther, w.Body)
	o.cookie = w.Result().Cookies()[0]
	return o
}

// vote votes by the interface, and returns the status with the name of the problem.
func (o *office) vote(id string, b ballot) (int, string) {
	o.t.Helper()
	text, err := json.Marshal(b)
	expect.OK(o.t, err)
	w := o.send(http.MethodPost, "/api/v1/approvals/"+id+"/votes", "application/json", string(text))
	var p struct {
		Error string `json:"error"`
	}
	expect.OK(o.t, json.Unmarshal(w.Body.Bytes(), &p), w.Body)
	return w.Code, p.Error
}

// fill sends the form of a page.
func (o *office) fill(id string, fields ...string) *httptest.ResponseRecorder {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return o.send(http.MethodPost, "/approvals/"+id+"/votes", "application/x-www-form-urlencoded", form.Encode())
}
