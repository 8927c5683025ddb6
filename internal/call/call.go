// Package call is the vocabulary of weir: what an agent asks to do, who asks, and what was ruled.
package call

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// ID names one act. The same act keeps its id across doors.
type ID string

// NewID returns an id that sorts by time and cannot be guessed.
func NewID(now time.Time) ID {
	var b [15]byte
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMilli())<<16)
	rand.Read(b[6:]) // crypto/rand.Read never fails
	return ID("call_" + strings.ToLower(base32.HexEncoding.EncodeToString(b[:])))
}

// A Surface is the place where a call shows itself.
type Surface string

// The surfaces that are built.
const (
	Response Surface = "response" // a model's answer asks for a tool
	Inbound  Surface = "inbound"  // a request offers a tool to the model, or brings back what one gave
	MCP      Surface = "mcp"      // a client asks an MCP server, or the server asks the client
	Egress   Surface = "egress"   // a program of a session wants something of the network
)

// An Actor is on whose behalf a call is made: never what the agent says of itself.
type Actor struct {
	Org      string `json:"org,omitzero"`
	Team     string `json:"team,omitzero"`
	Employee string `json:"employee,omitzero"`
	Key      string `json:"key,omitzero"`
	// Session is that of weir run, or one of a client with a key: see InSession.
	Session string `json:"session,omitzero"`
	// SessionDerived says that nobody named the session: it is that of all requests with the key that name none.
	SessionDerived bool `json:"session_derived,omitzero"`
}

// InSession returns the actor in the session of that name; "": in the session of its requests that name none. The id of the session
// has the key in it: two clients that use the same name have two sessions, and no client can enter another's, or one of weir run.
func (a Actor) InSession(name string) Actor {
	if a.Key == "" || a.Session != "" {
		return a
	}
	a.SessionDerived = name == ""
	switch name {
	case "":
		name = "-"
	case "-":
		name = "%2D"
	default:
		name = strings.NewReplacer("%", "%25", "/", "%2F").Replace(name)
	}
	a.Session = a.Key + "/" + name
	return a
}

// OwnSession says that the session is one of the client's own, and not of weir run.
func (a Actor) OwnSession() bool { return a.Key != "" && strings.HasPrefix(a.Session, a.Key+"/") }

// Account is the actor that limits are counted for: a client gets no higher limits by naming more sessions.
func (a Actor) Account() Actor {
	if a.OwnSession() {
		a.Session, a.SessionDerived = "", false
	}
	return a
}

// Holder names the client that answers for the memory that the actor makes weir hold: its key, and where there are no keys the session of
// weir run. A session that a client names itself does not count: it could name many.
func (a Actor) Holder() string {
	if a.Key != "" {
		return "key " + a.Key
	}
	own, _, _ := strings.Cut(a.Session, "/") // what follows is a client's own word
	return "session " + own
}

// An Exchange is the request and response in which calls appear.
type Exchange struct {
	RequestID  string // ours; on every response as x-weir-request-id
	ResponseID string // the provider's id of the response, once known
	Provider   string // the upstream's name in the configuration
	Dialect    string // the wire format's name
	Model      string // as the response names it
	// Conversation is the provider's id of the conversation that the response belongs to; "" if none.
	Conversation string
	Trace        Trace // in which the request stands
	// Reread says that the provider is asked for what it stores: its calls may have been ruled before.
	Reread bool
}

// A Call is one thing an agent asks to do.
type Call struct {
	// These say who asks for what. Each surface sets all that it knows.

	ID       ID
	Surface  Surface
	Actor    Actor
	Exchange Exchange
	WireID   string // toolu_…, call_…; unique only within a response
	Server   string // MCP server id, or ""
	Tool     string
	Args     jsontext.Value // one strict JSON object; of a call that cannot be parsed, a JSON string with its text

	Readings
	Partial
	Delivery
	Stored
	// Inner are the calls that some clients find in the arguments and run instead. All are judged. If one is refused, so is
	// the whole call.
	Inner []Inner
	// Folder is the folder that the call works for: that of its session, or of the client that makes it; "": not known.
	Folder string
	// Recorded says that the arguments come from the record, where tokens stand in the place of secrets.
	Recorded bool
	// Known are the tools of MCP servers that the call could mean, as the registry knows them. The judge fills it in.
	Known []Known
	// Menu tells what the names of tools mean in the request that the call answers; nil: the request is not known.
	Menu Menu
	MCP  MCPCall // what only calls on the surface MCP have
	// HoldUntil is how long the call can be held for a person's decision; zero: it cannot be held.
	HoldUntil time.Time
}

// Readings are what else the name of a call could mean.
type Readings struct {
	Aliases []string // other readings a client could take of the name; all are judged
	// Spellings are other ways to write the name, as a member of a namespace can be written with it or without. They mean
	// the same tool: a rule that matches any of them matches.
	Spellings []string
	// Open says that the call stands for any tool of its server, as a request may offer them. A rule that could match one of
	// them matches.
	Open bool
}

// Partial says what is not known of a call that stands inside another one, which computes it.
type Partial struct {
	// Unknown says that the arguments are not known: a rule that restricts the tool by its arguments matches.
	Unknown bool
	// Holes are JSON pointers to the parts of the arguments that are not known. There is null at each. The real value may be
	// anything, or missing.
	Holes []string
	// Repeats says that the call may be made any number of times.
	Repeats bool
}

// Delivery says what can be changed in a call when it is delivered to the agent, and what was.
type Delivery struct {
	// Fixed says that the arguments cannot be replaced where they stand.
	Fixed bool
	// Ran says that the provider has already run the call. It can be hidden from the agent by name; what a rule says of its
	// arguments is only recorded.
	Ran bool
	// ArgsFollow says that the call is refused before its arguments arrive. They are recorded later, in an event of their own.
	ArgsFollow bool
	// LeftOut are the names of members that are removed from the call, because they could hold other arguments than these.
	LeftOut []string
}

// Stored is what is known of a call because its provider stores it.
type Stored struct {
	// Unit is what the wire calls this kind of call, if the provider stores it beyond its response: its ruling must be
	// remembered. "": it is not stored.
	Unit string
	// Notice is the id of the notice in a refused call's place, where the wire gives such things ids.
	Notice string
}

// IsStored says whether the provider stores the call beyond its response.
func (s Stored) IsStored() bool { return s.Unit != "" }

// An Inner call is one inside another's arguments.
type Inner struct {
	Tool string
	Args jsontext.Value // one strict JSON object
	Partial
}

// A Remembered ruling is on a call that its provider stores and will send again.
type Remembered struct {
	Upstream     string // Exchange.Provider
	Response     string // Exchange.ResponseID
	Conversation string // Exchange.Conversation
	WireID       string
	Unit         string
	Notice       string
	Tool         string
	Ruling       Ruling
}

// A Ruling is final. Only the judge makes one.
type Ruling struct {
	Released bool
	// Args replace the arguments of a released call: one strict JSON object of the same shape. nil: they go out as they came.
	Args jsontext.Value
	// Beside replaces the other params of a released MCP call; nil: they go out as they came.
	Beside jsontext.Value
	Code   string // stable; "" for a released call
	Reason string // one line for the model and the human
	Rule   string
	Policy string // the version of the policy that decided; "": none did
	// Contact is whom to ask about a refusal; "": nobody is named.
	Contact string
	// Approval is the request by which people are asked about the call; "": nobody is asked.
	Approval string
	Call     ID    // under which it is on record; "": the call's own
	Trace    Trace // in which it is on record; zero: the call's own
	// Silent says that the response broke off: the call is dropped without a notice.
	Silent bool
	// Judged and Recorded are how long the ruling and its record took; 0: nobody looked at the clock.
	Judged, Recorded time.Duration
}

// The codes of refusals. They are part of the interface: notices, events and errors carry them.
const (
	CodeToolDenied       = "tool_denied"
	CodeArgsDenied       = "args_denied"
	CodeArgsUnreadable   = "args_unreadable"
	CodeArgsOversize     = "args_oversize"
	CodeOverBudget       = "over_budget" // one client, or all together, need more memory than weir may use
	CodeTooCostly        = "too_costly"  // judging the call takes more work than one call may take
	CodeCutShort         = "cut_short"
	CodeMalformed        = "malformed"
	CodeUndecodable      = "undecodable"
	CodeUnrecognised     = "unrecognised"
	CodeStoreUnavailable = "store_unavailable"
	CodeRateLimited      = "rate_limited"
	CodeBudgetExceeded   = "budget_exceeded"
	CodeOpaqueCode       = "opaque_code"
	CodeServerDenied     = "server_denied"
	CodeUnknownTool      = "unknown_tool"
	CodeToolChanged      = "tool_changed"
	CodeContentDenied    = "content_denied"    // what a server sent has findings that policy does not let pass
	CodeNotApproved      = "not_approved"      // a person's yes is needed, and nobody can be asked
	CodeApprovalPending  = "approval_pending"  // a person is asked, and has not decided yet
	CodeApprovalDenied   = "approval_denied"   // a person said no
	CodeApprovalExpired  = "approval_expired"  // nobody decided in time
	CodeApprovalFlood    = "approval_flood"    // too many calls wait for a person
	CodeConnectionDenied = "connection_denied" // a program of a session may not go there
)

// Codes are all codes of refusals.
func Codes() []string {
	return []string{
		CodeToolDenied, CodeArgsDenied, CodeArgsUnreadable, CodeArgsOversize, CodeOverBudget, CodeTooCostly, CodeCutShort, CodeMalformed,
		CodeUndecodable, CodeUnrecognised,
		CodeStoreUnavailable, CodeRateLimited, CodeBudgetExceeded, CodeOpaqueCode, CodeServerDenied, CodeUnknownTool, CodeToolChanged,
		CodeContentDenied, CodeNotApproved, CodeApprovalPending, CodeApprovalDenied, CodeApprovalExpired, CodeApprovalFlood, CodeConnectionDenied,
	}
}

// WantsYes says whether a call with this code is refused only because no person has said yes to it.
func WantsYes(code string) bool {
	switch code {
	case CodeNotApproved, CodeApprovalPending, CodeApprovalDenied, CodeApprovalExpired, CodeApprovalFlood:
		return true
	}
	return false
}

// Usage is what a response says it cost, in tokens.
type Usage struct {
	Input         int64 `json:"input_tokens"` // of the prompt, without tokens read from or written to a cache
	Output        int64 `json:"output_tokens"`
	CacheRead     int64 `json:"cache_read_tokens,omitzero"`
	CacheCreation int64 `json:"cache_creation_tokens,omitzero"`
}

// maxTokens is more than any response uses.
const maxTokens = 1_000_000_000

// Plausible returns the usage without impossible counts. They come from the wire, and their sums must not overflow.
func (u Usage) Plausible() Usage {
	for _, n := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheCreation} {
		*n = min(max(0, *n), maxTokens)
	}
	return u
}

// A Spend is money that counts against the budget of a scope.
type Spend struct {
	Scope string    // whose budget: any text that names it
	Micro int64     // in millionths of the currency's unit; less than one: nothing
	Time  time.Time // of one that is read back: the minute of its event; otherwise zero
}

// WithoutCached subtracts cached tokens from the input, for APIs that count them as input, too.
func (u Usage) WithoutCached() Usage {
	u.Input = max(0, u.Input-u.CacheRead-u.CacheCreation)
	return u
}

// A Volume is how much went over the wire, for responses that do not say what they used.
type Volume struct {
	Asked    int64 // bytes of the request; 0: not known, or its answer costs nothing
	Frames   int64 // of the response, with something in them
	Answered int64 // bytes in those frames
	Whole    bool  // the response is no stream
}

// The sizes by which tokens are guessed.
const (
	bytesPerToken = 4
	bytesPerFrame = 200 // of a frame in which there is no text yet
)

// Usage guesses what was used: four bytes of text are a token, and a frame of a stream is one at least.
func (v Volume) Usage() Usage {
	if v.Asked == 0 || v.Frames == 0 {
		return Usage{}
	}
	u := Usage{Input: v.Asked / bytesPerToken, Output: v.Answered / bytesPerToken}
	if !v.Whole {
		u.Output = max(v.Frames, (v.Answered-bytesPerFrame*v.Frames)/bytesPerToken)
	}
	return u
}

// Took is where the time of a response went.
type Took struct {
	Upstream time.Duration // waiting for the upstream
	Held     time.Duration // complete calls waited for their rulings; time in which several waited is counted once
	Judged   time.Duration // of that: until the policy had decided
	Recorded time.Duration // of that: until the record was durable
}

// An Outcome is how a response ended.
type Outcome struct {
	Started  time.Time // when the request came; zero: not known
	Status   int       // of the upstream's answer; 0: there was none
	Took     Took
	Actor    Actor
	Exchange Exchange
	Usage    Usage // as the response says; zero: it does not
	Volume   Volume
	Code     string // why weir refused the rest of the response; "" if it did not
	Reason   string
	Released int // calls delivered
	Refused  int
	Clean    bool // the upstream came to its end
	// Bodies hands over what became of the bodies, once that is known; nil: bodies are not stored.
	Bodies func(known func(Bodies))
}
