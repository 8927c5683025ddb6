package checkpoint

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/record"
)

// ErrForgotten says that a store does not have the newest checkpoint that its signer knows.
var ErrForgotten = errors.New("the store does not hold the newest checkpoint that was signed for it: it was restored from an older copy, " +
	"or somebody changed it")

// A Signer signs checkpoints for a store. It does not sign in a store that has lost earlier checkpoints.
type Signer struct {
	key  *Key
	now  func() time.Time
	last Signed // the newest checkpoint that it knows; zero: none
}

// Signer returns a signer with the key. now is the clock for checkpoints; nil: time.Now.
func (k *Key) Signer(now func() time.Time) Signer {
	if now == nil {
		now = time.Now
	}
	return Signer{key: k, now: now}
}

// ID names the signer's key.
func (s Signer) ID() string { return s.key.id }

// Last is the newest checkpoint that the signer knows; zero: none.
func (s Signer) Last() Signed { return s.last }

// After returns the signer with last as its newest known checkpoint.
func (s Signer) After(last Signed) Signer {
	s.last = last
	return s
}

// Resume returns the checkpoint that the next checkpoint follows; zero: there is none yet. found are the key's checkpoints in the
// store, in order: from the one that the signer knows on, or only the newest if it knows none.
func (s Signer) Resume(found []Signed) (Signed, error) {
	var prev Signed
	for i, next := range found {
		c, ok := next.Said()
		switch {
		case !ok || c.Key != s.key.id:
			return Signed{}, fmt.Errorf("checkpoint %d of this key in the store is not as it was signed: it was changed", next.N)
		case i == 0 && s.last.N > 0 && string(next.Text) != string(s.last.Text):
			return Signed{}, ErrForgotten
		case i > 0 && (c.N != prev.N+1 || c.Prev != prev.Digest()):
			return Signed{}, fmt.Errorf("checkpoint %d of this key in the store does not follow the one before it", next.N)
		}
		prev = next
	}
	if prev.N < s.last.N {
		return Signed{}, ErrForgotten
	}
	return prev, nil
}

// A Statement is the content of a checkpoint that is to be signed.
type Statement struct {
	record.Head
	Closed bool
	Cut    Cut // zero: nothing is removed; else Head is its last event
}

// Sign signs a statement. prev is the key's newest checkpoint; zero: there is none yet.
func (s Signer) Sign(prev Signed, say Statement) (Signed, error) {
	c := Checkpoint{
		N: prev.N + 1, Time: s.now().UTC().Truncate(time.Microsecond), Head: say.Head, Closed: say.Closed, Prev: prev.Digest(), Key: s.key.id,
		Cut: say.Cut.First > 0, CutFirst: say.Cut.First, CutPrev: say.Cut.Prev, CutUntil: say.Cut.Until,
	}
	// A chain with a garbled name must not prevent the signing of others.
	text, err := json.Marshal(checkpointText{V: 1, Type: checkpointType, Checkpoint: c}, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Signed{}, fmt.Errorf("write checkpoint: %w", err)
	}
	return c.signed(text, base64.StdEncoding.EncodeToString(ed25519.Sign(s.key.private, text))), nil
}

// A Cut is the oldest events of a chain, which are to be removed.
type Cut struct {
	First int64       // the oldest event of the chain
	Prev  string      // the hash of the event that it follows; Genesis if it is the first of all
	Last  record.Head // the newest event to be removed
	Bytes int64       // of their texts
	Until time.Time   // none of them is later
}
