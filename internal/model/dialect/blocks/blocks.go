// Package blocks reads and edits messages that consist of content blocks, as two formats have them. A format reads its own frames;
// what happens to a block is the same in both.
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
	Result              // what a provider-run call gave
	Unknown             // a type that weir does not know: a call with that type as tool and the block as arguments
)

// A Block is one content block of a message.
//
// It opens with its first frame, or stands whole in a message. Deltas may follow until it is closed. What has gone out of it
// is kept apart, because that happens later.
type Block struct {
	Index int    // in the frames of the upstream
	Item  int    // its number among the blocks; indexes may leave gaps
	Type  string // "" if it ended before anything was said
	Kind  Kind
	Open  bool

	Slot *dialect.Slot // of a call
	// Waits are the slots that decide what becomes of the block: of a call its own, of a result that of the call it answers.
	Waits []*dialect.Slot
	// Input is a call's input as it stands in the block's start or in a whole block, or an unknown block whole.
	Input []byte

	// Cited and Given are how many texts of citations and of a result it has had, if they are asked for.
	Cited, Given int

	deltas []byte // an unknown block's deltas, joined by commas
	args   dialect.Collector
	sent   sentBlock
}

// sentBlock is what has gone out of a block.
type sentBlock struct {
	started, stopped bool
	index            int
	replaced         bool // by a notice
}

// A Wire is how a format writes blocks.
type Wire struct {
	BlockStart, BlockDelta, BlockStop string // types of frames

	Index      string // the member with the index of a block
	Content    string // the member of a start that holds the block
	Piece      string // the member of a delta with a piece of arguments
	StopReason string

	// What the API documents of a call, of a piece of its arguments, and of a frame that is about one.
	Call, Delta, Frame dialect.Documented

	// Twice says what is wrong with arguments both in the start and in deltas; "": the format refuses any in the start.
	Twice string

	// CallIn is the call in a block.
	CallIn func(block strictjson.Value) strictjson.Value
	// Restate is a frame of that type as every client reads it alike, with the index that its block goes out with; nil: it is of no block.
	Restate func(m *Message, f frame.Frame, typ string, b *Block) frame.Frame
	// Text is a whole block of text.
	Text func(text string) []byte
	// AppendText adds the frames that begin such a block in a stream.
	AppendText func(frames []frame.Frame, index int, text string) []frame.Frame
	// Arguments is the delta with all arguments of a call.
	Arguments func(index int, args []byte) frame.Frame
	// Stop ends a block.
	Stop func(index int) frame.Frame
}

// A Message is one response under way: what was read of its blocks, and what has gone out.
type Message struct {
	dialect.Scratch
	Blocks []*Block
	Sent   Sent

	wire      *Wire
	ran       map[string]*dialect.Slot // provider-run calls by their ids
	undecided []*dialect.Slot          // closed calls whose arguments are empty or not whole: all there is, or cut?
}

// New returns a message in which nothing has been read.
func New(w *Wire, o dialect.Options) Message {
	return Message{wire: w, Scratch: dialect.Scratch{Options: o}}
}

// Sent is what has gone out of a message.
type Sent struct {
	Started bool // the message has begun
	Closing bool // its stop reason was told
	Ended   bool

	blocks  int  // content blocks, notices included
	content bool // something is in them
}

// A Structure is a frame that is not a delta of a block that has begun. It is the plan of its reading.
type Structure struct {
	Type  string
	Block *Block   // that it opens or closes
	Whole []*Block // of a message: the blocks in it
	Early bool     // what it quotes may still be refused
}

// MaxBlocks bounds what is held of a message's blocks.
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

// ReadUnknown makes a block of a type that weir does not know a call. The value is where it may have a name.
func (b *Block) ReadUnknown(block, value strictjson.Value) {
	b.Kind = Unknown
	b.Input = bytes.Clone(block.Raw())
	b.Slot = dialect.NewSlot("", b.Type)
	b.Slot.Fixed = true
	if name, err := dialect.OptionalText(value, "name"); err == nil && name != "" && name != b.Type {
		b.Slot.Names = append(b.Slot.Names, name)
	}
}

// ReadCall takes a call that was read from v: what it has as input, and whether the provider runs it.
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

// ReadResult finds the call that a result answers, if it is in this message: the member of v has its id.
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

// ReadWhole reads the blocks of a message that are complete.
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

// Opening is the reading of a frame of that type that opens a block.
func (m *Message) Opening(b *Block, typ string) dialect.Reading {
	r := dialect.Reading{Waits: b.Waits, Plan: &Structure{Type: typ, Block: b}}
	if b.Slot != nil {
		r.Opens = b.Waits
	}
	return r
}

// Passes says whether a regular delta goes out as it came: the block depends on no call and has the same index in what goes out.
func (b *Block) Passes() bool { return len(b.Waits) == 0 && b.sent.started && b.sent.index == b.Index }

// Close is the reading of a frame that closes a block.
func (m *Message) Close(root strictjson.Value, b *Block) dialect.Reading {
	m.SiftFrame(root, b)
	m.complete(b)
	return dialect.Reading{Waits: b.Waits, Plan: &Structure{Type: m.wire.BlockStop, Block: b}}
}

// IndexOf is the index of the block that a frame speaks of.
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

// SiftFrame leaves out what is not documented of a frame that is about a call. Of an unknown block all is judged but what stands
// beside it.
func (m *Message) SiftFrame(root strictjson.Value, b *Block) {
	if b.Slot != nil {
		m.Sieve.Sift(root, b.Slot, m.wire.Frame)
	}
}

// Mention is how frames speak of the blocks that depend on a call.
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

// Unruled are the calls that are not ruled yet.
func (m *Message) Unruled() []*dialect.Slot {
	var slots []*dialect.Slot
	for _, b := range m.Blocks {
		if b.Slot != nil && b.Slot.Ruling == nil {
			slots = append(slots, b.Slot)
		}
	}
	return slots
}

// refusal is the ruling for which the block is not sent; nil if there is none.
func (b *Block) refusal() *call.Ruling {
	for _, s := range b.Waits {
		if s.Ruling != nil && !s.Ruling.Released {
			return s.Ruling
		}
	}
	return nil
}

// restated says whether the call's arguments go out in one piece of ours: clients would not read the pieces alike, or they
// are others.
func (b *Block) restated() bool { return b.args.Split || b.Slot.Replaced() }

// inStart says whether the call's arguments stand in its start, and not in deltas.
func (b *Block) inStart() bool { return len(b.Input) > 0 && !isEmptyObject(b.Input) }
