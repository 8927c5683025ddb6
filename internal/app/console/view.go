package console

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
)

// A view is a request as programs get it.
type view struct {
	ID       string            `json:"id"`
	State    approval.State    `json:"state"`
	Version  int64             `json:"version"`
	Match    approval.Digest   `json:"match"`
	Display  approval.Digest   `json:"display"`
	Surface  call.Surface      `json:"surface"`
	Server   string            `json:"server,omitzero"`
	Tool     string            `json:"tool"`
	Args     jsontext.Value    `json:"args,omitzero"`
	Beside   jsontext.Value    `json:"beside,omitzero"`
	Prose    []string          `json:"prose,omitempty"`
	Masked   bool              `json:"masked,omitzero"`
	Actor    actor             `json:"actor"`
	Folder   string            `json:"folder,omitzero"`
	Provider string            `json:"provider,omitzero"`
	Model    string            `json:"model,omitzero"`
	Rules    []string          `json:"rules"`
	Reason   string            `json:"reason,omitzero"`
	Policy   string            `json:"policy"`
	Created  time.Time         `json:"created"`
	Expires  time.Time         `json:"expires"`
	Decided  time.Time         `json:"decided,omitzero"`
	Until    time.Time         `json:"until,omitzero"`
	Scope    approval.Scope    `json:"scope,omitzero"`
	Scopes   []approval.Scope  `json:"scopes"`
	StepUp   approval.Factor   `json:"step_up"`
	Demands  []approval.Demand `json:"demands"`
	Votes    []said            `json:"votes"`
}

type actor struct {
	Employee string `json:"employee,omitzero"`
	Team     string `json:"team,omitzero"`
	Key      string `json:"key,omitzero"`
	Session  string `json:"session,omitzero"`
}

type said struct {
	User     string          `json:"user"`
	Decision string          `json:"decision"`
	Scope    approval.Scope  `json:"scope,omitzero"`
	Reason   string          `json:"reason,omitzero"`
	Channel  string          `json:"channel"`
	Factor   approval.Factor `json:"factor,omitzero"`
	Time     time.Time       `json:"time"`
}

func viewOf(r approval.Request, whole bool) view {
	k, a := r.Card, r.Card.Actor
	v := view{
		ID: r.ID, State: r.State, Version: r.Version, Match: r.Match, Display: r.Display, Surface: k.Surface, Server: k.Server, Tool: k.Tool,
		Prose: k.Prose, Masked: k.Masked, Actor: actor{a.Employee, a.Team, a.Key, a.Session}, Folder: k.Folder, Provider: k.Provider,
		Model: k.Model, Rules: k.Rules, Reason: k.Reason, Policy: k.Policy, Created: r.Created, Expires: r.Expires, Decided: r.Decided,
		Until: r.Until, Scope: r.Scope, Scopes: r.Terms.Scopes, StepUp: r.Terms.StepUp, Demands: r.Terms.Demands, Votes: []said{},
	}
	if whole {
		v.Args, v.Beside = k.Args, k.Beside
	}
	for _, o := range r.Votes {
		one := said{User: o.Voter.User, Decision: "deny", Scope: o.Scope, Reason: o.Reason, Channel: o.Channel, Factor: o.Factor, Time: o.Time}
		if o.Yes {
			one.Decision = "approve"
		}
		v.Votes = append(v.Votes, one)
	}
	return v
}
