package bundle

import (
	"bytes"
	"crypto/sha256"

	"github.com/go-json-experiment/json/jsontext"
)

// twins finds the responses that an operation repeats, each time in another list. A call in them is one call, and is ruled once.
// Two responses in the same list are never twins, even if they are equal.
type twins struct {
	parts map[twinKey]*part
	said  map[saidKey]int
}

// A twinKey is the same for twins: the operation, the hash of the response, and how often the list had that response before.
type twinKey struct {
	operation int
	sum       [sha256.Size]byte
	before    int
}

// A saidKey is a list and the hash of a response in it.
type saidKey struct {
	run int
	sum [sha256.Size]byte
}

func newTwins() twins { return twins{parts: map[twinKey]*part{}, said: map[saidKey]int{}} }

// keyOf returns the key of an entry. Entries that are not in a list share a key under which no part is stored.
func (t twins) keyOf(p entry) twinKey {
	if p.run == 0 {
		return twinKey{}
	}
	text := jsontext.Value(bytes.Clone(p.value.Raw()))
	_ = text.Compact(jsontext.AllowDuplicateNames(true)) // if it fails, the original text is compared
	said := saidKey{p.run, sha256.Sum256(text)}
	key := twinKey{p.operation, said.sum, t.said[said]}
	t.said[said]++
	return key
}
