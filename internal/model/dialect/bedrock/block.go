package bedrock

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
	"github.com/weir-gate/weir/internal/strictjson"
)

// addBlock notes a block that has begun with a unit: its start, its first delta, or all of it.
func (d *editor) addBlock(index int, u unit, whole bool) (*blocks.Block, error) {
	b := &blocks.Block{Index: index, Type: u.name, Open: true}
	_, passes := saidUnits[u.name]
	var err error
	switch {
	case passes:
		err = u.checkSaid()
	case u.name == unitCall:
		err = d.readCall(b, u.value, whole)
	case u.name == unitResult:
		b.Kind = blocks.Result
		if u.value.Kind() != strictjson.Object {
			return nil, dialect.Malformed("a result does not begin with an object")
		}
		err = d.ReadResult(b, u.value, "toolUseId")
	case u.name == unitCitation:
		err = dialect.Malformed("a citation is a content block of its own")
	default:
		b.ReadUnknown(u.whole, u.value)
	}
	if err != nil {
		return nil, err
	}
	d.Add(b)
	return b, nil
}

// readCall reads the name and id of a call and, in a whole message, its arguments.
func (d *editor) readCall(b *blocks.Block, v strictjson.Value, whole bool) error {
	if v.Kind() != strictjson.Object || dialect.HidesCall(v, "input") {
		return dialect.Malformed("a call is not an object, or has another one in it")
	}
	name, err := dialect.RequiredText(v, "name")
	if err != nil {
		return err
	}
	id, err := dialect.OptionalText(v, "toolUseId")
	if err != nil {
		return err
	}
	typ, err := dialect.OptionalText(v, "type")
	if err != nil {
		return err
	}
	b.Kind, b.Slot = blocks.Asked, dialect.NewSlot(id, name)
	if typ == "server_tool_use" {
		b.Kind = blocks.Ran
	}
	if err := d.ReadCall(b, v); err != nil {
		return err
	}
	if len(b.Input) > 0 && !whole {
		// A start has no arguments. A client that reads them there uses them instead of the deltas, or before them.
		b.Slot.Fault = &dialect.Refused{Code: call.CodeArgsUnreadable, Reason: "Its arguments are where not every client looks for them."}
	}
	return nil
}

// addArguments adds a delta with one piece of a call's arguments.
func (d *editor) addArguments(b *blocks.Block, v strictjson.Value) error {
	if v.Kind() != strictjson.Object || dialect.HidesCall(v, "input") {
		return dialect.Malformed("a piece of a call is not an object, or has a call in it")
	}
	return d.AddArguments(b, v)
}

// callMembers are the documented members of a call.
var callMembers = dialect.Documented{"toolUseId", "name", "input", "type"}

// blockWire says how the format writes blocks.
var blockWire = blocks.Wire{
	BlockStart: typeBlockStart, BlockDelta: typeBlockDelta, BlockStop: typeBlockStop,
	Index: "contentBlockIndex", Content: "start", Piece: "input", StopReason: "stopReason",
	Call: callMembers, Delta: dialect.Documented{"input"}, Frame: dialect.Documented{"contentBlockIndex", "start", "delta", "p"},
	CallIn: func(block strictjson.Value) strictjson.Value {
		use, _ := block.Member(unitCall)
		return use
	},
	Restate: restate, Text: textJSON, AppendText: appendText, Arguments: argumentsFrame, Stop: stopFrame,
}

// takes says whether a delta fits the block.
func takes(b *blocks.Block, u unit) bool {
	switch b.Kind {
	case blocks.Said:
		return slices.Contains(saidUnits[b.Type], u.name)
	case blocks.Unknown:
		return u.name != unitCall
	}
	return u.name == b.Type
}
