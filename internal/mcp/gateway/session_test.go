package gateway

import (
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

type noSide struct{}

func (noSide) end() {}

// A client has no more sessions with servers for naming more sessions of its own.
func TestNamedSessionsShareBound(t *testing.T) {
	table := newTable(Bounds{Sessions: 100, ActorSessions: 2, Idle: time.Hour})
	ann := call.Actor{Key: "ann"}
	for _, name := range []string{"", "one", "two", "three"} {
		s := &session{key: sessionKey{"files", "id-" + name}, actor: ann.InSession(name), side: noSide{}}
		if got := table.add(s); got != sessionOpened {
			t.Fatalf("%q: %d", name, got)
		}
		table.leave(s)
	}
	expect.Equal(t, len(table.sessions), 2, "%d sessions are open, of %d clients", len(table.sessions), len(table.byActor))
	expect.Equal(t, len(table.byActor), 1, "%d sessions are open, of %d clients", len(table.sessions), len(table.byActor))
	if s, foreign := table.enter(sessionKey{"files", "id-three"}, ann.InSession("two")); s != nil || !foreign {
		t.Error("another session of the client entered")
	}
	table.close()
}
