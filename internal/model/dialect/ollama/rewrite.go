package ollama

import (
	"slices"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// sent is what was sent of the response.
type sent struct {
	ended   bool
	calls   int
	refused []*dialect.Slot // refused calls without a notice yet
}

// Rewrite implements dialect.Dialect. The frames it returns are valid until it is called again.
//
// The notices of refused calls are in the line that ends the response: so they come after all text, as in a whole message.
func (d *editor) Rewrite(f frame.Frame, r dialect.Reading) ([]frame.Frame, error) {
	f = d.BeginFrame(f, r)
	l, ok := r.Plan.(*line)
	switch {
	case !ok:
		d.Emit(f)
		return d.Out, nil
	case l.dropped:
		return nil, nil
	}
	if d.Doc.Parse(f.Data) != nil {
		return nil, dialect.Malformed("a frame is not strict JSON")
	}
	root := d.Doc.Root()
	message, _ := root.Member("message")
	calls, _ := message.Member("tool_calls")
	edits, gone := d.editCalls(calls, l)
	notices := ""
	if l.last {
		d.sent.ended = true
		notices = d.notices(l.said)
	}
	if notices != "" && message.Kind() != strictjson.Object {
		// An error, or a line with only token counts: weir sends its own line before it.
		d.Emit(frame.Frame{Data: d.lineJSON(notices, false)})
		notices = ""
	}
	if gone > 0 && gone == len(l.calls) {
		// No call is left, so the member is removed.
		edits = []strictjson.Edit{withoutCalls(message, notices)}
	} else if notices != "" {
		edit, _ := message.SetMember("content", contentWith(message, notices)) // Scan has checked that there is at most one
		edits = append(edits, edit)
	}
	if l.tokens && (l.withholds() || !l.shown && len(l.calls) == 0) {
		edits = append(edits, withoutTokens(root)...)
	}
	if len(edits) > 0 {
		f = frame.Frame{Data: strictjson.Splice(f.Data, edits...)}
	}
	d.Emit(f)
	return d.Out, nil
}

// withholds says whether the agent must not get a call of the line as the model made it.
func (l *line) withholds() bool {
	return slices.ContainsFunc(l.calls, func(c *toolCall) bool { return c.slot.Withheld() })
}

// editCalls removes refused calls, and rewrites the others so that all clients read them the same. It returns the number of removed
// calls.
func (d *editor) editCalls(calls strictjson.Value, l *line) (edits []strictjson.Edit, gone int) {
	if len(l.calls) == 0 {
		return nil, 0
	}
	i := 0
	for v := range calls.Elems() {
		if c := l.calls[i]; c.slot.Ruling.Released {
			edits = append(edits, d.editCall(v, c)...)
			d.sent.calls++
		} else {
			d.sent.refused = append(d.sent.refused, c.slot)
			gone++
		}
		i++
	}
	removed := func(i int, _ strictjson.Value) bool { return !l.calls[i].slot.Ruling.Released }
	return append(edits, calls.RemoveElems(removed)...), gone
}

// editCall rewrites the arguments of a call if they are not an object or are replaced, and changes its index if it has one.
func (d *editor) editCall(v strictjson.Value, c *toolCall) []strictjson.Edit {
	if c.unknown {
		return nil
	}
	var edits []strictjson.Edit
	function, _ := v.Member("function")
	if c.restated || c.slot.Replaced() {
		edit, _ := function.SetMember("arguments", c.slot.Sent())
		edits = append(edits, edit)
	}
	for _, holder := range []strictjson.Value{v, function} {
		index, _ := holder.Member("index")
		if n, ok := index.Uint(); index.Kind() != strictjson.Missing && (!ok || n != d.sent.calls) {
			edits = append(edits, index.Replace(strconv.AppendInt(nil, int64(d.sent.calls), 10)))
		}
	}
	return edits
}

// notices returns the notices of refused calls, after a blank line if there is text before them. If refused calls are dropped
// without a notice, there are notices only if the turn would be empty.
func (d *editor) notices(said bool) string {
	refused := d.sent.refused
	d.sent.refused = nil
	if d.Options.Drop && (said || d.sent.calls > 0) {
		return ""
	}
	text := ""
	for _, s := range refused {
		text += apart(s.Ruling.Notice(s.Names[0]), said || text != "")
	}
	return text
}

// apart returns a notice, after a blank line if there is text before it.
func apart(notice string, behind bool) string {
	if behind {
		return "\n\n" + notice
	}
	return notice
}

// contentWith returns a message's content with text after it.
func contentWith(message strictjson.Value, text string) []byte {
	content, _ := message.Member("content")
	quoted := strictjson.AppendString(nil, text)
	if content.Kind() != strictjson.String {
		return quoted
	}
	raw := content.Raw()
	return append(append([]byte{}, raw[:len(raw)-1]...), quoted[1:]...)
}

// withoutCalls returns the edit that removes the calls of a message, and adds text to its content.
func withoutCalls(message strictjson.Value, text string) strictjson.Edit {
	b := []byte{'{'}
	add := func(name, value []byte) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	written := false
	for name, value := range message.Members() {
		switch {
		case name.Is("tool_calls"):
		case name.Is("content"):
			written = true
			add(name.Raw(), contentWith(message, text))
		default:
			add(name.Raw(), value.Raw())
		}
	}
	if !written {
		add([]byte(`"content"`), contentWith(message, text))
	}
	return message.Replace(append(b, '}'))
}

// withoutTokens returns the edits that remove the log probabilities from a line.
func withoutTokens(root strictjson.Value) []strictjson.Edit {
	var edits []strictjson.Edit
	for name, value := range root.Members() {
		if name.Folds("logprobs") {
			edits = append(edits, value.Replace([]byte("[]")))
		}
	}
	return edits
}
