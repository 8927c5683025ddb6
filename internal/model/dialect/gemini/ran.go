package gemini

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A ranCall is a call that the provider ran itself.
type ranCall struct {
	code bool // code, not a tool
	id   string
	slot *dialect.Slot
}

// codeTool is the name of the tool that runs the model's code.
const codeTool = "code_execution"

// readRan reads a call that the provider runs itself.
func (d *editor) readRan(c *candidate, p *part, member string, v strictjson.Value, signature []byte) error {
	r, err := newRan(member, v)
	if err != nil {
		return err
	}
	if r.slot.Args = unit(v); !r.code {
		args, err := v.Member("args")
		if err != nil {
			return dialect.Ambiguous()
		}
		d.Sieve.Sift(v, r.slot, ranMembers)
		if r.slot.Args = []byte("{}"); dialect.Present(args) {
			r.slot.Args = bytes.Clone(args.Raw())
		}
	}
	if strictjson.CheckArguments(r.slot.Args) != nil {
		// It has already run, so it is recorded in any form.
		r.slot.Args = []byte(`{"text":` + dialect.Quote(string(r.slot.Args)) + `}`)
	}
	if signature != nil {
		c.signed = r.slot
	}
	c.ran = append(c.ran, r)
	c.add(p, member, r.slot)
	return nil
}

// newRan returns the call that a member describes, or the call whose result it has.
func newRan(member string, v strictjson.Value) (*ranCall, error) {
	id, err := dialect.OptionalText(v, "id")
	if err != nil {
		return nil, err
	}
	name := codeTool
	tool := slices.Contains([]string{"toolCall", "tool_call", "toolResponse", "tool_response"}, member)
	if tool {
		typ, err := anyOf(v, "toolType", "tool_type")
		if err != nil {
			return nil, dialect.Ambiguous()
		}
		var ok bool
		if name, ok = typ.Text(); !ok || name == "" || len(name) > dialect.MaxName {
			name = member
		}
	}
	s := dialect.NewSlot(id, name)
	s.Args, s.Ran, s.Done = []byte("{}"), true, true
	return &ranCall{code: !tool, id: id, slot: s}, nil
}

// readResult finds the call that a result belongs to: by id, else the newest of its kind. A result without a known call still shows
// that there was a call.
func (c *candidate) readResult(p *part, name string, v strictjson.Value) error {
	r, err := newRan(name, v)
	if err != nil {
		return err
	}
	var found *ranCall
	for i := len(c.ran) - 1; i >= 0; i-- {
		if of := c.ran[i]; of.code == r.code && (found == nil || of.id == r.id) {
			if found = of; of.id == r.id {
				break
			}
		}
	}
	if found == nil {
		c.ran = append(c.ran, r)
		c.add(p, name, r.slot)
		return nil
	}
	p.members = append(p.members, member{name: name, slot: found.slot})
	return nil
}
