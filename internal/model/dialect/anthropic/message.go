package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// scanMessage reads a message object: a whole response, or what message_start begins with. Its blocks are complete.
func (d *response) scanMessage(message strictjson.Value, typ string) (dialect.Reading, error) {
	if message.Kind() != strictjson.Object {
		return dialect.Reading{}, dialect.Malformed("a message is not an object")
	}
	if dialect.HidesCall(message, "content") {
		return dialect.Reading{}, dialect.Malformed("a message has a call where none belongs")
	}
	d.readMeta(message)
	content, err := message.Member("content")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	reason, err := dialect.OptionalText(message, "stop_reason")
	if err != nil {
		return dialect.Reading{}, err
	}
	if k := content.Kind(); k != strictjson.Array && k != strictjson.Missing && k != strictjson.Null {
		return dialect.Reading{}, dialect.Malformed("a message's content is not an array")
	}
	s := &structure{typ: typ}
	r := dialect.Reading{Plan: s}
	for v := range content.Elems() {
		d.decide(false)
		b, err := d.readBlock(v)
		if err != nil {
			return dialect.Reading{}, err
		}
		d.close(b)
		s.whole = append(s.whole, b)
		if b.slot != nil {
			r.Opens = append(r.Opens, b.slot)
		}
	}
	if reason != "" || typ == typeMessage {
		d.decide(cutsTurn(reason))
	}
	r.Waits = r.Opens
	return r, nil
}

// readMeta reads what a message says of itself. Nothing of it leads to a call: what is odd is left out.
func (d *response) readMeta(message strictjson.Value) {
	if v, err := message.Member("id"); err == nil {
		d.meta.ResponseID, _ = v.Text()
	}
	if v, err := message.Member("model"); err == nil {
		d.meta.Model, _ = v.Text()
	}
	d.readUsage(message)
}

// readUsage reads token counts; they are cumulative, and those that are left out stay as they were.
func (d *response) readUsage(v strictjson.Value) {
	usage, err := v.Member("usage")
	if err != nil {
		return
	}
	for name, count := range map[string]*int64{
		"input_tokens":                &d.meta.Usage.Input,
		"output_tokens":               &d.meta.Usage.Output,
		"cache_read_input_tokens":     &d.meta.Usage.CacheRead,
		"cache_creation_input_tokens": &d.meta.Usage.CacheCreation,
	} {
		if m, err := usage.Member(name); err == nil {
			if n, ok := m.Int64(); ok {
				*count = n
			}
		}
	}
}
