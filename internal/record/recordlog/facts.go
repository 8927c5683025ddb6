package recordlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/record"
)

// Facts are about a finished segment. They are in the trailer of a packed segment, and nowhere else: who wants to know them of a segment
// that is not packed reads it.
type Facts struct {
	Base, End     Position
	Events, Marks int64
	TextBytes     int64     // of the events
	First, Last   time.Time // the earliest and the latest time of an event; zero: it has none
	Chains        []ChainFacts
	SHA256        string // in hex, of the segment as it was before it was packed
}

// ChainFacts are what a segment has of a chain.
type ChainFacts struct {
	Before, After record.Head // the newest event before the segment, and in it
}

// factNotes are Facts in a trailer.
type factNotes struct {
	Log    string       `json:"log"` // the instance, in hex
	Base   int64        `json:"base"`
	End    int64        `json:"end"`
	Events int64        `json:"events"`
	Marks  int64        `json:"marks"`
	Bytes  int64        `json:"text_bytes"`
	First  int64        `json:"first_micros,omitzero"`
	Last   int64        `json:"last_micros,omitzero"`
	Chains []chainNotes `json:"chains"`
	SHA256 string       `json:"sha256"`
}

type chainNotes struct {
	Chain  string `json:"chain"`
	Before int64  `json:"before_seq"`
	Hash   string `json:"before_hash"`
	After  int64  `json:"after_seq"`
	Newest string `json:"after_hash"`
}

func readNotes(b []byte) (factNotes, error) {
	var n factNotes
	if err := json.Unmarshal(b, &n); err != nil {
		return n, fmt.Errorf("read the facts of a segment: %w", err)
	}
	return n, nil
}

func (n factNotes) instance() (id instance) {
	b, _ := hex.DecodeString(n.Log) // a checksum covers it
	copy(id[:], b)
	return id
}

func (n factNotes) facts() Facts {
	f := Facts{Base: n.Base, End: n.End, Events: n.Events, Marks: n.Marks, TextBytes: n.Bytes, SHA256: n.SHA256}
	if n.Events > 0 {
		f.First, f.Last = time.UnixMicro(n.First).UTC(), time.UnixMicro(n.Last).UTC()
	}
	for _, c := range n.Chains {
		before, after := record.Head{Chain: c.Chain, Seq: c.Before, Hash: c.Hash}, record.Head{Chain: c.Chain, Seq: c.After, Hash: c.Newest}
		f.Chains = append(f.Chains, ChainFacts{before, after})
	}
	return f
}

// A tally finds out the facts of a segment.
type tally struct {
	notes  factNotes
	sum    hash.Hash
	chains map[string]int      // in the notes
	newest [][sha256.Size]byte // the hash of the newest event of each
}

func newTally(id instance, base Position) *tally {
	return &tally{notes: factNotes{Log: hex.EncodeToString(id[:]), Base: base, End: base}, sum: sha256.New(), chains: map[string]int{}}
}

// add counts a frame.
func (t *tally) add(g Logged) {
	n := &t.notes
	if n.End = g.After; g.Kind != Event {
		n.Marks++
		return
	}
	n.Events, n.Bytes = n.Events+1, n.Bytes+int64(len(g.Text))
	if micros, ok := microsOf(g.Text); ok {
		if n.First == 0 || micros < n.First {
			n.First = micros
		}
		n.Last = max(n.Last, micros)
	}
	link, err := record.LinkOf(g.Text)
	if err != nil {
		return // it is in no chain
	}
	i, known := t.chains[link.Chain]
	if !known {
		before, _ := record.Entry{Text: g.Text, Columns: record.Columns{Head: link}}.Follows()
		i = len(n.Chains)
		t.chains[link.Chain] = i
		t.newest = append(t.newest, [sha256.Size]byte{})
		n.Chains = append(n.Chains, chainNotes{Chain: link.Chain, Before: before.Seq, Hash: before.Hash})
	}
	n.Chains[i].After, t.newest[i] = link.Seq, sha256.Sum256(g.Text)
}

// result returns the facts as they are stored.
func (t *tally) result() factNotes {
	for i := range t.notes.Chains {
		t.notes.Chains[i].Newest = hex.EncodeToString(t.newest[i][:])
	}
	t.notes.SHA256 = hex.EncodeToString(t.sum.Sum(nil))
	return t.notes
}

// microsOf returns the time of an event, in microseconds since 1970. It stands behind the id, which is the only text before it: quotes in
// a text have a backslash.
func microsOf(text []byte) (int64, bool) {
	const member = `,"time":"`
	_, rest, found := bytes.Cut(text[:min(len(text), maxBeforeTime)], []byte(member))
	at, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return 0, false
	}
	t, err := time.Parse(time.RFC3339Nano, string(at))
	return t.UnixMicro(), err == nil
}

// maxBeforeTime is more than the time of an event and what is before it take.
const maxBeforeTime = 512
