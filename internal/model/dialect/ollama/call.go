package ollama

import (
	"bytes"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A toolCall is one entry of a line's tool_calls. It is always complete.
type toolCall struct {
	slot *dialect.Slot
	// unknown says that it is of an unknown kind, and is sent unchanged.
	unknown bool
	// restated says that its arguments are rewritten: not all clients could read the original ones.
	restated bool
}

// readCall reads an entry of tool_calls.
func (d *editor) readCall(v strictjson.Value) (*toolCall, error) {
	if v.Kind() != strictjson.Object {
		return nil, dialect.Malformed("a call is not an object")
	}
	id, err := dialect.OptionalText(v, "id")
	if err != nil {
		return nil, err
	}
	function, err := v.Member("function")
	if err != nil {
		return nil, dialect.Ambiguous()
	}
	switch function.Kind() {
	case strictjson.Missing, strictjson.Null:
		return d.readUnknown(v, id)
	case strictjson.Object:
		return d.readFunction(v, function, id)
	}
	return nil, dialect.Malformed("the function of a call is not an object")
}

// readFunction reads the call of an entry.
func (d *editor) readFunction(v, function strictjson.Value, id string) (*toolCall, error) {
	if dialect.WrittenTwice(v, "function") || dialect.WrittenTwice(function, "name", "arguments") {
		return nil, dialect.Malformed("a call has another one beside it")
	}
	for _, holder := range []strictjson.Value{v, function} {
		if _, err := holder.Member("index"); err != nil {
			return nil, dialect.Ambiguous()
		}
	}
	name, err := dialect.OptionalText(function, "name")
	if err != nil {
		return nil, err
	}
	args, err := function.Member("arguments")
	if err != nil {
		return nil, dialect.Ambiguous()
	}
	c := &toolCall{slot: dialect.NewSlot(id, name)}
	c.slot.Done = true
	if name == "" {
		c.slot.Names, c.slot.Fault = []string{"tool_call"}, dialect.Malformed("It has no name.")
	}
	switch args.Kind() {
	case strictjson.Missing, strictjson.Null:
		c.slot.Args = []byte("{}")
		c.restated = true
	case strictjson.String:
		// Some clients parse the text as JSON.
		c.slot.Args = args.AppendText(nil)
		c.restated = true
	default:
		c.slot.Args = bytes.Clone(args.Raw())
	}
	d.Sieve.Sift(v, c.slot, entryMembers)
	d.Sieve.Sift(function, c.slot, functionMembers)
	c.slot.CheckArguments(d.Options.MaxArguments)
	c.slot.Held = len(c.slot.Args)
	return c, nil
}

// The documented members of a call, and of the objects around it.
var (
	entryMembers    = dialect.Documented{"id", "type", "index", "function"}
	functionMembers = dialect.Documented{"index", "name", "description", "arguments"}
	messageMembers  = dialect.Documented{"tool_calls"}
)

// readUnknown reads a call of an unknown kind: its type is the tool, and the whole entry is the arguments. If it has a name, some
// client might take that for the tool.
func (d *editor) readUnknown(v strictjson.Value, id string) (*toolCall, error) {
	typ, err := dialect.OptionalText(v, "type")
	if err != nil {
		return nil, err
	}
	if (typ == "" || typ == "function") && dialect.WrittenTwice(v) {
		return nil, dialect.Malformed("a call is not where calls are")
	}
	if typ == "" {
		typ = "tool_call"
	}
	s := dialect.NewSlot(id, typ)
	s.Args, s.Done, s.Fixed = bytes.Clone(v.Raw()), true, true
	name, err := dialect.OptionalText(v, "name")
	if err != nil {
		return nil, err
	}
	if name != "" {
		s.Names = append(s.Names, name)
	}
	s.CheckArguments(d.Options.MaxArguments)
	s.Held = len(s.Args)
	return &toolCall{slot: s, unknown: true}, nil
}
