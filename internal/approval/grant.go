package approval

import (
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// A Grant is a yes for a session: the same call passes as often as the session makes it. It satisfies rules that ask for an approval,
// and never a rule that denies.
type Grant struct {
	ID       string     `json:"id"`
	Match    Digest     `json:"match"`
	Session  string     `json:"session"`
	Approval string     `json:"approval"` // the request that it comes from
	By       []string   `json:"by"`       // who said yes
	Actor    call.Actor `json:"actor"`
	Tool     string     `json:"tool"`
	Server   string     `json:"server,omitzero"`
	Rules    []string   `json:"rules"`
	Created  time.Time  `json:"created"`
	Expires  time.Time  `json:"expires"`
	// Revoked is when a person ended it, and RevokedBy who; zero: nobody did.
	Revoked   time.Time `json:"revoked,omitzero"`
	RevokedBy string    `json:"revoked_by,omitzero"`
}

// maxGrant is how long a grant lasts at most.
const maxGrant = 8 * time.Hour

// Granted is the grant that comes with the first use of a yes for a session; false: the yes is for one call, or the call has no session
// that could end.
func (r Request) Granted(now time.Time) (Grant, bool) {
	session := r.Card.Actor.Session
	if r.State != Used || r.Scope != Session || session == "" {
		return Grant{}, false
	}
	g := Grant{
		ID: newID("gr_", now), Match: r.Match, Session: session, Approval: r.ID, Actor: r.Card.Actor, Tool: r.Card.Tool,
		Server: r.Card.Server, Rules: r.Card.Rules, Created: now, Expires: now.Add(maxGrant),
	}
	for _, v := range r.Votes {
		g.By = append(g.By, v.Voter.User)
	}
	return g, true
}

// Holds says whether the grant lets a call of its session pass at a time.
func (g Grant) Holds(session string, now time.Time) bool {
	return g.Session == session && session != "" && now.Before(g.Expires) && g.Revoked.IsZero()
}
