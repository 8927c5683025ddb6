package anthropic

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A server is an MCP server that the provider connects to, as the request speaks of it in one place or several.
type server struct {
	offer *dialect.Offer
	tools []string // those that the request names as allowed
	// declared says that mcp_servers has it, limited that it says there which tools are allowed.
	declared, limited bool
	// configured says that a toolset is about it, open that one of these allows tools that it does not name.
	configured, open bool
}

// serverNamed is the server of that name, which may be new.
func (o *offering) serverNamed(name string) *server {
	s := o.servers[name]
	if s == nil {
		s = &server{offer: &dialect.Offer{Server: name}}
		o.servers[name] = s
		o.offers = append(o.offers, s.offer)
	}
	return s
}

// finish says what the server offers, now that all of the request is read.
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
func (o *offering) readServers(unit strictjson.Value) error {
	servers, err := listMember(unit, "mcp_servers")
	if err != nil {
		return err
	}
	for v := range servers.Elems() {
		name, err := serverName(v, "name")
		if err != nil {
			return err
		}
		s := o.serverNamed(name)
		at(s.offer, placeOf(v))
		s.offer.Declared = dialect.WithoutSecrets(v)
		config, err := dialect.OfferMember(v, "tool_configuration")
		if err != nil {
			return err
		}
		allowed, err := listMember(config, "allowed_tools")
		if err != nil {
			return err
		}
		// Of two entries with one name, one that limits nothing counts.
		s.limited = allowed.Kind() == strictjson.Array && (s.limited || !s.declared)
		s.declared = true
		for tool := range allowed.Elems() {
			name, err := dialect.OfferName(tool)
			if err != nil || name == "" {
				return dialect.ErrUnreadable
			}
			s.tools = append(s.tools, name)
		}
	}
	return nil
}

// serverName is the name of a server, which must be there.
func serverName(v strictjson.Value, member string) (string, error) {
	if v.Kind() != strictjson.Object {
		return "", dialect.ErrUnreadable
	}
	name, err := dialect.OfferText(v, member)
	if err == nil && name == "" {
		err = dialect.ErrUnreadable
	}
	return name, err
}

// readToolset reads which tools of a server the model gets.
func (o *offering) readToolset(v strictjson.Value, where spot) error {
	name, err := serverName(v, "mcp_server_name")
	if err != nil {
		return err
	}
	s := o.serverNamed(name)
	at(s.offer, where)
	s.configured = true
	if s.offer.Declared == nil {
		s.offer.Declared = dialect.WithoutSecrets(v)
	}
	configs, err := dialect.OfferMember(v, "configs")
	if err != nil {
		return err
	}
	usual, err := dialect.OfferMember(v, "default_config")
	if err != nil {
		return err
	}
	listed, err := listMember(v, "tools")
	if err != nil {
		return err
	}
	off := turnedOff(usual)
	on, told := switches(configs)
	for tool := range listed.Elems() {
		name, err := serverName(tool, "name")
		if err != nil {
			return err
		}
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
	return nil
}
