package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
)

// The paths of requests about approvals.
const (
	pathWatch  = "/v1/approvals/watch"
	pathVote   = "/v1/approvals/vote"
	pathRevoke = "/v1/grants/revoke"
	pathOpen   = "/v1/approvals/open"
)

// Approvals takes people's decisions.
type Approvals interface {
	// Watch returns the pending requests. Whoever asks will show them to a person, and asks again soon.
	Watch(ctx context.Context, who call.Actor) ([]approval.Request, error)
	// Vote takes a vote. When it returns without an error, the vote counts and is on record.
	Vote(ctx context.Context, who call.Actor, b Ballot) (approval.Request, error)
	// Open opens the console and returns a link by which one person logs in, once.
	Open(ctx context.Context, who call.Actor) (string, error)
	// Revoke ends a grant.
	Revoke(ctx context.Context, who call.Actor, r Revocation) error
}

// A Ballot is a vote as a person gives it.
type Ballot struct {
	ID      string          `json:"id"`
	User    string          `json:"user,omitzero"` // "": the person at the machine
	Code    string          `json:"code,omitzero"` // of their authenticator
	Yes     bool            `json:"yes"`
	Scope   approval.Scope  `json:"scope,omitzero"`
	Reason  string          `json:"reason,omitzero"`
	Display approval.Digest `json:"display"`
	Channel string          `json:"channel"`
}

// A Revocation ends a grant.
type Revocation struct {
	ID   string `json:"id"`
	User string `json:"user,omitzero"`
	Code string `json:"code,omitzero"`
}

// An approvalsResponse is the response to all of these.
type approvalsResponse struct {
	Requests []approval.Request `json:"requests,omitempty"`
	Link     string             `json:"link,omitzero"`
	// Trouble says why it was not done, and Kind which of Refusals that is; "": it was done.
	Trouble string `json:"trouble,omitzero"`
	Kind    string `json:"kind,omitzero"`
}

// Refusals are the reasons for which a vote does not count, by the names that they have in interfaces.
var Refusals = map[string]error{
	"not_an_approver": approval.ErrNotApprover, "self_approval": approval.ErrSelf, "step_up_required": approval.ErrStepUp,
	"already_decided": approval.ErrDecided, "expired": approval.ErrExpired, "display_mismatch": approval.ErrDisplay,
	"bad_scope": approval.ErrScope, "voted_otherwise": approval.ErrVoted, "unknown": approval.ErrUnknown,
}

func refusedVote(err error) (a approvalsResponse) {
	if err == nil {
		return a
	}
	a.Trouble = err.Error()
	for name, known := range Refusals {
		if errors.Is(err, known) {
			a.Kind = name
		}
	}
	return a
}

func (s *Server) watch(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q struct{}
	if !understood(w, r, &q) {
		return
	}
	all, err := s.cfg.Approvals.Watch(r.Context(), actor)
	a := refusedVote(err)
	a.Requests = all
	encode(w, a)
}

func (s *Server) vote(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q Ballot
	if !understood(w, r, &q) {
		return
	}
	voted, err := s.cfg.Approvals.Vote(r.Context(), actor, q)
	a := refusedVote(err)
	a.Requests = []approval.Request{voted}
	encode(w, a)
}

func (s *Server) revoke(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q Revocation
	if !understood(w, r, &q) {
		return
	}
	encode(w, refusedVote(s.cfg.Approvals.Revoke(r.Context(), actor, q)))
}

func (s *Server) open(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q struct{}
	if !understood(w, r, &q) {
		return
	}
	link, err := s.cfg.Approvals.Open(r.Context(), actor)
	a := refusedVote(err)
	a.Link = link
	encode(w, a)
}

// Open asks a running weir for a link to its console.
func (c *Client) Open(ctx context.Context) (string, error) {
	a, err := c.askPeople(ctx, pathOpen, struct{}{})
	return a.Link, err
}

// Watch asks a running weir for the pending requests.
func (c *Client) Watch(ctx context.Context) ([]approval.Request, error) {
	a, err := c.askPeople(ctx, pathWatch, struct{}{})
	return a.Requests, err
}

// Vote gives a vote to a running weir. If it does not count, the error is one of Refusals where that says why.
func (c *Client) Vote(ctx context.Context, b Ballot) (approval.Request, error) {
	a, err := c.askPeople(ctx, pathVote, b)
	if len(a.Requests) == 0 {
		return approval.Request{}, err
	}
	return a.Requests[0], err
}

// Revoke asks a running weir to end a grant.
func (c *Client) Revoke(ctx context.Context, r Revocation) error {
	_, err := c.askPeople(ctx, pathRevoke, r)
	return err
}

func (c *Client) askPeople(ctx context.Context, path string, q any) (a approvalsResponse, err error) {
	body, err := json.Marshal(q, lenient)
	if err != nil {
		return a, fmt.Errorf("write the request: %w", err)
	}
	if err := c.do(ctx, http.MethodPost, path, body, &a); err != nil {
		return a, err
	}
	if a.Trouble == "" {
		return a, nil
	}
	if known := Refusals[a.Kind]; known != nil {
		return a, known
	}
	return a, fmt.Errorf("%w: %s", ErrNotDone, a.Trouble)
}
