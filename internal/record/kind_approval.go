package record

import (
	"time"

	"github.com/weir-gate/weir/internal/approval"
)

var approvalKinds = []Kind{
	{Type: Types.ApprovalRequested, Has: Members{Actor: true, Tool: true}, MCP: true, Notable: true, detail: is[Approval]()},
	{Type: Types.ApprovalVoted, Has: Members{Actor: true, Tool: true}, MCP: true, detail: is[Approval]()},
	{Type: Types.ApprovalDecided, Has: Members{Actor: true, Tool: true}, MCP: true, Notable: true, detail: is[Approval]()},
	{Type: Types.ApprovalUsed, Has: Members{Actor: true, Tool: true}, MCP: true, detail: is[Approval]()},
	{Type: Types.ApprovalLapsed, Has: Members{Actor: true, Tool: true}, MCP: true, Notable: true, detail: is[Approval]()},
	{Type: Types.ApprovalWithdrawn, Has: Members{Actor: true, Tool: true}, MCP: true, detail: is[Approval]()},
	{Type: Types.ApprovalRevoked, Has: Members{Actor: true, Tool: true}, MCP: true, Notable: true, detail: is[Approval]()},
}

// Approval is the detail of the events about approvals. The event has the id, the tool and the actor of the call: of the first one that
// asked, or in Types.ApprovalUsed of the one that is released.
type Approval struct {
	ID    string   `json:"approval"`       // of the request
	State string   `json:"state,omitzero"` // of the request, after this step
	Match string   `json:"match"`          // digest of the call
	Shown string   `json:"display"`        // digest of what people are shown
	Rules []string `json:"rules,omitempty"`
	// By is who voted; in Types.ApprovalUsed, Types.ApprovalDecided and Types.ApprovalRevoked everybody who took part.
	By      []string `json:"by,omitempty"`
	Vote    string   `json:"vote,omitzero"` // yes or no
	Scope   string   `json:"scope,omitzero"`
	Channel string   `json:"channel,omitzero"` // where the vote came from
	Factor  string   `json:"factor,omitzero"`  // what the voter proved
	Said    string   `json:"said,omitzero"`    // the voter's words
	// Expires is when the request, or in Types.ApprovalDecided the yes, ends by itself.
	Expires time.Time `json:"expires,omitzero"`
	Grant   string    `json:"grant,omitzero"` // the grant that is used or revoked
}

func (Approval) detail() {}

// ApprovalEvent makes the event of a step in the life of a request.
func ApprovalEvent(typ Type, r approval.Request, now time.Time) Event {
	d := Approval{
		ID: r.ID, State: string(r.State), Match: string(r.Match), Shown: string(r.Display), Rules: r.Card.Rules, Scope: string(r.Scope),
	}
	switch r.State {
	case approval.Pending:
		d.Expires = r.Expires
	case approval.Approved:
		d.Expires = r.Until
	}
	for _, v := range r.Votes {
		d.By = append(d.By, v.Voter.User)
	}
	if typ == Types.ApprovalDecided {
		d.Said = r.Said()
	}
	return Event{
		Time: now, Type: typ, Actor: r.Card.Actor, CallID: r.Card.Call, Surface: r.Card.Surface, Server: r.Card.Server, Tool: r.Card.Tool,
		Exchange: r.Origin.Exchange, MCP: MCP{ServerType: r.Origin.ServerType, ServerAddr: r.Origin.ServerAddr},
		Ruling: Ruling{PolicyVersion: r.Card.Policy}, Detail: d,
	}
}

// VoteEvent makes the event of a vote on a request.
func VoteEvent(r approval.Request, v approval.Vote) Event {
	e := ApprovalEvent(Types.ApprovalVoted, r, v.Time)
	d, _ := e.Detail.(Approval)
	d.By, d.Vote, d.Scope, d.Channel, d.Factor, d.Said = []string{v.Voter.User}, "no", string(v.Scope), v.Channel, string(v.Factor), v.Reason
	d.Shown = string(v.Display)
	if v.Yes {
		d.Vote = "yes"
	}
	e.Detail = d
	return e
}

// approvalWords say what the members of these details mean, for the schema.
var approvalWords = map[string]string{
	"approval.approval": "The id of the request.",
	"approval.state":    "The state of the request after this step: pending, approved, used, lapsed, denied, expired or withdrawn.",
	"approval.match":    "The digest of the call: a yes is for calls with this digest.",
	"approval.display":  "The digest of everything that people are shown of the call.",
	"approval.rules":    "The rules that ask.",
	"approval.by":       "Who voted, decided, or revoked.",
	"approval.vote":     "yes or no.",
	"approval.scope":    "What a yes covers: once or session.",
	"approval.channel":  "Where the vote came from.",
	"approval.factor":   "What the voter proved beside being there: none or totp.",
	"approval.said":     "The voter's words.",
	"approval.expires":  "When the request, or the unused yes, ends by itself.",
	"approval.grant":    "The grant that is used or revoked.",
}
