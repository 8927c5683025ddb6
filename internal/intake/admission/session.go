package admission

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/call"
)

// sessionPrefix is the prefix of session tokens, so that the token of an ended session can be distinguished from no key.
const sessionPrefix = "ses_"

// NewSessionToken returns a token that cannot be guessed.
func NewSessionToken() string { return sessionPrefix + strings.ToLower(rand.Text()) }

// IsSessionToken says whether a key is the token of a session, open or ended.
func IsSessionToken(key string) bool { return strings.HasPrefix(key, sessionPrefix) }

// guests are the actors that may use the doors while their sessions are open.
type guests struct {
	mu      sync.RWMutex
	byToken map[[sha256.Size]byte]call.Actor
}

func (g *guests) find(token string) (call.Actor, bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	who, ok := g.byToken[sha256.Sum256([]byte(token))]
	return who, ok
}

// Open admits requests with a token from now on.
func (a *Admission) Open(token string, who call.Actor) {
	a.guests.mu.Lock()
	defer a.guests.mu.Unlock()
	if a.guests.byToken == nil {
		a.guests.byToken = map[[sha256.Size]byte]call.Actor{}
	}
	a.guests.byToken[sha256.Sum256([]byte(token))] = who
}

// Close no longer admits requests with a token.
func (a *Admission) Close(token string) {
	a.guests.mu.Lock()
	defer a.guests.mu.Unlock()
	delete(a.guests.byToken, sha256.Sum256([]byte(token)))
}
