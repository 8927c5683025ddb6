package record

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// Text is the JSON shape of an event. An event is encoded as text once, before it is hashed. From then on the text is the event,
// and is never encoded anew.
type Text struct {
	V            int          `json:"v"`
	ID           string       `json:"id"`
	Time         time.Time    `json:"time"`
	Type         Type         `json:"type"`
	Session      string       `json:"session,omitzero"`
	Derived      bool         `json:"session_derived,omitzero"`
	Actor        call.Actor   `json:"actor,omitzero"` // without the session, which is a separate member
	RequestID    string       `json:"request_id,omitzero"`
	ResponseID   string       `json:"response_id,omitzero"`
	Conversation string       `json:"conversation_id,omitzero"`
	Trace        string       `json:"trace_id,omitzero"`
	Span         string       `json:"span_id,omitzero"`
	ParentSpan   string       `json:"parent_span_id,omitzero"`
	Unsampled    bool         `json:"unsampled,omitzero"`
	CallID       call.ID      `json:"call_id,omitzero"`
	Within       call.ID      `json:"within,omitzero"`
	Dialect      string       `json:"dialect,omitzero"`
	Provider     string       `json:"provider,omitzero"`
	Model        string       `json:"model,omitzero"`
	Surface      call.Surface `json:"surface,omitzero"`
	Server       string       `json:"server,omitzero"`
	Tool         string       `json:"tool,omitzero"`
	WireID       string       `json:"wire_id,omitzero"`
	MCP
	Ruling
	Detail jsontext.Value `json:"detail,omitzero"`

	// The arguments are in the text as they came. The link is known only when the event is sealed.
	Args     jsontext.Value `json:"args,omitzero"`
	Chain    string         `json:"chain,omitzero"`
	Seq      int64          `json:"seq,omitzero"`
	PrevHash string         `json:"prev_hash,omitzero"`
}

// lenient accepts what the gate accepts: repeated names and lone surrogate escapes inside recorded arguments. In weir's own strings
// it replaces invalid UTF-8, because a record with replacement characters is better than none.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Parse parses the text of an entry. Members it does not know are ignored: a newer version may have written them.
func (e Entry) Parse() (Text, error) {
	var t Text
	if err := json.Unmarshal(e.Text, &t, lenient); err != nil {
		return Text{}, fmt.Errorf("read event: %w", err)
	}
	return t, nil
}

// event is the inverse of Encode and seal, except for the hash, which the text cannot hold.
func (t Text) event() (Event, error) {
	e := Event{
		ID: t.ID, Time: t.Time, Type: t.Type, Actor: t.Actor,
		Exchange: call.Exchange{
			RequestID: t.RequestID, ResponseID: t.ResponseID, Conversation: t.Conversation,
			Provider: t.Provider, Dialect: t.Dialect, Model: t.Model,
			Trace: call.Trace{ID: t.Trace, Span: t.Span, Parent: t.ParentSpan, Unsampled: t.Unsampled},
		},
		CallID: t.CallID, Within: t.Within, Surface: t.Surface, Server: t.Server, Tool: t.Tool, WireID: t.WireID, Args: t.Args,
		MCP: t.MCP, Ruling: t.Ruling, Head: Head{Chain: t.Chain, Seq: t.Seq}, PrevHash: t.PrevHash,
	}
	e.Actor.Session, e.Actor.SessionDerived = t.Session, t.Derived
	var err error
	e.Detail, err = readDetail(t.Type, t.Detail)
	return e, err
}

// ReadDetail parses the detail by the type of the event; nil: there is none.
func (t Text) ReadDetail() (Detail, error) { return readDetail(t.Type, t.Detail) }
