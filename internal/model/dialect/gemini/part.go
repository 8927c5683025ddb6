package gemini

import (
	"bytes"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A part is one part of a candidate's content. It may have several things at once: every member is checked.
type part struct {
	members []member
	opens   []*dialect.Slot // the calls that first appear in it
	// before is a call that will never be complete, because another one begins here; nil: none.
	before *dialect.Slot
	// afterText says that the turn has text before it.
	afterText bool
	// speaks says that the part itself has text for the user.
	speaks bool
	// holds says that it has something beside its calls, which stays if the calls are removed.
	holds bool
	// signed says that it has a signature.
	signed bool
}

// A member is a member of a part that belongs to a call.
type member struct {
	name string
	slot *dialect.Slot
	// told says that the notice of a refusal goes here. It is not set for the result of a call: that is removed with its call, which
	// has the notice.
	told bool
	// piece says that the call continues: the member is left out, and the whole call is sent later.
	piece bool
	// restated says that the arguments are rewritten: not all clients could read the original ones.
	restated bool
	// call is a call that came in pieces and ends here; nil: the call came whole.
	call *partial
}

// appendWaits appends the slots that must be ruled before the part is sent.
func (p *part) appendWaits(waits []*dialect.Slot) []*dialect.Slot {
	if p.before != nil {
		waits = append(waits, p.before)
	}
	for _, m := range p.members {
		if !m.piece {
			waits = append(waits, m.slot)
		}
	}
	return waits
}

// open adds a complete call.
func (p *part) open(name string, s *dialect.Slot) {
	p.opens = append(p.opens, s)
	p.members = append(p.members, member{name: name, slot: s, told: true})
}

// The members of parts that are not calls, and those that are. Some have two spellings.
var (
	saidMembers = []string{
		"text", "thought", "thoughtSignature", "thought_signature", "inlineData", "inline_data", "fileData", "file_data",
		"videoMetadata", "video_metadata", "partMetadata", "part_metadata", "mediaResolution", "media_resolution",
	}
	callMembers = []string{
		"functionCall", "function_call", "toolCall", "tool_call", "toolResponse", "tool_response",
		"executableCode", "executable_code", "codeExecutionResult", "code_execution_result",
	}
	// markMembers describe the rest of a part: alone they mean nothing.
	markMembers = []string{"thought", "thoughtSignature", "thought_signature", "partMetadata", "part_metadata"}
)

// maxMembers is how many members a part may have. Each is compared with all others.
const maxMembers = 64

// readPart reads a part.
func (d *editor) readPart(c *candidate, v strictjson.Value) (*part, error) {
	if v.Kind() != strictjson.Object || v.Len() > maxMembers {
		return nil, dialect.Malformed("a part is not an object, or has more members than weir's bound")
	}
	signature, err := signatureOf(v)
	if err != nil {
		return nil, err
	}
	p := &part{afterText: c.said, signed: signature != nil}
	var names []string
	for n, value := range v.Members() {
		name, err := memberName(n, names)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
		switch {
		case slices.Contains(saidMembers, name):
			if dialect.CarriesCall(value) {
				return nil, dialect.Malformed("a part has a call where none belongs")
			}
			p.holds = p.holds || !slices.Contains(markMembers, name)
		case value.Kind() == strictjson.Null:
		default:
			if err := d.readMember(c, p, name, value, signature); err != nil {
				return nil, err
			}
		}
	}
	p.speaks = speaks(v) || dialect.HasMember(v, "inlineData", "fileData", "inline_data", "file_data")
	c.said = c.said || p.speaks
	return p, nil
}

// memberName returns the name of a part's member. It fails if clients could read it as another name, or if it is one of before.
func memberName(n strictjson.Value, before []string) (string, error) {
	name, ok := n.Text()
	if !ok || name == "" || len(name) > dialect.MaxName {
		return "", dialect.Malformed("a part has a member without a name")
	}
	for _, known := range [][]string{saidMembers, callMembers} {
		for _, k := range known {
			if k != name && strings.EqualFold(k, name) {
				return "", dialect.Ambiguous()
			}
		}
	}
	for _, b := range before {
		if strings.EqualFold(camel(b), camel(name)) {
			return "", dialect.Ambiguous()
		}
	}
	return name, nil
}

// camel returns a name without underscores.
func camel(name string) string { return strings.ReplaceAll(name, "_", "") }

// signatureOf returns the signature of a part as it is written; nil: it has none.
func signatureOf(v strictjson.Value) ([]byte, error) {
	for _, name := range []string{"thoughtSignature", "thought_signature"} {
		m, err := v.Member(name)
		if err != nil {
			return nil, dialect.Ambiguous()
		}
		if m.Kind() == strictjson.String && len(m.Raw()) > len(`""`) {
			return m.Raw(), nil
		}
	}
	return nil, nil
}

// readMember reads a member of a part that is not text or the like.
func (d *editor) readMember(c *candidate, p *part, name string, v strictjson.Value, signature []byte) error {
	switch name {
	case "functionCall", "function_call":
		return d.readCall(c, p, name, v, signature)
	case "toolCall", "tool_call", "executableCode", "executable_code":
		return d.readRan(c, p, name, v, signature)
	case "toolResponse", "tool_response", "codeExecutionResult", "code_execution_result":
		return c.readResult(p, name, v)
	}
	// Something new, or something that a model should not send.
	s := dialect.NewSlot("", name)
	s.Args, s.Done, s.Fixed = unit(v), true, true
	if name == "functionResponse" || name == "function_response" {
		s.Fault = dialect.Malformed("A model sends no results of calls.")
	}
	s.CheckArguments(d.Options.MaxArguments)
	c.sign(s, signature)
	c.add(p, name, s)
	return nil
}

// add adds a complete call to a part.
func (c *candidate) add(p *part, name string, s *dialect.Slot) {
	s.Held = len(s.Args)
	c.calls = append(c.calls, s)
	p.open(name, s)
}

// unit returns a value as arguments: an object is used as it is.
func unit(v strictjson.Value) []byte {
	if v.Kind() == strictjson.Object {
		return bytes.Clone(v.Raw())
	}
	return []byte(`{"value":` + string(v.Raw()) + `}`)
}

// sign ties a call to the signed call of its set: without the call that has the signature, the API would not accept the other calls
// in the next request.
func (c *candidate) sign(s *dialect.Slot, signature []byte) {
	if signature != nil {
		c.signed = s
		return
	}
	s.With = c.signed
}
