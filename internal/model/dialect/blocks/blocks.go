// Package blocks parses and edits messages that consist of content blocks, for the two formats that have them. A format parses its
// own frames; the treatment of a block is the same in both.
package blocks

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Kind says what a content block is to the gate.
type Kind uint8

// The kinds of blocks.
const (
	Said    Kind = iota // text, reasoning and the like: passes
	Asked               // a call that the client is to run
	Ran                 // a call that the provider runs itself
	Result              // the result of a provider-run call
	Unknown             // an unknown type: counts as a call of a tool with that name, and the block is the arguments
)

// A Block is one content block of a message.
//
// It opens with its first frame, or is whole in a message. Deltas may follow until it is closed. What was sent of it is stored
// separately, because that happens later.
type Block struct {
	Index int    // in the frames of the upstream
	Item  int    // its number among the blocks; indexes may leave gaps
	Type  string // "": it ended before it had content
	Kind  Kind
	Open  bool

	Slot *dialect.Slot // of a call
	// Waits are the slots that decide whether the block is sent: for a call its own slot, for a result the slot of its call.
	Waits []*dialect.Slot
	// Input is a call's input in the block's start or in a whole block, or a whole unknown block.
	Input []byte

	// Cited and Given are the numbers of texts in its citations and in its result so far, if texts are asked for.
	Cited, Given int

	deltas []byte // an unknown block's deltas, joined by commas
	args   dialect.Collector
	sent   sentBlock
}

// sentBlock is what was sent of a block.
type sentBlock struct {
	started, stopped bool
	index            int
	replaced         bool // by a notice
}

// A Wire says how a format writes blocks.
type Wire struct {
	BlockStart, BlockDelta, BlockStop string // types of frames

	Index      string // the member with the index of a block
	Content    string // the member of a start that holds the block
	Piece      string // the member of a delta with a piece of arguments
	StopReason string

	// The documented members of a call, of a piece of its arguments, and of a frame about a call.
	Call, Delta, Frame dialect.Documented

	// Twice is the reason of the refusal if arguments are both in the start and in deltas; "": the format refuses arguments in the
	// start.
	Twice string

	// CallIn returns the call in a block.
	CallIn func(block strictjson.Value) strictjson.Value
	// Restate returns a frame of that type in a form that all clients read the same, with the index that its block has for the client;
	// b is nil if the frame has no block.
	Restate func(m *Message, f frame.Frame, typ string, b *Block) frame.Frame
	// Text returns a whole block of text.
	Text func(text string) []byte
	// AppendText adds the frames that begin such a block in a stream.
	AppendText func(frames []frame.Frame, index int, text string) []frame.Frame
	// Arguments returns the delta with all arguments of a call.
	Arguments func(index int, args []byte) frame.Frame
	// Stop returns the frame that ends a block.
	Stop func(index int) frame.Frame
}

// A Message is one response under way: its blocks so far, and what was sent of them.
type Message struct {
	dialect.Scratch
	Blocks []*Block
	Sent   Sent

	wire      *Wire
	ran       map[string]*dialect.Slot // provider-run calls by their ids
	undecided []*dialect.Slot          // closed calls with empty or incomplete arguments, which may have been cut off
}

// New returns a message in which nothing has been read.
func New(w *Wire, o dialect.Options) Message {
	return Message{wire: w, Scratch: dialect.Scratch{Options: o}}
}

// Sent is what was sent of a message.
type Sent struct {
	Started bool // the message has begun
	Closing bool // its stop reason was sent
	Ended   bool

	blocks  int  // content blocks, notices included
	content bool // they are not empty
}

// A Structure is the plan of a frame that is not a delta of a block that has begun.
type Structure struct {
	Type  string
	Block *Block   // that it opens or closes
	Whole []*Block // of a message: the blocks in it
	Early bool     // calls that it quotes may still be refused
}

// MaxBlocks is how many blocks a message may have.
const MaxBlocks = 100_000

// Add notes a block that was read.
func (m *Message) Add(b *Block) {
	if b.Slot != nil {
		b.Waits = []*dialect.Slot{b.Slot}
		b.Slot.Held = len(b.Input)
	}
	b.Item = len(m.Blocks)
	m.Blocks = append(m.Blocks, b)
}

// ReadUnknown turns a block of an unknown type into a call. value may have its name.
func (b *Block) ReadUnknown(block, value strictjson.Value) {
	b.Kind = Unknown
	b.Input = bytes.Clone(block.Raw())
	b.Slot = dialect.NewSlot("", b.Type)
	b.Slot.Fixed = true
	if name, err := dialect.OptionalText(value, "name"); err == nil && name != "" && name != b.Type {
		b.Slot.Names = append(b.Slot.Names, name)
	}
}

// ReadCall reads the input of the call v, and whether the provider runs it.
func (m *Message) ReadCall(b *Block, v strictjson.Value) error {
	input, err := v.Member("input")
	if err != nil {
		return dialect.Ambiguous()
	}
	if dialect.Present(input) {
		b.Input = bytes.Clone(input.Raw())
	}
	m.Sieve.Sift(v, b.Slot, m.wire.Call)
	if b.Kind != Ran {
		return nil
	}
	b.Slot.Ran = true
	if m.ran[b.Slot.WireID] != nil {
		return dialect.Malformed("two calls that the provider ran have the same id")
	}
	if m.ran == nil {
		m.ran = map[string]*dialect.Slot{}
	}
	m.ran[b.Slot.WireID] = b.Slot
	return nil
}

// ReadResult finds the call of a result, if it is in this message. The member of v has the call's id.
func (m *Message) ReadResult(b *Block, v strictjson.Value, member string) error {
	id, err := dialect.OptionalText(v, member)
	if err != nil {
		return err
	}
	if s := m.ran[id]; s != nil {
		b.Waits = []*dialect.Slot{s}
	}
	return nil
}

// ReadWhole reads the complete blocks of a message.
func (m *Message) ReadWhole(content strictjson.Value, typ string, read func(strictjson.Value) (*Block, error)) (dialect.Reading, error) {
	if dialect.Present(content) && content.Kind() != strictjson.Array {
		return dialect.Reading{}, dialect.Malformed("a message's content is not an array")
	}
	s := &Structure{Type: typ}
	r := dialect.Reading{Plan: s}
	for v := range content.Elems() {
		m.Decide(false)
		b, err := read(v)
		if err != nil {
			return dialect.Reading{}, err
		}
		m.complete(b)
		s.Whole = append(s.Whole, b)
		if b.Slot != nil {
			r.Opens = append(r.Opens, b.Slot)
		}
	}
	r.Waits = r.Opens
	return r, nil
}

// Opening returns the reading of a frame of that type that opens a block.
func (m *Message) Opening(b *Block, typ string) dialect.Reading {
	r := dialect.Reading{Waits: b.Waits, Plan: &Structure{Type: typ, Block: b}}
	if b.Slot != nil {
		r.Opens = b.Waits
	}
	return r
}

// Passes says whether a regular delta is sent unchanged: the block depends on no call and has the same index for the client.
func (b *Block) Passes() bool { return len(b.Waits) == 0 && b.sent.started && b.sent.index == b.Index }

// Close returns the reading of a frame that closes a block.
func (m *Message) Close(root strictjson.Value, b *Block) dialect.Reading {
	m.SiftFrame(root, b)
	m.complete(b)
	return dialect.Reading{Waits: b.Waits, Plan: &Structure{Type: m.wire.BlockStop, Block: b}}
}

// IndexOf returns the index of the block that a frame is about.
func (m *Message) IndexOf(root strictjson.Value) (int, error) {
	v, err := root.Member(m.wire.Index)
	if err != nil {
		return 0, dialect.Ambiguous()
	}
	index, ok := v.Uint()
	if !ok {
		return 0, dialect.Malformed("a content block has an impossible index")
	}
	return index, nil
}

// SiftFrame leaves out the undocumented members of a frame about a call. An unknown block is judged as a whole, but not the members
// beside it.
func (m *Message) SiftFrame(root strictjson.Value, b *Block) {
	if b.Slot != nil {
		m.Sieve.Sift(root, b.Slot, m.wire.Frame)
	}
}

// Mention says how frames refer to the blocks that depend on a call.
func (m *Message) Mention() dialect.Mention {
	return dialect.Mention{
		Index: func(i int) bool {
			return slices.ContainsFunc(m.Blocks, func(b *Block) bool { return b.Index == i && len(b.Waits) > 0 })
		},
		ID: func(id string) bool {
			return slices.ContainsFunc(m.Blocks, func(b *Block) bool { return b.Slot != nil && b.Slot.WireID == id })
		},
	}
}

// Unruled returns the calls that are not ruled yet.
func (m *Message) Unruled() []*dialect.Slot {
	var slots []*dialect.Slot
	for _, b := range m.Blocks {
		if b.Slot != nil && b.Slot.Ruling == nil {
			slots = append(slots, b.Slot)
		}
	}
	return slots
}

// refusal returns the ruling that refuses the block; nil: none does.
func (b *Block) refusal() *call.Ruling {
	for _, s := range b.Waits {
		if s.Ruling != nil && !s.Ruling.Released {
			return s.Ruling
		}
	}
	return nil
}

// restated says whether the call's arguments are sent in one piece made by weir: clients would read the pieces differently, or the
// arguments are replaced.
func (b *Block) restated() bool { return b.args.Split || b.Slot.Replaced() }

// inStart says whether the call's arguments are in its start, and not in deltas.
func (b *Block) inStart() bool { return len(b.Input) > 0 && !isEmptyObject(b.Input) }
