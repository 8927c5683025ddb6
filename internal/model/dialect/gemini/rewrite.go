package gemini

import (
	"slices"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// sentCandidate is what was sent of a candidate.
type sentCandidate struct {
	told     bool // a notice
	called   bool // a call
	finished bool
	// withheld says that the agent did not get a call, or not yet, or with other arguments than the model gave it.
	withheld   bool
	ranRefused bool // the provider ran one of the calls that the agent did not get
}

// Rewrite implements dialect.Dialect. The frames it returns are valid until it is called again.
func (d *editor) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	f = d.BeginFrame(f, r)
	e, ok := r.Plan.(*element)
	d.done = d.Options.Whole || ok && e.failed
	if ok && e.dropped {
		return nil, nil
	}
	if ok && !e.failed {
		f = d.edit(f, e)
	} else {
		f = restate(f)
	}
	d.Emit(f)
	return d.Out, nil
}

// restate returns f in a form that all clients read the same: events of this format have no names.
func restate(f frame.Frame) frame.Frame {
	if f.Plain && len(f.Type) == 0 {
		return f
	}
	return frame.Frame{Data: f.Data}
}

// edit returns an element with its refused calls replaced.
func (d *editor) edit(f frame.Frame, e *element) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was parsed before, so it can be parsed
	}
	holder := d.Doc.Root()
	if e.wrapped {
		holder, _ = holder.Member("response")
	}
	candidates, _ := holder.Member("candidates")
	var edits []strictjson.Edit
	i := 0
	for v := range candidates.Elems() {
		edits = append(edits, d.editCandidate(v, e.candidates[i])...)
		i++
	}
	if len(edits) == 0 {
		return restate(f)
	}
	return frame.Frame{Data: strictjson.Splice(f.Data, edits...)}
}

// isEmptyText says whether a part is an empty text, and nothing else.
func isEmptyText(p strictjson.Value) bool {
	text, err := p.Member("text")
	return err == nil && p.Len() == 1 && text.Is("")
}

// saysNothing is a part that every client accepts, and that means nothing.
const saysNothing = `{"text":""}`

func (d *editor) editCandidate(v strictjson.Value, t *turn) []strictjson.Edit {
	content, _ := v.Member("content")
	parts, _ := content.Member("parts")
	var edits []strictjson.Edit
	gone := map[int]bool{}
	i := 0
	for p := range parts.Elems() {
		switch text, changed := d.rewritten(t, p, t.parts[i]); {
		case changed && len(text) == 0:
			gone[i] = true
		case changed:
			edits = append(edits, p.Replace(text))
		}
		i++
	}
	added := d.ending(t)
	if len(added) > 0 {
		// One client expects every part to have content if there are several parts.
		i := 0
		for p := range parts.Elems() {
			if isEmptyText(p) {
				gone[i] = true
			}
			i++
		}
	}
	remove := parts.RemoveElems(func(i int, _ strictjson.Value) bool { return gone[i] })
	switch {
	case len(added) == 0 && i > 0 && i == len(gone):
		// Some clients take a content without parts for a broken turn, and drop the whole turn.
		edits = newParts(v, content, []byte(saysNothing))
	case len(added) == 0:
		edits = append(edits, remove...)
	case i == len(gone):
		// It has nothing else: the parts are replaced.
		edits = newParts(v, content, added)
	default:
		_, end := parts.Span()
		edits = append(append(edits, remove...), strictjson.Edit{Start: end - 1, End: end - 1, New: append([]byte{','}, added...)})
	}
	return append(edits, t.blanked(v)...)
}

// newParts gives a candidate a content with these parts.
func newParts(v, content strictjson.Value, parts []byte) []strictjson.Edit {
	holder, member, text := content, "parts", "["+string(parts)+"]"
	if content.Kind() != strictjson.Object {
		holder, member, text = v, "content", `{"role":"model","parts":`+text+`}`
	}
	edit, err := holder.SetMember(member, []byte(text))
	if err != nil {
		return nil // it was parsed before, so there is at most one
	}
	return []strictjson.Edit{edit}
}

// rewritten returns the parts that replace a part, if it changes: notices, and what is left of it.
func (d *editor) rewritten(t *turn, v strictjson.Value, p *part) (text []byte, changed bool) {
	c := t.candidate
	if p.before != nil {
		changed = true
		text = d.appendNotice(text, c, p.before, p.afterText)
	}
	calls := false
	for _, m := range p.members {
		changed = changed || m.piece || m.call != nil || m.restated || m.slot.Replaced() || !released(m.slot)
		calls = calls || m.stays()
		c.noteRuling(m)
	}
	if !changed {
		return nil, false
	}
	if p.holds || calls {
		text = appendPart(text, p.remainder(v, calls))
	}
	for _, m := range p.members {
		if m.told && !m.piece {
			text = d.appendNotice(text, c, m.slot, p.afterText || p.speaks)
		}
	}
	return text, true
}

// stays says whether a member is sent.
func (m *member) stays() bool { return !m.piece && released(m.slot) }

// noteRuling notes whether a member is sent.
func (c *candidate) noteRuling(m member) {
	if m.stays() {
		c.sent.called = true
		c.sent.withheld = c.sent.withheld || m.slot.Replaced()
		return
	}
	c.sent.withheld = true
	c.sent.ranRefused = c.sent.ranRefused || m.slot.Ran
}

func released(s *dialect.Slot) bool { return s.Ruling != nil && s.Ruling.Released }

// remainder returns a part without the members that are not sent.
func (p *part) remainder(v strictjson.Value, calls bool) []byte {
	b := []byte{'{'}
	add := func(name, value []byte) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	var signature []byte
	for name, value := range v.Members() {
		text, _ := name.Text()
		i := slices.IndexFunc(p.members, func(m member) bool { return m.name == text })
		switch {
		case i < 0 && (calls || !p.movesSignature(text)):
			add(name.Raw(), value.Raw())
		case i >= 0 && p.members[i].stays():
			m := p.members[i]
			add(name.Raw(), m.value(value))
			if m.call != nil && !p.signed {
				signature = m.call.signature
			}
		}
	}
	if signature != nil {
		add([]byte(`"thoughtSignature"`), signature)
	}
	return append(b, '}')
}

// movesSignature says whether a member is the signature of a piece, which is sent with the whole call.
func (p *part) movesSignature(name string) bool {
	return (name == "thoughtSignature" || name == "thought_signature") &&
		slices.ContainsFunc(p.members, func(m member) bool { return m.piece })
}

// value returns a call as it is sent.
func (m *member) value(v strictjson.Value) []byte {
	switch {
	case m.call != nil:
		return made(m.slot.WireID, m.call.name, m.slot.Sent())
	case m.restated || m.slot.Replaced():
		start, _ := v.Span()
		edit, _ := v.SetMember("args", m.slot.Sent()) // it was parsed before, so there is at most one
		edit.Start, edit.End = edit.Start-start, edit.End-start
		return strictjson.Splice(v.Raw(), edit)
	}
	return v.Raw()
}

// appendPart appends a part to others.
func appendPart(parts, p []byte) []byte {
	if len(parts) > 0 {
		parts = append(parts, ',')
	}
	return append(parts, p...)
}

// appendNotice appends the notice of a call, if the call is refused and has a notice.
func (d *editor) appendNotice(parts []byte, c *candidate, s *dialect.Slot, afterText bool) []byte {
	if released(s) || s.Ruling == nil || s.Ruling.Silent || d.Options.Drop {
		return parts
	}
	return appendPart(parts, c.tell(s.Ruling.Notice(s.Names[0]), afterText))
}

// tell returns a part with a notice, after a blank line if there is text before it.
func (c *candidate) tell(notice string, afterText bool) []byte {
	if afterText || c.sent.told {
		notice = "\n\n" + notice
	}
	c.sent.told = true
	return []byte(`{"text":` + dialect.Quote(notice) + `}`)
}

// ending returns parts to add at the end of a candidate: the notice of a call that was never completed, and the notices of all
// refused calls if the turn would otherwise be empty.
func (d *editor) ending(t *turn) []byte {
	c := t.candidate
	if !t.finishes {
		return nil
	}
	c.sent.finished = true
	var parts []byte
	if t.late != nil {
		parts = d.appendNotice(parts, c, t.late, t.said)
	}
	if t.said || c.sent.told || c.sent.called {
		return parts
	}
	for _, s := range t.calls {
		if s.Ruling != nil && !s.Ruling.Released && !s.Ruling.Silent {
			parts = appendPart(parts, c.tell(s.Ruling.Notice(s.Names[0]), false))
		}
	}
	return parts
}

// Members of a candidate that repeat what its calls say.
const (
	tokens     = "logprobsResult"
	grounding  = "groundingMetadata"
	urlContext = "urlContextMetadata"
)

// blanked empties the members that repeat a call that the agent does not get, or not as the model made it.
func (t *turn) blanked(v strictjson.Value) []strictjson.Edit {
	var edits []strictjson.Edit
	blank := func(name, empty string) {
		if m, err := v.Member(name); err == nil && dialect.Present(m) {
			edits = append(edits, m.Replace([]byte(empty)))
		}
	}
	if t.message != nil && !released(t.message) {
		blank("finishMessage", `""`)
	}
	if t.candidate.sent.withheld {
		blank(tokens, "{}")
	}
	if t.candidate.sent.ranRefused {
		blank(grounding, "{}")
		blank(urlContext, "{}")
	}
	return edits
}
