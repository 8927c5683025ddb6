package shim

import (
	"sync"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// batches remembers which requests of the client came in one array. The zero value is empty.
type batches struct {
	mu   sync.Mutex
	open map[jsonrpc.ID]*jsonrpc.Batch
}

// note remembers that a request came in an array, if it did.
func (b *batches) note(m *jsonrpc.Message) {
	if m.Kind == jsonrpc.Request {
		b.remember(m.ID, m.Batch)
	}
}

// noteRefused does the same for a message that cannot be parsed.
func (b *batches) noteRefused(r *jsonrpc.Refused) { b.remember(r.ID, r.Batch) }

func (b *batches) remember(id jsonrpc.ID, batch *jsonrpc.Batch) {
	if batch == nil || id.IsZero() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[jsonrpc.ID]*jsonrpc.Batch{}
	}
	if b.open[id] == nil { // if two requests have the same id, the first one counts
		b.open[id] = batch
	}
}

// respond returns what to write for a message to the client: the message itself. If it is the response to a request of an array, it
// returns all responses to that array, once none is missing, and whole is true.
func (b *batches) respond(m *jsonrpc.Message) (messages []*jsonrpc.Message, whole bool) {
	var batch *jsonrpc.Batch
	if m.Kind == jsonrpc.Response {
		batch = b.take(m.ID)
	}
	if batch == nil {
		return []*jsonrpc.Message{m}, false
	}
	messages = batch.Respond(m)
	return messages, messages != nil
}

// drop notes that a request gets no response.
func (b *batches) drop(id jsonrpc.ID) (messages []*jsonrpc.Message, whole bool) {
	batch := b.take(id)
	if batch == nil {
		return nil, false
	}
	messages = batch.Drop(id)
	return messages, messages != nil
}

// take removes a request, and returns its array; nil: it was not in an array.
func (b *batches) take(id jsonrpc.ID) *jsonrpc.Batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	batch := b.open[id]
	delete(b.open, id)
	return batch
}
