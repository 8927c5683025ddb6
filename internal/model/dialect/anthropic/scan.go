package anthropic

import (
	"slices"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The frames of the format.
const (
	typeMessage      = "message"
	typeMessageStart = "message_start"
	typeBlockStart   = "content_block_start"
	typeBlockDelta   = "content_block_delta"
	typeBlockStop    = "content_block_stop"
	typeMessageDelta = "message_delta"
	typeMessageStop  = "message_stop"
	typePing         = "ping"
	typeError        = "error"
	typeDone         = "[DONE]" // not of the format; no client needs such frames: see Scan
)

// ownMembers are where frames have calls or pieces of them.
var ownMembers = map[string][]string{
	typeMessage:      {"content"},
	typeMessageStart: {"message"},
	typeBlockStart:   {"content_block"},
	typeBlockDelta:   {"delta"},
}

// A phase is how far the upstream's response has come.
type phase uint8

const (
	notStarted phase = iota
	inMessage        // after message_start
	closing          // after message_delta: no block may start any more
	ended            // after message_stop, an error or a whole message
)

// A response is one response of the Messages API, streamed or whole.
type response struct {
	opts  dialect.Options
	doc   strictjson.Doc
	sieve dialect.Sieve
	texts dialect.Texts
	phase phase
	meta  dialect.Meta

	blocks    []*block
	ran       map[string]*dialect.Slot // provider-run calls by their ids
	undecided []*dialect.Slot          // closed calls whose arguments are empty or not whole: all there is, or cut?

	client client
	out    []frame.Frame // scratch of Rewrite
}

func newResponse(o dialect.Options) *response { return &response{opts: o} }

// Meta implements dialect.Dialect.
func (d *response) Meta() dialect.Meta {
	m := d.meta
	m.Ended = d.phase == ended
	return m
}

// a structure is a frame of a response that is not a delta of a block; it is the plan of its reading.
type structure struct {
	typ   string
	block *block   // of a start or stop
	whole []*block // of a message: the blocks in it
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
	if string(f.Data) == typeDone {
		// Some compatible servers end with it. No client of this format needs it.
		return dialect.Reading{Plan: &structure{typ: typeDone}}, nil
	}
	if d.doc.Parse(f.Data) != nil {
		return dialect.Reading{}, dialect.Malformed("a frame is not strict JSON")
	}
	root := d.doc.Root()
	if root.Kind() != strictjson.Object {
		return dialect.Reading{}, dialect.Malformed("a frame is not a JSON object")
	}
	typ, err := root.Member("type")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	if d.phase == ended && !typ.Is(typePing) {
		return dialect.Reading{}, dialect.Malformed("the response goes on after its end")
	}
	if typ.Is(typeBlockDelta) && !f.Failure && !dialect.HidesCall(root, "delta") {
		return d.scanDelta(f, root)
	}
	name, err := typeOf(f, root, typ)
	if err != nil {
		return dialect.Reading{}, err
	}
	if dialect.HidesCall(root, ownMembers[name]...) {
		return dialect.Reading{}, dialect.Malformed("a frame has a call where none belongs")
	}
	// A type that only the event's name gives is not read by every client: such a frame is restated.
	f.Plain = f.Plain && (typ.Kind() != strictjson.Missing || f.Failure)
	if d.opts.Whole {
		return d.scanWhole(root, name)
	}
	return d.scanStructure(f, root, name)
}

// typeOf is a frame's type: what its JSON says or, as for one client, else the event's name. Compatible servers send
// errors that have neither.
func typeOf(f frame.Frame, root, typ strictjson.Value) (string, error) {
	if f.Failure {
		return typeError, nil // whatever its data say: clients do not look at them
	}
	if typ.Kind() == strictjson.Missing && len(f.Type) > 0 {
		return string(f.Type), nil
	}
	if failure, err := root.Member("error"); typ.Kind() == strictjson.Missing && err == nil && failure.Kind() == strictjson.Object {
		return typeError, nil
	}
	name, ok := typ.Text()
	if !ok {
		return "", dialect.Malformed("a frame has no type")
	}
	return name, nil
}

func (d *response) scanWhole(root strictjson.Value, typ string) (dialect.Reading, error) {
	switch typ {
	case typeMessage:
		d.phase = ended
		return d.scanMessage(root, typ)
	case typeError:
		// Some clients never look at the type: to them it is a message if it has content.
		if content, err := root.Member("content"); err != nil || content.Kind() != strictjson.Missing {
			return dialect.Reading{}, dialect.Malformed("an error has content")
		}
		d.phase = ended
		return d.scanBare(root, typ)
	}
	return d.scanForeign(root, typ)
}

// scanBare lets a frame pass that speaks of no content, if that is true.
func (d *response) scanBare(root strictjson.Value, typ string) (dialect.Reading, error) {
	if dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame that has no content has the shape of a call")
	}
	return dialect.Reading{Plan: &structure{typ: typ}}, nil
}

func (d *response) scanStructure(f frame.Frame, root strictjson.Value, typ string) (dialect.Reading, error) {
	if d.phase == notStarted && typ != typeMessageStart && typ != typePing && typ != typeError {
		return dialect.Reading{}, dialect.Malformed("the response does not begin with message_start")
	}
	switch typ {
	case typeMessageStart:
		if d.phase != notStarted {
			return dialect.Reading{}, dialect.Malformed("a second message starts in the response")
		}
		d.phase = inMessage
		message, err := root.Member("message")
		if err != nil {
			return dialect.Reading{}, dialect.Ambiguous()
		}
		return d.scanMessage(message, typ)
	case typeBlockStart:
		return d.scanBlockStart(root)
	case typeBlockDelta:
		return d.scanDelta(f, root)
	case typeBlockStop:
		return d.scanBlockStop(root)
	case typeMessageDelta:
		return d.scanMessageDelta(root)
	case typeMessageStop:
		d.giveUp(false)
		d.phase = ended
		return dialect.Reading{Waits: d.unruled(), Plan: &structure{typ: typ}}, nil
	case typePing:
		if d.mention().In(root) {
			return dropped(), nil
		}
		r, err := d.scanBare(root, typ)
		r.Pass = err == nil && f.Plain && d.isNamed(f, typePing) && d.phase != ended
		r.Overtakes, r.Idle = r.Pass, true
		return r, err
	case typeError:
		d.giveUp(true)
		d.phase = ended
		return d.scanBare(root, typ)
	}
	return d.scanForeign(root, typ)
}

// scanForeign lets a frame of a type we do not know pass, unless a call of any format could be in it: clients hand such
// frames to the program.
func (d *response) scanForeign(root strictjson.Value, typ string) (dialect.Reading, error) {
	if slices.Contains(frameTypes, typ) {
		// What is in it would be read as content by who does not mind its place.
		return dialect.Reading{}, dialect.Malformed("a frame of a stream is in a body, or a body in a stream")
	}
	if dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame of an unknown type has the shape of a call")
	}
	if d.mention().In(root) {
		return dropped(), nil
	}
	return dialect.Reading{Plan: &structure{typ: typ}}, nil
}

// dropped is the reading of a frame that says something of a call in words that we do not know. What counts is the block.
func dropped() dialect.Reading { return dialect.Reading{Plan: &structure{typ: typeDone}} }

// mention is how frames speak of the blocks that depend on a call.
func (d *response) mention() dialect.Mention {
	return dialect.Mention{
		Index: func(i int) bool { return i < len(d.blocks) && len(d.blocks[i].waits) > 0 },
		ID: func(id string) bool {
			return slices.ContainsFunc(d.blocks, func(b *block) bool { return b.slot != nil && b.slot.WireID == id })
		},
	}
}

// maxBlocks bounds what is kept of a response's blocks.
const maxBlocks = 100_000

func (d *response) scanBlockStart(root strictjson.Value) (dialect.Reading, error) {
	if d.phase != inMessage {
		return dialect.Reading{}, dialect.Malformed("a content block starts after the end of the message")
	}
	index, err := indexOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	if index != len(d.blocks) || index == maxBlocks {
		return dialect.Reading{}, dialect.Malformed("a content block has an impossible index")
	}
	content, err := root.Member("content_block")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	b, err := d.readBlock(content)
	if err != nil {
		return dialect.Reading{}, err
	}
	b.open = true
	d.siftFrame(root, b)
	d.decide(false)
	r := dialect.Reading{Waits: b.waits, Plan: &structure{typ: typeBlockStart, block: b}}
	if b.slot != nil {
		r.Opens = b.waits
	}
	return r, nil
}

func (d *response) scanDelta(f frame.Frame, root strictjson.Value) (dialect.Reading, error) {
	b, err := d.openBlock(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	delta, err := root.Member("delta")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	typ, err := delta.Member("type")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	switch b.kind {
	case asked, ran:
		d.siftFrame(root, b)
		d.sieve.Sift(delta, b.slot, deltaMembers)
		err = d.scanArguments(b, delta, typ)
	case unknown:
		d.addDelta(b, delta)
	default:
		err = b.scanSaid(delta, typ)
	}
	if err != nil {
		return dialect.Reading{}, err
	}
	pass := d.regular(f) && len(b.waits) == 0 && b.client.started && b.client.out == b.index
	return dialect.Reading{Pass: pass, Waits: b.waits, Plan: b}, nil
}

// regular says whether a delta may go out as it came: whatever a client goes by, it reads the same frame.
func (d *response) regular(f frame.Frame) bool { return f.Plain && d.isNamed(f, typeBlockDelta) }

// isNamed says whether the framing gives a frame the name that its JSON has as type. Clients of server-sent events may go by
// either; where the framing has no names there is only one.
func (d *response) isNamed(f frame.Frame, typ string) bool {
	return d.opts.Unnamed && len(f.Type) == 0 || string(f.Type) == typ
}

func (d *response) scanArguments(b *block, delta, typ strictjson.Value) error {
	if !typ.Is("input_json_delta") {
		return dialect.Malformed("a delta does not fit its content block")
	}
	piece, err := delta.Member("partial_json")
	if err != nil {
		return dialect.Ambiguous()
	}
	if piece.Kind() != strictjson.String {
		return dialect.Malformed("a piece of arguments is not a string")
	}
	d.addArguments(b, piece)
	return nil
}

// scanSaid looks at a delta of a block that is not a call.
func (b *block) scanSaid(delta, typ strictjson.Value) error {
	for _, t := range saidDeltas[b.typ] {
		if typ.Is(t) {
			if piece, err := delta.Member("partial_json"); err != nil || piece.Kind() != strictjson.Missing || dialect.HidesCall(delta) {
				return dialect.Malformed("a piece of a call is in a delta of another kind")
			}
			return nil
		}
	}
	for _, deltas := range saidDeltas {
		for _, t := range deltas {
			if typ.Is(t) {
				return dialect.Malformed("a delta does not fit its content block")
			}
		}
	}
	if dialect.CarriesCall(delta) {
		return dialect.Malformed("a piece of a call is in a content block of another kind")
	}
	return nil
}

func (d *response) scanBlockStop(root strictjson.Value) (dialect.Reading, error) {
	b, err := d.openBlock(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.siftFrame(root, b)
	d.close(b)
	return dialect.Reading{Waits: b.waits, Plan: &structure{typ: typeBlockStop, block: b}}, nil
}

func (d *response) scanMessageDelta(root strictjson.Value) (dialect.Reading, error) {
	delta, err := root.Member("delta")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	reason, err := dialect.OptionalText(delta, "stop_reason")
	if err != nil {
		return dialect.Reading{}, err
	}
	d.decide(cutsTurn(reason))
	d.giveUp(false)
	d.phase = closing
	d.readUsage(root)
	return dialect.Reading{Waits: d.unruled(), Plan: &structure{typ: typeMessageDelta}}, nil
}

// openBlock is the block that a delta or stop speaks of.
func (d *response) openBlock(root strictjson.Value) (*block, error) {
	index, err := indexOf(root)
	if err != nil {
		return nil, err
	}
	if index >= len(d.blocks) || !d.blocks[index].open {
		return nil, dialect.Malformed("a content block is spoken of that is not open")
	}
	return d.blocks[index], nil
}

func indexOf(root strictjson.Value) (int, error) {
	v, err := root.Member("index")
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
