package jsonrpc

import (
	"maps"
	"slices"
	"sync"
)

// A Batch is what came in one array. It collects the responses to its requests, which go back in one array, too, where the
// peer's version has batches. Its methods may be called by several goroutines.
type Batch struct {
	mu      sync.Mutex
	open    map[ID]bool // requests that have no response yet
	answers []*Message
}

// Requests returns the ids of the requests that are still to be answered, in no order, refused ones included if they have an
// id. A batch without requests gets no response.
func (b *Batch) Requests() []ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Keys(b.open))
}

// Respond takes the response to one request of the batch. When no request is left to be answered it returns all responses, once; else
// nil. A response to another request, or a second one, is not taken.
func (b *Batch) Respond(m *Message) []*Message { return b.settle(m.ID, m) }

// Drop says that a request gets no response, since it was cancelled. It returns what Respond does; nil also if all were dropped.
func (b *Batch) Drop(id ID) []*Message { return b.settle(id, nil) }

// settle closes a request, and returns all responses if none is open any more.
func (b *Batch) settle(id ID, answer *Message) []*Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open[id] {
		return nil
	}
	delete(b.open, id)
	if answer != nil {
		b.answers = append(b.answers, answer)
	}
	if len(b.open) > 0 {
		return nil
	}
	return b.answers
}

// add takes an element of the array. It says whether its id is not that of another request of the batch.
func (b *Batch) add(kind Kind, id ID) bool {
	if kind != Request || id.IsZero() {
		return true
	}
	if b.open[id] {
		return false
	}
	if b.open == nil {
		b.open = map[ID]bool{}
	}
	b.open[id] = true
	return true
}

// AppendBatch appends the messages as one array in one line.
func AppendBatch(dst []byte, messages []*Message) []byte {
	dst = append(dst, '[')
	for i, m := range messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = m.AppendLine(dst)
	}
	return append(dst, ']')
}
