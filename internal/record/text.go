package record

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

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

	// The members below are appended to the others rather than marshalled: the arguments because a marshaller would
	// rewrite their white space and escapes, the link because it is known only when the event is sealed.
	Args     jsontext.Value `json:"args,omitzero"`
	Chain    string         `json:"chain,omitzero"`
	Seq      int64          `json:"seq,omitzero"`
	PrevHash string         `json:"prev_hash,omitzero"`
}

// lenient accepts what the gate accepts: repeated names and lone surrogate escapes inside recorded arguments. In weir's own strings
// it replaces invalid UTF-8, because a record with replacement characters is better than none.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// An Unsealed event is the beginning of its text, up to the link that a chain appends.
type Unsealed struct {
	With    Effects // for the entry that it becomes
	columns Columns
	text    []byte
}

// Size is the length of the text so far.
func (u Unsealed) Size() int { return len(u.text) }

// Encode writes e as text without its position. It copies all it needs of e.
func (e Event) Encode() (Unsealed, error) {
	x := e.Exchange
	t := Text{
		V: version, ID: e.ID, Time: e.Time, Type: e.Type, Session: e.Actor.Session, Derived: e.Actor.SessionDerived, Actor: e.Actor,
		RequestID: x.RequestID, ResponseID: x.ResponseID, Conversation: x.Conversation,
		Dialect: x.Dialect, Provider: x.Provider, Model: x.Model,
		Trace: x.Trace.ID, Span: x.Trace.Span, ParentSpan: x.Trace.Parent, Unsampled: x.Trace.Unsampled,
		CallID: e.CallID, Within: e.Within, Surface: e.Surface, Server: e.Server, Tool: e.Tool, WireID: e.WireID,
		MCP: e.MCP, Ruling: e.Ruling,
	}
	t.Actor.Session, t.Actor.SessionDerived = "", false
	t.Time = t.Time.UTC().Truncate(time.Microsecond)
	var err error
	if t.Detail, err = writeDetail(e.Detail); err != nil {
		return Unsealed{}, fmt.Errorf("encode event: detail: %w", err)
	}
	b, err := json.Marshal(t, lenient)
	if err != nil {
		return Unsealed{}, fmt.Errorf("encode event: %w", err)
	}
	b = b[:len(b)-1] // reopen the object
	if e.Args != nil {
		args := jsontext.Value(bytes.Trim(e.Args, " \t\r\n"))
		b = append(append(b, `,"args":`...), args...)
		if err := checkArgs(args, b); err != nil {
			return Unsealed{}, fmt.Errorf("encode event: args: %w", err)
		}
	}
	return Unsealed{columns: t.Columns(), text: b}, nil
}

// checkArgs checks that the arguments, which are copied into the text, are one JSON value. Anything else could look like other
// members of the event. open is the text with the arguments in it and its object not yet closed.
func checkArgs(args jsontext.Value, open []byte) error {
	switch {
	case !utf8.Valid(args):
		return errors.New("invalid UTF-8")
	case !args.IsValid(lenient):
		return errors.New("not one JSON value")
	case !jsontext.Value(append(open, '}')).IsValid(lenient): // one level deeper than args
		return errors.New("nested too deeply")
	}
	return nil
}

// seal completes the text of an event with its position and the hash of the event before it. The hash is over the result.
func (u Unsealed) seal(at Head, prevHash string) Entry {
	b := append(u.text, `,"chain":`...)
	b = strconv.AppendQuote(b, at.Chain) // chain ids and hashes are plain ASCII
	b = append(b, `,"seq":`...)
	b = strconv.AppendInt(b, at.Seq, 10)
	b = append(b, `,"prev_hash":`...)
	b = strconv.AppendQuote(b, prevHash)
	b = append(b, '}')
	e := Entry{Columns: u.columns, Text: b, With: u.With}
	e.Head = Head{Chain: at.Chain, Seq: at.Seq, Hash: hashOf(b)}
	return e
}

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

func writeDetail(d Detail) (jsontext.Value, error) {
	switch d := d.(type) {
	case nil:
		return nil, nil
	case unknownDetail:
		return jsontext.Value(d), nil
	default:
		return json.Marshal(d, lenient)
	}
}

// ReadDetail parses the detail by the type of the event; nil: there is none.
func (t Text) ReadDetail() (Detail, error) { return readDetail(t.Type, t.Detail) }
