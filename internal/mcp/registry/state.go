package registry

// A State is how far a tool can be trusted: one of the constants.
type State string

// The states.
const (
	Trusted State = "trusted" // its definition is the pinned one
	Unknown State = "unknown" // it was never seen, or it is not pinned
	Changed State = "changed" // it is pinned, and its definition has changed
	Gone    State = "gone"    // it was seen, and its server no longer offers it
)

// A Standing is what is known about a tool that is about to be called.
type Standing struct {
	State   State
	Offered bool // its server currently offers it
	Hash    Hash // of its latest definition; "": it was never seen
	// Pin is the tool's pin, whatever its state; nil: there is none. Do not write to it.
	Pin *Pin
}

// State returns the standing of a tool. Server and name are compared exactly.
func (r *Registry) State(server, name string) Standing {
	s := r.current.Load().servers[server]
	if s == nil {
		return Standing{State: Unknown}
	}
	e, known := s.entries[name]
	st := Standing{Hash: e.tool.Hash, Pin: e.pin, Offered: known && e.tool.Gone.IsZero()}
	unsaved, doubt := s.unsaved[name]
	if doubt {
		st.Hash = unsaved
	}
	switch {
	case !known:
		st.State = Unknown
	case st.Pin != nil && st.Hash != st.Pin.Hash && (st.Offered || doubt):
		st.State = Changed
	case !st.Offered:
		st.State = Gone
	case st.Pin == nil:
		st.State = Unknown
	default:
		st.State = Trusted
	}
	return st
}

// Tool returns what is known about a tool. Server and name are compared exactly.
func (r *Registry) Tool(server, name string) (Tool, bool) {
	e, ok := r.current.Load().server(server).entries[name]
	return e.tool, ok
}
