package openaichat

import (
	"slices"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An editor parses and edits one response of the format, streamed or whole.
//
// A stream ends with [DONE] or an error. After an error only [DONE] may follow, after [DONE] nothing.
type editor struct {
	dialect.Scratch
	meta    dialect.Meta
	created []byte // as the upstream wrote it
	// invented is the id of weir's own chunks, if the upstream gave none. It is not the response's id: see Meta.
	invented string
	ended    bool // [DONE] has arrived
	failed   bool // an error has arrived
	withheld bool // a call is withheld, as far as Rewrite has noticed

	choices []*choice // in order of appearance
	calls   int       // of all of them
	mixed   bool      // the frame has a call that is not a function

	sent sent
}

func newEditor(o dialect.Options) *editor { return &editor{Scratch: dialect.Scratch{Options: o}} }

// Meta implements dialect.Dialect.
func (d *editor) Meta() dialect.Meta {
	m := d.meta
	m.Usage = m.Usage.WithoutCached()
	m.Ended = d.ended
	return m
}

// A chunk is the plan of a frame: what it says about calls.
type chunk struct {
	done     bool // it is [DONE]
	failed   bool // it is an error
	choices  []part
	restated bool // clients could read it differently
}

func (k *chunk) speaksOf(c *choice) bool {
	return slices.ContainsFunc(k.choices, func(p part) bool { return p.choice == c })
}

// textPlan is the plan of every frame that is sent unchanged.
var textPlan = &chunk{}

// Scan implements dialect.Dialect.
func (d *editor) Scan(f frame.Frame) (dialect.Reading, error) {
	d.Sieve.Begin()
	r, err := d.scan(f)
	if err != nil {
		// The frame will not be delivered, so a call with a piece in it will not be, either.
		d.giveUp(true)
		return dialect.Reading{}, err
	}
	d.Finish(&f, &r, d.findTexts)
	return r, nil
}

func (d *editor) scan(f frame.Frame) (dialect.Reading, error) {
	if string(f.Data) == done {
		return d.scanDone()
	}
	root, err := d.ParseObject(f.Data)
	if err != nil {
		return dialect.Reading{}, err
	}
	if d.ended || d.failed {
		return dialect.Reading{}, goesOn()
	}
	choices, err := root.Member("choices")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	failed, err := fails(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.readMeta(root)
	regular := f.Plain && len(f.Type) == 0
	switch k := choices.Kind(); {
	case !dialect.Present(choices):
		return d.scanBare(root, failed)
	case k != strictjson.Array:
		return dialect.Reading{}, dialect.Malformed("the choices are not an array")
	case foreign(root):
		return dialect.Reading{}, dialect.Malformed("a frame is of two formats at once")
	case regular && !failed && !d.Options.Whole && d.onlyText(choices):
		return dialect.Reading{Pass: true, Plan: textPlan}, nil
	}
	return d.scanChoices(choices, &chunk{failed: failed, restated: !regular})
}

// fails says whether clients take a frame for an error: it has an error that is not empty, or its object is error.
func fails(root strictjson.Value) (bool, error) {
	failure, err := root.Member("error")
	if err != nil {
		return false, dialect.Ambiguous()
	}
	object, err := root.Member("object")
	if err != nil {
		return false, dialect.Ambiguous()
	}
	no, isBool := failure.Bool()
	return dialect.Present(failure) && !failure.Is("") && (no || !isBool) || object.Is("error"), nil
}

// foreign says whether a frame with choices could also be a frame of another format with a call.
func foreign(root strictjson.Value) bool {
	kind, err := root.Member("type")
	return err != nil || kind.Kind() != strictjson.Missing || dialect.HidesCall(root, "choices")
}

// scanBare checks a frame without choices: an error, or something unknown.
func (d *editor) scanBare(root strictjson.Value, failed bool) (dialect.Reading, error) {
	if dialect.CarriesCall(root) {
		return dialect.Reading{}, dialect.Malformed("a frame of an unknown kind has the shape of a call")
	}
	if failed {
		d.failed = true
		d.giveUp(true)
	} else if d.mention().In(root) {
		// It is about a call, in an unknown form. The call's own pieces decide.
		return dialect.Reading{}, nil
	}
	return dialect.Reading{Opens: d.opening(nil), Plan: &chunk{failed: failed, restated: true}}, nil
}

// mention says how frames refer to calls. Choices have an index, too, so an index does not identify a call here.
func (d *editor) mention() dialect.Mention {
	return dialect.Mention{ID: func(id string) bool {
		for _, ch := range d.choices {
			if slices.ContainsFunc(ch.calls, func(c *toolCall) bool { return c.id == id }) {
				return true
			}
		}
		return false
	}}
}

func (d *editor) scanDone() (dialect.Reading, error) {
	if d.ended {
		return dialect.Reading{}, goesOn()
	}
	d.ended = true
	d.giveUp(false)
	return dialect.Reading{Opens: d.opening(nil), Waits: d.unruled(), Plan: &chunk{done: true}}, nil
}

// scanChoices checks a chunk, or a whole completion, in full.
func (d *editor) scanChoices(choices strictjson.Value, plan *chunk) (dialect.Reading, error) {
	position := 0
	d.mixed = false
	for v := range choices.Elems() {
		p, err := d.scanChoice(v, position, plan.failed)
		if err != nil {
			return dialect.Reading{}, err
		}
		if plan.speaksOf(p.choice) {
			// Some clients read only the first element, and a notice could not be put between the two.
			return dialect.Reading{}, dialect.Malformed("a chunk speaks twice of one choice")
		}
		plan.restated = plan.restated || p.unnamed
		plan.choices = append(plan.choices, p)
		position++
	}
	if d.mixed {
		d.keepWhole()
	}
	if plan.failed {
		d.failed = true
		d.giveUp(true)
	}
	r := dialect.Reading{Plan: plan, Opens: d.opening(plan.choices)}
	for i := range plan.choices {
		r.Waits = plan.choices[i].waits(r.Waits)
	}
	return r, nil
}

// keepWhole makes every open call irregular, so that it is sent as one entry: clients that only know functions drop the frame, and
// would miss a piece of a call that they know.
func (d *editor) keepWhole() {
	for _, ch := range d.choices {
		for _, c := range ch.calls {
			c.irregular = c.irregular || c.kind == function && !c.settled && !c.inMessage
		}
	}
}

// opening returns the calls that the gate does not know yet, in the order of the frame. The gate gets a call once it has a name:
// before that, the missing name could decide the ruling.
func (d *editor) opening(parts []part) []*dialect.Slot {
	var slots []*dialect.Slot
	open := func(c *toolCall) {
		if !c.opened && !c.bare() && (len(c.pieces) > 0 || c.slot.Done) {
			c.opened = true
			c.slot.Names, c.slot.WireID = c.readings(), c.id
			slots = append(slots, c.slot)
		}
		c.settled = c.slot.Done
	}
	for i := range parts {
		for _, e := range parts[i].all() {
			open(e.call)
		}
	}
	for _, ch := range d.choices {
		for _, c := range ch.calls {
			open(c)
		}
	}
	return slots
}

// giveUp ends the calls that will never be complete, and returns them. silent says that the response broke off.
func (d *editor) giveUp(silent bool) []*dialect.Slot {
	var gone []*dialect.Slot
	for _, ch := range d.choices {
		for _, c := range ch.calls {
			if c.giveUp(silent) {
				gone = append(gone, c.slot)
			}
		}
	}
	return gone
}

// unruled returns the calls that the gate knows and has not ruled yet.
func (d *editor) unruled() []*dialect.Slot {
	var slots []*dialect.Slot
	for _, ch := range d.choices {
		for _, c := range ch.calls {
			if c.opened && c.slot.Ruling == nil {
				slots = append(slots, c.slot)
			}
		}
	}
	return slots
}

// End implements dialect.Dialect.
func (d *editor) End(bool) []*dialect.Slot { return d.giveUp(true) }
