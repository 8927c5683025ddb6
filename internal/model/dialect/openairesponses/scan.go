package openairesponses

import (
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The values of the member object of bodies.
const (
	objectResponse = "response"
	objectList     = "list"
)

// The events of a stream that are known by their whole name. All except the last two begin with eventPrefix.
const (
	eventPrefix    = "response."
	typeCreated    = "response.created"
	typeQueued     = "response.queued"
	typeInProgress = "response.in_progress"
	typeCompleted  = "response.completed"
	typeIncomplete = "response.incomplete"
	typeFailed     = "response.failed"
	typeCancelled  = "response.cancelled"
	typeItemAdded  = "response.output_item.added"
	typeItemDone   = "response.output_item.done"
	typeError      = "error"
	typeKeepAlive  = "keepalive"
)

// done is a payload with which some servers end a stream. It is not JSON.
const done = "[DONE]"

// saidEvents are the prefixes of the names of events about text, reasoning and the like.
var saidEvents = []string{
	"response.output_text.", "response.reasoning_text.", "response.reasoning_summary_text.", "response.content_part.",
	"response.reasoning_summary_part.", "response.reasoning_summary.", "response.reasoning.", "response.refusal.",
	"response.audio.",
}

// pieceEvents are the events with text of a call's arguments: a piece of it, or all of it.
var pieceEvents = map[string]struct {
	typ    string // of the item
	member string
	all    bool
}{
	"response.function_call_arguments.delta": {typ: "function_call", member: "delta"},
	"response.function_call_arguments.done":  {typ: "function_call", member: "arguments", all: true},
	"response.custom_tool_call_input.delta":  {typ: "custom_tool_call", member: "delta"},
	"response.custom_tool_call_input.done":   {typ: "custom_tool_call", member: "input", all: true},
}

// An editor parses and edits one response of the Responses API, streamed or whole, or a body with items of earlier responses.
type editor struct {
	dialect.Scratch
	meta dialect.Meta

	begun   bool // a frame has arrived
	resumed bool // the stream begins in the middle: the client has the part before it
	ended   bool
	kept    bool // the provider stores the response
	// terminal says that the final description of the response has arrived.
	terminal bool

	items   []*item
	byIndex map[int]*item // the newest with an output_index
	last    int           // the highest index in frames, plus one
	byID    map[string]*item
	byCall  map[string]*item // calls by call_id

	shape    shape  // of a body
	object   []byte // the first description of the response, for Stop
	invented string // the id of a response that weir made; "": none was needed
	seq      int64  // the newest sequence_number

	channels map[int]bool            // of the texts of items
	cited    map[dialect.Channel]int // number of texts in a part's citations so far

	sent sent
}

// A shape is the kind of a body.
type shape uint8

const (
	aResponse shape = iota
	aList
	anItem
	anError
)

func newEditor(o dialect.Options) *editor {
	meta := dialect.Meta{ResponseID: o.Response, Conversation: o.Conversation}
	return &editor{
		Scratch: dialect.Scratch{Options: o}, kept: true, meta: meta,
		byIndex: map[int]*item{}, byID: map[string]*item{}, byCall: map[string]*item{},
	}
}

// Meta implements dialect.Dialect.
func (d *editor) Meta() dialect.Meta {
	m := d.meta
	m.Usage = m.Usage.WithoutCached()
	m.Ended = d.ended
	return m
}

// A step is the plan of a frame that is not a piece of text.
type step struct {
	typ  string
	item *item // that the frame is about
	// items are the items of a whole response or list, in the order of its elements.
	items []*item
}

// pass is the plan of frames that are sent unchanged, or restated.
type pass struct {
	typ  string
	item *item // nil: of no known item
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
	if string(f.Data) == done {
		d.giveUp(false)
		d.ended = d.ended || d.begun
		return dialect.Reading{Waits: d.unruled(), Plan: &step{typ: done}}, nil
	}
	root, err := d.ParseObject(f.Data)
	if err != nil {
		return dialect.Reading{}, err
	}
	if d.Options.Whole {
		return d.scanBody(root)
	}
	typ, err := root.Member("type")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	if v, err := root.Member("sequence_number"); err == nil {
		if n, ok := v.Int64(); ok {
			d.seq = max(d.seq, n)
		}
	}
	if d.begun && !d.ended && isSaid(typ) {
		return d.scanSaid(f, root, typ)
	}
	name, err := typeOf(f, root, typ)
	if err != nil {
		return dialect.Reading{}, err
	}
	if name == typeKeepAlive {
		return d.scanKeepAlive(f, root)
	}
	if d.ended {
		return dialect.Reading{}, dialect.Malformed("the response goes on after its end")
	}
	if !d.begun {
		d.begun = true
		d.resumed = !isLifecycle(name) && name != typeError
	}
	return d.scanEvent(f, root, name)
}

// typeOf returns a frame's type: from its JSON, else the event's name. Compatible servers send errors that have neither.
func typeOf(f frame.Frame, root, typ strictjson.Value) (string, error) {
	if typ.Kind() == strictjson.Missing {
		if failure, err := root.Member("error"); err == nil && failure.Kind() == strictjson.Object {
			return typeError, nil
		}
		if len(f.Type) > 0 {
			return string(f.Type), nil
		}
	}
	name, ok := typ.Text()
	if !ok {
		return "", dialect.Malformed("a frame has no type")
	}
	return name, nil
}

func isSaid(typ strictjson.Value) bool {
	raw := typ.Raw()
	if len(raw) < 2 {
		return false
	}
	for _, prefix := range saidEvents {
		// A name with escapes is decoded below.
		if text := raw[1 : len(raw)-1]; len(text) > len(prefix) && string(text[:len(prefix)]) == prefix {
			return true
		}
	}
	return false
}

func isLifecycle(typ string) bool {
	switch typ {
	case typeCreated, typeQueued, typeInProgress, typeCompleted, typeIncomplete, typeFailed, typeCancelled:
		return true
	}
	return false
}

func (d *editor) scanEvent(f frame.Frame, root strictjson.Value, typ string) (dialect.Reading, error) {
	if own := ownMember(typ); dialect.HidesCall(root, own) || bringsCall(root, own) {
		return dialect.Reading{}, dialect.Malformed("a frame has a call where none belongs")
	}
	switch typ {
	case typeCreated, typeQueued, typeInProgress:
		return d.scanBegin(root, typ)
	case typeCompleted, typeIncomplete, typeFailed, typeCancelled:
		return d.scanTerminal(root, typ)
	case typeItemAdded:
		return d.scanAdded(root)
	case typeItemDone:
		return d.scanDone(root)
	case typeError:
		d.giveUp(true)
		d.ended, d.meta.Failed = true, true
		return dialect.Reading{Waits: d.unruled(), Plan: &step{typ: typ}}, nil
	}
	if _, ok := pieceEvents[typ]; ok {
		return d.scanPiece(root, typ)
	}
	for _, prefix := range saidEvents {
		if strings.HasPrefix(typ, prefix) {
			v, _ := root.Member("type")
			return d.scanSaid(f, root, v)
		}
	}
	return d.scanOther(root, typ)
}

// ownMember is the member in which a frame of this type has calls.
func ownMember(typ string) string {
	switch {
	case isLifecycle(typ):
		return "response"
	case typ == typeItemAdded || typ == typeItemDone:
		return "item"
	}
	return ""
}

// scanSaid checks a frame with text.
func (d *editor) scanSaid(f frame.Frame, root, typ strictjson.Value) (dialect.Reading, error) {
	if dialect.HidesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame has a call where none belongs")
	}
	it, err := d.itemOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	if it != nil && it.kind != said {
		return dialect.Reading{}, dialect.Malformed("a frame with text speaks of a call")
	}
	d.hear(it, root, typ)
	inPlace := it == nil && !d.sent.shifted || it != nil && it.asItCame()
	if f.Plain && typ.Is(string(f.Type)) && d.keepsNumber(root) && inPlace {
		d.sent.begun = true
		return dialect.Reading{Pass: true, Plan: it}, nil
	}
	name, err := typeOf(f, root, typ)
	return dialect.Reading{Plan: &pass{name, it}}, err
}

func (d *editor) scanKeepAlive(f frame.Frame, root strictjson.Value) (dialect.Reading, error) {
	if dialect.CarriesCall(root) || bringsCall(root, "") {
		return dialect.Reading{}, dialect.Malformed("a frame that says nothing has the shape of a call")
	}
	if d.mention().In(root) {
		return dialect.Reading{Plan: &step{}}, nil
	}
	// It must not overtake held frames: it has a number, and a client that resumes after it would miss them.
	passes := f.Plain && string(f.Type) == typeKeepAlive && !d.ended && d.keepsNumber(root)
	return dialect.Reading{Pass: passes, Idle: true, Plan: &pass{typ: typeKeepAlive}}, nil
}

// scanOther checks a frame of an unknown type: about the progress of a call that the provider runs, or about something new.
func (d *editor) scanOther(root strictjson.Value, typ string) (dialect.Reading, error) {
	it, err := d.itemOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	another, err := d.namesAnother(root, it)
	if err != nil {
		return dialect.Reading{}, err
	}
	switch {
	case it != nil && another:
		return dialect.Reading{Plan: &step{}}, nil
	case it != nil && (it.kind == ran || it.kind == result):
		return dialect.Reading{Waits: it.waits, Plan: &pass{typ, it}}, nil
	case it != nil && (it.kind == asked || it.kind == unknown), it == nil && d.resumed && speaksOfCall(typ), d.mention().In(root):
		// A piece of a call in an unknown form. The final item decides.
		return dialect.Reading{Plan: &step{}}, nil
	case speaksOfCall(typ):
		return dialect.Reading{}, dialect.Malformed("a frame speaks of a call that there is not")
	case dialect.CarriesCall(root) || bringsItems(root) || !strings.HasPrefix(typ, eventPrefix) && foreign[typ]:
		return dialect.Reading{}, dialect.Malformed("a frame of an unknown type has the shape of a call")
	}
	return dialect.Reading{Plan: &pass{typ, it}}, nil
}

// mention says how frames refer to calls.
func (d *editor) mention() dialect.Mention {
	return dialect.Mention{
		Index: func(i int) bool { it := d.byIndex[i]; return it != nil && it.isCall() },
		ID: func(id string) bool {
			it := d.byID[id]
			return it != nil && it.isCall() || d.byCall[id] != nil
		},
	}
}

// bringsCall says whether a frame has a call, of a known or unknown type, in one of the members that hold items, except for own.
func bringsCall(root strictjson.Value, own string) bool {
	isCall := func(v strictjson.Value) bool {
		if v.Kind() != strictjson.Object || !dialect.HasMember(v, "type") {
			return false // not an item
		}
		r, err := readItem(v)
		return err != nil || r.isCall()
	}
	for _, name := range []string{"item", "output", "data", "response"} {
		v, err := root.Member(name)
		switch {
		case name == own:
			continue
		case err != nil:
			return true
		case name == "response":
			if v, err = v.Member("output"); err != nil {
				return true
			}
		}
		if isCall(v) {
			return true
		}
		for elem := range v.Elems() {
			if isCall(elem) {
				return true
			}
		}
	}
	return false
}

// speaksOfCall says whether frames of this type are about a call.
func speaksOfCall(typ string) bool {
	return strings.Contains(typ, "call") || strings.Contains(typ, ".mcp_") || strings.Contains(typ, "tool")
}

// bringsItems says whether a frame of an unknown type has items of any kind.
func bringsItems(root strictjson.Value) bool {
	for name, v := range root.Members() {
		if v.Len() > 0 && (name.Folds("item") || name.Folds("items") || name.Folds("output") || name.Folds("response")) {
			return true
		}
	}
	return false
}

// foreign are types of frames of other formats, which clients of those formats would read.
var foreign = map[string]bool{
	"message": true, "message_start": true, "content_block_start": true, "content_block_delta": true,
}

// itemOf returns the item that a frame is about; nil: it names no known item.
func (d *editor) itemOf(root strictjson.Value) (*item, error) {
	index, err := root.Member("output_index")
	if err != nil {
		return nil, dialect.Ambiguous()
	}
	if index.Kind() != strictjson.Missing {
		i, ok := index.Uint()
		if !ok {
			return nil, dialect.Malformed("an item has an impossible index")
		}
		d.last = max(d.last, i+1)
		return d.byIndex[i], nil
	}
	id, err := root.Member("item_id")
	if err != nil {
		return nil, dialect.Ambiguous()
	}
	text, _ := id.Text()
	if it := d.byID[text]; it != nil {
		return it, nil
	}
	return d.byCall[text], nil // some servers use no other id
}

// End implements dialect.Dialect.
func (d *editor) End(bool) []*dialect.Slot { return d.giveUp(true) }
