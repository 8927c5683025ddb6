package ollama

import (
	"slices"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An editor parses and edits one response of the API, in lines or whole.
type editor struct {
	dialect.Scratch
	meta      dialect.Meta
	created   []byte // the time of the newest line, for weir's own lines
	begun     bool   // a line was read
	generates bool   // lines have "response" where others have "message"
	said      bool   // text has arrived
	ended     bool
	ids       []string // of calls

	sent sent
}

func newEditor(o dialect.Options) *editor { return &editor{Scratch: dialect.Scratch{Options: o}} }

// Meta implements dialect.Dialect.
func (d *editor) Meta() dialect.Meta {
	m := d.meta
	m.Ended = d.ended
	return m
}

// A line is the plan of a frame that Rewrite may have to change.
type line struct {
	calls []*toolCall
	said  bool // it has text, or there was text before it
	last  bool // it ends the response
	// tokens says that it has log probabilities, which spell out the model's output, including calls.
	tokens bool
	shown  bool // it has text, so its tokens are of text that the agent may see
	// dropped says that it is about a call, in an unknown form.
	dropped bool
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
	if d.ended {
		return dialect.Reading{}, dialect.Malformed("the response goes on after its end")
	}
	message, err := messageOf(root)
	if err != nil {
		return dialect.Reading{}, err
	}
	if err := d.readEnd(root); err != nil {
		return dialect.Reading{}, err
	}
	calls, err := callsOf(message)
	if err != nil {
		return dialect.Reading{}, err
	}
	l, err := d.readText(root, message)
	if err != nil {
		return dialect.Reading{}, err
	}
	if calls.Len() > 0 {
		return d.scanCalls(message, calls, l)
	}
	d.said = l.said
	if message.Kind() != strictjson.Object && !l.last && d.mention().In(root) {
		return dialect.Reading{Plan: &line{dropped: true}}, nil
	}
	if l.last || l.tokens && !l.shown {
		return dialect.Reading{Plan: &line{said: l.said, last: l.last, tokens: l.tokens, shown: l.shown}}, nil
	}
	return dialect.Reading{Pass: f.Plain}, nil
}

// maxIDs is how many ids of calls are remembered, for later lines about them.
const maxIDs = 1024

// mention says how lines refer to calls.
func (d *editor) mention() dialect.Mention {
	return dialect.Mention{ID: func(id string) bool { return slices.Contains(d.ids, id) }}
}

// messageOf returns the message of a line, which has its calls. Clients of this format do not look for calls beside it, but others
// might.
func messageOf(root strictjson.Value) (strictjson.Value, error) {
	message, err := root.Member("message")
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	switch message.Kind() {
	case strictjson.Missing, strictjson.Null:
		if dialect.CarriesCall(root) {
			return strictjson.Value{}, dialect.Malformed("a line has a call where none belongs")
		}
	case strictjson.Object:
		if dialect.HasMember(root, "type") || dialect.HidesCall(root, "message") {
			return strictjson.Value{}, dialect.Malformed("a line has a call where none belongs")
		}
	default:
		return strictjson.Value{}, dialect.Malformed("a message is not an object")
	}
	return message, nil
}

// callsOf returns the calls of a message, which may be missing.
func callsOf(message strictjson.Value) (strictjson.Value, error) {
	calls, err := message.Member("tool_calls")
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	switch calls.Kind() {
	case strictjson.Missing:
		if dialect.CarriesCall(message) {
			return strictjson.Value{}, dialect.Malformed("a message has a call where none belongs")
		}
	case strictjson.Array, strictjson.Null:
		if dialect.HidesCall(message, "tool_calls") {
			return strictjson.Value{}, dialect.Malformed("a message has a call where none belongs")
		}
	default:
		return strictjson.Value{}, dialect.Malformed("the calls of a message are not an array")
	}
	return calls, nil
}

// readEnd reads what a line says about the response.
func (d *editor) readEnd(root strictjson.Value) error {
	done, err := root.Member("done")
	if err != nil {
		return dialect.Ambiguous()
	}
	failure, err := root.Member("error")
	if err != nil {
		return dialect.Ambiguous()
	}
	over, _ := done.Bool()
	if dialect.Present(failure) {
		over, d.meta.Failed = true, true
	}
	d.ended = over || d.Options.Whole
	if v, err := root.Member("model"); err == nil && d.meta.Model == "" {
		d.meta.Model, _ = v.Text()
	}
	if v, err := root.Member("created_at"); err == nil && v.Kind() == strictjson.String {
		d.created = append(d.created[:0], v.Raw()...)
	}
	dialect.Count(root, "prompt_eval_count", &d.meta.Usage.Input)
	dialect.Count(root, "eval_count", &d.meta.Usage.Output)
	return nil
}

// readText reads what a line has beside its calls.
func (d *editor) readText(root, message strictjson.Value) (line, error) {
	content, err := textOf(message, "content")
	if err != nil {
		return line{}, err
	}
	thinking, err := textOf(message, "thinking")
	if err != nil {
		return line{}, err
	}
	answer, err := textOf(root, "response")
	if err != nil {
		return line{}, err
	}
	d.begun = true
	d.generates = d.generates || answer.Kind() == strictjson.String && message.Kind() != strictjson.Object
	said := filled(content) || filled(answer)
	return line{
		said: d.said || said, last: d.ended, tokens: dialect.HasMember(root, "logprobs"), shown: said || filled(thinking),
	}, nil
}

// textOf returns a member that must be a string if it is present.
func textOf(v strictjson.Value, name string) (strictjson.Value, error) {
	m, err := v.Member(name)
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	switch m.Kind() {
	case strictjson.Missing, strictjson.Null, strictjson.String:
		return m, nil
	}
	return strictjson.Value{}, dialect.Malformed("the text of a line is not a string")
}

// filled says whether a string has anything in it.
func filled(v strictjson.Value) bool {
	return v.Kind() == strictjson.String && len(v.Raw()) > len(`""`)
}

func (d *editor) scanCalls(message, calls strictjson.Value, l line) (dialect.Reading, error) {
	r := dialect.Reading{}
	for v := range calls.Elems() {
		c, err := d.readCall(v)
		if err != nil {
			return dialect.Reading{}, err
		}
		l.calls = append(l.calls, c)
		if id := c.slot.WireID; id != "" && len(d.ids) < maxIDs {
			d.ids = append(d.ids, id)
		}
		r.Opens = append(r.Opens, c.slot)
	}
	d.Sieve.SiftAround(message, l.calls[0].slot, messageMembers)
	d.said = l.said
	r.Waits, r.Plan = r.Opens, &l
	return r, nil
}

// End implements dialect.Dialect: calls are always complete, so none is open.
func (d *editor) End(bool) []*dialect.Slot { return nil }
