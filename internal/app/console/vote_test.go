package console

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/card"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func strict(q *approval.Question) { q.Terms.StepUp = approval.TOTP }

// TestVote plays what can become of a vote, by the codes of the interface.
func TestVote(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{"to":"dev"}`, nil)
	yes, no := ballot{Decision: "approve", Display: r.Display}, ballot{Decision: "deny", Display: r.Display}
	for _, step := range []struct {
		what   string
		id     string
		b      ballot
		status int
		name   string
	}{
		{"an unknown request", "apr_none", yes, http.StatusNotFound, "not_found"},
		{"neither yes nor no", r.ID, ballot{Decision: "perhaps", Display: r.Display}, http.StatusUnprocessableEntity, "bad_value"},
		{"no decision", r.ID, ballot{Display: r.Display}, http.StatusUnprocessableEntity, "bad_value"},
		{"a stale page", r.ID, ballot{Decision: "approve", Display: "sha256:0"}, http.StatusPreconditionFailed, "display_mismatch"},
		{"an unknown scope", r.ID, ballot{Decision: "approve", Scope: "always", Display: r.Display}, http.StatusUnprocessableEntity, "bad_scope"},
		{
			"a long reason", r.ID, ballot{Decision: "deny", Display: r.Display, Reason: strings.Repeat("x", approval.MaxReason+1)},
			http.StatusUnprocessableEntity, "bad_value",
		},
		{"yes", r.ID, yes, http.StatusCreated, ""},
		{"yes again", r.ID, yes, http.StatusOK, ""},
		{"no after it", r.ID, no, http.StatusConflict, "already_decided"},
	} {
		status, name := o.vote(step.id, step.b)
		expect.Equal(t, fmt.Sprint(status, " ", name), fmt.Sprint(step.status, " ", step.name), step.what)
	}
	got := o.read(r.ID)
	expect.Equal(t, got.State, approval.Approved, "state")
	expect.Equal(t, got.Votes[0].Channel, "api", "channel")
}

// TestVoteNeedsFactor votes where the rule wants a code.
func TestVoteNeedsFactor(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{"to":"prod"}`, strict)
	yes := ballot{Decision: "approve", Display: r.Display}
	check := func(what, code string, status int, name string) {
		t.Helper()
		yes.Code = code
		gotStatus, gotName := o.vote(r.ID, yes)
		expect.Equal(t, fmt.Sprint(gotStatus, " ", gotName), fmt.Sprint(status, " ", name), what)
	}
	check("without a code", "", http.StatusForbidden, "step_up_required")
	secret := o.member.Secret
	o.member.Secret = nil
	check("without an authenticator", "123456", http.StatusForbidden, "step_up_required")
	o.member.Secret = secret
	check("a wrong code", "x", http.StatusForbidden, "step_up_required")
	check("the code", secret.Code(time.Now()), http.StatusCreated, "")
	expect.Equal(t, o.read(r.ID).Votes[0].Factor, approval.TOTP, "factor")

	for range 5 {
		check("a wrong code", "x", http.StatusForbidden, "step_up_required")
	}
	check("too many wrong codes", "x", http.StatusTooManyRequests, "too_many")
}

func TestVoteOfBadForm(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{}`, nil)
	for what, test := range map[string]struct {
		kind, body string
		status     int
	}{
		"a form":         {"application/x-www-form-urlencoded", "decision=approve", http.StatusUnsupportedMediaType},
		"no JSON":        {"application/json", "approve", http.StatusBadRequest},
		"unknown member": {"application/json", `{"decision":"approve","force":true}`, http.StatusBadRequest},
		"twice":          {"application/json", `{"decision":"deny","decision":"approve"}`, http.StatusBadRequest},
		"large":          {"application/json", `{"reason":"` + strings.Repeat("x", maxBody) + `"}`, http.StatusRequestEntityTooLarge},
	} {
		w := o.send(http.MethodPost, "/api/v1/approvals/"+r.ID+"/votes", test.kind, test.body)
		expect.Equal(t, w.Code, test.status, what)
	}
	expect.Equal(t, len(o.read(r.ID).Votes), 0, "votes")
}

// TestGetNeverDecides sends everything that a vote has, but as a GET.
func TestGetNeverDecides(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{}`, nil)
	fields := "?decision=approve&scope=once&display=" + string(r.Display)
	for _, base := range []string{"/approvals/", "/api/v1/approvals/"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			expect.Equal(t, o.send(method, base+r.ID+fields, "", "").Code, http.StatusOK, method)
			expect.Equal(t, o.send(method, base+r.ID+"/votes"+fields, "", "").Code, http.StatusMethodNotAllowed, method)
		}
	}
	w := o.send(http.MethodPost, "/approvals/"+r.ID+"/votes"+fields, "application/x-www-form-urlencoded", "")
	expect.Equal(t, w.Code, http.StatusUnprocessableEntity, "fields in the address")
	expect.Equal(t, len(o.read(r.ID).Votes), 0, "votes")
}

// TestForm votes by the page, and finds what was filled in after a vote that did not count.
func TestForm(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{"to":"prod"}`, strict)
	w := o.fill(r.ID, "decision", "approve", "scope", "session", "reason", "Looks <good>", "code", "987654", "display", string(r.Display))
	expect.Equal(t, w.Code, http.StatusForbidden, w.Body)
	expect.Text(t, w.Body.String(), "page", "The code is wrong", "Looks &lt;good&gt;</textarea>", `value="session" checked`, "!987654",
		`!value="once" checked`)
	code := o.member.Secret.Code(time.Now())
	w = o.fill(r.ID, "decision", "deny", "scope", "session", "reason", "No", "code", code, "display", string(r.Display))
	expect.Equal(t, w.Code, http.StatusSeeOther, w.Body)
	got := o.read(r.ID)
	expect.Equal(t, got.State, approval.Denied, "state")
	expect.Equal(t, fmt.Sprint(got.Votes[0].Channel, got.Votes[0].Reason, got.Votes[0].Scope), "pageNo", "vote")
	expect.Text(t, o.get("/approvals/"+r.ID).Body.String(), "page", "denied", "deny by ann: No", "!<form")
}

// TestLargeIsShownFirst approves a large call only after every part of it was shown. A no needs no look.
func TestLargeIsShownFirst(t *testing.T) {
	o := newOffice(t).enter()
	text := strings.Repeat("ab€", card.LargeSize/4) + "THE END"
	r := o.wait(`{"command":"`+text+`"}`, nil)
	yes := ballot{Decision: "approve", Display: r.Display}
	refused := func(what string) {
		t.Helper()
		status, name := o.vote(r.ID, yes)
		expect.Equal(t, fmt.Sprint(status, " ", name), "412 not_all_shown", what)
	}
	refused("before anything was shown")
	first := o.get("/approvals/" + r.ID).Body.String()
	expect.Text(t, first, "the first part", "part 1 of 2", `value="approve" disabled`, "!THE END", "!\ufffd", `!\x`)
	refused("after the first part")
	o.get("/approvals/" + r.ID)
	refused("after the first part, again")
	last := o.get("/approvals/" + r.ID + "?part=2").Body.String()
	expect.Text(t, last, "the last part", "part 2 of 2", "THE END", "!disabled", "!\ufffd", `!\x`)
	status, name := o.vote(r.ID, yes)
	expect.Equal(t, fmt.Sprint(status, name), "201", "after all")

	r = o.wait(`{"command":"x`+text+`"}`, nil)
	status, name = o.vote(r.ID, ballot{Decision: "deny", Display: r.Display})
	expect.Equal(t, fmt.Sprint(status, name), "201", "a no")
}

// TestPartsAreWhole cuts texts anywhere: the parts together are all of the text, and none has half a character.
func TestPartsAreWhole(t *testing.T) {
	o := newOffice(t)
	for shift := range 4 {
		text := strings.Repeat("x", shift) + strings.Repeat("😀", card.LargeSize/2)
		r := o.wait(`{"a":"`+text+`","b":"short"}`, nil)
		var a strings.Builder
		for _, part := range parts(r) {
			for _, p := range part {
				if p.Name == "a" {
					a.WriteString(p.Text[p.from:p.to])
					for _, s := range argumentOf(p).Spans {
						expect.Equal(t, strings.ContainsAny(s.Text, "\\\ufffd"), false, "half a character")
					}
				}
			}
		}
		expect.Equal(t, a.String() == text, true, "all of the text is shown")
		expect.Equal(t, len(parts(r)), 3, "parts")
	}
}

// TestVoteRace lets 100 browsers vote at once: one vote is new, and the request has one vote.
func TestVoteRace(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{}`, nil)
	var mu sync.Mutex
	statuses := map[int]int{}
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			status, _ := o.vote(r.ID, ballot{Decision: []string{"approve", "deny"}[i%2], Display: r.Display})
			mu.Lock()
			defer mu.Unlock()
			statuses[status]++
		})
	}
	all.Wait()
	expect.Equal(t, statuses[http.StatusCreated], 1, "new votes")
	expect.Equal(t, statuses[http.StatusOK], 49, "the same vote again")
	expect.Equal(t, statuses[http.StatusConflict], 50, "other votes")
	expect.Equal(t, len(o.read(r.ID).Votes), 1, "votes")
}
