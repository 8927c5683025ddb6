package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A JSONServer is an MCP server in a file, in the form that most agents share: command, args and env, or type, url and headers.
type JSONServer struct {
	Server
	Entry map[string]any
}

// JSONServers returns the servers at keys of a file, sorted by name.
func (f *JSONFile) JSONServers(keys ...string) ([]JSONServer, error) {
	entries, err := f.Object(keys...)
	if err != nil {
		return nil, err
	}
	var servers []JSONServer
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		at := append(slices.Clone(keys), name)
		entry, ok := entries[name].(map[string]any)
		if !ok {
			return nil, f.Odd("an object", at...)
		}
		s := JSONServer{Entry: entry, Server: Server{Name: name, Origin: f.Path}}
		if err := s.read(f, at); err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	return servers, nil
}

// read determines the type of a server and how it is reached.
func (s *JSONServer) read(f *JSONFile, at []string) error {
	kind, ok := s.Entry["type"].(string)
	if !ok && s.Entry["type"] != nil {
		return f.Odd("a text", append(at, "type")...)
	}
	command, hasCommand := s.Entry["command"].(string)
	address, hasAddress := s.Entry["url"].(string)
	switch {
	case kind == "stdio" || kind == "" && !hasAddress:
		if !hasCommand || command == "" {
			return f.Odd("a program", append(at, "command")...)
		}
		args, ok := Words(s.Entry["args"])
		if !ok {
			return f.Odd("a list of texts", append(at, "args")...)
		}
		s.Type, s.Command = "stdio", append([]string{command}, args...)
	case !hasAddress:
		s.Type = kind // a type that weir does not know
	case kind == "", kind == "streamable-http", kind == "streamableHttp":
		s.Type, s.URL = "http", address
	default:
		s.Type, s.URL = kind, address
	}
	return nil
}

// ThroughRun is like goThrough, for one run: a shim in the configuration is replaced by a shim of this weir, because the session
// belongs to this weir.
func (w Weir) ThroughRun(s *Server) (command []string, address string) {
	if s.Way == Off || s.Type != "stdio" || !IsShim(s.Command) {
		return w.Through(s)
	}
	s.Way = Wrapped
	if id, inner, ok := unwrap(s.Command); ok {
		return w.Shim(shimID(id), inner), ""
	}
	return w.Shim(shimID(s.Name), slices.Clone(s.Command)), ""
}

// unwrap returns the parts of a shim's command: the id of the server, and the server's own command.
func unwrap(command []string) (id string, inner []string, ok bool) {
	for i := 3; i < len(command); i++ {
		switch value, is := strings.CutPrefix(command[i], "--id="); {
		case command[i] == "--":
			return id, command[i+1:], id != "" && i+1 < len(command)
		case command[i] == "--id" && i+1 < len(command):
			i++
			id = command[i]
		case is:
			id = value
		}
	}
	return "", nil, false
}

// BareNote returns the note about a server that bypasses weir.
func BareNote(s Server) string {
	return fmt.Sprintf("%s: the MCP server %s bypasses weir: %s", s.Origin, Show(s.Name), s.Why)
}

// MarkRead sets the way of a server in a configuration that is only read: a shim of any weir counts.
func MarkRead(s *Server) {
	switch {
	case s.Way == Off:
	case IsShim(s.Command):
		s.Way = Wrapped
	default:
		s.Way = Bare
	}
}

// RouteAgain is like Route, but also accepts addresses of sessions that have ended: a loopback address with a key and the name of one
// of weir's upstreams.
func (w Weir) RouteAgain(address string) (string, bool) {
	if through, ok := w.Route(address); ok {
		return through, true
	}
	u, ok := parseAddress(address)
	if !ok || u.Scheme != "http" || u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" && u.Hostname() != "::1" {
		return "", false
	}
	rest := withoutKey(u.EscapedPath())
	name, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	_, known := w.Upstreams[name]
	return w.Base + rest, known && rest != u.EscapedPath()
}
