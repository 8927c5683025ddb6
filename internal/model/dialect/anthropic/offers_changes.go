package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A change is a block in the conversation that adds or removes a tool that is declared elsewhere.
type change struct {
	adds         bool
	kind         string
	name, server string
	tool         strictjson.Value // the reference
	spot         spot
}

// The types of the blocks that change tools, or hold such blocks.
const (
	typeAddition   = "tool_addition"
	typeRemoval    = "tool_removal"
	typeCompaction = "compaction"
)

// removedText replaces a block that changed a tool, because the message must not become empty.
const removedText = `{"type":"text","text":"[weir] A tool was removed here."}`

// readMessages reads the tools in the conversation.
func (o *offering) readMessages(unit strictjson.Value) {
	o.readContent(o.Member(unit, "system"))
	for m := range o.Member(unit, "messages").Elems() {
		o.readContent(o.Member(m, "content"))
	}
}

// readContent reads the blocks of a message.
func (o *offering) readContent(content strictjson.Value) {
	for block := range content.Elems() {
		s := placeOf(block)
		s.cut.With = []byte(removedText)
		switch typ := o.changeType(block); typ {
		case typeAddition, typeRemoval:
			o.readChange(block, typ == typeAddition, s)
		case typeCompaction:
			o.readCompaction(block)
		}
	}
}

// changeType returns the type of a block, if the block changes tools.
func (o *offering) changeType(block strictjson.Value) string {
	typ, err := block.Member("type")
	if err == nil {
		return knownChange(typ)
	}
	for n, v := range block.Members() {
		if n.Folds("type") && knownChange(v) != "" {
			o.Fail(dialect.ErrTwoReadings)
		}
	}
	return ""
}

func knownChange(typ strictjson.Value) string {
	for _, known := range []string{typeAddition, typeRemoval, typeCompaction} {
		if typ.Is(known) {
			return known
		}
	}
	return ""
}

// readCompaction reads the changes that a summary of earlier turns repeats. The client must send them back unchanged.
func (o *offering) readCompaction(block strictjson.Value) {
	for v := range o.List(block, "tool_changes").Elems() {
		if typ := o.changeType(v); typ == typeAddition || typ == typeRemoval {
			s := placeOf(v)
			s.fixed = true
			o.readChange(v, typ == typeAddition, s)
		}
	}
}

// readChange reads a block that changes tools.
func (o *offering) readChange(block strictjson.Value, adds bool, s spot) {
	tool := o.Member(block, "tool")
	if !o.Object(tool) {
		return
	}
	c := change{adds: adds, tool: tool, spot: s}
	c.kind, c.name, c.server = o.Text(tool, "type"), o.Text(tool, "name"), o.Text(tool, "server_name")
	switch {
	case c.kind == "tool_definition":
		o.readTool(o.Member(tool, "definition"), s)
	case c.names():
		o.changes = append(o.changes, c)
	default:
		o.Fail(dialect.ErrUnreadable)
	}
}

// names says whether the change names its tool or server.
func (c change) names() bool {
	switch c.kind {
	case "mcp_tool_reference":
		return c.server != "" && c.name != ""
	case "mcp_toolset_reference":
		return c.server != ""
	case "tool_reference":
		return c.name != ""
	}
	return c.kind != ""
}

// resolve finds the tools of the changes. A change that adds a tool that is not declared in the request is a separate offer.
func (o *offering) resolve() {
	for _, c := range o.changes {
		switch c.kind {
		case "mcp_tool_reference", "mcp_toolset_reference":
			o.resolveServer(c)
		case "tool_reference":
			o.resolveTool(c, c.name)
		default:
			o.resolveTool(c, c.kind)
		}
	}
}

func (o *offering) resolveTool(c change, name string) {
	if known := o.tools[name]; known != nil {
		at(known, c.spot)
		return
	}
	if !c.adds {
		return
	}
	names := []string{name}
	if c.name != "" && c.name != name {
		names = append(names, c.name)
	}
	o.add(&dialect.Offer{Names: names, Declared: dialect.WithoutSecrets(c.tool)}, c.spot)
}

func (o *offering) resolveServer(c change) {
	known := o.servers[c.server] != nil
	if !known && !c.adds {
		return
	}
	s := o.serverNamed(c.server)
	at(s.offer, c.spot)
	if s.offer.Declared == nil {
		s.offer.Declared = dialect.WithoutSecrets(c.tool)
	}
	switch {
	case c.adds && c.name != "":
		s.tools = append(s.tools, c.name)
	case !known:
		s.open = true
	}
}
