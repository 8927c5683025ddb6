package run

import (
	"fmt"
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/run/agent"
)

// A Preview says what a run would do.
type Preview struct {
	Agent   string `json:"agent,omitzero"` // weir's name for it; "": weir does not know it
	Command []string
	Set     map[string]string
	Unset   []string
	Files   []agent.File // files that would be written
	Covers  []agent.File // files that would be seen in place of the user's
	Servers []agent.Server
	Notes   []string
	Watch   Watch
	Warning string
}

// Placeholders for the parts of an address that only a session has.
const (
	somePort    = "PORT"
	someToken   = "SESSION"
	someScratch = "SCRATCH"
)

// DryRun returns what a run with this weir would do. Nothing is started, opened or written.
func DryRun(cfg Config, w agent.Weir) (Preview, error) {
	plan, err := prepare(cfg)
	if err != nil {
		return Preview{}, err
	}
	w.Covers = plan.watch == Namespace
	w.Base, w.Program = fmt.Sprintf("http://127.0.0.1:%s/k/%s", somePort, someToken), cfg.Self
	launch, err := leadTo(plan.agent, cfg, w, someScratch)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{
		Command: append([]string{cfg.Program}, launch.Args...), Set: map[string]string{SessionVariable: "ID", SocketVariable: "SOCKET"},
		Unset: launch.Unset, Files: launch.Files, Covers: launch.Covers, Servers: launch.Servers, Notes: launch.Notes, Watch: plan.watch,
		Warning: plan.warning,
	}
	if plan.agent != nil {
		p.Agent = plan.agent.Name()
	}
	maps.Copy(p.Set, launch.Set)
	if plan.watch == Proxy {
		maps.Copy(p.Set, proxyVariables("127.0.0.1:"+somePort))
	}
	slices.Sort(p.Unset)
	return p, nil
}
