package call

import "github.com/go-json-experiment/json/jsontext"

// A Result is what a client says that a call gave.
type Result struct {
	WireID string // of the call; "": the wire gives none
	Tool   string // of the call, where the client names it
	// Args are the arguments of the call as the client repeats them, if the wire gives no ids; else nil.
	Args jsontext.Value
	// Measure returns the size in bytes of what the call gave, and its digest: "sha256:" and hex. It takes time, and most
	// results are known already.
	Measure func() (size int64, digest string)
	Failed  bool // the client says that the call failed
	New     bool // no turn of the model comes after it
}

// Results are the results that one request brings.
type Results struct {
	Actor    Actor
	Exchange Exchange
	List     []Result
}
