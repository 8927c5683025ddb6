package verify

import "github.com/weir-gate/weir/internal/run/canary"

// A Plan is what a probe tries from inside of a session.
type Plan struct {
	// Nonces are those of the canaries: for each format one for a stream, and one for a whole answer.
	Nonces map[string][2]string `json:"nonces"`
	// Confined says that the session is in namespaces of its own. Where it is not, only what is promised there is tried.
	Confined bool `json:"confined"`
	// Port is that of a service on the machine's loopback that is not declared. It says Banner to whoever reaches it.
	Port   uint16 `json:"port"`
	Banner string `json:"banner"`
	// Sockets are unix sockets of others at which somebody listens, and Control is weir's own.
	Sockets []string `json:"sockets"`
	Control string   `json:"control"`
	// Hidden are files and folders that are not empty, and that must look so.
	Hidden []string `json:"hidden"`
	// Policy is the file of the policy; "": there is none of its own.
	Policy string `json:"policy"`
	// PIDs are processes outside of the session through which nothing must be reached.
	PIDs []int `json:"pids"`
}

// A Finding is what became of one trial.
type Finding struct {
	Trial string `json:"trial"`
	// Result is one of the constants.
	Result Result `json:"result"`
	Seen   string `json:"seen"`
}

// A Result is how a trial ended: one of the constants.
type Result string

// The results.
const (
	Stopped Result = "stopped" // it could not be done
	Done    Result = "done"    // it could
	Unclear Result = "unclear" // nobody can tell
)

// Findings are what a probe has found out.
type Findings struct {
	// Answers are those of the canaries, as Plan has their nonces.
	Answers map[string][2]Told `json:"answers"`
	Trials  []Finding          `json:"trials"`
}

// Told is the answer of a canary, or why there is none.
type Told struct {
	Answer  canary.Response `json:"answer"`
	Trouble string          `json:"trouble,omitzero"`
}

// The trials.
const (
	trialTCP4    = "tcp4"
	trialTCP6    = "tcp6"
	trialUDP     = "udp"
	trialLookup  = "lookup"
	trialPort    = "loopback"
	trialProxy   = "proxy"
	trialControl = "control"
	trialSockets = "sockets"
	trialHidden  = "hidden"
	trialWrite   = "write"
	trialReplace = "replace"
	trialFolder  = "folder"
	trialProcess = "process"
	trialNested  = "nested"
)
