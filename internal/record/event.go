// Package record defines events: their kinds, their form as JSON, columns and schema, and the hash chain that links them. Its
// subpackages write, sign, store, query and verify the record.
package record

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// version is the version of the JSON shape of events, their member "v".
const version = 1

// An Event is one thing that happened. Only its id, time, type and position are always set once it is recorded. Members that do not
// apply to its type stay empty and are not written.
type Event struct {
	ID   string    // unique; empty: the recorder makes one
	Time time.Time // to the microsecond; zero: when it is recorded
	Type Type      // required

	Actor    call.Actor    // on whose behalf; Actor.Session is the member "session" of the JSON
	Exchange call.Exchange // the request and response it belongs to, and their trace; Reread is not recorded

	// The call that it is about.
	CallID  call.ID
	Within  call.ID // the call whose arguments contain this call; "": none
	Surface call.Surface
	Server  string // an MCP server; "": none
	Tool    string
	WireID  string
	Args    jsontext.Value // recorded byte for byte, except for white space around the value; nil: none

	MCP    MCP    // what only events about MCP servers have
	Ruling        // what was decided
	Detail Detail // what only events of this type have; nil: nothing

	// Its position in its chain, which the recorder fills in: Hash is that of the event itself, PrevHash that of the event before it;
	// Genesis for the first.
	Head
	PrevHash string
}

// MCP has the members of events about MCP servers. In the JSON they are among the event's own members.
type MCP struct {
	ServerType string       `json:"server_type,omitzero"` // stdio, http or sse
	ServerAddr string       `json:"server_addr,omitzero"` // the program, or the URL without the query
	ToolHash   string       `json:"tool_hash,omitzero"`   // of the definition of the tool
	RPCID      string       `json:"jsonrpc_id,omitzero"`  // the JSON-RPC id of the request, as JSON
	Registry   RegistryMark `json:"registry,omitzero"`    // the state of the registry then; zero: not recorded
}

// A Ruling is what was decided about the thing that happened. In the JSON its members are among the event's own members.
type Ruling struct {
	Verdict       string `json:"verdict,omitzero"`  // allow, audit, sanitize or deny; "" if no policy decided
	Blocked       bool   `json:"blocked"`           // it was refused
	WouldBe       string `json:"would_be,omitzero"` // the verdict that was decided but not enforced; "" if there is none
	Code          string `json:"code,omitzero"`
	Reason        string `json:"reason,omitzero"`
	Rule          string `json:"rule,omitzero"`
	RuleOrigin    string `json:"rule_origin,omitzero"`    // the file and line of the rule, if its policy has several files
	PolicyVersion string `json:"policy_version,omitzero"` // of the policy in force
}

// Effects are what a store does in the transaction that stores an event. They are not part of the event: an event that is read back
// has none.
type Effects struct {
	Remember *call.Remembered // a ruling; nil: none
	Spend    []call.Spend     // money to be counted; nil: none
}

// NewID makes an id for an event.
func NewID() string { return "evt_" + strings.ToLower(rand.Text()) }

// maxBegin bounds omitted.Begin, in bytes.
const maxBegin = 1024

// CapArguments removes arguments of more than this many bytes, and notes their size, digest and beginning in the event.
func (e *Event) CapArguments(most int) {
	if len(e.Args) <= most {
		return
	}
	sum := sha256.Sum256(e.Args)
	d, _ := e.Detail.(ToolCall)
	d.Omitted = omitted{
		SizeBytes: int64(len(e.Args)), Digest: "sha256:" + hex.EncodeToString(sum[:]),
		// A character that is cut in two is left out.
		Begin: strings.ToValidUTF8(string(e.Args[:min(maxBegin, len(e.Args))]), ""),
	}
	e.Args, e.Detail = nil, d
}
