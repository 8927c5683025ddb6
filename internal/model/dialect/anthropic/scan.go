package anthropic

import (
	"slices"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
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
	typeDone         = "[DONE]" // not part of the format; no client needs such frames: see Scan
)

// ownMembers are the members in which frames have calls or pieces of calls.
var ownMembers = map[string][]string{
	typeMessage:      {"content"},
	typeMessageStart: {"message"},
	typeBlockStart:   {"content_block"},
	typeBlockDelta:   {"delta"},
}

// A phase is the state of the upstream's response.
type phase uint8

const (
	notStarted phase = iota
	inMessage        // after message_start
	closing          // after message_delta: no block may start any more
	ended            // after message_stop, an error or a whole message
)

// An editor parses and edits one response of the Messages API, streamed or whole.
type editor struct {
	blocks.Message
	phase phase
	meta  dialect.Meta
}

func newEditor(o dialect.Options) *editor { return &editor{Message: blocks.New(&blockWire, o)} }

// Meta implements dialect.Dialect.
func (d *editor) Meta() dialect.Meta {
	m := d.meta
	m.Ended = d.phase == ended
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
	if string(f.Data) == typeDone {
		// Some compatible servers end with it. No client of this format needs it.
		return dropped(), nil
	}
	root, err := d.ParseObject(f.Data)
	if err != nil {
		return dialect.Reading{}, err
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
	// Not every client reads a type that is only in the event's name: such a frame is restated.
	f.Plain = f.Plain && (typ.Kind() != strictjson.Missing || f.Failure)
	if d.Options.Whole {
		return d.scanWhole(root, name)
	}
	return d.scanStructure(f, root, name)
}

// typeOf returns a frame's type: from its JSON, else the event's name, which one client uses. Compatible servers send errors that
// have neither.
func typeOf(f frame.Frame, root, typ strictjson.Value) (string, error) {
	if f.Failure {
		return typeError, nil // whatever its data are: clients ignore them
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

func (d *editor) scanWhole(root strictjson.Value, typ string) (dialect.Reading, error) {
	switch typ {
	case typeMessage:
		d.phase = ended
		return d.scanMessage(root, typ)
	case typeError:
		// Some clients ignore the type: they take everything with content for a message.
		if content, err := root.Member("content"); err != nil || content.Kind() != strictjson.Missing {
			return dialect.Reading{}, dialect.Malformed("an error has content")
		}
		d.phase = ended
		return d.scanBare(root, typ)
	}
	return d.scanForeign(root, typ)
}

// scanBare passes a frame whose type has no content, after checking that it has none.
func (d *editor) scanBare(root strictjson.Value, typ string) (dialect.Reading, error) {
	if dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame that has no content has the shape of a call")
	}
	return dialect.Reading{Plan: &blocks.Structure{Type: typ}}, nil
}

func (d *editor) scanStructure(f frame.Frame, root strictjson.Value, typ string) (dialect.Reading, error) {
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
		d.GiveUp(false)
		d.phase = ended
		return dialect.Reading{Waits: d.Unruled(), Plan: &blocks.Structure{Type: typ}}, nil
	case typePing:
		if d.Mention().In(root) {
			return dropped(), nil
		}
		r, err := d.scanBare(root, typ)
		r.Pass = err == nil && f.Plain && isNamed(d.Options, f, typePing) && d.phase != ended
		r.Overtakes, r.Idle = r.Pass, true
		return r, err
	case typeError:
		d.GiveUp(true)
		d.phase = ended
		return d.scanBare(root, typ)
	}
	return d.scanForeign(root, typ)
}

// scanForeign passes a frame of an unknown type, unless it could have a call of any format: clients pass such frames to the
// program.
func (d *editor) scanForeign(root strictjson.Value, typ string) (dialect.Reading, error) {
	if slices.Contains(frameTypes, typ) {
		// A client that ignores the position of the frame would read its content.
		return dialect.Reading{}, dialect.Malformed("a frame of a stream is in a body, or a body in a stream")
	}
	if dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame of an unknown type has the shape of a call")
	}
	if d.Mention().In(root) {
		return dropped(), nil
	}
	return dialect.Reading{Plan: &blocks.Structure{Type: typ}}, nil
}

// dropped is the reading of a frame that is not delivered: it is about a call, in an unknown form. The block itself decides.
func dropped() dialect.Reading { return dialect.Reading{Plan: &blocks.Structure{Type: typeDone}} }

func (d *editor) scanBlockStart(root strictjson.Value) (dialect.Reading, error) {
	if d.phase != inMessage {
		return dialect.Reading{}, dialect.Malformed("a content block starts after the end of the message")
	}
	index, err := d.IndexOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	if index != len(d.Blocks) || index == blocks.MaxBlocks {
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
	b.Open = true
	d.SiftFrame(root, b)
	d.Decide(false)
	return d.Opening(b, typeBlockStart), nil
}

func (d *editor) scanDelta(f frame.Frame, root strictjson.Value) (dialect.Reading, error) {
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
	switch b.Kind {
	case blocks.Asked, blocks.Ran:
		if !typ.Is("input_json_delta") {
			return dialect.Reading{}, dialect.Malformed("a delta does not fit its content block")
		}
		d.SiftFrame(root, b)
		err = d.AddArguments(b, delta)
	case blocks.Unknown:
		d.AddDelta(b, delta)
	default:
		err = checkSaid(b, delta, typ)
	}
	if err != nil {
		return dialect.Reading{}, err
	}
	return dialect.Reading{Pass: d.regular(f) && b.Passes(), Waits: b.Waits, Plan: b}, nil
}

// regular says whether a delta may be sent unchanged: all clients read it the same.
func (d *editor) regular(f frame.Frame) bool { return f.Plain && isNamed(d.Options, f, typeBlockDelta) }

// isNamed says whether the event name of a frame is the type in its JSON. Clients of server-sent events may use either; if the
// framing has no names, there is only the type.
func isNamed(o dialect.Options, f frame.Frame, typ string) bool {
	return o.Unnamed && len(f.Type) == 0 || string(f.Type) == typ
}

// checkSaid checks a delta of a block that is not a call.
func checkSaid(b *blocks.Block, delta, typ strictjson.Value) error {
	for _, t := range saidDeltas[b.Type] {
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

func (d *editor) scanBlockStop(root strictjson.Value) (dialect.Reading, error) {
	b, err := d.openBlock(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	return d.Close(root, b), nil
}

func (d *editor) scanMessageDelta(root strictjson.Value) (dialect.Reading, error) {
	delta, err := root.Member("delta")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	reason, err := dialect.OptionalText(delta, "stop_reason")
	if err != nil {
		return dialect.Reading{}, err
	}
	d.Decide(blocks.CutsTurn(reason))
	d.GiveUp(false)
	d.phase = closing
	d.readUsage(root)
	return dialect.Reading{Waits: d.Unruled(), Plan: &blocks.Structure{Type: typeMessageDelta}}, nil
}

// openBlock returns the open block of a delta or stop.
func (d *editor) openBlock(root strictjson.Value) (*blocks.Block, error) {
	index, err := d.IndexOf(root)
	if err != nil {
		return nil, err
	}
	if index >= len(d.Blocks) || !d.Blocks[index].Open {
		return nil, dialect.Malformed("a content block is spoken of that is not open")
	}
	return d.Blocks[index], nil
}
