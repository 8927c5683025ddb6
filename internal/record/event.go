// Package record is the words of the record: what an event is, of which kinds, how it reads as text, as columns and as a schema, and how one
// follows another in a chain. Its rooms write the record, sign it, keep it, ask it and check it.
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

// An Event is one thing that happened. Members that do not apply to its type stay empty and are not written.
type Event struct {
	ID            string        // unique; empty: the recorder makes one
	Time          time.Time     // kept to the microsecond; zero: when it is recorded
	Type          Type          // required
	Actor         call.Actor    // on whose behalf; Actor.Session is the member "session" of the JSON
	Exchange      call.Exchange // the request and response it belongs to
	Trace         string        // the distributed trace of the request, in hex; "": none
	Span          string        // weir's span of the request in it
	ParentSpan    string        // the client's; "": it named none
	Unsampled     bool          // the client does not want the trace to be kept
	CallID        call.ID
	Within        call.ID // the call in whose arguments this one stands; "": it stands for itself
	Surface       call.Surface
	Server        string
	Tool          string
	WireID        string
	ServerType    string         // of an MCP server: stdio, http or sse
	ServerAddr    string         // its program, or its URL without the query
	ToolHash      string         // of the definition of the tool
	RPCID         string         // the JSON-RPC id of the request, as JSON
	Args          jsontext.Value // kept byte for byte, except for white space around the value; nil: none
	Verdict       string         // allow, audit, sanitize or deny; "" for what no policy decides
	Blocked       bool           // it was kept from the agent
	WouldBe       string         // the verdict that was decided but not enforced; "" if there is none
	Code          string
	Reason        string
	Rule          string
	PolicyVersion string
	Registry      RegistryMark // how what is kept of the tools of Server stood then; zero: it is not said
	Detail        Detail       // what only events of this type have; nil: nothing

	// Keep is the ruling to be remembered with the event, as soon and as surely as the event is; nil: none. It is no part
	// of the event's text, and does not come back with it.
	Keep *call.Kept

	// Spend is the money to be counted with the event, as soon and as surely as the event is recorded; nil: none. It is no
	// part of the event's text either.
	Spend []call.Spend

	Link
}

// A Link is the place of an event in its chain. The recorder fills it in.
type Link struct {
	Chain    string
	Seq      int64  // 1 for the first event of a chain
	PrevHash string // the hash of the event before it; Genesis for the first
	Hash     string // SHA-256, in hex, of the event's text
}

// NewID makes an id for an event.
func NewID() string { return "evt_" + strings.ToLower(rand.Text()) }

// maxBegin bounds Omitted.Begin, in bytes.
const maxBegin = 1024

// CapArguments leaves out arguments of more than this many bytes, and has the event say what they were.
func (e *Event) CapArguments(most int) {
	if len(e.Args) <= most {
		return
	}
	sum := sha256.Sum256(e.Args)
	d, _ := e.Detail.(ToolCall)
	d.Omitted = Omitted{
		SizeBytes: int64(len(e.Args)), Digest: "sha256:" + hex.EncodeToString(sum[:]),
		// A character that is cut in two is left out.
		Begin: strings.ToValidUTF8(string(e.Args[:min(maxBegin, len(e.Args))]), ""),
	}
	e.Args, e.Detail = nil, d
}
