// Package bodies stores the bodies of requests to models and of their responses: redacted, compressed and for a limited time.
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

// A Body is a stored body.
type Body struct {
	RequestID string
	Side      string    // request or response
	Time      time.Time // when the request came; stored to the microsecond
	call.Body           // of its text
	Content   []byte    // its text, compressed with zstd
}

// errDamaged says that a body is not as it was stored.
var errDamaged = errors.New("the text does not fit its digest: something else changed the store")

// Text is the stored text.
func (b Body) Text() ([]byte, error) {
	// Content that is much larger than its size says is not as it was stored, and must not fill the memory.
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
