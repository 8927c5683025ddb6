package clients

import (
	"slices"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A Turn is an answer of the model as a client has it, in the words of a wire format.
type Turn interface {
	// Calls are those that the client was given.
	Calls() []Call
}

// A Call is one that a client was given.
type Call struct {
	ID, Name string
	Args     any
}

// A Kind is a way to use an SDK.
type Kind struct {
	Name     string
	Streamed bool
	Upstream string   // the name by which it addresses the model
	Skills   []string // what not every client can
	// Shows checks what it shows to be let in, in headers and address; nil: its key.
	Shows func(sent map[string]string) error
}

// Can says whether a client of this kind has a skill.
func (k Kind) Can(skill string) bool { return slices.Contains(k.Skills, skill) }

// A Model answers the requests of one scene. release is closed when the client has got as far as the scene waits for.
type Model interface {
	Answer(k Kind, r scripted.Request, release <-chan struct{}) scripted.Answer
}

// A Remembering is a Model with a memory. Every time it is played to a client it begins with a fresh one.
type Remembering interface {
	Model
	Fresh() Model
}

// A Scene is an answer of the model and what must become of it.
type Scene[T Turn] struct {
	Name  string
	Door  string // the name of the weir that it is played through
	Model Model
	// WaitsFor is the progress of the client that releases the rest of the answer; only streams have such.
	WaitsFor string
	For      func(Kind) bool   // nil: for every kind
	Path     string            // ahead of the upstream's name
	Headers  map[string]string // that the client adds
	Padding  int               // characters that the request is longer
	Retries  *int              // nil: as the SDK has it
	Options  Options           // nil: none
	Want     func(Kind) Outcome[T]
}

// Options tell the clients of a format what to do beyond a conversation of two turns.
type Options map[string]any

// An Outcome is what must become of a scene.
type Outcome[T Turn] struct {
	Turn     T   // as the client has it; nothing if the SDK raises
	Later    []T // the turns after it; nil: the one that ends every conversation
	Executed []Execution
	Err      *Raised    // by what is not empty in it; of the message, a part
	Asked    int        // requests that reach the model; 0: one for each turn
	Told     []string   // what the requests after the first say to the model
	Calls    []Recorded // in the record
	Silent   int        // answers of which nothing is recorded, because a model has no part in them
	Listed   bool       // some answers are lists, which have no usage
	Refused  string     // code under which the record says that the response was refused
	Unlike   bool       // the model's own stream says one thing in its pieces and another in its end
	Broken   bool       // the turn does not come to its end, so that its usage is not known
}

// None is the number of requests of a scene that never reaches the model.
const None = -1

// Always is an outcome that is the same for all clients.
func Always[T Turn](o Outcome[T]) func(Kind) Outcome[T] { return func(Kind) Outcome[T] { return o } }

// An Execution is a call that the client would have run.
type Execution struct {
	Name  string `json:"name"`
	Input any    `json:"input"`
}

// Raised is the error that the SDK raised.
type Raised struct {
	Name    string `json:"name"`
	Status  int    `json:"status"`
	Type    string `json:"type"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Recorded is a call in the record.
type Recorded struct {
	Tool, ID, Verdict, WouldBe, Code, Rule string
	Blocked                                bool
	Reread                                 bool // the provider was asked for what it keeps
	Within                                 bool // it is in the arguments of the call before
	Args                                   any
}

// Marker is in the arguments of everything that must not reach a client.
const Marker = "forbidden"

// Token counts that every turn reports.
const (
	InputTokens  = 17
	OutputTokens = 42
)

// Secrets of weirs with clients.
const (
	ClientKey   = "key-of-ann-0123456789" // of the client laptop, which is ann@example.com
	UpstreamKey = "sk-upstream-0123456789"
)

// Keyed is the name of the weir that has clients, and an upstream key that they do not hold.
const Keyed = "keyed"

// Streamed is a kind that asks for streams.
func Streamed(upstream, name string, skills ...string) Kind {
	return Kind{Name: name, Streamed: true, Upstream: upstream, Skills: skills}
}

// Whole is a kind that asks for answers in one piece.
func Whole(upstream, name string, skills ...string) Kind {
	return Kind{Name: name, Upstream: upstream, Skills: skills}
}
