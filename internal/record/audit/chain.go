package audit

import (
	"crypto/rand"
	"strings"
)

// Genesis is the previous hash of the first event of every chain.
const Genesis = "0000000000000000000000000000000000000000000000000000000000000000"

// A Head is the newest known event of a chain. Whoever keeps a head outside the store can later prove that nothing
// up to it was changed or cut off: see Verify.
type Head struct {
	Chain string `json:"chain"`
	Seq   int64  `json:"seq"` // 0: the chain has no events
	Hash  string `json:"hash"`
}

// newChain opens a chain that nobody else can have opened.
func newChain() Head { return Head{Chain: "chain_" + randomID(), Hash: Genesis} }

// next seals u as the event after h and returns it with the new head.
func (h Head) next(u unsealed) (Entry, Head) {
	e := u.seal(Link{Chain: h.Chain, Seq: h.Seq + 1, PrevHash: h.Hash})
	return e, Head{Chain: h.Chain, Seq: e.Seq, Hash: e.Hash}
}

func randomID() string { return strings.ToLower(rand.Text()) }
