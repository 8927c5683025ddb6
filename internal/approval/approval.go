// Package approval is the vocabulary of approvals, and the life of one request as a pure state machine: who may vote, what a vote does,
// and when a yes ends.
package approval

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// A State is where a request is in its life.
//
//	pending ─► approved ─► used
//	   │           └─────► lapsed
//	   └─► denied | expired | withdrawn
//
// Pending and Approved are open: something can still happen. The others are the end.
type State string

// The states.
const (
	Pending   State = "pending"   // nobody has decided
	Approved  State = "approved"  // a yes that no call has used
	Used      State = "used"      // the call was released by it
	Lapsed    State = "lapsed"    // a yes that was not used in time, or was used up by a call that was never released
	Denied    State = "denied"    // a person said no
	Expired   State = "expired"   // nobody decided in time
	Withdrawn State = "withdrawn" // the question was taken back
)

// Open says whether something can still happen to a request in this state.
func (s State) Open() bool { return s == Pending || s == Approved }

// Seconds is a time span as policies have it: the policy knows no clock.
type Seconds int64

// Duration is the span for those who have a clock.
func (s Seconds) Duration() time.Duration { return time.Duration(s) * time.Second }

// A Scope is what a yes covers.
type Scope string

// The scopes.
const (
	Once    Scope = "once"    // one call
	Session Scope = "session" // the same call, as often as the session makes it
)

// A Factor is what a voter proves, beside being at the machine.
type Factor string

// The factors.
const (
	NoFactor Factor = "none"
	TOTP     Factor = "totp"
)

// Terms are what the rules that ask for an approval demand together.
type Terms struct {
	Wait         Seconds `json:"wait"`          // how long a call is held for a decision
	Expires      Seconds `json:"expires"`       // of the request
	GrantExpires Seconds `json:"grant_expires"` // of an unused yes
	// Demands are the votes that are needed, rule by rule; all must be met.
	Demands []Demand `json:"demands"`
	// Self says that the employee in whose name the call is made may vote, too.
	Self bool `json:"self,omitzero"`
	// Scopes are what a yes may cover.
	Scopes []Scope `json:"scopes"`
	// StepUp is what a voter must prove.
	StepUp Factor `json:"step_up"`
}

// A Demand is how many votes of whom a rule needs.
type Demand struct {
	Rule      string   `json:"rule"`
	Approvers []string `json:"approvers"` // each role:NAME, team:NAME or user:NAME
	Votes     int      `json:"votes"`     // of different people
}

// A Person is somebody who can vote.
type Person struct {
	User  string   `json:"user"`
	Roles []string `json:"roles,omitempty"`
	Teams []string `json:"teams,omitempty"`
}

// RoleApprover is the role that may approve where a rule names nobody.
const RoleApprover = "approver"

// is says whether a word for approvers names the person.
func (p Person) is(approver string) bool {
	kind, name, _ := strings.Cut(approver, ":")
	among := map[string][]string{"role": p.Roles, "team": p.Teams, "user": {p.User}}[kind]
	for _, one := range among {
		if name != "" && strings.EqualFold(one, name) {
			return true
		}
	}
	return false
}

// MayApprove says whether the person's vote counts for a demand.
func (d Demand) MayApprove(p Person) bool {
	for _, a := range d.Approvers {
		if p.is(a) {
			return true
		}
	}
	return false
}

// A Vote is what one person said of a request.
type Vote struct {
	Voter   Person    `json:"voter"`
	Yes     bool      `json:"yes"`
	Scope   Scope     `json:"scope,omitzero"`
	Reason  string    `json:"reason,omitzero"`
	Display Digest    `json:"display"` // of what the voter was shown
	Channel string    `json:"channel"` // where the vote came from
	Factor  Factor    `json:"factor"`  // what the voter proved
	Time    time.Time `json:"time"`
}

// A Card is what is shown to people. It holds no secrets that the policy knows of.
type Card struct {
	Call    call.ID        `json:"call"`
	Surface call.Surface   `json:"surface"`
	Server  string         `json:"server,omitzero"`
	Tool    string         `json:"tool"`
	Args    jsontext.Value `json:"args,omitzero"`   // as they would be sent, secrets masked
	Beside  jsontext.Value `json:"beside,omitzero"` // what an MCP server gets beside the arguments
	// Prose are the names of arguments in which the model tells what it wants: nothing happens by them.
	Prose    []string   `json:"prose,omitempty"`
	Actor    call.Actor `json:"actor"`
	Folder   string     `json:"folder,omitzero"`
	Provider string     `json:"provider,omitzero"`
	Model    string     `json:"model,omitzero"`
	Rules    []string   `json:"rules"`
	Reason   string     `json:"reason,omitzero"`
	Policy   string     `json:"policy"` // the version
	// Masked says that secrets are not shown.
	Masked bool `json:"masked,omitzero"`
}

// An Origin is where a call came from.
type Origin struct {
	Exchange   call.Exchange `json:"exchange,omitzero"`
	ServerType string        `json:"server_type,omitzero"`
	ServerAddr string        `json:"server_addr,omitzero"`
}

// A Request is one question to people.
type Request struct {
	ID      string    `json:"id"`
	State   State     `json:"state"`
	Match   Digest    `json:"match"`   // of the call: who makes it, which tool, which arguments, by which rules
	Display Digest    `json:"display"` // of the card
	Terms   Terms     `json:"terms"`
	Card    Card      `json:"card"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Votes   []Vote    `json:"votes,omitempty"`
	// Decided is when the request left the state pending; zero: it has not. Until is when an unused yes ends.
	Decided time.Time `json:"decided,omitzero"`
	Until   time.Time `json:"until,omitzero"`
	Scope   Scope     `json:"scope,omitzero"`
	// UsedBy is the call that was released by the yes, and Used when that was. Settled says that the record has it.
	UsedBy  call.ID   `json:"used_by,omitzero"`
	Used    time.Time `json:"used,omitzero"`
	Settled bool      `json:"settled,omitzero"`
	// Origin is where the call came from, for the record.
	Origin Origin `json:"origin,omitzero"`
	// Version counts the changes.
	Version int64 `json:"version"`
}

// NewID returns an id of a request that sorts by time and cannot be guessed.
func NewID(now time.Time) string { return newID("apr_", now) }

func newID(prefix string, now time.Time) string {
	var b [15]byte
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMilli())<<16)
	rand.Read(b[6:]) // crypto/rand.Read never fails
	return prefix + strings.ToLower(base32.HexEncoding.EncodeToString(b[:]))
}
