package admission

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A Digest is the SHA-256 of a client's key. It is enough to admit the client, and not enough to be the client, if the key cannot be
// guessed: keys that NewKey makes have 130 bits of chance.
type Digest [sha256.Size]byte

// DigestOf returns the digest of a key.
func DigestOf(key string) Digest { return sha256.Sum256([]byte(key)) }

// digestScheme begins the text of a digest.
const digestScheme = "sha256:"

// String is the text of the digest in a file: sha256: and 64 hexadecimal digits.
func (d Digest) String() string { return digestScheme + hex.EncodeToString(d[:]) }

// ParseDigest reads the text of a digest.
func ParseDigest(text string) (d Digest, ok bool) {
	digits, ok := strings.CutPrefix(text, digestScheme)
	if !ok || len(digits) != hex.EncodedLen(len(d)) {
		return d, false
	}
	_, err := hex.Decode(d[:], []byte(digits))
	return d, err == nil
}

// MinKey is the least length of a client's key.
const MinKey = 16

// keyPrefix begins the keys that weir makes, so that scanners find one in a text where it does not belong.
const keyPrefix = "weir_"

// NewKey returns a key for a client that cannot be guessed.
func NewKey() string { return keyPrefix + strings.ToLower(rand.Text()) }
