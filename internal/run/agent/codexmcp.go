package agent

import (
	"fmt"
	"slices"
	"strings"
)

// A codexServer is an MCP server of Codex.
type codexServer struct {
	Server
	scope codexScope
	vars  []any // the variables that it gets, in addition to those of all servers
}

// codexShimVars are the variables that weir's shim needs. Codex gives servers only few of its own variables, and those that are
// listed.
var codexShimVars = []string{"WEIR_KEY", "WEIR_SOCKET", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}

// servers returns the servers of Codex. The settings of one server may be in different files.
func (c *codexConfig) servers() ([]codexServer, error) {
	var servers []codexServer
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
func (c *codexConfig) server(name string) (codexServer, error) {
	s := codexServer{Server: Server{Name: name, Type: "stdio"}}
	known := slices.ContainsFunc(c.layers, func(l codexLayer) bool {
		return l.scope != codexUntrusted && at(l.values, "mcp_servers", name) != nil
	})
	value := func(key string) any {
		for i := len(c.layers) - 1; i >= 0; i-- {
			if known && c.layers[i].scope == codexUntrusted {
				continue // an untrusted project does not change servers of the user
			}
			if v := at(c.layers[i].values, "mcp_servers", name, key); v != nil {
				if key == "command" || key == "url" {
					s.Origin, s.scope = c.layers[i].origin, c.layers[i].scope
				}
				return v
			}
		}
		return nil
	}
	odd := func(key, wanted string) error {
		return fmt.Errorf("%s: mcp_servers.%s.%s is not %s; correct it", c.originOf(name), show(name), key, wanted)
	}
	address, isText := value("url").(string)
	if isText {
		s.Type, s.URL = "http", address
	} else {
		command, isText := value("command").(string)
		if !isText || command == "" {
			return s, odd("command", "a program")
		}
		args, isList := words(value("args"))
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
		s.Way, s.Why = Off, "it is switched off"
	case s.scope == codexUntrusted:
		s.Way, s.Why = Off, "the user does not trust this project: start codex without weir once to do so"
	}
	if strings.Trim(name, codexNameLetters) != "" {
		return s, fmt.Errorf("%s: the name of the MCP server %s has characters that do not work on a command line; use letters, digits, dashes "+
			"and underscores",
			s.Origin, show(name))
	}
	return s, nil
}

const codexNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// originOf returns the last file that has settings of a server.
func (c *codexConfig) originOf(name string) string {
	for i := len(c.layers) - 1; i >= 0; i-- {
		if at(c.layers[i].values, "mcp_servers", name) != nil {
			return c.layers[i].origin
		}
	}
	return c.userFile()
}

// A codexSetting is a setting that routes a server through weir.
type codexSetting struct {
	key   string
	value any // a text, a list or a bool
}

// led returns the settings that route a server through weir; none: it stays unchanged.
func (s *codexServer) led(through func(*Server) (command []string, address string)) []codexSetting {
	untrusted := s.Way == Off && s.scope == codexUntrusted
	way, why := s.Way, s.Why
	if untrusted {
		s.Way = "" // it is routed anyway, but stays off: the user may trust the project while Codex runs
	}
	command, address := through(&s.Server)
	var settings []codexSetting
	switch {
	case command != nil:
		settings = []codexSetting{{"command", command[0]}, {"args", command[1:]}, {"env_vars", s.withShimVars()}}
	case address != "":
		settings = []codexSetting{{"url", address}}
	case untrusted && s.Type == "stdio":
		settings = []codexSetting{{"command", s.Command[0]}, {"args", s.Command[1:]}}
	case untrusted:
		settings = []codexSetting{{"url", s.URL}}
	}
	if untrusted {
		s.Way, s.Why = way, why
		settings = append(settings, codexSetting{"enabled", false})
	}
	return settings
}

// withShimVars returns the variables of a server and of the shim.
func (s *codexServer) withShimVars() []any {
	all := slices.Clone(s.vars)
	for _, name := range codexShimVars {
		if !slices.Contains(all, any(name)) {
			all = append(all, name)
		}
	}
	return all
}
