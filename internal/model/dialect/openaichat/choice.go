package openaichat

import (
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A choice is one of the alternative answers in a response.
type choice struct {
	index    int
	calls    []*toolCall
	last     *toolCall // the call whose piece came last
	message  bool      // a whole message with calls has arrived
	finished bool
	cited    int // number of texts in its annotations so far; only counted if asked for

	sent sentChoice
}

// A part is what a chunk says about one choice. Its position is that of the choice in the chunk.
type part struct {
	choice  *choice
	delta   pieces
	message pieces // of a whole message
	finish  string // "": not finished
	unnamed bool   // the choice has no index
}

// pieces are the calls, or the pieces of calls, in a delta or a message.
type pieces struct {
	entries []entry // of tool_calls
	single  *entry  // function_call
}

// An entry is one element of tool_calls, or a function_call.
type entry struct {
	call  *toolCall
	held  bool // the gate knows the call, so the frame waits for it
	late  bool // the call was already complete
	again bool // it repeats something that clients would add to what they have
}

// all returns the entries in the order in which calls are judged.
func (p *part) all() []*entry {
	var list []*entry
	for _, of := range []*pieces{&p.delta, &p.message} {
		for i := range of.entries {
			list = append(list, &of.entries[i])
		}
		if of.single != nil {
			list = append(list, of.single)
		}
	}
	return list
}

// waits adds the calls that must be ruled before the part can be sent.
func (p *part) waits(list []*dialect.Slot) []*dialect.Slot {
	add := func(c *toolCall) {
		if c.opened && c.slot.Ruling == nil {
			list = append(list, c.slot)
		}
	}
	for _, e := range p.all() {
		e.held = e.call.opened
		add(e.call)
	}
	if p.finish != "" {
		for _, c := range p.choice.calls {
			add(c)
		}
	}
	return list
}

// onlyText says whether a chunk has only known choices, no call, and ends no choice. It is the fast path for most frames of a
// stream; all others are checked in full.
func (d *editor) onlyText(choices strictjson.Value) bool {
	for v := range choices.Elems() {
		index, err := v.Member("index")
		if err != nil {
			return false
		}
		n, ok := index.Uint()
		if !ok || !d.plainText(v, n) {
			return false
		}
	}
	return true
}

func (d *editor) plainText(v strictjson.Value, index int) bool {
	message, err := v.Member("message")
	if err != nil || dialect.Present(message) {
		return false
	}
	finish, err := v.Member("finish_reason")
	if err != nil || dialect.Present(finish) && !finish.Is("") {
		return false
	}
	delta, err := v.Member("delta")
	if err != nil || dialect.Present(delta) && delta.Kind() != strictjson.Object {
		return false
	}
	if dialect.HidesCall(v, "delta") || dialect.HidesCall(delta) || messageMembers.HasParsed(delta) {
		return false
	}
	for _, name := range [...]string{"tool_calls", "function_call"} {
		if m, err := delta.Member(name); err != nil || m.Kind() != strictjson.Missing {
			return false
		}
	}
	tokens, err := v.Member("logprobs")
	c := d.known(index)
	if err != nil || c == nil || c.finished || dialect.Present(tokens) && c.withholds() {
		return false
	}
	c.sent.see(delta)
	return true
}

// withholds says whether the agent must not get a call of the choice as the model made it, or not yet.
func (c *choice) withholds() bool {
	for _, tc := range c.calls {
		if !tc.released() || tc.slot.Replaced() {
			return true
		}
	}
	return false
}

// scanChoice reads one element of choices. failed says that the chunk is an error.
func (d *editor) scanChoice(v strictjson.Value, position int, failed bool) (part, error) {
	if v.Kind() != strictjson.Object {
		return part{}, dialect.Malformed("a choice is not an object")
	}
	c, named, err := d.choiceAt(v, position)
	if err != nil {
		return part{}, err
	}
	p := part{choice: c, unnamed: !named}
	if err := d.scanBodies(&p, v); err != nil {
		return part{}, err
	}
	// Some servers write "" where others write null.
	if p.finish, err = dialect.OptionalText(v, "finish_reason"); err != nil {
		return part{}, err
	}
	if (p.finish != "" || d.Options.Whole) && !failed {
		c.finish(p.finish)
	}
	return p, nil
}

// scanBodies looks for calls in a choice's delta and message, and for shapes of calls beside them.
func (d *editor) scanBodies(p *part, v strictjson.Value) error {
	if dialect.HidesCall(v, "delta", "message") {
		return dialect.Malformed("a choice has the shape of a call where none belongs")
	}
	if _, err := v.Member("logprobs"); err != nil {
		return dialect.Ambiguous()
	}
	var err error
	if p.delta, err = d.scanBody(p.choice, v, false); err != nil {
		return err
	}
	if p.message, err = d.scanBody(p.choice, v, true); err != nil {
		return err
	}
	inMessage := len(p.message.entries) > 0 || p.message.single != nil
	inDelta := len(p.delta.entries) > 0 || p.delta.single != nil
	p.choice.message = p.choice.message || inMessage
	switch {
	case inDelta && p.choice.message:
		// Some clients would add the pieces to the calls of the message.
		return dialect.Malformed("pieces of a call follow a whole message")
	case inDelta && d.Options.Whole:
		return dialect.Malformed("a whole completion has pieces of a call")
	}
	return nil
}

// choiceAt finds the choice of an element. Without an index it is identified by its position. So is every choice of a whole
// completion, where clients ignore the index.
func (d *editor) choiceAt(v strictjson.Value, position int) (*choice, bool, error) {
	m, err := v.Member("index")
	if err != nil {
		return nil, false, dialect.Ambiguous()
	}
	index, named := m.Uint()
	if !named {
		if dialect.Present(m) {
			return nil, false, dialect.Malformed("a choice has an impossible index")
		}
		index = position
	}
	c := d.known(index)
	if c == nil || d.Options.Whole {
		if len(d.choices) == maxChoices {
			return nil, false, dialect.Malformed("the response has too many choices")
		}
		c = &choice{index: index}
		d.choices = append(d.choices, c)
	}
	return c, named || d.Options.Whole, nil
}

// maxChoices is how many choices a response may have.
const maxChoices = 128

func (d *editor) known(index int) *choice {
	for _, c := range d.choices {
		if c.index == index {
			return c
		}
	}
	return nil
}

// scanBody looks for calls in a delta or a whole message.
func (d *editor) scanBody(ch *choice, v strictjson.Value, whole bool) (pieces, error) {
	name := "delta"
	if whole {
		name = "message"
	}
	body, err := v.Member(name)
	if err != nil {
		return pieces{}, dialect.Ambiguous()
	}
	if !dialect.Present(body) {
		return pieces{}, nil
	}
	if body.Kind() != strictjson.Object {
		return pieces{}, dialect.Malformed("a delta or message is not an object")
	}
	calls, err := body.Member("tool_calls")
	if err != nil {
		return pieces{}, dialect.Ambiguous()
	}
	old, err := body.Member("function_call")
	if err != nil {
		return pieces{}, dialect.Ambiguous()
	}
	if dialect.HidesCall(body, "tool_calls", "function_call") {
		return pieces{}, dialect.Malformed("a delta or message has the shape of a call where none belongs")
	}
	var found pieces
	if found.entries, err = d.scanEntries(ch, calls, whole); err != nil {
		return pieces{}, err
	}
	if dialect.Present(old) {
		if found.single, err = d.scanLegacy(ch, old, whole); err != nil {
			return pieces{}, err
		}
	}
	d.siftAround(ch, body, found)
	return found, nil
}

// finish completes the calls of a choice. Calls with incomplete arguments count as complete only if the turn was not cut off.
func (ch *choice) finish(reason string) {
	cut := true
	for _, known := range [...]string{"stop", "tool_calls", "function_call"} {
		cut = cut && !strings.EqualFold(reason, known)
	}
	for _, c := range ch.calls {
		c.finish(cut)
	}
	ch.finished = true
}

// says says whether a delta or message has text for a person.
func says(v strictjson.Value) bool {
	content, _ := v.Member("content")
	switch content.Kind() {
	case strictjson.String:
		return len(content.Raw()) > len(`""`)
	case strictjson.Array:
		return content.Len() > 0
	}
	return false
}
