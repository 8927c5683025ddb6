package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
	"github.com/weir-gate/weir/internal/strictjson"
)

// saidDeltas are the types of blocks that pass, with the types of their deltas.
var saidDeltas = map[string][]string{
	"text":              {"text_delta", "citations_delta"},
	"thinking":          {"thinking_delta", "signature_delta"},
	"redacted_thinking": nil,
	"compaction":        {"compaction_delta"},
	"container_upload":  nil,
	"fallback":          nil,
	"mcp_tool_listing":  nil,
}

// resultTypes are the types of results of provider-run calls.
var resultTypes = map[string]bool{
	"web_search_tool_result":                 true,
	"web_fetch_tool_result":                  true,
	"code_execution_tool_result":             true,
	"bash_code_execution_tool_result":        true,
	"text_editor_code_execution_tool_result": true,
	"tool_search_tool_result":                true,
	"advisor_tool_result":                    true,
	"mcp_tool_result":                        true,
}

// readBlock reads a content block of a start frame or of a message.
func (d *editor) readBlock(v strictjson.Value) (*blocks.Block, error) {
	if v.Kind() != strictjson.Object {
		return nil, dialect.Malformed("a content block is not an object")
	}
	typ, err := dialect.RequiredText(v, "type")
	if err != nil {
		return nil, err
	}
	b := &blocks.Block{Index: len(d.Blocks), Type: typ}
	_, passes := saidDeltas[typ]
	switch {
	case passes:
		if typ == "text" && dialect.HidesCall(v) {
			err = dialect.Malformed("a text has a call beside it")
		}
	case typ == "tool_use":
		b.Kind = blocks.Asked
		err = d.readCall(b, v)
	case typ == "server_tool_use", typ == "mcp_tool_use":
		b.Kind = blocks.Ran
		err = d.readCall(b, v)
	case resultTypes[typ]:
		b.Kind = blocks.Result
		err = d.ReadResult(b, v, "tool_use_id")
	default:
		b.ReadUnknown(v, v)
	}
	if err != nil {
		return nil, err
	}
	d.Add(b)
	return b, nil
}

// readCall reads the name and the id of a call.
func (d *editor) readCall(b *blocks.Block, v strictjson.Value) error {
	name, err := dialect.RequiredText(v, "name")
	if err != nil {
		return err
	}
	id, err := dialect.OptionalText(v, "id")
	if err != nil {
		return err
	}
	b.Slot = dialect.NewSlot(id, name)
	if toolset, err := dialect.OptionalText(v, "toolset_name"); err != nil {
		return err
	} else if toolset != "" {
		b.Slot.Names = []string{toolset + "." + name, name}
	}
	if b.Slot.Server, err = dialect.OptionalText(v, "server_name"); err != nil {
		return err
	} else if b.Slot.Server != "" {
		b.Slot.Names = append(b.Slot.Names, "mcp__"+b.Slot.Server+"__"+name)
	}
	return d.ReadCall(b, v)
}

// callMembers are the documented members of a call.
var callMembers = dialect.Documented{"type", "id", "name", "input", "caller", "toolset_name", "server_name", "cache_control"}

// blockWire says how the format writes blocks.
var blockWire = blocks.Wire{
	BlockStart: typeBlockStart, BlockDelta: typeBlockDelta, BlockStop: typeBlockStop,
	Index: "index", Content: "content_block", Piece: "partial_json", StopReason: "stop_reason",
	Call: callMembers, Delta: dialect.Documented{"type", "partial_json"},
	Frame:   dialect.Documented{"type", "index", "content_block", "delta"},
	Twice:   "Its arguments were sent twice.",
	CallIn:  func(block strictjson.Value) strictjson.Value { return block },
	Restate: restate, Text: textJSON, AppendText: appendText, Arguments: argumentsFrame, Stop: stopFrame,
}
