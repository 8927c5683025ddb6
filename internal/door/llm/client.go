package llm

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"github.com/weir-gate/weir/internal/call"
)

// keyHeader carries a client's key. It is never sent on.
const keyHeader = "X-Weir-Key"

// A Client is someone who may use the door.
type Client struct {
	Key string
	// Actor is who they are. An empty Actor.Key becomes a fingerprint of the key, so that records can tell keys apart.
	Actor call.Actor
}

// A client is a Client whose key is kept as a digest only.
type client struct {
	digest [sha256.Size]byte
	actor  call.Actor
}

// ReplaceClients changes who may use the door, at once and as a whole. Requests that were admitted go on. A door that is for
// clients only stays so: none is an error.
func (d *Door) ReplaceClients(clients []Client) error {
	if len(clients) == 0 {
		return errors.New("replace the clients: there are none, and the door would be open to everybody")
	}
	if err := d.setClients(clients); err != nil {
		return fmt.Errorf("replace the clients: %w", err)
	}
	return nil
}

func (d *Door) setClients(clients []Client) error {
	seen := map[[sha256.Size]byte]bool{}
	admitted := make([]client, 0, len(clients))
	for i, c := range clients {
		if c.Key == "" {
			return fmt.Errorf("client %d: the key is empty", i+1)
		}
		digest := sha256.Sum256([]byte(c.Key))
		if seen[digest] {
			return errors.New("two clients have the same key")
		}
		seen[digest] = true
		if c.Actor.Key == "" {
			c.Actor.Key = "key-" + hex.EncodeToString(digest[:4])
		}
		admitted = append(admitted, client{digest: digest, actor: c.Actor})
	}
	d.clients.Store(&admitted)
	return nil
}

// hasClients says that the door is for its clients only.
func (d *Door) hasClients() bool { return len(*d.clients.Load()) > 0 }

// identify returns who has a key. Its time does not depend on how much of the key is right, nor on whose it is.
func (d *Door) identify(key string) (call.Actor, bool) {
	clients := *d.clients.Load()
	if len(clients) == 0 {
		return call.Actor{}, true
	}
	digest := sha256.Sum256([]byte(key))
	found := -1
	for i := range clients {
		match := subtle.ConstantTimeCompare(digest[:], clients[i].digest[:])
		found = subtle.ConstantTimeSelect(match, i, found)
	}
	if found < 0 {
		return call.Actor{}, false
	}
	return clients[found].actor, true
}

// headerKey is the key in the request's header, if there is exactly one.
func headerKey(h http.Header) string {
	if keys := h[keyHeader]; len(keys) == 1 {
		return keys[0]
	}
	return ""
}
