package run

import (
	"fmt"
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/run/agent"
)

// A Preview is what a run would do.
type Preview struct {
	Agent   string `json:"agent,omitzero"` // the name that weir knows it by; "": it is none that weir knows
	Command []string
	Set     map[string]string
	Unset   []string
	Files   []agent.File // that are written
	Covers  []agent.File // that are seen in the place of the user's
	Servers []agent.Server
	Notes   []string
	Watch   Watch
	Warning string
}

// What stands for the parts of an address that a session makes up.
const (
	somePort    = "PORT"
	someToken   = "SESSION"
	someScratch = "SCRATCH"
)

// DryRun says what a run would do with a weir that stands in front of these upstreams. Nothing is started, opened or written.
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
