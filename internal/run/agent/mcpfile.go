package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A jsonServer is an MCP server in a file, in the form that most agents share: command, args and env, or type, url and headers.
type jsonServer struct {
	Server
	entry map[string]any
}

// jsonServers returns the servers at keys of a file, sorted by name.
func (f *jsonFile) jsonServers(keys ...string) ([]jsonServer, error) {
	entries, err := f.object(keys...)
	if err != nil {
		return nil, err
	}
	var servers []jsonServer
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		at := append(slices.Clone(keys), name)
		entry, ok := entries[name].(map[string]any)
		if !ok {
			return nil, f.odd("an object", at...)
		}
		s := jsonServer{entry: entry, Server: Server{Name: name, Origin: f.path}}
		if err := s.read(f, at); err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	return servers, nil
}

// read determines the type of a server and how it is reached.
func (s *jsonServer) read(f *jsonFile, at []string) error {
	kind, ok := s.entry["type"].(string)
	if !ok && s.entry["type"] != nil {
		return f.odd("a text", append(at, "type")...)
	}
	command, hasCommand := s.entry["command"].(string)
	address, hasAddress := s.entry["url"].(string)
	switch {
	case kind == "stdio" || kind == "" && !hasAddress:
		if !hasCommand || command == "" {
			return f.odd("a program", append(at, "command")...)
		}
		args, ok := words(s.entry["args"])
		if !ok {
			return f.odd("a list of texts", append(at, "args")...)
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

// goThroughRun is like goThrough, for one run: a shim in the configuration is replaced by a shim of this weir, because the session
// belongs to this weir.
func (w Weir) goThroughRun(s *Server) (command []string, address string) {
	if s.Way == Off || s.Type != "stdio" || !IsShim(s.Command) {
		return w.goThrough(s)
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

// bareNote returns the note about a server that bypasses weir.
func bareNote(s Server) string {
	return fmt.Sprintf("%s: the MCP server %s bypasses weir: %s", s.Origin, show(s.Name), s.Why)
}

// looked sets the way of a server in a configuration that is only read: a shim of any weir counts.
func looked(s *Server) {
	switch {
	case s.Way == Off:
	case IsShim(s.Command):
		s.Way = Wrapped
	default:
		s.Way = Bare
	}
}

// leadAgain is like lead, but also accepts addresses of sessions that have ended: a loopback address with a key and the name of one
// of weir's upstreams.
func (w Weir) leadAgain(address string) (string, bool) {
	if through, ok := w.lead(address); ok {
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
