package bedrock

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
	"github.com/weir-gate/weir/internal/strictjson"
)

// scanBody reads a whole response.
func (d *editor) scanBody(root strictjson.Value) (dialect.Reading, error) {
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
	r, err := d.ReadWhole(content, typeBody, func(v strictjson.Value) (*blocks.Block, error) {
		if len(d.Blocks) == blocks.MaxBlocks {
			return nil, dialect.Malformed("a message has too many content blocks")
		}
		u, err := unitOf(v)
		if err != nil {
			return nil, err
		}
		return d.addBlock(len(d.Blocks), u, true)
	})
	if err == nil {
		d.Decide(blocks.CutsTurn(reason))
	}
	return r, err
}

// contentOf returns the content blocks of a body.
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
	return content, nil
}

func (d *editor) scanMessageStop(root strictjson.Value) (dialect.Reading, error) {
	reason, err := d.readEnd(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.Decide(blocks.CutsTurn(reason))
	d.GiveUp(false)
	d.phase = stopped
	return dialect.Reading{Waits: d.Unruled(), Plan: &blocks.Structure{Type: typeMessageStop}}, nil
}

func (d *editor) scanMetadata(root strictjson.Value) (dialect.Reading, error) {
	if d.told {
		return dialect.Reading{}, dialect.Malformed("the response says twice what it cost")
	}
	d.told = true
	if _, err := d.readEnd(root); err != nil {
		return dialect.Reading{}, err
	}
	return dialect.Reading{Waits: d.Unruled(), Plan: &blocks.Structure{Type: typeMetadata, Early: d.phase != stopped}}, nil
}

// readEnd reads the members, beside the content, of whole responses and of the frames at the end of a response.
func (d *editor) readEnd(root strictjson.Value) (reason string, err error) {
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
