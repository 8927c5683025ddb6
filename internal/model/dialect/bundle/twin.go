package bundle

import (
	"bytes"
	"crypto/sha256"

	"github.com/go-json-experiment/json/jsontext"
)

// twins finds the responses that an operation tells more than once, each time in a list of its own. A call in them is one
// call, and ruled once. Two responses of one list are never twins, however much they look alike.
type twins struct {
	parts map[twinKey]*part
	said  map[saidKey]int
}

// A twinKey is shared by twins: the operation, what the response says, and how often the list has said that before.
type twinKey struct {
	operation int
	sum       [sha256.Size]byte
	before    int
}

// A saidKey is what one list says.
type saidKey struct {
	run int
	sum [sha256.Size]byte
}

func newTwins() twins { return twins{parts: map[twinKey]*part{}, said: map[saidKey]int{}} }

// keyOf is the key of the response at a place. Places in no list share one, under which no part is kept.
func (t twins) keyOf(p place) twinKey {
	if p.run == 0 {
		return twinKey{}
	}
	text := jsontext.Value(bytes.Clone(p.value.Raw()))
	_ = text.Compact(jsontext.AllowDuplicateNames(true)) // on failure it is compared as it was sent
	said := saidKey{p.run, sha256.Sum256(text)}
	key := twinKey{p.operation, said.sum, t.said[said]}
	t.said[said]++
	return key
}
