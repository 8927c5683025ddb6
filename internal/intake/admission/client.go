package admission

import (
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// KeyHeader is the header with a client's key. It is never forwarded.
const KeyHeader = "X-Weir-Key"

// A Client is a client that may use the doors.
type Client struct {
	Key string // "": Digest counts
	// Digest is that of a key which weir itself does not know.
	Digest Digest
	// Expires is when the key is no longer taken; zero: never.
	Expires time.Time
	// Actor identifies the client. An empty Actor.Key becomes a fingerprint of the key, so that the record can distinguish keys.
	Actor call.Actor
	// SessionHeader is the header in which the client names the session of a request; "": it names none.
	SessionHeader string
}

// A keyholder is a Client with only the digest of its key.
type keyholder struct {
	digest        Digest
	length        int // of the key; 0: it is not known
	expires       time.Time
	actor         call.Actor
	sessionHeader string // canonical
}

// ReplaceClients replaces all clients at once. Admitted requests continue. An empty list is an error, if it would open the doors to
// everybody.
func (a *Admission) ReplaceClients(clients []Client) error {
	if len(clients) == 0 && !a.closed {
		return errors.New("replace the clients: there are none, and the doors would be open to everybody")
	}
	if err := a.setClients(clients); err != nil {
		return fmt.Errorf("replace the clients: %w", err)
	}
	return nil
}

func (a *Admission) setClients(clients []Client) error {
	seen := map[Digest]bool{}
	admitted := make([]keyholder, 0, len(clients))
	for i, c := range clients {
		if c.Key == "" && c.Digest == (Digest{}) {
			return fmt.Errorf("client %d: the key is empty", i+1)
		}
		if IsSessionToken(c.Key) {
			return fmt.Errorf("client %d: the key begins as those of sessions do (%s); choose another", i+1, sessionPrefix)
		}
		if c.Key != "" {
			c.Digest = DigestOf(c.Key)
		}
		if seen[c.Digest] {
			return errors.New("two clients have the same key")
		}
		seen[c.Digest] = true
		if c.Actor.Key == "" {
			c.Actor.Key = "key-" + hex.EncodeToString(c.Digest[:4])
		}
		admitted = append(admitted, keyholder{
			digest: c.Digest, length: len(c.Key), expires: c.Expires, actor: c.Actor,
			sessionHeader: http.CanonicalHeaderKey(c.SessionHeader),
		})
	}
	a.clients.Store(&admitted)
	return nil
}

// HasClients says whether only known clients may use the doors.
func (a *Admission) HasClients() bool { return a.closed || len(*a.clients.Load()) > 0 }

// Identify returns the owner of a key. A session is set only if it is one of weir run.
func (a *Admission) Identify(key string) (call.Actor, bool) {
	c, ok := a.find(key)
	if !ok {
		return call.Actor{}, false
	}
	return c.actor, true
}

// UnknownClient is the message for a request with an unknown key.
const UnknownClient = "weir does not know this client; give your key in the header x-weir-key or as /k/<key>/ ahead of the path"

// expiredKey is the message for a request with a key whose time is over.
const expiredKey = "this key has expired; ask for a new one"

// Admit returns the sender of a request with a key and a header, and its session.
func (a *Admission) Admit(key string, h http.Header) (call.Actor, *Refusal) {
	c, ok := a.find(key)
	if !ok && c.expired(time.Now()) {
		return call.Actor{}, refuse(http.StatusUnauthorized, expiredKey)
	}
	if !ok {
		return call.Actor{}, refuse(http.StatusUnauthorized, UnknownClient)
	}
	named := h[c.sessionHeader]
	if c.sessionHeader == "" || len(named) == 0 {
		return c.actor.InSession(""), nil
	}
	if len(named) > 1 || !isSessionName(named[0]) {
		return call.Actor{}, refuse(http.StatusBadRequest, fmt.Sprintf(
			"the header %s does not name one session: it must be there once, with 1 to %d letters, digits and signs of ASCII, and no blanks",
			strings.ToLower(c.sessionHeader), maxSessionName))
	}
	return c.actor.InSession(named[0]), nil
}

// maxSessionName is the largest length of a session's name, in bytes.
const maxSessionName = 128

// isSessionName says whether a session may have this name.
func isSessionName(name string) bool {
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return false
		}
	}
	return name != "" && len(name) <= maxSessionName
}

// expired says whether the time of a key is over.
func (k keyholder) expired(now time.Time) bool { return !k.expires.IsZero() && !now.Before(k.expires) }

// find returns the owner of a key. Its time does not depend on how much of the key is right, nor on the owner. The owner of an expired
// key is returned, but not ok.
func (a *Admission) find(key string) (keyholder, bool) {
	if IsSessionToken(key) {
		who, ok := a.guests.find(key)
		return keyholder{actor: who}, ok
	}
	clients := *a.clients.Load()
	if len(clients) == 0 && !a.closed {
		return keyholder{}, true
	}
	digest := DigestOf(key)
	found := -1
	for i := range clients {
		match := subtle.ConstantTimeCompare(digest[:], clients[i].digest[:])
		found = subtle.ConstantTimeSelect(match, i, found)
	}
	if found < 0 {
		return keyholder{}, false
	}
	return clients[found], !clients[found].expired(time.Now())
}

// HeaderKey is the key in the request's header, if there is exactly one.
func HeaderKey(h http.Header) string {
	if keys := h[KeyHeader]; len(keys) == 1 {
		return keys[0]
	}
	return ""
}

// KeySegment is the path segment before a client's key.
const KeySegment = "k"

// KeyOf returns the key that a request shows, and its escaped path without it. A key in the path counts before one in the header.
func KeyOf(r *http.Request) (key, path string) {
	path = r.URL.EscapedPath()
	rest, inPath := strings.CutPrefix(path, "/"+KeySegment+"/")
	if !inPath {
		return HeaderKey(r.Header), path
	}
	escaped, below, _ := strings.Cut(rest, "/")
	key, err := url.PathUnescape(escaped)
	if err != nil {
		key = "" // nobody's
	}
	return key, "/" + below
}

// Shows says whether a text contains a client's key or the token of a session. It checks the whole text, and each of its words.
func (a *Admission) Shows(text string) bool {
	if a.isKey(text) {
		return true
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t,;:=&?/#\"'<>()[]{}@", r) }) {
		if a.isKey(word) {
			return true
		}
	}
	return false
}

// isKey says whether a word is a known key.
func (a *Admission) isKey(word string) bool {
	if IsSessionToken(word) {
		_, lasts := a.guests.find(word)
		return lasts
	}
	digest, known := Digest{}, false
	for _, c := range *a.clients.Load() {
		if c.length != len(word) && (c.length != 0 || len(word) < MinKey) {
			continue
		}
		if !known {
			digest, known = DigestOf(word), true
		}
		if c.digest == digest {
			return true
		}
	}
	return false
}

// Hide removes the headers that contain a key: nobody behind the doors may see it.
func (a *Admission) Hide(h http.Header) {
	for name, values := range h {
		if slices.ContainsFunc(values, func(v string) bool { return a.Shows(v) || a.Shows(unescaped(v)) }) {
			delete(h, name)
		}
	}
}

// unescaped returns a text with the escapes of URLs decoded.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
