package bodies

import (
	"sync/atomic"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// margin is how much more of a body is captured than is stored, so that a secret across the cut is found whole.
const margin = 16 << 10

// tail is how much before the cut is left out in any case: it may contain the beginning of a secret, which cannot be found.
const tail = 8 << 10

// A Capture is the beginning of a body that passes through weir: as much as is stored of it. One goroutine writes.
type Capture struct {
	// Read decodes the captured bytes if they are not text, for example because they are compressed. It returns the text that it could
	// decode together with its error. nil: they are text.
	Read func(captured []byte) (text []byte, err error)

	room    *room
	account *budget.Account
	limit   int
	data    []byte
	size    int64 // of the whole body
	over    bool  // there was no room
}

// Write captures bytes that have passed. It never fails and never waits.
func (c *Capture) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	if fits := min(len(p), c.limit-len(c.data)); fits > 0 && !c.over {
		if c.take(fits) {
			c.data = append(c.data, p[:fits]...)
		} else {
			c.over = true
			c.drop()
		}
	}
	return len(p), nil
}

// take reserves bytes in the room of the archive, and in the budget of the client.
func (c *Capture) take(n int) bool {
	if !c.room.take(n) {
		return false
	}
	if c.account.Take(budget.Bodies, n) != nil {
		c.room.give(n)
		return false
	}
	return true
}

// Lengthen sets the size of the whole body, if it is larger than what was written.
func (c *Capture) Lengthen(size int64) { c.size = max(c.size, size) }

// cut says whether the body is longer than what was captured.
func (c *Capture) cut() bool { return c.size > int64(len(c.data)) }

// drop gives back the room.
func (c *Capture) drop() {
	c.room.give(len(c.data))
	c.account.Give(budget.Bodies, len(c.data))
	c.data = nil
}

// A room is how many bytes may be in memory.
type room struct {
	size int64
	used atomic.Int64
}

func (r *room) take(n int) bool {
	if r.used.Add(int64(n)) > r.size {
		r.give(n)
		return false
	}
	return true
}

func (r *room) give(n int) { r.used.Add(-int64(n)) }
