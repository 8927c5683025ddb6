package bedrock

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A blockKind says what a content block is to the gate.
type blockKind uint8

const (
	said    blockKind = iota // text, reasoning and the like: passes
	asked                    // a call that the client is to run
	ran                      // a call that the provider runs itself
	result                   // what a provider-run call gave
	unknown                  // a kind we do not know: a call with that kind as tool and the block as arguments
)

// A block is one content block of the response.
//
// It opens with its start or, as text does, with its first delta, or is there whole in a message; deltas may follow until it
// is closed. What the client has of it is kept apart, since that comes later: out is its index there.
type block struct {
	index int
	unit  string // "" if it ended before anything was said
	kind  blockKind
	open  bool

	slot *dialect.Slot // of a call
	// waits are the slots that decide what becomes of the block: of a call its own; of a result that of the call it answers.
	waits []*dialect.Slot

	input  []byte // a call's input in a whole message, or an unknown block whole
	deltas []byte // an unknown block's deltas, joined by commas
	args   dialect.Collector

	// item is its place among the blocks. cited and given are how many texts of citations and of a result it has had, if
	// they are asked for.
	item, cited, given int

	client clientBlock
}

// clientBlock is what the client has of a block.
type clientBlock struct {
	started, stopped bool
	out              int
	replaced         bool // by a notice
}

// addBlock notes a block that has begun with a unit: its start, its first delta, or all of it.
func (d *response) addBlock(index int, u unit, whole bool) (*block, error) {
	b := &block{index: index, item: len(d.blocks), unit: u.name, open: true}
	_, passes := saidUnits[u.name]
	var err error
	switch {
	case passes:
		err = u.checkSaid()
	case u.name == unitCall:
		err = d.readCall(b, u.value, whole)
	case u.name == unitResult:
		b.kind = result
		err = d.readResult(b, u.value)
	case u.name == unitCitation:
		err = dialect.Malformed("a citation is a content block of its own")
	default:
		b.readUnknown(u)
	}
	if err != nil {
		return nil, err
	}
	if b.slot != nil {
		b.waits = []*dialect.Slot{b.slot}
		b.slot.Kept = len(b.input)
	}
	d.blocks = append(d.blocks, b)
	return b, nil
}

// readUnknown makes a block of a kind that we do not know a call.
func (b *block) readUnknown(u unit) {
	b.kind = unknown
	b.input = bytes.Clone(u.whole.Raw())
	b.slot = &dialect.Slot{Names: []string{u.name}, Fixed: true}
	if name, err := dialect.OptionalText(u.value, "name"); err == nil && name != "" && name != u.name {
		b.slot.Names = append(b.slot.Names, name)
	}
}

// readCall reads who is called and, in a whole message, with what.
func (d *response) readCall(b *block, v strictjson.Value, whole bool) error {
	if v.Kind() != strictjson.Object || dialect.HidesCall(v, "input") {
		return dialect.Malformed("a call is not an object, or has another one in it")
	}
	name, err := textMember(v, "name")
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
	input, err := v.Member("input")
	if err != nil {
		return dialect.Ambiguous()
	}
	b.kind, b.slot = asked, &dialect.Slot{WireID: id, Names: []string{name}}
	if typ == "server_tool_use" {
		b.kind, b.slot.Ran, b.slot.Fixed = ran, true, true
		if err := d.noteRan(b.slot); err != nil {
			return err
		}
	}
	d.sieve.Sift(v, b.slot, callMembers)
	if k := input.Kind(); k == strictjson.Missing || k == strictjson.Null {
		return nil
	}
	if !whole {
		// No start has it: who reads it there reads it instead of the deltas, or ahead of them.
		b.slot.Fault = sentTwice()
	}
	b.input = bytes.Clone(input.Raw())
	return nil
}

// What the API documents of a call, of a piece of its arguments, and of a frame that is about one.
var (
	callMembers  = dialect.Documented{"toolUseId", "name", "input", "type"}
	deltaMembers = dialect.Documented{"input"}
	frameMembers = dialect.Documented{"contentBlockIndex", "start", "delta", "p"}
)

// siftFrame leaves out what is not documented of a frame that is about a call. Of a block that we do not know all is judged but
// what stands beside it.
func (d *response) siftFrame(root strictjson.Value, b *block) {
	if b.slot != nil {
		d.sieve.Sift(root, b.slot, frameMembers)
	}
}

// readResult finds the call that a result answers, if it is in this response.
func (d *response) readResult(b *block, v strictjson.Value) error {
	if v.Kind() != strictjson.Object {
		return dialect.Malformed("a result does not begin with an object")
	}
	id, err := dialect.OptionalText(v, "toolUseId")
	if err != nil {
		return err
	}
	if s := d.ran[id]; s != nil {
		b.waits = []*dialect.Slot{s}
	}
	return nil
}

// noteRan keeps a provider-run call for its result.
func (d *response) noteRan(s *dialect.Slot) error {
	if d.ran[s.WireID] != nil {
		return dialect.Malformed("two calls that the provider ran have the same id")
	}
	if d.ran == nil {
		d.ran = map[string]*dialect.Slot{}
	}
	d.ran[s.WireID] = s
	return nil
}

// takes says whether a delta fits the block.
func (b *block) takes(u unit) bool {
	switch b.kind {
	case said:
		return slices.Contains(saidUnits[b.unit], u.name)
	case unknown:
		return u.name != unitCall
	}
	return u.name == b.unit
}

// refused says whether the client must not have this block.
func (b *block) refused() bool { return b.refusal() != nil }

// refusal is the ruling that keeps the block from the client; nil if there is none.
func (b *block) refusal() *call.Ruling {
	for _, s := range b.waits {
		if s.Ruling != nil && !s.Ruling.Released {
			return s.Ruling
		}
	}
	return nil
}

// restated says whether the call's arguments go out in one piece of ours: clients would not read the pieces alike, or they
// are others.
func (b *block) restated() bool { return b.args.Split || b.slot.Replaced() }

// textMember is a member that must be a string.
func textMember(v strictjson.Value, name string) (string, error) {
	m, err := v.Member(name)
	if err != nil {
		return "", dialect.Ambiguous()
	}
	text, ok := m.Text()
	if !ok || len(text) > dialect.MaxName {
		return "", dialect.Malformed("a member that names a call or its kind is not a string, or too long")
	}
	return text, nil
}
