// Package dialecttest is the contract of every dialect, as a test suite.
//
// A test of a dialect describes its format in a [Subject], from other sources than the dialect's own code: how clients
// read calls, who folds a stream into a whole message and knows a well-formed response. [Run] then checks the promises:
// nothing refused leaks, what is allowed arrives as it was sent or with the arguments that replace those, cuts and timing
// change nothing, streams are judged like whole messages, and readings know every text. [Requests] does so for requests.
package dialecttest

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// A Class says how a response is sent if every call is allowed.
type Class string

// The classes.
const (
	Exact     Class = "exact"     // it is sent byte for byte
	Canonical Class = "canonical" // some frame is rewritten, or some call is refused because it is invalid
	Refused   Class = "refused"   // a frame cannot be parsed: the response ends there
)

// A Fixture is a response as an upstream might send it.
type Fixture struct {
	File  string // below testdata
	Whole bool   // a body; else a stream
	// Framing is the framing of a stream; the zero value means server-sent events.
	Framing frame.Framing
	Class   Class
	Calls   []Seen // what the agent gets when every call is allowed
	Code    string // of the refusal, if Class is Refused
	// Unfinished says that the response ends inside a call.
	Unfinished bool
	// Endless says that the response just stops: no call is open, but the final frame of the format is missing.
	Endless bool
	// Irregular says that the stream cannot be folded into a message that means the same.
	Irregular bool
	// Odd is what the strict reader refuses in it, where that is the provider's own oddity and passes through: part of the reader's
	// error; "": nothing.
	Odd string
}

func (f Fixture) framing() frame.Framing { return framingOf(f.Whole, f.Framing) }

// framingOf returns the framing of a response. The zero value of a stream's framing means server-sent events.
func framingOf(whole bool, stream frame.Framing) frame.Framing {
	switch {
	case whole:
		return frame.Whole
	case stream == frame.Whole:
		return frame.Events
	}
	return stream
}

// A Seen is a call that a client could run, or could take for a call that the provider ran.
type Seen struct {
	ID   string
	Name string
	Args string // what the arguments mean; see Meaning
	Ran  bool
}

// A Subject is a dialect under test, and its format.
type Subject struct {
	Format   dialect.Format
	Fixtures []Fixture
	// Calls returns every call, or piece of one, that any client could see in these events.
	Calls func([]LooseEvent) []Seen
	// Clients are how some libraries and programs read the format's streams.
	Clients []Client
	// WireName is which of the readings of a call's name clients see; nil: the shortest.
	WireName func(call.Call) string
	// Reader is who knows the format and shares nothing with the dialect: how a stream folds into a whole message, and what a
	// well-formed response is.
	Reader *fold.Format
	// Named says that the names of server-sent events are the types of their data.
	Named bool
	// Repeats is how often the wire says one text, at most; 0: twice, since the result of a call that the provider ran has a
	// notice of its own.
	Repeats int
	// Words are those of the wire itself: where the arguments of a call are a whole unit of it, they tell nothing.
	Words []string
	// Echoes are members that repeat what the model wrote. They are gone where something of a call is withheld.
	Echoes []string
	// Invented finds ids that weir makes, which differ each time; nil: there are none in what is compared.
	Invented *regexp.Regexp
	// Places is at how many positions one input is cut at most; 0: 100.
	Places int
	// IsPing says whether an event may overtake others.
	IsPing func(LooseEvent) bool
	// Texts say which strings of the format's frames and bodies are text. The first entry that matches counts.
	Texts []TextPlace
	// Pieces says that bodies, too, have texts in pieces, which clients join.
	Pieces bool
	// Generate returns a regular stream. Strings in arguments contain the Secret.
	Generate func(*rand.Rand) []byte
	// Odd is what the strict reader may refuse in such a stream, as in a Fixture.
	Odd string
	// Framing is that of the streams which Generate returns; the zero value is that of server-sent events.
	Framing frame.Framing

	// Framings are the framings of responses, if there are more than Framing and bodies.
	Framings []frame.Framing
	// Seeds are responses that show what no fixture does. With the fixtures they are what others are made of, by Vocabulary: the
	// words that are put in the place of others.
	Seeds      [][]byte
	Vocabulary []string
	// Mutations is how many responses are made of them; 0: 1000.
	Mutations uint64
	// Ends says whether a frame ends a response.
	Ends func(event string, data Tree) bool
	// Shows says whether a call that a client sees is one that was released, or a part of it; nil: they must be equal, and each is
	// seen once.
	Shows func(Seen, Event) bool

	kinds map[string]placed // what Texts say of places that were looked up before
}

// Secret marks the arguments of generated calls.
const Secret = "s3cr3t"

// Run checks the contract.
func Run(t *testing.T, s Subject) {
	t.Run("pass-through", s.testPassThrough)
	t.Run("refusals", s.testRefusals)
	t.Run("replacements", s.testReplacements)
	t.Run("cuts", s.testCuts)
	t.Run("broken-off", s.testBrokenOff)
	t.Run("parity", s.testParity)
	t.Run("texts", s.testTexts)
	t.Run("generated", s.testGenerated)
	t.Run("seeds", s.testSeeds)
	t.Run("mutated", s.testMutated)
	t.Run("late-rulings", s.testLateRulings)
	t.Run("agent-leaves", s.testAgentLeaves)
}

// each runs a check for every fixture.
func (s Subject) each(t *testing.T, check func(t *testing.T, f Fixture, in []byte)) {
	for _, f := range s.Fixtures {
		t.Run(f.File, func(t *testing.T) {
			check(t, f, ReadFixture(t, f.File))
		})
	}
}

// eachUnder runs a check for every fixture under every policy.
func (s Subject) eachUnder(t *testing.T, check func(t *testing.T, f Fixture, in []byte, p Policy)) {
	for _, p := range Policies() {
		t.Run(p.Name, func(t *testing.T) {
			s.each(t, func(t *testing.T, f Fixture, in []byte) { check(t, f, in, p) })
		})
	}
}
