package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// An Entry is an event as it is stored: its text, which is the record, and columns to find it by.
type Entry struct {
	Row  int64 // the position in the store: later entries have higher rows; 0 before it is stored
	Text []byte
	Columns
	// Garbled names a column that holds a value of another type than was stored, such as bytes for a text; "": none does.
	Garbled string
	// With are the effects of storing the entry. Entries that are read back have none.
	With Effects
	// Place is where the entry is in a log. Entries that were not read from a log, or taken by one, have none.
	Place Place
}

// A Place is where an event is in the log of a process.
type Place struct {
	Log       string // the name of the log
	At, After int64  // the positions where its frame begins and ends
}

// Columns are stored beside the text of an event, so that it can be found. All except the hash repeat members of the text; package
// verify compares them.
type Columns struct {
	Head
	Micros  int64 // the time of the event, in microseconds since 1970
	Type    Type
	Session string
	Server  string
	Tool    string
	CallID  string
	WireID  string
	Verdict string
	Blocked bool
	Code    string
	Rule    string
	Within  string
	Surface string
	WouldBe string
	Reason  string

	// Names; see Name.
	Org, Team, Employee, Key string
	Provider, Model          string
	RequestID, ResponseID    string

	Numbers
}

// Columns returns the columns of t, without the hash.
func (t Text) Columns() Columns {
	return Columns{
		Head:    Head{Chain: t.Chain, Seq: t.Seq},
		Micros:  t.Time.UnixMicro(),
		Type:    Type(columnText(string(t.Type))),
		Session: columnText(t.Session),
		Server:  columnText(t.Server),
		Tool:    columnText(t.Tool),
		CallID:  columnText(string(t.CallID)),
		WireID:  columnText(t.WireID),
		Verdict: columnText(t.Verdict),
		Blocked: t.Blocked,
		Code:    columnText(t.Code),
		Rule:    columnText(t.Rule),
		Within:  columnText(string(t.Within)),
		Surface: columnText(string(t.Surface)),
		WouldBe: columnText(t.WouldBe),
		Reason:  columnText(t.Reason),

		Org: Name(t.Actor.Org), Team: Name(t.Actor.Team), Employee: Name(t.Actor.Employee), Key: Name(t.Actor.Key),
		Provider: Name(t.Provider), Model: Name(t.Model),
		RequestID: Name(t.RequestID), ResponseID: Name(t.ResponseID),

		Numbers: numbers(t.Type, t.Detail),
	}
}

// columnText makes s fit for a text column of any database: not all accept NUL, and none is sure to preserve invalid UTF-8.
func columnText(s string) string {
	if !utf8.ValidString(s) {
		s = string([]rune(s)) // a replacement character for each byte, as in the text
	}
	return strings.ReplaceAll(s, "\x00", "\uFFFD")
}

// Event parses the entry's text.
func (e Entry) Event() (Event, error) {
	t, err := e.Parse()
	if err != nil {
		return Event{}, err
	}
	ev, err := t.event()
	ev.Hash = e.Hash
	return ev, err
}

// JSON returns the event as one line of JSON, without the line's end: its text with the hash as last member, and
// without white space between tokens. Strings and numbers are written as they were recorded.
func (e Entry) JSON() ([]byte, error) {
	v := jsontext.Value(append([]byte(nil), e.Text...))
	if err := v.Compact(lenient); err != nil || v.Kind() != '{' {
		return nil, fmt.Errorf("row %d is not a JSON object; run weir audit verify", e.Row)
	}
	v, err := jsontext.AppendQuote(append(v[:len(v)-1], `,"hash":`...), columnText(e.Hash))
	if err != nil {
		return nil, fmt.Errorf("row %d: quote hash: %w", e.Row, err)
	}
	return append(v, '}'), nil
}

// JSON returns e in the form of Entry.JSON. An event that is not recorded yet has no position.
func (e Event) JSON() ([]byte, error) {
	u, err := e.Encode()
	if err != nil {
		return nil, err
	}
	entry := u.seal(e.Head, e.PrevHash)
	entry.Hash = e.Hash // also if the event is shown without its arguments: the hash names the recorded event
	return entry.JSON()
}

// hashOf is the hash of an event with this text. The text holds the hash before it, the chain and the position in the chain.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	var digits [2 * sha256.Size]byte
	hex.Encode(digits[:], sum[:])
	return string(digits[:])
}

// Intact says whether the text has the hash of the columns.
func (e Entry) Intact() bool { return hashOf(e.Text) == e.Hash }
