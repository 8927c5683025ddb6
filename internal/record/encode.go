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
)

// An Unsealed event is the beginning of its text, up to the link that a chain appends.
type Unsealed struct {
	With    Effects // for the entry that it becomes
	columns Columns
	text    []byte
}

// Size is the length of the text so far.
func (u Unsealed) Size() int { return len(u.text) }

// linkSize is about how many bytes seal appends.
const linkSize = 160

// usualSize is more than the texts of most events take beside their arguments.
const usualSize = 768

// Encode writes e as text without its position. It copies all it needs of e. The text is what package json writes for Text: a test
// compares them.
func (e Event) Encode() (Unsealed, error) {
	args := bytes.Trim(e.Args, " \t\r\n")
	w := writer{b: make([]byte, 0, usualSize+len(args)+linkSize)}
	w.open('{')
	e.writeHead(&w)
	e.writeCall(&w)
	e.MCP.write(&w)
	e.Ruling.write(&w)
	writeDetail(&w, e.Detail)
	if w.err != nil {
		return Unsealed{}, fmt.Errorf("encode event: %w", w.err)
	}
	if e.Args != nil {
		w.name("args")
		at := len(w.b)
		w.b = append(w.b, args...)
		if err := checkArgs(w.b, at); err != nil {
			return Unsealed{}, fmt.Errorf("encode event: args: %w", err)
		}
	}
	return Unsealed{columns: e.columns(), text: w.b}, nil
}

// writeHead writes the members that say when, what, for whom and in which exchange.
func (e *Event) writeHead(w *writer) {
	w.int("v", version)
	w.always("id", e.ID)
	w.time("time", e.Time.UTC().Truncate(time.Microsecond))
	w.always("type", string(e.Type))
	w.text("session", e.Actor.Session)
	w.flag("session_derived", e.Actor.SessionDerived)
	if a := e.Actor; a.Org != "" || a.Team != "" || a.Employee != "" || a.Key != "" {
		w.name("actor")
		w.open('{')
		w.text("org", a.Org)
		w.text("team", a.Team)
		w.text("employee", a.Employee)
		w.text("key", a.Key)
		w.close('}')
	}
	x := &e.Exchange
	w.text("request_id", x.RequestID)
	w.text("response_id", x.ResponseID)
	w.text("conversation_id", x.Conversation)
	w.text("trace_id", x.Trace.ID)
	w.text("span_id", x.Trace.Span)
	w.text("parent_span_id", x.Trace.Parent)
	w.flag("unsampled", x.Trace.Unsampled)
}

// writeCall writes the members of the call that the event is about.
func (e *Event) writeCall(w *writer) {
	w.text("call_id", string(e.CallID))
	w.text("within", string(e.Within))
	w.text("dialect", e.Exchange.Dialect)
	w.text("provider", e.Exchange.Provider)
	w.text("model", e.Exchange.Model)
	w.text("surface", string(e.Surface))
	w.text("server", e.Server)
	w.text("tool", e.Tool)
	w.text("wire_id", e.WireID)
}

func (m *MCP) write(w *writer) {
	w.text("server_type", m.ServerType)
	w.text("server_addr", m.ServerAddr)
	w.text("tool_hash", m.ToolHash)
	w.text("jsonrpc_id", m.RPCID)
	if m.Registry != (RegistryMark{}) {
		w.name("registry")
		w.open('{')
		w.int("revision", m.Registry.Revision)
		w.always("digest", m.Registry.Digest)
		w.close('}')
	}
}

func (r *Ruling) write(w *writer) {
	w.text("verdict", r.Verdict)
	w.bool("blocked", r.Blocked)
	w.text("would_be", r.WouldBe)
	w.text("code", r.Code)
	w.text("reason", r.Reason)
	w.text("rule", r.Rule)
	w.text("rule_origin", r.RuleOrigin)
	w.text("policy_version", r.PolicyVersion)
}

// A writing detail writes its members by hand. Details of events that are rare need not: package json writes them.
type writing interface{ write(*writer) }

func writeDetail(w *writer, d Detail) {
	if d == nil {
		return
	}
	if known, ok := d.(writing); ok {
		w.name("detail")
		w.open('{')
		known.write(w)
		w.close('}')
		return
	}
	raw := jsontext.Value(nil)
	if unknown, ok := d.(unknownDetail); ok {
		raw = jsontext.Value(unknown)
	} else if marshalled, err := json.Marshal(d, lenient); err != nil {
		w.fail(fmt.Errorf("detail: %w", err))
	} else {
		raw = marshalled
	}
	w.value("detail", raw)
}

// value writes a member with a value that is JSON already; nil: there is none.
func (w *writer) value(name string, v jsontext.Value) {
	if v == nil {
		return
	}
	compact, err := json.Marshal(v, lenient)
	if err != nil {
		w.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	w.name(name)
	w.b = append(w.b, compact...)
}

// mayBeDeep is the length of the shortest text that jsontext could find too deep inside an object, though not by itself.
const mayBeDeep = 10_000

// checkArgs checks that the end of an open text, from at, is one JSON value. Anything else could look like other members of the event.
func checkArgs(open []byte, at int) error {
	args := jsontext.Value(open[at:])
	switch {
	case !utf8.Valid(args):
		return errors.New("invalid UTF-8")
	case !args.IsValid(lenient):
		return errors.New("not one JSON value")
	case len(args) >= mayBeDeep && !jsontext.Value(append(open, '}')).IsValid(lenient): // one level deeper than args
		return errors.New("nested too deeply")
	}
	return nil
}

// seal completes the text of an event with its position and the hash of the event before it. The hash is over the result.
func (u Unsealed) seal(at Head, prevHash string) Entry {
	b := append(u.text, `,"chain":`...)
	b = appendWord(b, at.Chain)
	b = append(b, `,"seq":`...)
	b = strconv.AppendInt(b, at.Seq, 10)
	b = append(b, `,"prev_hash":`...)
	b = appendWord(b, prevHash)
	b = append(b, '}')
	e := Entry{Columns: u.columns, Text: b, With: u.With}
	e.Head = Head{Chain: at.Chain, Seq: at.Seq, Hash: hashOf(b)}
	return e
}

// appendWord quotes a chain id or a hash. They are letters, digits and underscores, unless somebody changed the store that they come from.
func appendWord(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return strconv.AppendQuote(b, s)
		}
	}
	b = append(append(b, '"'), s...)
	return append(b, '"')
}

// columns are those of the text that e becomes, without its position.
func (e *Event) columns() Columns {
	c := Columns{
		Micros:  e.Time.UnixMicro(),
		Type:    Type(columnText(string(e.Type))),
		Session: columnText(e.Actor.Session),
		Server:  columnText(e.Server),
		Tool:    columnText(e.Tool),
		CallID:  columnText(string(e.CallID)),
		WireID:  columnText(e.WireID),
		Verdict: columnText(e.Verdict),
		Blocked: e.Blocked,
		Code:    columnText(e.Code),
		Rule:    columnText(e.Rule),
		Within:  columnText(string(e.Within)),
		Surface: columnText(string(e.Surface)),
		WouldBe: columnText(e.WouldBe),
		Reason:  columnText(e.Reason),

		Org: Name(e.Actor.Org), Team: Name(e.Actor.Team), Employee: Name(e.Actor.Employee), Key: Name(e.Actor.Key),
		Provider: Name(e.Exchange.Provider), Model: Name(e.Exchange.Model),
		RequestID: Name(e.Exchange.RequestID), ResponseID: Name(e.Exchange.ResponseID),
	}
	if d, ok := e.Detail.(counting); ok {
		c.Numbers = d.numbers()
	}
	return c
}
