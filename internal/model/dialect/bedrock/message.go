package bedrock

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// scanBody reads a whole response.
func (d *response) scanBody(root strictjson.Value) (dialect.Reading, error) {
	d.phase = ended
	content, err := contentOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	if content.Kind() == strictjson.Missing && dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a body that is no message has the shape of a call")
	}
	reason, err := d.readEnd(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	s := &structure{typ: typeBody}
	r := dialect.Reading{Plan: s}
	for v := range content.Elems() {
		if len(d.blocks) == maxBlocks {
			return dialect.Reading{}, dialect.Malformed("a message has too many content blocks")
		}
		u, err := unitOf(v)
		if err != nil {
			return dialect.Reading{}, err
		}
		d.decide(false)
		b, err := d.addBlock(len(d.blocks), u, true)
		if err != nil {
			return dialect.Reading{}, err
		}
		d.close(b)
		s.whole = append(s.whole, b)
		if b.slot != nil {
			r.Opens = append(r.Opens, b.slot)
		}
	}
	d.decide(cutsTurn(reason))
	r.Waits = r.Opens
	return r, nil
}

// contentOf is where a body has its content blocks.
func contentOf(root strictjson.Value) (strictjson.Value, error) {
	output, err := root.Member("output")
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	message, err := output.Member("message")
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	if dialect.HidesCall(output, "message") || dialect.HidesCall(message, "content") {
		return strictjson.Value{}, dialect.Malformed("a message has a call where none belongs")
	}
	content, err := message.Member("content")
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	switch content.Kind() {
	case strictjson.Array, strictjson.Missing, strictjson.Null:
		return content, nil
	}
	return strictjson.Value{}, dialect.Malformed("a message's content is not an array")
}

func (d *response) scanMessageStop(root strictjson.Value) (dialect.Reading, error) {
	reason, err := d.readEnd(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.decide(cutsTurn(reason))
	d.giveUp(false)
	d.phase = stopped
	return dialect.Reading{Waits: d.unruled(), Plan: &structure{typ: typeMessageStop}}, nil
}

func (d *response) scanMetadata(root strictjson.Value) (dialect.Reading, error) {
	if d.told {
		return dialect.Reading{}, dialect.Malformed("the response says twice what it cost")
	}
	d.told = true
	if _, err := d.readEnd(root); err != nil {
		return dialect.Reading{}, err
	}
	return dialect.Reading{Waits: d.unruled(), Plan: &structure{typ: typeMetadata, early: d.phase != stopped}}, nil
}

// readEnd reads what the frames at the end of a response, and whole responses, say beside their content.
func (d *response) readEnd(root strictjson.Value) (reason string, err error) {
	for _, name := range quoting {
		if _, err := root.Member(name); err != nil {
			return "", dialect.Ambiguous()
		}
	}
	usage, err := root.Member("usage")
	if err != nil {
		return "", dialect.Ambiguous()
	}
	dialect.Count(usage, "inputTokens", &d.meta.Usage.Input)
	dialect.Count(usage, "outputTokens", &d.meta.Usage.Output)
	dialect.Count(usage, "cacheReadInputTokens", &d.meta.Usage.CacheRead)
	dialect.Count(usage, "cacheWriteInputTokens", &d.meta.Usage.CacheCreation)
	return dialect.OptionalText(root, "stopReason")
}
