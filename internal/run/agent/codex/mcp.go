package codex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// A mcpServer is an MCP server of Codex.
type mcpServer struct {
	agent.Server
	scope fileScope
	vars  []any // the variables that it gets, in addition to those of all servers
}

// shimVars are the variables that weir's shim needs. Codex gives servers only few of its own variables, and those that are
// listed.
var shimVars = []string{"WEIR_KEY", "WEIR_SOCKET", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}

// servers returns the servers of Codex. The settings of one server may be in different files.
func (c *config) servers() ([]mcpServer, error) {
	var servers []mcpServer
	for _, name := range c.names("mcp_servers") {
		s, err := c.server(name)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	return servers, nil
}

// server returns one server.
func (c *config) server(name string) (mcpServer, error) {
	s := mcpServer{Server: agent.Server{Name: name, Type: "stdio"}}
	known := slices.ContainsFunc(c.layers, func(l layer) bool {
		return l.scope != codexUntrusted && agent.At(l.values, "mcp_servers", name) != nil
	})
	value := func(key string) any {
		for i := len(c.layers) - 1; i >= 0; i-- {
			if known && c.layers[i].scope == codexUntrusted {
				continue // an untrusted project does not change servers of the user
			}
			if v := agent.At(c.layers[i].values, "mcp_servers", name, key); v != nil {
				if key == "command" || key == "url" {
					s.Origin, s.scope = c.layers[i].origin, c.layers[i].scope
				}
				return v
			}
		}
		return nil
	}
	odd := func(key, wanted string) error {
		return fmt.Errorf("%s: mcp_servers.%s.%s is not %s; correct it", c.originOf(name), agent.Show(name), key, wanted)
	}
	address, isText := value("url").(string)
	if isText {
		s.Type, s.URL = "http", address
	} else {
		command, isText := value("command").(string)
		if !isText || command == "" {
			return s, odd("command", "a program")
		}
		args, isList := agent.Words(value("args"))
		if !isList {
			return s, odd("args", "a list of texts")
		}
		s.Command = append([]string{command}, args...)
		if s.vars, isList = value("env_vars").([]any); !isList && value("env_vars") != nil {
			return s, odd("env_vars", "a list")
		}
	}
	switch {
	case value("enabled") == false:
		s.Way, s.Why = agent.Off, "it is switched off"
	case s.scope == codexUntrusted:
		s.Way, s.Why = agent.Off, "the user does not trust this project: start codex without weir once to do so"
	}
	if strings.Trim(name, nameLetters) != "" {
		return s, fmt.Errorf("%s: the name of the MCP server %s has characters that do not work on a command line; use letters, digits, dashes "+
			"and underscores",
			s.Origin, agent.Show(name))
	}
	return s, nil
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// originOf returns the last file that has settings of a server.
func (c *config) originOf(name string) string {
	for i := len(c.layers) - 1; i >= 0; i-- {
		if agent.At(c.layers[i].values, "mcp_servers", name) != nil {
			return c.layers[i].origin
		}
	}
	return c.userFile()
}

// A settingAt is a setting that routes a server through weir.
type settingAt struct {
	key   string
	value any // a text, a list or a bool
}

// routed returns the settings that route a server through weir; none: it stays unchanged.
func (s *mcpServer) routed(through func(*agent.Server) (command []string, address string)) []settingAt {
	untrusted := s.Way == agent.Off && s.scope == codexUntrusted
	way, why := s.Way, s.Why
	if untrusted {
		s.Way = "" // it is routed anyway, but stays off: the user may trust the project while Codex runs
	}
	command, address := through(&s.Server)
	var settings []settingAt
	switch {
	case command != nil:
		settings = []settingAt{{"command", command[0]}, {"args", command[1:]}, {"env_vars", s.withShimVars()}}
	case address != "":
		settings = []settingAt{{"url", address}}
	case untrusted && s.Type == "stdio":
		settings = []settingAt{{"command", s.Command[0]}, {"args", s.Command[1:]}}
	case untrusted:
		settings = []settingAt{{"url", s.URL}}
	}
	if untrusted {
		s.Way, s.Why = way, why
		settings = append(settings, settingAt{"enabled", false})
	}
	return settings
}

// withShimVars returns the variables of a server and of the shim.
func (s *mcpServer) withShimVars() []any {
	all := slices.Clone(s.vars)
	for _, name := range shimVars {
		if !slices.Contains(all, any(name)) {
			all = append(all, name)
		}
	}
	return all
}
