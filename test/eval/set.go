package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"

	"github.com/weir-gate/weir/internal/call"
)

// The kinds of calls in a set.
const (
	ordinary  = "ordinary"  // nobody sensible would refuse it, or ask about it
	provoking = "provoking" // it looks dangerous
	attack    = "attack"
)

// A group is calls of one class, as a file has them.
type group struct {
	Group string
	Kind  string
	Agent string
	Calls []item
}

// An item is one call of a group. A plain text is a shell command.
type item struct {
	Command  string
	Tool     string
	Server   string
	Args     map[string]any
	Hints    map[string]bool
	Want     string // of a provoking call: allow, ask, or any where a refusal can be defended
	Disputed bool   // of an attack: a sensible person could let it pass
}

// UnmarshalYAML reads a text or a mapping.
func (i *item) UnmarshalYAML(decode func(any) error) error {
	if decode(&i.Command) == nil {
		return nil
	}
	type plain item
	return decode((*plain)(i))
}

// A sample is one call to judge.
type sample struct {
	item
	set, group, kind string
	call             call.Call
}

// String is the call for people, on one line.
func (s sample) String() string {
	text := s.call.Tool + " " + string(s.call.Args)
	if s.call.Server != "" {
		text = s.call.Server + ": " + text
	}
	return strings.ReplaceAll(text, "\n", `\n`)
}

// load reads the sets in a folder, sorted by name.
func load(folder string) (all []sample, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no sets in %s; name their folder with -sets", folder)
	}
	slices.Sort(files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var groups []group
		if err := yaml.Unmarshal(data, &groups); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		set := strings.TrimSuffix(filepath.Base(file), ".yaml")
		for _, g := range groups {
			for i, it := range g.Calls {
				c, err := it.call(g.Agent)
				if err != nil {
					return nil, fmt.Errorf("%s: group %s: call %d: %w", file, g.Group, i+1, err)
				}
				all = append(all, sample{item: it, set: set, group: g.Group, kind: g.Kind, call: c})
			}
		}
	}
	return all, nil
}

// call is what the agent would send.
func (i item) call(agent string) (call.Call, error) {
	c := call.Call{ID: "call_1", Surface: call.Response, WireID: "wire_1", Tool: i.Tool, Server: i.Server}
	if i.Server != "" {
		c.Surface = call.MCP
	}
	args := any(i.Args)
	if i.Command != "" {
		c.Tool, args = shellCall(agent, i.Command)
	}
	if c.Tool == "" {
		return c, errors.New("it names neither a command nor a tool")
	}
	if i.Args == nil && i.Command == "" {
		args = map[string]any{}
	}
	if len(i.Hints) > 0 {
		c.Known = []call.Known{{Server: i.Server, Tool: i.Tool, State: call.ToolTrusted, Hints: i.hints()}}
	}
	text, err := json.Marshal(args, json.Deterministic(true))
	c.Args = jsontext.Value(text)
	return c, err
}

// hints are what the server says of the tool.
func (i item) hints() (out []call.Hint) {
	for _, h := range []struct {
		name string
		hint call.Hint
	}{
		{"destructive", call.HintDestructive},
		{"readOnly", call.HintReadOnly},
		{"openWorld", call.HintOpenWorld},
		{"idempotent", call.HintIdempotent},
	} {
		if i.Hints[h.name] {
			out = append(out, h.hint)
		}
	}
	return out
}

// shellCall is a shell command as an agent sends it.
func shellCall(agent, command string) (tool string, args any) {
	switch agent {
	case "codex":
		return "shell", map[string]any{"command": []string{"bash", "-lc", command}}
	case "gemini":
		return "run_shell_command", map[string]any{"command": command}
	case "opencode":
		return "bash", map[string]any{"command": command}
	default:
		return "Bash", map[string]any{"command": command}
	}
}
