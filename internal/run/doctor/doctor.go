// Package doctor looks for common problems of weir on a machine, and says how to fix them.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/policy/files"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/setup"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Severity says how bad a finding is: one of the constants.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"   // something does not work, or is not guarded although it should be
	Warning Severity = "warning" // something is not as it should be
	Note    Severity = "note"    // good to know
)

// A Finding is a problem that was found.
type Finding struct {
	Severity Severity `json:"severity"`
	What     string   `json:"what"`
	Why      string   `json:"why"`  // why it matters
	Cure     string   `json:"cure"` // a command to type, or what to change
}

// Config says what is examined.
type Config struct {
	// StateDir is weir's state folder; "": there is none, and NoState says why.
	StateDir string
	NoState  error
	// Ask asks the weir of this machine; nil: it cannot be asked, and NoSocket says why.
	Ask      *control.Client
	NoSocket error
	Version  string // of this program
	// Load reads the configuration in use, and LoadPolicy the policy that goes with it.
	Load       func() (*config.Config, error)
	LoadPolicy func() (source, version string, err error)
	// Started are the files with which the last weir was started; NotStarted says why they are not known.
	Started      []string
	NotStarted   error
	Temp         string // the folder for the temporary files of runs
	Surroundings agent.Surroundings
	// Installed says whether the program of an agent is installed.
	Installed func(agent.Agent) bool
	Now       func() time.Time // nil: time.Now
}

// Examine examines everything. It returns the worst findings first.
func Examine(ctx context.Context, cfg Config) []Finding {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	e := &examination{Config: cfg}
	for _, look := range []func(context.Context){
		e.configuration, e.setups, e.running, e.state, e.record, e.started, e.agents, e.environment, e.machine,
	} {
		look(ctx)
	}
	order := []Severity{Error, Warning, Note}
	slices.SortStableFunc(e.found, func(a, b Finding) int {
		return slices.Index(order, a.Severity) - slices.Index(order, b.Severity)
	})
	return e.found
}

// Failed says that there are errors.
func Failed(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Severity == Error })
}

// An examination is the state of one Examine.
type examination struct {
	Config
	found []Finding

	config  *config.Config        // nil: it cannot be read
	entries []setup.Entry         // what weir setup has changed
	named   control.PolicyInForce // the policy that the configuration names
	hello   *control.Hello        // of the running weir; nil: none runs
}

// longest is how many characters of a foreign text a finding shows.
const longest = 400

func (e *examination) add(s Severity, what, why, cure string) {
	e.found = append(e.found, Finding{Severity: s, What: inert.Text(what, longest), Why: why, Cure: inert.Text(cure, longest)})
}

// text returns an error on one line.
func text(err error) string {
	if problems, ok := errors.AsType[yamlfile.Problems](err); ok {
		return strings.Join(strings.Fields(problems.Error()), " ")
	}
	return err.Error()
}

// configuration examines the configuration and the policy.
func (e *examination) configuration(context.Context) {
	c, err := e.Load()
	if err != nil {
		e.add(Error, "the configuration cannot be used: "+text(err), "weir does not start with it", "weir config check")
		return
	}
	e.config = c
	source, version, err := e.LoadPolicy()
	e.named = control.PolicyInForce{Source: source, Version: version}
	if err != nil {
		e.add(Error, "the policy cannot be used: "+text(err), "weir does not start with it; a running weir uses its old policy",
			"weir policy check")
	}
	e.copies(source)
	if c.Enforcement != config.Enforce {
		e.add(Warning, "enforcement is "+string(c.Enforcement), "nothing is refused", "set enforcement to enforce in weir.yaml, and restart weir")
	}
	if c.Proxy.Mode != config.Embedded {
		trouble := "what models ask for is not judged"
		if c.Proxy.Mode == config.MCPOnly {
			trouble = "of what models ask for only calls of MCP servers' tools are judged and recorded"
		}
		e.add(Warning, "proxy.mode is "+string(c.Proxy.Mode), trouble, "set proxy.mode to embedded in weir.yaml, and restart weir")
	}
}

// copies finds files of the policy that are copies of a preset as another weir had it.
func (e *examination) copies(source string) {
	sources, err := files.Read(source)
	if err != nil {
		return // that is reported, or the policy is in no file
	}
	for _, t := range slices.Concat(sources.Files, sources.Bases) {
		if name, revision, outdated := preset.Outdated(t.Data); outdated {
			e.add(Note, fmt.Sprintf("%s is a copy of the preset %s of another version of weir (revision %s, this weir has %s)",
				t.Name, name, revision, preset.Revision(name)), "what the preset of this weir knows more is not in the copy",
				fmt.Sprintf("compare it with weir policy preset %s, or write extends: %[1]s and only what is different: that follows by itself", name))
		}
	}
}

// setups examines what weir setup has changed.
func (e *examination) setups(context.Context) {
	if e.StateDir == "" {
		return
	}
	var err error
	if e.entries, err = setup.NewJournal(e.StateDir).List(); err != nil {
		e.add(Error, text(err), "what weir setup changed cannot be taken back", "repair or remove the file")
	}
	for _, entry := range e.entries {
		switch {
		case entry.Stale:
			e.add(Error, "weir setup "+entry.Name+" did not finish", "some of its files may be changed, and others not", "weir setup "+
				entry.Name+" --undo")
		case len(entry.Changed) > 0:
			e.add(Note, "files that weir setup "+entry.Name+" changed were edited since: "+strings.Join(entry.Changed, ", "),
				"what you edited stays when the setup is taken back", "weir verify "+entry.Name)
		}
	}
}

// isSetUp says whether weir setup has set up this agent.
func (e *examination) isSetUp(name string) bool {
	return slices.ContainsFunc(e.entries, func(s setup.Entry) bool { return s.Name == name })
}
