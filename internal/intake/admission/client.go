package admission

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
)

// KeyHeader carries a client's key. It is never sent on.
const KeyHeader = "X-Weir-Key"

// A Client is someone who may use the doors.
type Client struct {
	Key string
	// Actor is who they are. An empty Actor.Key becomes a fingerprint of the key, so that records can tell keys apart.
	Actor call.Actor
	// SessionHeader is the header in which they name the session of a request; "": they name none.
	SessionHeader string
}

// A keyholder is a Client of whose key weir has the digest only.
type keyholder struct {
	digest        [sha256.Size]byte
	length        int // of the key
	actor         call.Actor
	sessionHeader string // canonical
}

// ReplaceClients changes who may use the doors, at once and as a whole. Requests that were admitted go on. What is for clients
// only stays so: none is an error.
func (a *Admission) ReplaceClients(clients []Client) error {
	if len(clients) == 0 {
		return errors.New("replace the clients: there are none, and the doors would be open to everybody")
	}
	if err := a.setClients(clients); err != nil {
		return fmt.Errorf("replace the clients: %w", err)
	}
	return nil
}

func (a *Admission) setClients(clients []Client) error {
	seen := map[[sha256.Size]byte]bool{}
	admitted := make([]keyholder, 0, len(clients))
	for i, c := range clients {
		if c.Key == "" {
			return fmt.Errorf("client %d: the key is empty", i+1)
		}
		if IsSessionToken(c.Key) {
			return fmt.Errorf("client %d: the key begins as those of sessions do (%s); choose another", i+1, sessionPrefix)
		}
		digest := sha256.Sum256([]byte(c.Key))
		if seen[digest] {
			return errors.New("two clients have the same key")
		}
		seen[digest] = true
		if c.Actor.Key == "" {
			c.Actor.Key = "key-" + hex.EncodeToString(digest[:4])
		}
		admitted = append(admitted, keyholder{
			digest: digest, length: len(c.Key), actor: c.Actor, sessionHeader: http.CanonicalHeaderKey(c.SessionHeader),
		})
	}
	a.clients.Store(&admitted)
	return nil
}

// HasClients says that the doors are for known clients only.
func (a *Admission) HasClients() bool { return len(*a.clients.Load()) > 0 }

// Identify returns who has a key, in no session but one of weir run.
func (a *Admission) Identify(key string) (call.Actor, bool) {
	c, ok := a.find(key)
	return c.actor, ok
}

// UnknownClient says that nobody has the key of a request.
const UnknownClient = "weir does not know this client; give your key in the header x-weir-key or as /k/<key>/ ahead of the path"

// Admit returns who sends a request with a key and a header, and in which session.
func (a *Admission) Admit(key string, h http.Header) (call.Actor, *Refusal) {
	c, ok := a.find(key)
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

// maxSessionName bounds the name of a session, in bytes.
const maxSessionName = 128

// isSessionName says whether a client may call a session so.
func isSessionName(name string) bool {
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return false
		}
	}
	return name != "" && len(name) <= maxSessionName
}

// find returns who has a key. Its time does not depend on how much of the key is right, nor on whose it is.
func (a *Admission) find(key string) (keyholder, bool) {
	if IsSessionToken(key) {
		who, ok := a.guests.find(key)
		return keyholder{actor: who}, ok
	}
	clients := *a.clients.Load()
	if len(clients) == 0 {
		return keyholder{}, true
	}
	digest := sha256.Sum256([]byte(key))
	found := -1
	for i := range clients {
		match := subtle.ConstantTimeCompare(digest[:], clients[i].digest[:])
		found = subtle.ConstantTimeSelect(match, i, found)
	}
	if found < 0 {
		return keyholder{}, false
	}
	return clients[found], true
}

// HeaderKey is the key in the request's header, if there is exactly one.
func HeaderKey(h http.Header) string {
	if keys := h[KeyHeader]; len(keys) == 1 {
		return keys[0]
	}
	return ""
}

// KeySegment is ahead of a client's key in a path.
const KeySegment = "k"

// KeyOf returns the key that a request shows, and its escaped path without it. A key in the path goes ahead of one in the header.
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

// Shows says whether a key stands in a text: a client's, or the token of a session. The text is looked at as it is, and in words.
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

// isKey says whether a word is somebody's key.
func (a *Admission) isKey(word string) bool {
	if IsSessionToken(word) {
		_, lasts := a.guests.find(word)
		return lasts
	}
	for _, c := range *a.clients.Load() {
		if c.length == len(word) && c.digest == sha256.Sum256([]byte(word)) {
			return true
		}
	}
	return false
}

// Hide removes the headers in which a key stands: it is the business of nobody behind the doors.
func (a *Admission) Hide(h http.Header) {
	for name, values := range h {
		if slices.ContainsFunc(values, func(v string) bool { return a.Shows(v) || a.Shows(unescaped(v)) }) {
			delete(h, name)
		}
	}
}

// unescaped is a text without the escapes of URLs, if it has any.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
