package anthropic

import (
	"bytes"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A blockKind says what a content block is to the gate.
type blockKind uint8

const (
	said    blockKind = iota // text, thinking and the like: passes
	asked                    // a call that the client is to run
	ran                      // a call that the provider runs itself
	result                   // what a provider-run call gave
	unknown                  // a type we do not know: a call with that type as tool and the block as arguments
)

// A block is one content block of the response.
//
// It opens with its start, or is there whole in a message; deltas may follow until it is closed. What the client has of
// it is kept apart, since that comes later: out is its index there.
type block struct {
	index int
	typ   string
	kind  blockKind
	open  bool

	slot *dialect.Slot // of a call
	// waits are the slots that decide what becomes of the block: of a call its own; of a result those of the provider-run
	// calls in this response that it could answer, since ids may be there twice.
	waits []*dialect.Slot

	input  []byte // a call's input in its start, or an unknown block whole
	deltas []byte // an unknown block's deltas, joined by commas
	args   dialect.Collector
	cited  int // texts of its citations so far; only counted if asked for

	client clientBlock
}

// clientBlock is what the client has of a block.
type clientBlock struct {
	started, stopped bool
	out              int
	replaced         bool // by a notice
}

// passing blocks, with the deltas they take.
var saidDeltas = map[string][]string{
	"text":              {"text_delta", "citations_delta"},
	"thinking":          {"thinking_delta", "signature_delta"},
	"redacted_thinking": nil,
	"compaction":        {"compaction_delta"},
	"container_upload":  nil,
	"fallback":          nil,
	"mcp_tool_listing":  nil,
}

// results of provider-run calls.
var resultTypes = map[string]bool{
	"web_search_tool_result":                 true,
	"web_fetch_tool_result":                  true,
	"code_execution_tool_result":             true,
	"bash_code_execution_tool_result":        true,
	"text_editor_code_execution_tool_result": true,
	"tool_search_tool_result":                true,
	"advisor_tool_result":                    true,
	"mcp_tool_result":                        true,
}

// readBlock reads a content block, as it stands in a start frame or in a message.
func (d *response) readBlock(v strictjson.Value) (*block, error) {
	if v.Kind() != strictjson.Object {
		return nil, dialect.Malformed("a content block is not an object")
	}
	typ, err := textMember(v, "type")
	if err != nil {
		return nil, err
	}
	b := &block{index: len(d.blocks), typ: typ, client: clientBlock{out: -1}}
	_, passes := saidDeltas[typ]
	switch {
	case passes:
		b.kind = said
		if typ == "text" && dialect.HidesCall(v) {
			err = dialect.Malformed("a text has a call beside it")
		}
	case typ == "tool_use":
		b.kind = asked
		err = d.readCall(b, v)
	case typ == "server_tool_use", typ == "mcp_tool_use":
		b.kind = ran
		if err = d.readCall(b, v); err == nil {
			err = d.noteRan(b.slot)
		}
	case resultTypes[typ]:
		b.kind = result
		err = d.readResult(b, v)
	default:
		b.kind = unknown
		b.input = bytes.Clone(v.Raw())
		b.slot = &dialect.Slot{Names: []string{typ}, Fixed: true}
		if name, err := dialect.OptionalText(v, "name"); err == nil && name != "" && name != typ {
			b.slot.Names = append(b.slot.Names, name)
		}
	}
	if err != nil {
		return nil, err
	}
	if b.slot != nil {
		b.waits = []*dialect.Slot{b.slot}
		b.slot.Kept = len(b.input)
	}
	d.blocks = append(d.blocks, b)
	return b, nil
}

// readCall reads who is called.
func (d *response) readCall(b *block, v strictjson.Value) error {
	name, err := textMember(v, "name")
	if err != nil {
		return err
	}
	id, err := dialect.OptionalText(v, "id")
	if err != nil {
		return err
	}
	s := &dialect.Slot{WireID: id, Names: []string{name}, Ran: b.kind == ran, Fixed: b.kind == ran}
	if toolset, err := dialect.OptionalText(v, "toolset_name"); err != nil {
		return err
	} else if toolset != "" {
		s.Names = []string{toolset + "." + name, name}
	}
	if s.Server, err = dialect.OptionalText(v, "server_name"); err != nil {
		return err
	} else if s.Server != "" {
		s.Names = append(s.Names, "mcp__"+s.Server+"__"+name)
	}
	input, err := v.Member("input")
	if err != nil {
		return dialect.Ambiguous()
	}
	if k := input.Kind(); k != strictjson.Missing && k != strictjson.Null {
		b.input = bytes.Clone(input.Raw())
	}
	b.slot = s
	d.sieve.Sift(v, s, callMembers)
	return nil
}

// What the API documents of a call, of a piece of its arguments, and of a frame that is about one.
var (
	callMembers = dialect.Documented{
		"type", "id", "name", "input", "caller", "toolset_name", "server_name", "cache_control",
	}
	deltaMembers = dialect.Documented{"type", "partial_json"}
	frameMembers = dialect.Documented{"type", "index", "content_block", "delta"}
)

// siftFrame leaves out what is not documented of a frame that is about a call. Of a block that we do not know all is judged but
// what stands beside it.
func (d *response) siftFrame(root strictjson.Value, b *block) {
	if b.slot != nil {
		d.sieve.Sift(root, b.slot, frameMembers)
	}
}

// readResult finds the call that a result answers, if it is in this response.
func (d *response) readResult(b *block, v strictjson.Value) error {
	id, err := dialect.OptionalText(v, "tool_use_id")
	if err != nil {
		return err
	}
	if s := d.ran[id]; s != nil {
		b.waits = []*dialect.Slot{s}
	}
	return nil
}

// noteRan keeps a provider-run call for its result.
func (d *response) noteRan(s *dialect.Slot) error {
	if d.ran[s.WireID] != nil {
		return dialect.Malformed("two calls that the provider ran have the same id")
	}
	if d.ran == nil {
		d.ran = map[string]*dialect.Slot{}
	}
	d.ran[s.WireID] = s
	return nil
}

// refused says whether the client must not have this block, or not a call that it could answer.
func (b *block) refused() bool { return b.refusal() != nil }

// refusal is the ruling that keeps the block from the client; nil if there is none.
func (b *block) refusal() *call.Ruling {
	for _, s := range b.waits {
		if s.Ruling != nil && !s.Ruling.Released {
			return s.Ruling
		}
	}
	return nil
}

// restated says whether the call's arguments go out in one piece of ours: clients would not read the pieces alike, or they
// are others.
func (b *block) restated() bool { return b.args.Split || b.slot.Replaced() }

// inStart says whether the call's arguments stand in its start, and not in deltas.
func (b *block) inStart() bool { return len(b.input) > 0 && !emptyObject(b.input) }

// textMember is a member that must be a string.
func textMember(v strictjson.Value, name string) (string, error) {
	m, err := v.Member(name)
	if err != nil {
		return "", dialect.Ambiguous()
	}
	text, ok := m.Text()
	if !ok || len(text) > dialect.MaxName {
		return "", dialect.Malformed("a member that names a call or its kind is not a string, or too long")
	}
	return text, nil
}
