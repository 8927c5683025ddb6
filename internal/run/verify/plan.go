package verify

import "github.com/weir-gate/weir/internal/run/canary"

// A Plan says what a probe tries inside a session.
type Plan struct {
	// Nonces are the nonces of the canaries: for each format one for a stream, and one for a whole response.
	Nonces map[string][2]string `json:"nonces"`
	// Confined says that the session has its own namespaces. If not, the probe tries only what is promised without them.
	Confined bool `json:"confined"`
	// Port is the port of an undeclared service on the machine's loopback. It sends Banner on every connection.
	Port   uint16 `json:"port"`
	Banner string `json:"banner"`
	// Sockets are unix sockets on which other programs listen; Control is weir's own.
	Sockets []string `json:"sockets"`
	Control string   `json:"control"`
	// Hidden are files and folders that are not empty, but must look empty.
	Hidden []string `json:"hidden"`
	// Policy is the file of the policy; "": the policy has no file of its own.
	Policy string `json:"policy"`
	// PIDs are processes outside of the session. The session must reach nothing through them.
	PIDs []int `json:"pids"`
}

// A Finding is the result of one trial.
type Finding struct {
	Trial string `json:"trial"`
	// Result is one of the constants.
	Result Result `json:"result"`
	Seen   string `json:"seen"`
}

// A Result says how a trial ended: one of the constants.
type Result string

// The results.
const (
	Stopped Result = "stopped" // the session could not do it
	Done    Result = "done"    // the session could do it
	Unclear Result = "unclear" // the trial does not show it
)

// Findings are the results of a probe.
type Findings struct {
	// Answers are the responses of the canaries, in the order of their nonces in Plan.
	Answers map[string][2]Told `json:"answers"`
	Trials  []Finding          `json:"trials"`
}

// Told is the response of a canary, or why there is none.
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
