package anthropic

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A server is an MCP server that the provider connects to. A request may describe it at several positions.
type server struct {
	offer *dialect.Offer
	tools []string // the tools that the request allows by name
	// declared says that it is in mcp_servers; limited says that its entry there lists the allowed tools.
	declared, limited bool
	// configured says that a toolset is about it; open says that a toolset allows tools that it does not name.
	configured, open bool
}

// serverNamed returns the server of that name, and adds it if it is new.
func (o *offering) serverNamed(name string) *server {
	s := o.servers[name]
	if s == nil {
		s = &server{offer: &dialect.Offer{Server: name}}
		o.servers[name] = s
		o.offers = append(o.offers, s.offer)
	}
	return s
}

// finish sets what the server offers, after the whole request was read.
func (s *server) finish() {
	slices.Sort(s.tools)
	s.tools = slices.Compact(s.tools)
	if s.open || s.declared && !s.limited && !s.configured || len(s.tools) == 0 {
		s.offer.Names, s.offer.Open = []string{dialect.ServerName}, true
		return
	}
	s.offer.Names, s.offer.Spellings = s.tools, []string{dialect.ServerName}
}

// readServers reads the servers that the provider is to connect to.
func (o *offering) readServers(unit strictjson.Value) {
	for v := range o.List(unit, "mcp_servers").Elems() {
		s := o.serverNamed(o.RequiredText(v, "name"))
		at(s.offer, placeOf(v))
		s.offer.Declared = dialect.WithoutSecrets(v)
		allowed := o.List(o.Member(v, "tool_configuration"), "allowed_tools")
		// If two entries have the same name, the one without limits counts.
		s.limited = allowed.Kind() == strictjson.Array && (s.limited || !s.declared)
		s.declared = true
		for tool := range allowed.Elems() {
			name := o.Name(tool)
			if name == "" {
				o.Fail(dialect.ErrUnreadable)
			}
			s.tools = append(s.tools, name)
		}
	}
}

// readToolset reads which tools of a server the model gets.
func (o *offering) readToolset(v strictjson.Value, where spot) {
	s := o.serverNamed(o.RequiredText(v, "mcp_server_name"))
	at(s.offer, where)
	s.configured = true
	if s.offer.Declared == nil {
		s.offer.Declared = dialect.WithoutSecrets(v)
	}
	configs, usual, listed := o.Member(v, "configs"), o.Member(v, "default_config"), o.List(v, "tools")
	off := turnedOff(usual)
	on, told := switches(configs)
	for tool := range listed.Elems() {
		name := o.RequiredText(tool, "name")
		if isOn, isTold := on[name]; isOn || !isTold && !off {
			s.tools = append(s.tools, name)
		}
	}
	switch {
	case listed.Kind() == strictjson.Array:
	case off:
		s.tools = append(s.tools, slices.DeleteFunc(told, func(name string) bool { return !on[name] })...)
	default:
		s.open = true
	}
}
