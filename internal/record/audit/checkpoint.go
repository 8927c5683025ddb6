package audit

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

// A Checkpoint is a signed statement that a chain stood at an event at some time. It shows later that the chain was not
// written anew or cut short, and it vouches for what retention removed. The checkpoints of a key are a chain of their own.
type Checkpoint struct {
	N    int64     // its place among the key's checkpoints; 1 for the first
	Time time.Time // when it was signed, to the microsecond
	Head           // the newest event that it vouches for
	Prev string    // SHA-256, in hex, of the text of the key's checkpoint before it; Genesis for the first
	// Closed says that nobody writes the chain any more: no event follows.
	Closed bool
	// Cut says that retention removed the events of the chain up to and with that one, the oldest of which was CutFirst,
	// followed the event with the hash CutPrev, and that none of them was later than CutUntil.
	Cut      bool
	CutFirst int64
	CutPrev  string
	CutUntil time.Time
	Key      string // the id of the key
}

// A Signed is a checkpoint as a store keeps it: its text, which is what is signed, and columns to find it by. All columns
// but the signature repeat what the text says; Verify compares them.
type Signed struct {
	Row       int64 // the place in the store: later ones have higher rows; 0 before it is stored
	Text      []byte
	Signature string // Ed25519 over the text, in base64
	Key       string
	N         int64
	Chain     string
	Seq       int64
	Cut       bool
	Closed    bool
	Micros    int64
	Garbled   string // a column with a value of another kind than was stored; "": none
}

// checkpointText is the JSON shape of a checkpoint. Like that of an event it is written once.
type checkpointText struct {
	V        int       `json:"v"`
	Type     string    `json:"type"`
	N        int64     `json:"n"`
	Time     time.Time `json:"time"`
	Chain    string    `json:"chain"`
	Seq      int64     `json:"seq"`
	Hash     string    `json:"hash"`
	Closed   bool      `json:"closed"`
	Cut      bool      `json:"cut"`
	CutFirst int64     `json:"cut_first,omitzero"`
	CutPrev  string    `json:"cut_prev,omitzero"`
	CutUntil time.Time `json:"cut_until,omitzero"`
	Prev     string    `json:"prev"`
	Key      string    `json:"key"`
}

// checkpointType keeps a signed text from passing for anything else.
const checkpointType = "checkpoint"

// Checkpoint reads the text.
func (s Signed) Checkpoint() (Checkpoint, error) {
	var t checkpointText
	if err := json.Unmarshal(s.Text, &t, json.RejectUnknownMembers(true)); err != nil {
		return Checkpoint{}, fmt.Errorf("read checkpoint: %w", err)
	}
	if t.V != 1 || t.Type != checkpointType {
		return Checkpoint{}, fmt.Errorf("read checkpoint: it is a %q of version %d", t.Type, t.V)
	}
	return Checkpoint{
		N: t.N, Time: t.Time, Head: Head{Chain: t.Chain, Seq: t.Seq, Hash: t.Hash}, Prev: t.Prev, Closed: t.Closed,
		Cut: t.Cut, CutFirst: t.CutFirst, CutPrev: t.CutPrev, CutUntil: t.CutUntil, Key: t.Key,
	}, nil
}

// digest is what the next checkpoint of the key names this one by.
func (s Signed) digest() string {
	if s.N == 0 {
		return Genesis // there is none
	}
	sum := sha256.Sum256(s.Text)
	return hex.EncodeToString(sum[:])
}

// authentic says whether the key signed the text.
func (s Signed) authentic() bool {
	key, ok := publicKey(s.Key)
	signature, err := base64.StdEncoding.DecodeString(s.Signature)
	return ok && err == nil && ed25519.Verify(key, s.Text, signature)
}

// said is what the checkpoint says, and false if it is not what its key signed, or its columns say something else.
func (s Signed) said() (Checkpoint, bool) {
	c, err := s.Checkpoint()
	return c, err == nil && s.authentic() && s.Garbled == "" && columnDiffers(s, c) == ""
}

// A ChainState is where a chain stands in a store.
type ChainState struct {
	Head            // its newest event; Seq 0: it has none yet
	First int64     // the oldest event that is kept; past the head: none is
	Bytes int64     // of the texts of its events
	Since time.Time // of the oldest event that is kept; zero: none is, or it is not there
	// Garbled names a column of the store's note that holds a value of another kind than was stored; "": none does.
	Garbled string
}

// events is how many events of the chain are kept.
func (c ChainState) events() int64 { return max(0, c.Seq-c.First+1) }

// A Record is all that a store holds of what happened.
type Record interface {
	Reader
	// Chains returns every chain that was begun, by chain id.
	Chains(ctx context.Context) ([]ChainState, error)
	// Checkpoints yields the checkpoints past a row, by ascending row. After an error it yields nothing more.
	Checkpoints(ctx context.Context, afterRow int64) iter.Seq2[Signed, error]
	// KeptBodies returns what is kept of the bodies of a request.
	KeptBodies(ctx context.Context, requestID string) ([]KeptBody, error)
	// Recount begins to count anew what the store has counted.
	Recount() Recount
}

// A Recount compares what a store derives from its events, to find and to count them, with the events themselves. Nobody signs
// what is derived, and people see it.
type Recount interface {
	// Add takes the next entry, by ascending row, and names what the store derives wrongly from entries up to it.
	Add(ctx context.Context, e Entry, wrong func(Derived)) error
	// Finish compares the sums as they stand at one moment. It asks then up to which time events were removed: of hours and days
	// that began by then, it only makes sure that what is there is counted. The zero time: none were.
	Finish(ctx context.Context, removed func() (until time.Time, err error), wrong func(Derived)) error
}

// Derived is something that a store derives from its events and that does not follow from them.
type Derived struct {
	Row  int64 // of the event that it is about; 0: it is about many
	What string
}

// ReadSigned returns a checkpoint that was kept elsewhere: its text and its signature.
func ReadSigned(text []byte, signature string) (Signed, error) {
	s := Signed{Text: text, Signature: signature}
	c, err := s.Checkpoint()
	if err != nil {
		return Signed{}, err
	}
	s.Key, s.N, s.Chain, s.Seq, s.Cut, s.Closed, s.Micros = c.Key, c.N, c.Chain, c.Seq, c.Cut, c.Closed, c.Time.UnixMicro()
	return s, nil
}

// NewestCheckpoints returns the newest checkpoint of every key, by key.
func NewestCheckpoints(ctx context.Context, r Record) ([]Signed, error) {
	newest := map[string]Signed{}
	for s, err := range r.Checkpoints(ctx, 0) {
		if err != nil {
			return nil, err
		}
		if s.N > newest[s.Key].N {
			newest[s.Key] = s
		}
	}
	all := slices.Collect(maps.Values(newest))
	slices.SortFunc(all, func(a, b Signed) int { return cmp.Compare(a.Key, b.Key) })
	return all, nil
}
