package bedrock

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
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
	typeChunk = "chunk" // of another API of the service: there is a frame of another format in it
)

var frameTypes = []string{typeBlockDelta, typeBlockStart, typeBlockStop, typeMessageStart, typeMessageStop, typeMetadata}

// quoting are the members that can say again what was said: what the model's own format had, and what guardrails saw.
var quoting = []string{"additionalModelResponseFields", "trace"}

// ownMembers are where frames have calls or pieces of them, or may quote them.
var ownMembers = map[string][]string{
	typeBody:        append([]string{"output"}, quoting...),
	typeBlockStart:  {"start"},
	typeBlockDelta:  {"delta"},
	typeMessageStop: quoting,
	typeMetadata:    quoting,
}

// A phase is how far the upstream's response has come.
type phase uint8

const (
	notStarted phase = iota
	inMessage        // after messageStart
	stopped          // after messageStop: only metadata may follow
	ended            // after a failure or a whole message
)

// A response is one response of the Converse API, streamed or whole.
//
// Some clients tell blocks by their indexes and some by their order alone. Both read the same if nothing is said of another
// block while a call is open; so that is refused.
type response struct {
	opts  dialect.Options
	doc   strictjson.Doc
	sieve dialect.Sieve
	texts dialect.Texts
	phase phase
	meta  dialect.Meta
	told  bool // what it cost: there is one such frame

	blocks    []*block                 // by their indexes, which grow but may leave gaps
	call      *block                   // the call that is open; nil: none is
	ran       map[string]*dialect.Slot // provider-run calls by their ids
	undecided []*dialect.Slot          // closed calls whose arguments are empty or not whole: all there is, or cut?

	client client
	out    []frame.Frame // scratch of Rewrite
}

func newResponse(o dialect.Options) *response {
	return &response{opts: o, meta: dialect.Meta{Model: modelIn(o.Path)}}
}

// Meta implements dialect.Dialect. The format gives responses no id, and only the path names the model.
func (d *response) Meta() dialect.Meta {
	m := d.meta
	m.Ended = d.phase >= stopped
	return m
}

// a structure is a frame of a response that is not a delta of a block that has begun; it is the plan of its reading.
type structure struct {
	typ   string
	block *block   // that it opens or closes
	whole []*block // of a body: the blocks in it
	early bool     // what it quotes may still be refused
}

// Scan implements dialect.Dialect.
func (d *response) Scan(f frame.Frame) (dialect.Reading, error) {
	d.sieve.Begin()
	r, err := d.scan(f)
	if err != nil {
		return dialect.Reading{}, err
	}
	if r = d.sieve.Finish(f, r); d.opts.Texts {
		r.Texts = d.findTexts(f, r.Plan)
	}
	return r, nil
}

func (d *response) scan(f frame.Frame) (dialect.Reading, error) {
	if d.doc.Parse(f.Data) != nil {
		return dialect.Reading{}, dialect.Malformed("a frame is not strict JSON")
	}
	root := d.doc.Root()
	if root.Kind() != strictjson.Object {
		return dialect.Reading{}, dialect.Malformed("a frame is not a JSON object")
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
	if d.opts.Whole {
		return d.scanBody(root)
	}
	return d.scanFrame(f, root, typ)
}

// typeOf is a frame's type. One that is a known one in another case is one to some clients.
func (d *response) typeOf(f frame.Frame) (string, error) {
	if d.opts.Whole {
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

// scanFailure ends the response: calls under way are dropped.
func (d *response) scanFailure(root strictjson.Value, typ string) (dialect.Reading, error) {
	if dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a failure has the shape of a call")
	}
	d.giveUp(true)
	d.phase, d.meta.Failed = ended, true
	return dialect.Reading{Waits: d.unruled(), Plan: &structure{typ: typ}}, nil
}

func (d *response) scanFrame(f frame.Frame, root strictjson.Value, typ string) (dialect.Reading, error) {
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
		return dialect.Reading{Plan: &structure{typ: typ}}, nil
	case typeMessageStop:
		return d.scanMessageStop(root)
	case typeMetadata:
		return d.scanMetadata(root)
	}
	// Clients hand frames of a type that they do not know to the program.
	if strings.EqualFold(typ, typeChunk) || dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame of an unknown type has the shape of a call")
	}
	if d.mention().In(root) {
		// What it says of a call is in words that we do not know. What counts is the block.
		return dialect.Reading{}, nil
	}
	return dialect.Reading{Plan: &structure{typ: typ}}, nil
}

// mention is how frames speak of the blocks that depend on a call.
func (d *response) mention() dialect.Mention {
	return dialect.Mention{
		Index: func(i int) bool {
			return slices.ContainsFunc(d.blocks, func(b *block) bool { return b.index == i && len(b.waits) > 0 })
		},
		ID: func(id string) bool {
			return slices.ContainsFunc(d.blocks, func(b *block) bool { return b.slot != nil && b.slot.WireID == id })
		},
	}
}

func (d *response) scanBlockStart(root strictjson.Value) (dialect.Reading, error) {
	index, err := indexOf(root)
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
	d.siftFrame(root, b)
	return opening(b, typeBlockStart), nil
}

// openBlock opens a block with its start or its first delta.
func (d *response) openBlock(index int, u unit) (*block, error) {
	if err := d.checkNew(index); err != nil {
		return nil, err
	}
	b, err := d.addBlock(index, u, false)
	if err != nil {
		return nil, err
	}
	if b.slot != nil {
		d.call = b
	}
	return b, nil
}

// opening is the reading of a frame that opens a block.
func opening(b *block, typ string) dialect.Reading {
	r := dialect.Reading{Waits: b.waits, Plan: &structure{typ: typ, block: b}}
	if b.slot != nil {
		r.Opens = b.waits
	}
	return r
}

// maxBlocks bounds what is kept of a response's blocks.
const maxBlocks = 100_000

// checkNew checks that a block of this index may begin now, which tells that those before it are all there is.
func (d *response) checkNew(index int) error {
	n := len(d.blocks)
	if n == maxBlocks || n > 0 && index <= d.blocks[n-1].index {
		return dialect.Malformed("a content block has an impossible index")
	}
	if d.call != nil {
		return dialect.Malformed("a content block begins inside a call")
	}
	d.decide(false)
	return nil
}

func (d *response) scanDelta(f frame.Frame, root strictjson.Value) (dialect.Reading, error) {
	index, err := indexOf(root)
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
	case !b.takes(u):
		return dialect.Reading{}, dialect.Malformed("a delta does not fit its content block")
	}
	switch b.kind {
	case asked, ran:
		d.siftFrame(root, b)
		err = d.addArguments(b, u.value)
	case unknown:
		d.addDelta(b, u)
	case said:
		err = u.checkSaid()
	}
	if err != nil {
		return dialect.Reading{}, err
	}
	pass := f.Plain && len(b.waits) == 0 && b.client.started && b.client.out == b.index
	return dialect.Reading{Pass: pass, Waits: b.waits, Plan: b}, nil
}

// scanFirstDelta opens a block that has no start: those of text have none.
func (d *response) scanFirstDelta(index int, u unit) (dialect.Reading, error) {
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
	return opening(b, typeBlockDelta), nil
}

// blockAt is the open block of that index; nil if there was none yet.
func (d *response) blockAt(index int) (*block, error) {
	if d.call != nil && d.call.index != index {
		return nil, dialect.Malformed("another content block is spoken of inside a call")
	}
	i, found := slices.BinarySearchFunc(d.blocks, index, func(b *block, index int) int { return b.index - index })
	switch {
	case !found:
		return nil, nil
	case !d.blocks[i].open:
		return nil, dialect.Malformed("a content block is spoken of that is not open")
	}
	return d.blocks[i], nil
}

func (d *response) scanBlockStop(root strictjson.Value) (dialect.Reading, error) {
	index, err := indexOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	b, err := d.blockAt(index)
	if err != nil {
		return dialect.Reading{}, err
	}
	if b == nil {
		// A text of which nothing was said.
		if err := d.checkNew(index); err != nil {
			return dialect.Reading{}, err
		}
		b = &block{index: index, item: len(d.blocks)}
		d.blocks = append(d.blocks, b)
	}
	d.siftFrame(root, b)
	d.close(b)
	if d.call == b {
		d.call = nil
	}
	return dialect.Reading{Waits: b.waits, Plan: &structure{typ: typeBlockStop, block: b}}, nil
}

func indexOf(root strictjson.Value) (int, error) {
	v, err := root.Member("contentBlockIndex")
	if err != nil {
		return 0, dialect.Ambiguous()
	}
	index, ok := v.Uint()
	if !ok {
		return 0, dialect.Malformed("a content block has an impossible index")
	}
	return index, nil
}

// unruled are the calls that are not ruled yet.
func (d *response) unruled() []*dialect.Slot {
	var slots []*dialect.Slot
	for _, b := range d.blocks {
		if b.slot != nil && b.slot.Ruling == nil {
			slots = append(slots, b.slot)
		}
	}
	return slots
}

// End implements dialect.Dialect.
func (d *response) End(bool) []*dialect.Slot { return d.giveUp(true) }
