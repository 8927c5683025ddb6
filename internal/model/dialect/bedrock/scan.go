package bedrock

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The messages of a stream.
const (
	typeMessageStart = "messageStart"
	typeBlockStart   = "contentBlockStart"
	typeBlockDelta   = "contentBlockDelta"
	typeBlockStop    = "contentBlockStop"
	typeMessageStop  = "messageStop"
	typeMetadata     = "metadata"

	typeBody  = ""      // a whole response
	typeChunk = "chunk" // of another API of the service: it contains a frame of another format
)

var frameTypes = []string{typeBlockDelta, typeBlockStart, typeBlockStop, typeMessageStart, typeMessageStop, typeMetadata}

// quoting are the members that can repeat content: fields of the model's own format, and the trace of guardrails.
var quoting = []string{"additionalModelResponseFields", "trace"}

// ownMembers are the members in which frames have calls or pieces of calls, or may quote them.
var ownMembers = map[string][]string{
	typeBody:        append([]string{"output"}, quoting...),
	typeBlockStart:  {"start"},
	typeBlockDelta:  {"delta"},
	typeMessageStop: quoting,
	typeMetadata:    quoting,
}

// A phase is the state of the upstream's response.
type phase uint8

const (
	notStarted phase = iota
	inMessage        // after messageStart
	stopped          // after messageStop: only metadata may follow
	ended            // after a failure or a whole message
)

// An editor parses and edits one response of the Converse API, streamed or whole.
//
// Some clients identify blocks by their indexes, others by their order. Both read the same if no frame is about another block while
// a call is open. So such a frame is refused.
type editor struct {
	blocks.Message
	phase phase
	meta  dialect.Meta
	told  bool          // the frame with the usage has arrived: there is only one
	call  *blocks.Block // the open call; nil: none
}

func newEditor(o dialect.Options) *editor {
	return &editor{Message: blocks.New(&blockWire, o), meta: dialect.Meta{Model: modelIn(o.Path)}}
}

// Meta implements dialect.Dialect. The format gives responses no id, and only the path names the model.
func (d *editor) Meta() dialect.Meta {
	m := d.meta
	m.Ended = d.phase >= stopped
	return m
}

// Scan implements dialect.Dialect.
func (d *editor) Scan(f frame.Frame) (dialect.Reading, error) {
	d.Sieve.Begin()
	r, err := d.scan(f)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.Finish(&f, &r, d.findTexts)
	return r, nil
}

func (d *editor) scan(f frame.Frame) (dialect.Reading, error) {
	root, err := d.ParseObject(f.Data)
	if err != nil {
		return dialect.Reading{}, err
	}
	typ, err := d.typeOf(f)
	if err != nil {
		return dialect.Reading{}, err
	}
	if d.phase == ended || d.phase == stopped && typ != typeMetadata && !f.Failure {
		return dialect.Reading{}, dialect.Malformed("the response goes on after its end")
	}
	if f.Failure {
		return d.scanFailure(root, typ)
	}
	if dialect.HidesCall(root, ownMembers[typ]...) {
		return dialect.Reading{}, dialect.Malformed("a frame has a call where none belongs")
	}
	if d.Options.Whole {
		return d.scanBody(root)
	}
	return d.scanFrame(f, root, typ)
}

// typeOf returns a frame's type. It fails for a known type in another case, which some clients would accept.
func (d *editor) typeOf(f frame.Frame) (string, error) {
	if d.Options.Whole {
		return typeBody, nil
	}
	for _, t := range frameTypes {
		if string(f.Type) == t {
			return t, nil
		}
	}
	for _, t := range frameTypes {
		if strings.EqualFold(string(f.Type), t) {
			return "", dialect.Malformed("a frame's type is in another case")
		}
	}
	if len(f.Type) == 0 {
		return "", dialect.Malformed("a frame has no type")
	}
	return string(f.Type), nil
}

// scanFailure ends the response: open calls are dropped.
func (d *editor) scanFailure(root strictjson.Value, typ string) (dialect.Reading, error) {
	if dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a failure has the shape of a call")
	}
	d.GiveUp(true)
	d.phase, d.meta.Failed = ended, true
	return dialect.Reading{Waits: d.Unruled(), Plan: &blocks.Structure{Type: typ}}, nil
}

func (d *editor) scanFrame(f frame.Frame, root strictjson.Value, typ string) (dialect.Reading, error) {
	switch typ {
	case typeBlockDelta, typeBlockStart, typeBlockStop, typeMessageStop, typeMetadata:
		if d.phase == notStarted {
			return dialect.Reading{}, dialect.Malformed("the response does not begin with messageStart")
		}
	}
	switch typ {
	case typeBlockDelta:
		return d.scanDelta(f, root)
	case typeBlockStart:
		return d.scanBlockStart(root)
	case typeBlockStop:
		return d.scanBlockStop(root)
	case typeMessageStart:
		if d.phase != notStarted {
			return dialect.Reading{}, dialect.Malformed("a second message starts in the response")
		}
		d.phase = inMessage
		return dialect.Reading{Plan: &blocks.Structure{Type: typ}}, nil
	case typeMessageStop:
		return d.scanMessageStop(root)
	case typeMetadata:
		return d.scanMetadata(root)
	}
	// Clients pass frames of an unknown type to the program.
	if strings.EqualFold(typ, typeChunk) || dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame of an unknown type has the shape of a call")
	}
	if d.Mention().In(root) {
		// It is about a call, in an unknown form. The block itself decides.
		return dialect.Reading{}, nil
	}
	return dialect.Reading{Plan: &blocks.Structure{Type: typ}}, nil
}

func (d *editor) scanBlockStart(root strictjson.Value) (dialect.Reading, error) {
	index, err := d.IndexOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	start, err := root.Member("start")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	u, err := unitOf(start)
	if err != nil {
		return dialect.Reading{}, err
	}
	b, err := d.openBlock(index, u)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.SiftFrame(root, b)
	return d.Opening(b, typeBlockStart), nil
}

// openBlock opens a block with its start or its first delta.
func (d *editor) openBlock(index int, u unit) (*blocks.Block, error) {
	if err := d.checkNew(index); err != nil {
		return nil, err
	}
	b, err := d.addBlock(index, u, false)
	if err != nil {
		return nil, err
	}
	if b.Slot != nil {
		d.call = b
	}
	return b, nil
}

// checkNew checks that a block of this index may begin now. A new block shows that the blocks before it are complete.
func (d *editor) checkNew(index int) error {
	n := len(d.Blocks)
	if n == blocks.MaxBlocks || n > 0 && index <= d.Blocks[n-1].Index {
		return dialect.Malformed("a content block has an impossible index")
	}
	if d.call != nil {
		return dialect.Malformed("a content block begins inside a call")
	}
	d.Decide(false)
	return nil
}

func (d *editor) scanDelta(f frame.Frame, root strictjson.Value) (dialect.Reading, error) {
	index, err := d.IndexOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	delta, err := root.Member("delta")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	u, err := unitOf(delta)
	if err != nil {
		return dialect.Reading{}, err
	}
	b, err := d.blockAt(index)
	switch {
	case err != nil:
		return dialect.Reading{}, err
	case b == nil:
		return d.scanFirstDelta(index, u)
	case !takes(b, u):
		return dialect.Reading{}, dialect.Malformed("a delta does not fit its content block")
	}
	switch b.Kind {
	case blocks.Asked, blocks.Ran:
		d.SiftFrame(root, b)
		err = d.addArguments(b, u.value)
	case blocks.Unknown:
		d.AddDelta(b, u.whole)
	case blocks.Said:
		err = u.checkSaid()
	}
	if err != nil {
		return dialect.Reading{}, err
	}
	return dialect.Reading{Pass: f.Plain && b.Passes(), Waits: b.Waits, Plan: b}, nil
}

// scanFirstDelta opens a block without a start frame, such as a text block.
func (d *editor) scanFirstDelta(index int, u unit) (dialect.Reading, error) {
	switch u.name {
	case unitCall, unitResult:
		return dialect.Reading{}, dialect.Malformed("a piece of a call or result comes before its start")
	case unitCitation:
		if err := u.checkSaid(); err != nil {
			return dialect.Reading{}, err
		}
		u.name = unitText
		u.value = strictjson.Value{}
	}
	b, err := d.openBlock(index, u)
	if err != nil {
		return dialect.Reading{}, err
	}
	return d.Opening(b, typeBlockDelta), nil
}

// blockAt returns the open block of that index; nil: there was none yet.
func (d *editor) blockAt(index int) (*blocks.Block, error) {
	if d.call != nil && d.call.Index != index {
		return nil, dialect.Malformed("another content block is spoken of inside a call")
	}
	i, found := slices.BinarySearchFunc(d.Blocks, index, func(b *blocks.Block, index int) int { return b.Index - index })
	switch {
	case !found:
		return nil, nil
	case !d.Blocks[i].Open:
		return nil, dialect.Malformed("a content block is spoken of that is not open")
	}
	return d.Blocks[i], nil
}

func (d *editor) scanBlockStop(root strictjson.Value) (dialect.Reading, error) {
	index, err := d.IndexOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	b, err := d.blockAt(index)
	if err != nil {
		return dialect.Reading{}, err
	}
	if b == nil {
		// An empty text.
		if err := d.checkNew(index); err != nil {
			return dialect.Reading{}, err
		}
		b = &blocks.Block{Index: index}
		d.Add(b)
	}
	if d.call == b {
		d.call = nil
	}
	return d.Close(root, b), nil
}
