package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// The paths of requests about exceptions that a person has written into a policy.
const (
	pathAllowed = "/v1/policy/allowed"
	pathTake    = "/v1/policy/take"
)

// Exceptions takes note of exceptions that a person has written into a policy.
type Exceptions interface {
	// Allowed records that a person has an exception written. When it returns without an error, that is on record.
	Allowed(ctx context.Context, who call.Actor, a Allowance) error
	// Take puts a policy with such an exception in force in the session of the call.
	Take(who call.Actor, t Taking) error
}

// An Allowance is an exception for a refused call.
type Allowance struct {
	Call    call.ID              `json:"call"`
	Surface call.Surface         `json:"surface"`
	Server  string               `json:"server,omitzero"`
	Tool    string               `json:"tool"`
	Actor   call.Actor           `json:"actor,omitzero"` // who made the call
	Version string               `json:"version"`        // of the policy with the exception
	Detail  record.PolicyAllowed `json:"detail"`
}

// Event returns the event of the exception.
func (a Allowance) Event() record.Event {
	return record.Event{
		Time: time.Now(), Type: record.Types.PolicyAllowed, CallID: a.Call, Surface: a.Surface, Actor: a.Actor, Server: a.Server, Tool: a.Tool,
		Ruling: record.Ruling{PolicyVersion: a.Version}, Detail: a.Detail,
	}
}

// A Taking says which policy a session is to take, and which it must have until then.
type Taking struct {
	Session string `json:"session"`
	Was     string `json:"was"` // versions
	Version string `json:"version"`
}

// An exceptionsResponse is the response to both.
type exceptionsResponse struct {
	// Trouble says why it was not done; "": it was.
	Trouble string `json:"trouble,omitzero"`
}

func (s *Server) allowed(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q Allowance
	if !understood(w, r, &q) {
		return
	}
	encode(w, troubleOf(s.cfg.Exceptions.Allowed(r.Context(), actor, q)))
}

func (s *Server) take(w http.ResponseWriter, r *http.Request, actor call.Actor) {
	var q Taking
	if !understood(w, r, &q) {
		return
	}
	encode(w, troubleOf(s.cfg.Exceptions.Take(actor, q)))
}

func troubleOf(err error) (a exceptionsResponse) {
	if err != nil {
		a.Trouble = err.Error()
	}
	return a
}

// ErrNotDone says that a running weir did not do what it was asked for.
var ErrNotDone = errors.New("the running weir did not do it")

// Allowed asks a running weir to record an exception. If that weir cannot, the error is ErrNotDone; other errors say that none runs.
func (c *Client) Allowed(ctx context.Context, a Allowance) error {
	return c.askFor(ctx, pathAllowed, a)
}

// Take asks a running weir to put a policy with an exception in force in a session.
func (c *Client) Take(ctx context.Context, t Taking) error { return c.askFor(ctx, pathTake, t) }

func (c *Client) askFor(ctx context.Context, path string, q any) error {
	body, err := json.Marshal(q, lenient)
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	var a exceptionsResponse
	if err := c.do(ctx, http.MethodPost, path, body, &a); err != nil {
		return err
	}
	if a.Trouble != "" {
		return fmt.Errorf("%w: %s", ErrNotDone, a.Trouble)
	}
	return nil
}
