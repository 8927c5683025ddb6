package bodies

import (
	"sync/atomic"

	"github.com/weir-gate/weir/internal/intake/budget"
)

// margin is how much more than is kept of a body is looked at: a secret that the cut goes through is found whole.
const margin = 16 << 10

// tail is how much of that is left out in any case: the last of it may be the beginning of a secret, which nobody can find.
const tail = 8 << 10

// A Capture is the beginning of a body on its way past weir: as much as is kept of it. One goroutine writes.
type Capture struct {
	// Read makes text of what was captured, where it is none: compressed bodies, say. It returns what it could read together
	// with its error. nil: it is text.
	Read func(captured []byte) (text []byte, err error)

	room    *room
	account *budget.Account
	limit   int
	data    []byte
	size    int64 // of the whole body
	over    bool  // there was no room
}

// Write notes bytes that have gone by. It never fails and never waits.
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

// take takes room in the archive, and in the budget of the client.
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

// Lengthen says that the whole body is larger than what was written.
func (c *Capture) Lengthen(size int64) { c.size = max(c.size, size) }

// cut says whether there is more of the body than was captured.
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
