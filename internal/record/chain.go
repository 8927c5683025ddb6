package record

import (
	"bytes"
	"crypto/rand"
	"strings"
	"time"
)

// Genesis is the previous hash of the first event of every chain.
const Genesis = "0000000000000000000000000000000000000000000000000000000000000000"

// A Head names an event of a chain: mostly the newest that is known. With a head that was saved outside the store, one can later
// prove that nothing up to it was changed or cut off: see package verify.
type Head struct {
	Chain string `json:"chain"`
	Seq   int64  `json:"seq"`  // 0: the chain has no events
	Hash  string `json:"hash"` // SHA-256, in hex, of the event's text
}

// NewChain opens a chain that nobody else can have opened.
func NewChain() Head { return Head{Chain: "chain_" + strings.ToLower(rand.Text()), Hash: Genesis} }

// Next seals u as the event after h and returns it with the new head.
func (h Head) Next(u Unsealed) (Entry, Head) {
	e := u.seal(Head{Chain: h.Chain, Seq: h.Seq + 1}, h.Hash)
	return e, e.Head
}

// Follows returns the head that the entry's chain had just before it, as the text has it, and false if the entry was
// not sealed.
func (e Entry) Follows() (Head, bool) {
	// seal writes the previous hash last; hashes have no escapes.
	const member, end = `,"prev_hash":"`, `"}`
	link := e.Text[max(0, len(e.Text)-len(member)-len(Genesis)-len(end)):] // texts can be long
	at := bytes.LastIndex(link, []byte(member))
	if at < 0 || e.Seq < 1 {
		return Head{}, false
	}
	hash, whole := bytes.CutSuffix(link[at+len(member):], []byte(end))
	return Head{Chain: e.Chain, Seq: e.Seq - 1, Hash: string(hash)}, whole
}

// A ChainState is what a store has of a chain.
type ChainState struct {
	Head            // its newest event; Seq 0: it has none yet
	First int64     // the oldest stored event; past the head: none is stored
	Bytes int64     // of the texts of its events
	Since time.Time // the time of the oldest stored event; zero: none is stored, or it is missing
	// Garbled names a column of the store's note that holds a value of another type than was stored; "": none does.
	Garbled string
}
