// Package verify tests with canaries, without any model, what the running weir covers and what it does not.
package verify

import (
	"context"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/agent"
)

// A Status is the result of a check: one of the constants.
type Status string

// The statuses.
const (
	Covered    Status = "covered"
	NotCovered Status = "not covered"
	Untold     Status = "cannot be told"
	Warning    Status = "warning"
)

// A Row is one thing that was tried.
type Row struct {
	Area   string `json:"area"`  // settings, formats, clients, sessions, limits
	Tried  string `json:"tried"` // what was tried, or is not covered
	Status Status `json:"status"`
	Seen   string `json:"seen"`
	Cure   string `json:"cure,omitzero"`
	// Promised says that this set-up should cover it: if it does not, verify fails.
	Promised bool `json:"promised"`
}

// The areas.
const (
	areaSettings = "settings"
	areaFormats  = "formats"
	areaAgents   = "clients"
	areaSessions = "sessions"
	areaLimits   = "limits"
)

// Config says what is verified.
type Config struct {
	// Base is the address of the running weir, such as http://127.0.0.1:4141/k/KEY. The key is that of the caller, if weir has
	// clients.
	Base string
	// Client sends the requests to Base.
	Client *http.Client
	// Running is what the running weir says about itself.
	Running control.SessionResponse
	// Dropped says that refused calls are removed without a notice.
	Dropped bool
	// Record is the record of the running weir; nil: it cannot be read, and NoRecord says why.
	Record   query.Source
	NoRecord string

	Agents       []CheckedAgent
	Surroundings agent.Surroundings

	// Session says how the probe is run. This package sets its Program, Args and streams.
	Session run.Config
	// Socket is the control socket of the running weir, and PID its process.
	Socket string
	PID    int

	// RecordWithin is how long it may take until calls are recorded; 0: five seconds.
	RecordWithin time.Duration
}

// A CheckedAgent is an agent whose own configuration is checked.
type CheckedAgent struct {
	Agent agent.Agent
	// Promised says that its own configuration should route it here: it was set up, or the user asked about it.
	Promised bool
}

// All checks everything.
func All(ctx context.Context, cfg Config) []Row {
	if cfg.RecordWithin == 0 {
		cfg.RecordWithin = 5 * time.Second
	}
	v := &verifier{Config: cfg, began: time.Now()}
	rows := v.settings()
	rows = append(rows, v.formats(ctx)...)
	rows = append(rows, v.agents(ctx)...)
	rows = append(rows, v.sessions(ctx)...)
	return append(rows, limits()...)
}

// Failed says that something is not covered although this set-up promises it.
func Failed(rows []Row) bool {
	for _, r := range rows {
		if r.Promised && (r.Status == NotCovered || r.Status == Untold) {
			return true
		}
	}
	return false
}

// A verifier checks one weir.
type verifier struct {
	Config
	began  time.Time
	missed bool // something was not recorded in time
}

// limits are rows for what weir cannot cover on any machine.
func limits() []Row {
	return []Row{
		{
			Area: areaLimits, Tried: "what you type yourself", Status: NotCovered,
			Seen: "commands that you type into an agent, such as after !, are not calls of a model",
		},
		{
			Area: areaLimits, Tried: "programs outside of the session", Status: NotCovered,
			Seen: "weir only sees what weir run starts, and clients that go through weir",
		},
		{
			Area: areaLimits, Tried: "files that others run later", Status: NotCovered,
			Seen: "files that an agent may write, such as shell profiles, git hooks or timers, run outside the session; rules on paths can refuse " +
				"them",
		},
	}
}

// The running weir's names of its modes.
const (
	enforcing = "enforce"
	embedded  = "embedded"
	mcpOnly   = "mcp-only"
	disabled  = "disabled"
)

// settings returns warnings about what the running weir does not do because of its configuration.
func (v *verifier) settings() (rows []Row) {
	if mode := v.Running.ProxyMode; mode != embedded {
		seen := "what models ask for is not judged"
		if mode == mcpOnly {
			seen = "of what models ask for only calls of MCP servers' tools are judged"
		}
		rows = append(rows, Row{
			Area: areaSettings, Tried: "proxy.mode", Status: Warning, Seen: "it is " + mode + ": " + seen,
			Cure: "set proxy.mode to embedded in weir.yaml, and restart weir",
		})
	}
	if mode := v.Running.Enforcement; mode != enforcing {
		rows = append(rows, Row{
			Area: areaSettings, Tried: "enforcement", Status: Warning, Seen: "it is " + mode + ": nothing is refused",
			Cure: "set enforcement to enforce in weir.yaml, and restart weir",
		})
	}
	return rows
}

// unjudged says why the configuration of the running weir lets no call of a model be refused; "": calls can be refused.
func (v *verifier) unjudged() string {
	switch {
	case v.Running.ProxyMode == disabled:
		return "proxy.mode is " + disabled
	case v.Running.Enforcement != enforcing:
		return "enforcement is " + v.Running.Enforcement
	}
	return ""
}
