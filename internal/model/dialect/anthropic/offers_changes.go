package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A change is a block in the conversation that makes a tool available, or takes it away, and refers to one that is declared
// elsewhere.
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

// removedText stands in the place of a block that changed a tool. The message must not become empty.
const removedText = `{"type":"text","text":"[weir] A tool was removed here."}`

// readMessages reads the tools that come up in the conversation.
func (o *offering) readMessages(unit strictjson.Value) error {
	system, err := dialect.OfferMember(unit, "system")
	if err != nil {
		return err
	}
	if err := o.readContent(system); err != nil {
		return err
	}
	messages, err := dialect.OfferMember(unit, "messages")
	if err != nil {
		return err
	}
	for m := range messages.Elems() {
		content, err := dialect.OfferMember(m, "content")
		if err != nil {
			return err
		}
		if err := o.readContent(content); err != nil {
			return err
		}
	}
	return nil
}

// readContent reads the blocks of a message.
func (o *offering) readContent(content strictjson.Value) error {
	for block := range content.Elems() {
		typ, err := changeType(block)
		if err != nil {
			return err
		}
		s := placeOf(block)
		s.place.With = []byte(removedText)
		switch typ {
		case typeAddition, typeRemoval:
			err = o.readChange(block, typ == typeAddition, s)
		case typeCompaction:
			err = o.readCompaction(block)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// changeType is the type of a block if it is one that changes tools.
func changeType(block strictjson.Value) (string, error) {
	typ, err := block.Member("type")
	if err == nil {
		return knownChange(typ), nil
	}
	for n, v := range block.Members() {
		if n.Folds("type") && knownChange(v) != "" {
			return "", dialect.ErrTwoReadings
		}
	}
	return "", nil
}

func knownChange(typ strictjson.Value) string {
	for _, known := range []string{typeAddition, typeRemoval, typeCompaction} {
		if typ.Is(known) {
			return known
		}
	}
	return ""
}

// readCompaction reads the changes that a summary of earlier turns has kept. They go back as they came.
func (o *offering) readCompaction(block strictjson.Value) error {
	changes, err := listMember(block, "tool_changes")
	if err != nil {
		return err
	}
	for v := range changes.Elems() {
		typ, err := changeType(v)
		if err != nil {
			return err
		}
		if typ != typeAddition && typ != typeRemoval {
			continue
		}
		s := placeOf(v)
		s.fixed = true
		if err := o.readChange(v, typ == typeAddition, s); err != nil {
			return err
		}
	}
	return nil
}

// readChange reads a block that changes tools.
func (o *offering) readChange(block strictjson.Value, adds bool, s spot) error {
	tool, err := dialect.OfferMember(block, "tool")
	if err != nil {
		return err
	}
	if tool.Kind() != strictjson.Object {
		return dialect.ErrUnreadable
	}
	c := change{adds: adds, tool: tool, spot: s}
	for member, text := range map[string]*string{"type": &c.kind, "name": &c.name, "server_name": &c.server} {
		if *text, err = dialect.OfferText(tool, member); err != nil {
			return err
		}
	}
	switch {
	case c.kind == "tool_definition":
		definition, err := dialect.OfferMember(tool, "definition")
		if err != nil {
			return err
		}
		return o.readTool(definition, s)
	case !c.names():
		return dialect.ErrUnreadable
	}
	o.changes = append(o.changes, c)
	return nil
}

// names says whether the change tells what it is about.
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

// resolve finds what the changes are about. One that makes a tool available which is not declared in the request is an offer of
// its own.
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
