package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/factor"
)

const (
	maxBody   = 64 << 10
	listed    = 100
	inBrowser = "page"
)

// A problem is the response to what was not done.
type problem struct {
	Error     string          `json:"error"`
	Message   string          `json:"message"`
	State     approval.State  `json:"state,omitzero"`
	By        []string        `json:"by,omitempty"`
	At        time.Time       `json:"at,omitzero"`
	Challenge approval.Factor `json:"challenge,omitzero"`
}

var (
	errNotShown = errors.New("not all of the call was shown; look at every part first")
	errValue    = errors.New("a value is not understood")
)

// outcomes are the codes of what was not done.
var outcomes = []struct {
	err    error
	status int
	name   string
}{
	{approval.ErrUnknown, http.StatusNotFound, "not_found"},
	{approval.ErrNotApprover, http.StatusForbidden, "not_an_approver"}, {approval.ErrSelf, http.StatusForbidden, "self_approval"},
	{approval.ErrStepUp, http.StatusForbidden, "step_up_required"}, {factor.ErrWrongCode, http.StatusForbidden, "step_up_required"},
	{factor.ErrNoSecret, http.StatusForbidden, "step_up_required"}, {errTooManyLogins, http.StatusTooManyRequests, "too_many"},
	{factor.ErrTooMany, http.StatusTooManyRequests, "too_many"},
	{approval.ErrDecided, http.StatusConflict, "already_decided"}, {approval.ErrVoted, http.StatusConflict, "voted_otherwise"},
	{approval.ErrExpired, http.StatusGone, "expired"}, {approval.ErrDisplay, http.StatusPreconditionFailed, "display_mismatch"},
	{errNotShown, http.StatusPreconditionFailed, "not_all_shown"}, {approval.ErrScope, http.StatusUnprocessableEntity, "bad_scope"},
	{errValue, http.StatusUnprocessableEntity, "bad_value"},
}

func statusOf(err error) (int, string) {
	for _, o := range outcomes {
		if errors.Is(err, o.err) {
			return o.status, o.name
		}
	}
	return http.StatusServiceUnavailable, "unavailable"
}

func sentence(err error) string { return strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "." }

func respond(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		http.Error(w, "the response cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // whoever asked may be gone
}

func refuse(w http.ResponseWriter, status int, p problem) { respond(w, status, p) }

func fail(w http.ResponseWriter, r approval.Request, err error) {
	status, name := statusOf(err)
	p := problem{Error: name, Message: err.Error()}
	if status == http.StatusConflict || status == http.StatusGone {
		p.State, p.At = r.State, r.Decided
		for _, v := range r.Votes {
			p.By = append(p.By, v.Voter.User)
		}
	}
	if name == "step_up_required" {
		p.Challenge = approval.TOTP
	}
	refuse(w, status, p)
}

// pick lists requests as they are now: one that has ended since is in no state that it was stored in.
func (c *Console) pick(ctx context.Context, f approval.Filter) ([]approval.Request, error) {
	all, err := c.cfg.Desk.List(ctx, f)
	return slices.DeleteFunc(all, func(q approval.Request) bool { return f.States != nil && !slices.Contains(f.States, q.State) }), err
}

// find returns the request that a path names.
func (c *Console) find(r *http.Request) (approval.Request, error) {
	all, err := c.cfg.Desk.List(r.Context(), approval.Filter{IDs: []string{r.PathValue("id")}})
	if err == nil && len(all) == 0 {
		err = approval.ErrUnknown
	}
	if err != nil {
		return approval.Request{}, err
	}
	return all[0], nil
}

// states are those that somebody can ask for.
var states = []approval.State{
	approval.Pending, approval.Approved, approval.Used, approval.Lapsed, approval.Denied, approval.Expired, approval.Withdrawn,
}

func (c *Console) list(w http.ResponseWriter, r *http.Request, _ *login) {
	f := approval.Filter{Limit: listed}
	if s := r.URL.Query().Get("state"); s != "" {
		f.States = []approval.State{approval.State(s)}
		if !slices.Contains(states, f.States[0]) {
			fail(w, approval.Request{}, fmt.Errorf("%w: there is no such state", errValue))
			return
		}
	}
	all, err := c.pick(r.Context(), f)
	if err != nil {
		fail(w, approval.Request{}, err)
		return
	}
	items := make([]view, 0, len(all))
	for _, q := range all {
		items = append(items, viewOf(q, false))
	}
	respond(w, http.StatusOK, map[string]any{"items": items})
}

func (c *Console) get(w http.ResponseWriter, r *http.Request, who *login) {
	q, err := c.find(r)
	if err != nil {
		fail(w, q, err)
		return
	}
	tag := fmt.Sprintf("%q", fmt.Sprintf("%d-%s", q.Version, q.State))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	for part := range parts(q) {
		who.show(q.Display, part)
	}
	respond(w, http.StatusOK, viewOf(q, true))
}

type ballot struct {
	Decision string          `json:"decision"`
	Scope    approval.Scope  `json:"scope"`
	Reason   string          `json:"reason"`
	Display  approval.Digest `json:"display"`
	Code     string          `json:"code"`
}

func (c *Console) vote(w http.ResponseWriter, r *http.Request, who *login) {
	var b ballot
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		refuse(w, http.StatusUnsupportedMediaType, problem{Error: "not_json", Message: "send application/json"})
		return
	}
	if err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, maxBody), &b, json.RejectUnknownMembers(true)); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			refuse(w, http.StatusRequestEntityTooLarge, problem{Error: "too_large", Message: "a vote is smaller"})
			return
		}
		refuse(w, http.StatusBadRequest, problem{Error: "bad_value", Message: "this is not a vote in JSON"})
		return
	}
	q, fresh, err := c.cast(r, who, b, "api")
	if err != nil {
		fail(w, q, err)
		return
	}
	status := http.StatusOK
	if fresh {
		status = http.StatusCreated
	}
	respond(w, status, viewOf(q, true))
}

func (c *Console) cast(r *http.Request, who *login, b ballot, channel string) (approval.Request, bool, error) {
	q, err := c.find(r)
	yes := b.Decision == "approve"
	switch {
	case err != nil:
		return q, false, err
	case !yes && b.Decision != "deny":
		return q, false, fmt.Errorf("%w: the decision is approve or deny", errValue)
	case !utf8.ValidString(b.Reason) || utf8.RuneCountInString(b.Reason) > approval.MaxReason:
		return q, false, fmt.Errorf("%w: the reason may have %d characters", errValue, approval.MaxReason)
	case yes && q.State == approval.Pending && unseen(who, q):
		return q, false, errNotShown
	}
	if yes {
		b.Scope = cmp.Or(b.Scope, approval.Once)
	} else {
		b.Scope = "" // a no has none, and the form always sends one
	}
	return c.cfg.Desk.Cast(r.Context(), control.Ballot{
		ID: q.ID, User: who.person.User, Code: b.Code, Yes: yes, Scope: b.Scope, Reason: b.Reason, Display: b.Display, Channel: channel,
	})
}
