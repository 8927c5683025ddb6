package jsonrpc

import (
	"maps"
	"slices"
	"sync"
)

// A Batch is the messages of one array. It collects the responses to its requests, which are sent back in one array, too, if the
// peer's version has batches. Its methods may be called by several goroutines.
type Batch struct {
	mu      sync.Mutex
	open    map[ID]bool // requests that have no response yet
	answers []*Message
}

// Requests returns the ids of the requests without a response, in no order, including refused requests with an id. A batch without
// requests gets no response.
func (b *Batch) Requests() []ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Keys(b.open))
}

// Respond adds the response to one request of the batch. When all requests have responses, it returns all responses, once; else
// nil. A response to another request, or a second response, is ignored.
func (b *Batch) Respond(m *Message) []*Message { return b.settle(m.ID, m) }

// Drop notes that a request gets no response, because it was cancelled. It returns the same as Respond, and also nil if all
// requests were dropped.
func (b *Batch) Drop(id ID) []*Message { return b.settle(id, nil) }

// settle closes a request, and returns all responses if no request is open any more.
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

// add adds an element of the array. It returns false if another request of the batch has the same id.
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
