package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
	"github.com/weir-gate/weir/internal/strictjson"
)

// scanMessage reads a message object: a whole response, or what message_start begins with. Its blocks are complete.
func (d *editor) scanMessage(message strictjson.Value, typ string) (dialect.Reading, error) {
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
	r, err := d.ReadWhole(content, typ, d.readBlock)
	if err == nil && (reason != "" || typ == typeMessage) {
		d.Decide(blocks.CutsTurn(reason))
	}
	return r, err
}

// readMeta reads what a message says about itself. This has no effect on calls, so invalid members are ignored.
func (d *editor) readMeta(message strictjson.Value) {
	if v, err := message.Member("id"); err == nil {
		d.meta.ResponseID, _ = v.Text()
	}
	if v, err := message.Member("model"); err == nil {
		d.meta.Model, _ = v.Text()
	}
	d.readUsage(message)
}

// readUsage reads token counts. They are cumulative, and missing counts stay unchanged.
func (d *editor) readUsage(v strictjson.Value) {
	usage, err := v.Member("usage")
	if err != nil {
		return
	}
	dialect.Count(usage, "input_tokens", &d.meta.Usage.Input)
	dialect.Count(usage, "output_tokens", &d.meta.Usage.Output)
	dialect.Count(usage, "cache_read_input_tokens", &d.meta.Usage.CacheRead)
	dialect.Count(usage, "cache_creation_input_tokens", &d.meta.Usage.CacheCreation)
}
