package gemini

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An editor parses and edits one response of the API, in any framing.
type editor struct {
	dialect.Scratch
	toolTokens int64 // of text that the provider's tools added to the prompt
	meta       dialect.Meta
	wrapped    bool // some frame came in the wrapper of Code Assist
	ended      bool // an error came, or a body

	candidates []*candidate
	whole      []*partial // the calls whose last piece is in the current frame

	done bool // an error or a body was sent
}

// A candidate is one of the alternative answers in a response.
type candidate struct {
	index    int
	said     bool // it has text for the user
	saidThen bool // said before the current frame
	finished bool
	open     *partial        // the call whose arguments come in pieces
	closed   *dialect.Slot   // the newest of those that are complete
	signed   *dialect.Slot   // the newest call with a signature
	ran      []*ranCall      // what the provider ran
	calls    []*dialect.Slot // all of them
	run      run             // of its texts, if they are asked for

	sent sentCandidate
}

func newEditor(o dialect.Options) *editor {
	return &editor{Scratch: dialect.Scratch{Options: o}, wrapped: strings.Contains(o.Path, codeAssist)}
}

// codeAssist is in the paths of a service that wraps its responses.
const codeAssist = "/v1internal:"

// An element is the plan of a frame: its contents by candidate.
type element struct {
	failed     bool // it is an error
	dropped    bool // it is about a call, in an unknown form
	wrapped    bool
	candidates []*turn
}

// A turn is the part of an element that belongs to one candidate.
type turn struct {
	candidate *candidate
	parts     []*part
	finishes  bool
	said      bool            // the candidate has text for the user up to here
	calls     []*dialect.Slot // all calls of the candidate up to here
	message   *dialect.Slot   // the call that its message quotes; nil: none
	late      *dialect.Slot   // a call that was never completed and has no part that could be replaced; nil: none
}

// Scan implements dialect.Dialect.
func (d *editor) Scan(f frame.Frame) (dialect.Reading, error) {
	known := len(d.candidates)
	for _, c := range d.candidates {
		c.saidThen = c.said
	}
	d.whole = d.whole[:0]
	d.Sieve.Begin()
	r, err := d.scan(f)
	if err != nil {
		d.forget(known)
		return dialect.Reading{}, err
	}
	for _, call := range d.whole {
		call.complete(d)
	}
	d.Finish(&f, &r, d.findTexts)
	return r, nil
}

// forget undoes the effects of a frame that will not be sent: the response ends before it.
func (d *editor) forget(known int) {
	for _, call := range d.whole {
		call.candidate.open = call // its last piece never came
	}
	d.candidates = d.candidates[:known]
	for _, c := range d.candidates {
		c.said = c.saidThen
	}
}

func (d *editor) scan(f frame.Frame) (dialect.Reading, error) {
	root, err := d.ParseObject(f.Data)
	if err != nil {
		return dialect.Reading{}, err
	}
	if d.ended {
		return dialect.Reading{}, dialect.Malformed("the response goes on after its end")
	}
	d.ended = d.Options.Whole
	holder, wrapped, err := unwrap(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	d.wrapped = d.wrapped || wrapped
	failure, err := holder.Member("error")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	if dialect.Present(failure) {
		return d.scanError(root, holder)
	}
	if dialect.HidesCall(holder, "candidates") || wrapped && dialect.HidesCall(root, "response") ||
		dialect.HasMember(holder, "type") && dialect.CarriesCall(holder) {
		return dialect.Reading{}, dialect.Malformed("a frame has a call where none belongs")
	}
	d.readMeta(holder)
	candidates, err := holder.Member("candidates")
	if err != nil {
		return dialect.Reading{}, dialect.Ambiguous()
	}
	if candidates.Kind() != strictjson.Array && dialect.Present(candidates) {
		return dialect.Reading{}, dialect.Malformed("the candidates of a response are not an array")
	}
	if candidates.Len() == 0 && d.mention().In(root) {
		return dialect.Reading{Plan: &element{dropped: true}}, nil
	}
	if f.Plain && len(f.Type) == 0 && !d.Options.Whole && d.onlySays(candidates) {
		return dialect.Reading{Pass: true}, nil
	}
	return d.scanCandidates(candidates, wrapped)
}

// mention says how frames refer to calls.
func (d *editor) mention() dialect.Mention {
	return dialect.Mention{ID: func(id string) bool {
		for _, c := range d.candidates {
			if slices.ContainsFunc(c.calls, func(s *dialect.Slot) bool { return s.WireID == id }) {
				return true
			}
		}
		return false
	}}
}

// unwrap returns the response itself, without the wrapper of Code Assist.
func unwrap(root strictjson.Value) (holder strictjson.Value, wrapped bool, err error) {
	inner, err := root.Member("response")
	if err != nil {
		return root, false, dialect.Ambiguous()
	}
	if inner.Kind() != strictjson.Object {
		return root, false, nil
	}
	if dialect.HasMember(root, ownMembers...) {
		return root, true, dialect.Malformed("a frame holds two responses")
	}
	return inner, true, nil
}

func (d *editor) scanError(root, holder strictjson.Value) (dialect.Reading, error) {
	if dialect.CarriesCall(root) || dialect.HasMember(holder, "candidates") {
		return dialect.Reading{}, dialect.Malformed("an error has the shape of a call")
	}
	d.giveUp(true)
	d.ended, d.meta.Failed = true, true
	return dialect.Reading{Waits: d.unruled(), Plan: &element{failed: true}}, nil
}

// maxCandidates is how many candidates a response may have.
const maxCandidates = 128

func (d *editor) scanCandidates(candidates strictjson.Value, wrapped bool) (dialect.Reading, error) {
	e := &element{wrapped: wrapped}
	r := dialect.Reading{Plan: e}
	for v := range candidates.Elems() {
		t, err := d.scanCandidate(v, &r)
		if err != nil {
			return dialect.Reading{}, err
		}
		e.candidates = append(e.candidates, t)
	}
	return r, nil
}

func (d *editor) scanCandidate(v strictjson.Value, r *dialect.Reading) (*turn, error) {
	if v.Kind() != strictjson.Object {
		return nil, dialect.Malformed("a candidate is not an object")
	}
	if dialect.HidesCall(v, "content") {
		return nil, dialect.Malformed("a candidate has a call where none belongs")
	}
	for _, name := range []string{tokens, grounding, urlContext} {
		if _, err := v.Member(name); err != nil {
			return nil, dialect.Ambiguous()
		}
	}
	c, err := d.candidateOf(v)
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(v)
	if err != nil {
		return nil, err
	}
	t := &turn{candidate: c}
	for p := range parts.Elems() {
		read, err := d.readPart(c, p)
		if err != nil {
			return nil, err
		}
		t.parts = append(t.parts, read)
		r.Opens = append(r.Opens, read.opens...)
		r.Waits = read.appendWaits(r.Waits)
	}
	if err := d.scanFinish(v, t, r); err != nil {
		return nil, err
	}
	t.said, t.calls = c.said, c.calls
	return t, nil
}

// partsOf returns the parts of a candidate's content.
func partsOf(v strictjson.Value) (strictjson.Value, error) {
	content, err := v.Member("content")
	if err != nil {
		return content, dialect.Ambiguous()
	}
	if content.Kind() != strictjson.Object && dialect.Present(content) {
		return content, dialect.Malformed("a content is not an object")
	}
	if dialect.HidesCall(content, "parts") {
		return content, dialect.Malformed("a content has a call where none belongs")
	}
	parts, err := content.Member("parts")
	if err != nil {
		return parts, dialect.Ambiguous()
	}
	if parts.Kind() != strictjson.Array && dialect.Present(parts) {
		return parts, dialect.Malformed("the parts of a content are not an array")
	}
	return parts, nil
}

// candidateOf returns the candidate that an element is about. Without an index it is the first.
func (d *editor) candidateOf(v strictjson.Value) (*candidate, error) {
	m, err := v.Member("index")
	if err != nil {
		return nil, dialect.Ambiguous()
	}
	index, ok := m.Uint()
	if !dialect.Present(m) {
		index, ok = 0, true
	}
	if !ok || index >= maxCandidates {
		return nil, dialect.Malformed("a candidate has an impossible index")
	}
	for _, c := range d.candidates {
		if c.index == index {
			return c, nil
		}
	}
	c := &candidate{index: index}
	d.candidates = append(d.candidates, c)
	return c, nil
}

// scanFinish reads how a candidate ends, and its message about that.
func (d *editor) scanFinish(v strictjson.Value, t *turn, r *dialect.Reading) error {
	reason, err := optionalText(v, "finishReason")
	if err != nil {
		return err
	}
	message, err := optionalText(v, "finishMessage")
	if err != nil {
		return err
	}
	if reason != "" || d.Options.Whole {
		t.finishes, t.candidate.finished = true, true
		if t.late = t.candidate.giveUp(false); t.late != nil {
			r.Waits = append(r.Waits, t.late)
		}
	}
	if t.message = quoted(reason, message); t.message != nil {
		r.Opens, r.Waits = append(r.Opens, t.message), append(r.Waits, t.message)
	}
	return nil
}

// giveUp closes the calls that will never be complete.
func (d *editor) giveUp(silent bool) []*dialect.Slot {
	var given []*dialect.Slot
	for _, c := range d.candidates {
		if s := c.giveUp(silent); s != nil {
			given = append(given, s)
		}
	}
	return given
}

func (c *candidate) giveUp(silent bool) *dialect.Slot {
	if c.open == nil {
		return nil
	}
	s := c.open.slot
	s.Args = c.open.args.json()
	s.GiveUp(silent)
	c.open = nil
	return s
}

// unruled returns the calls that are not ruled yet.
func (d *editor) unruled() []*dialect.Slot {
	var slots []*dialect.Slot
	for _, c := range d.candidates {
		for _, s := range c.calls {
			if s.Ruling == nil {
				slots = append(slots, s)
			}
		}
	}
	return slots
}

// End implements dialect.Dialect.
func (d *editor) End(bool) []*dialect.Slot { return d.giveUp(true) }
