// Package bodies keeps what models were asked and what agents were answered: redacted, compressed and for a while.
package bodies

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/call"
)

// A Side says which body of an exchange one is.
type Side string

// The sides.
const (
	Request  Side = "request"
	Response Side = "response"
)

// A Body is one that is kept.
type Body struct {
	RequestID string
	Side      Side
	Time      time.Time // when the request came; kept to the microsecond
	call.Body           // of its text
	Content   []byte    // its text, compressed with zstd
}

// errDamaged says that a body is not as it was stored.
var errDamaged = errors.New("the text does not fit its digest: something else changed the store")

// Text is the text that is kept.
func (b Body) Text() ([]byte, error) {
	// What is much larger than its size says is not as it was stored, and must not fill the memory.
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(b.Size, 0)+1<<20)))
	if err != nil {
		return nil, fmt.Errorf("read the %s of %s: %w", b.Side, b.RequestID, err)
	}
	defer d.Close()
	text, err := d.DecodeAll(b.Content, nil)
	if err != nil || digestOf(text) != b.Digest {
		return nil, fmt.Errorf("read the %s of %s: %w", b.Side, b.RequestID, errDamaged)
	}
	return text, nil
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
