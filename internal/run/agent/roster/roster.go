// Package roster lists the agents that weir knows.
package roster

import (
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/claude"
	"github.com/weir-gate/weir/internal/run/agent/codex"
	"github.com/weir-gate/weir/internal/run/agent/gemini"
	"github.com/weir-gate/weir/internal/run/agent/opencode"
)

// All returns the agents that weir knows.
func All() []agent.Agent {
	return []agent.Agent{claude.Agent{}, codex.Agent{}, gemini.Agent{}, opencode.Agent{}}
}

// Named finds an agent by its name.
func Named(name string) (agent.Agent, bool) {
	for _, a := range All() {
		if a.Name() == name {
			return a, true
		}
	}
	return nil, false
}

// For finds the agent that a program belongs to. Other programs are routed by the environment variables that SDKs read: see
// Program.
func For(program string) (agent.Agent, bool) {
	base := strings.TrimSuffix(filepath.Base(program), ".exe")
	for _, a := range All() {
		for _, name := range a.Programs() {
			if base == name {
				return a, true
			}
		}
	}
	return nil, false
}
