package registry

// A State is how far a tool can be trusted: one of the constants.
type State string

// The states.
const (
	Trusted State = "trusted" // it is defined as it was when it was pinned
	Unknown State = "unknown" // it was never seen, or nobody trusts it
	Changed State = "changed" // it is pinned, and defined otherwise by now
	Gone    State = "gone"    // it was seen, and its server no longer offers it
)

// A Standing is what there is to say of a tool that is about to be called.
type Standing struct {
	State   State
	Offered bool // its server is known to have it
	Hash    Hash // of its definition as it was seen last; "": it was never seen
	// Pin is what the tool is trusted as, whatever its state; nil: there is none. Do not write to it.
	Pin *Pin
}

// State says how a tool stands. Server and name are compared exactly.
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

// Tool returns what is known of a tool. Server and name are compared exactly.
func (r *Registry) Tool(server, name string) (Tool, bool) {
	e, ok := r.current.Load().server(server).entries[name]
	return e.tool, ok
}
