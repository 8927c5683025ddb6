package jsonrpc

import (
	"errors"

	"github.com/weir-gate/weir/internal/strictjson"
)

// maxBatch is how many messages may come in one array.
const maxBatch = 1000

// Reasons for which an array is not a batch.
var (
	errEmptyBatch = errors.New("it is an empty array")
	errLargeBatch = errors.New("it is an array of more than 1000 messages")
	errIDReused   = errors.New("its id is that of another request in the same array")
)

// ParseBody parses the body of an HTTP request or response, or the data of a server-sent event: one message, or an array of
// messages, which is a batch. The error is a *Refused; then nothing of the body can be passed on. The messages alias body.
func ParseBody(body []byte) (messages []*Message, batch bool, err error) {
	raw := trimSpace(body)
	for _, it := range parseItems(raw) {
		if it.refused != nil {
			return nil, false, it.refused
		}
		messages = append(messages, it.message)
	}
	return messages, raw[0] == '[', nil
}

// An item is a message, or a refused message.
type item struct {
	message *Message
	refused *Refused
}

// parseItems parses one message or an array of messages. There is at least one item. The messages alias raw, which has no white
// space around it.
func parseItems(raw []byte) []item {
	doc := &strictjson.Doc{}
	if err := doc.Parse(raw); err != nil {
		return []item{{refused: refuse(raw, err)}}
	}
	return readItems(raw, doc)
}

// readItems is parseItems for raw that was parsed into doc.
func readItems(raw []byte, doc *strictjson.Doc) []item {
	root := doc.Root()
	switch n := root.Len(); {
	case root.Kind() != strictjson.Array:
		return []item{newItem(readMessage(raw, doc))}
	case n == 0:
		return []item{{refused: refuse(raw, errEmptyBatch)}}
	case n > maxBatch:
		refused := refuse(raw, errLargeBatch)
		refused.foreign = false
		return []item{{refused: refused}}
	}
	batch := &Batch{}
	items := make([]item, 0, root.Len())
	for elem := range root.Elems() {
		items = append(items, newItem(parseMessage(elem.Raw())).join(batch))
	}
	return items
}

// newItem returns the results of parseMessage as an item.
func newItem(m *Message, err error) item {
	var refused *Refused
	errors.As(err, &refused)
	return item{message: m, refused: refused}
}

// join adds the item to a batch.
func (it item) join(batch *Batch) item {
	if it.refused != nil {
		it.refused.Batch = batch
		if !batch.add(it.refused.Kind, it.refused.ID) {
			it.refused.ID = ID{} // a response would be taken for the other request's
		}
		return it
	}
	if !batch.add(it.message.Kind, it.message.ID) {
		refused := refuse(it.message.Raw, errIDReused)
		refused.ID, refused.Batch = ID{}, batch
		return item{refused: refused}
	}
	it.message.Batch = batch
	return it
}
