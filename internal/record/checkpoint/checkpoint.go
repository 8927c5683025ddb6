// Package checkpoint has the signed statements that vouch for chains, the keys that sign them, and the file with the newest
// statement.
package checkpoint

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/record"
)

// A Checkpoint is a signed statement that an event was the newest of a chain at some time. It proves later that the chain was not
// written anew or cut short, and it vouches for the events that retention removed. The checkpoints of a key form a chain, too.
type Checkpoint struct {
	N           int64     `json:"n"`    // its position among the key's checkpoints; 1 for the first
	Time        time.Time `json:"time"` // when it was signed, to the microsecond
	record.Head           // the newest event that it vouches for
	// Closed says that nobody writes to the chain any more: no event follows.
	Closed bool `json:"closed"`
	// Cut says that retention removed the events of the chain from CutFirst up to and including that event. CutFirst followed the
	// event with the hash CutPrev, and no removed event was later than CutUntil.
	Cut      bool      `json:"cut"`
	CutFirst int64     `json:"cut_first,omitzero"`
	CutPrev  string    `json:"cut_prev,omitzero"`
	CutUntil time.Time `json:"cut_until,omitzero"`
	Prev     string    `json:"prev"` // SHA-256, in hex, of the text of the key's checkpoint before it; Genesis for the first
	Key      string    `json:"key"`  // the id of the key
}

// A Signed is a checkpoint as it is stored: its text, which is signed, and columns to find it by. All columns except the signature
// repeat members of the text; package verify compares them.
type Signed struct {
	Row       int64 // the position in the store: later checkpoints have higher rows; 0 before it is stored
	Text      []byte
	Signature string // Ed25519 over the text, in base64
	Key       string
	N         int64
	Chain     string
	Seq       int64
	Cut       bool
	Closed    bool
	Micros    int64
	Garbled   string // a column with a value of another type than was stored; "": none
}

// checkpointText is the JSON shape of a checkpoint. Like the text of an event, it is encoded once.
type checkpointText struct {
	V    int    `json:"v"`
	Type string `json:"type"`
	Checkpoint
}

// checkpointType marks a signed text, so that it cannot be taken for anything else.
const checkpointType = "checkpoint"

// Checkpoint parses the text.
func (s Signed) Checkpoint() (Checkpoint, error) {
	var t checkpointText
	if err := json.Unmarshal(s.Text, &t, json.RejectUnknownMembers(true)); err != nil {
		return Checkpoint{}, fmt.Errorf("read checkpoint: %w", err)
	}
	if t.V != 1 || t.Type != checkpointType {
		return Checkpoint{}, fmt.Errorf("read checkpoint: it is a %q of version %d", t.Type, t.V)
	}
	return t.Checkpoint, nil
}

// Digest is the hash by which the next checkpoint of the key names this checkpoint.
func (s Signed) Digest() string {
	if s.N == 0 {
		return record.Genesis // there is none
	}
	sum := sha256.Sum256(s.Text)
	return hex.EncodeToString(sum[:])
}

// Authentic says whether the key signed the text.
func (s Signed) Authentic() bool {
	key, ok := publicKey(s.Key)
	signature, err := base64.StdEncoding.DecodeString(s.Signature)
	return ok && err == nil && ed25519.Verify(key, s.Text, signature)
}

// Said parses the checkpoint. It returns false if the text is not what the key signed, or if the columns differ from the text.
func (s Signed) Said() (Checkpoint, bool) {
	c, err := s.Checkpoint()
	return c, err == nil && s.Authentic() && s.Garbled == "" && s.Differs(c) == ""
}

// ReadSigned makes a checkpoint from a text and a signature that were saved outside the store.
func ReadSigned(text []byte, signature string) (Signed, error) {
	c, err := Signed{Text: text}.Checkpoint()
	if err != nil {
		return Signed{}, err
	}
	return c.signed(text, signature), nil
}

// signed is the stored form of a checkpoint with this text.
func (c Checkpoint) signed(text []byte, signature string) Signed {
	return Signed{
		Text: text, Signature: signature, Key: c.Key, N: c.N, Chain: c.Chain, Seq: c.Seq, Cut: c.Cut, Closed: c.Closed,
		Micros: c.Time.UnixMicro(),
	}
}

// Differs names the first column that differs from c, the parsed text; "": none does.
func (s Signed) Differs(c Checkpoint) string {
	for _, column := range []struct {
		name string
		same bool
	}{
		{"key_id", s.Key == c.Key},
		{"n", s.N == c.N},
		{"chain", s.Chain == c.Chain},
		{"seq", s.Seq == c.Seq},
		{"cut", s.Cut == c.Cut},
		{"closed", s.Closed == c.Closed},
		{"time", s.Micros == c.Time.UnixMicro()},
	} {
		if !column.same {
			return column.name
		}
	}
	return ""
}
