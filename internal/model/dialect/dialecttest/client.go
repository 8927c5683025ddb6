package dialecttest

import (
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
)

// A Client is how one library or program reads a stream. The most lenient reader sees every call that is there; a client may make
// another call of the same pieces.
type Client struct {
	Name string
	// Read returns the calls that the client would run, and why it gave up, if it did. It has the stream, and the events of one way
	// to cut it.
	Read func(stream []byte, events []LooseEvent) ([]Seen, error)
	// Knows says which calls of a regular stream the client must see; nil: it may miss any.
	Knows func(Seen) bool
}

// checkClients checks that no client makes a call of a stream that was not released.
func (s Subject) checkClients(t *testing.T, r Result, framing frame.Framing) {
	t.Helper()
	if framing == frame.Whole {
		return
	}
	released := released(r.Events)
	for who, events := range readings(r.Out, framing) {
		for _, c := range s.Clients {
			seen, _ := c.Read(r.Out, events)
			for _, call := range s.unjudged(seen, released) {
				t.Errorf("%s, reading %s, sees %v, which was not released:\n%s", c.Name, who, call, r.Out)
			}
		}
	}
}

// checkKnown checks that clients see in a regular stream what was released, and do not give up.
func (s Subject) checkKnown(t *testing.T, r Result, framing frame.Framing) {
	t.Helper()
	events := Readers(framing)[0].Events(r.Out)
	for _, c := range s.Clients {
		if c.Knows == nil {
			continue
		}
		seen, err := c.Read(r.Out, events)
		if err != nil {
			t.Errorf("%s gives up: %v\n%s", c.Name, err, r.Out)
		}
		for _, call := range s.released(r.Events) {
			if c.Knows(call) && !slices.Contains(seen, call) {
				t.Errorf("%s misses %v:\n%s", c.Name, call, r.Out)
			}
		}
	}
}
