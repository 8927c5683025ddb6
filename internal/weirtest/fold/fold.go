// Package fold reads responses of model APIs as their clients do: it makes one message of a stream or a body, and fails where a client
// would stumble. It shares nothing with the dialects. That is what makes it worth asking whether weir's output is right.
package fold

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Kind is how a response is cut into frames.
type Kind string

// The kinds of responses.
const (
	Events  Kind = "sse"    // server-sent events
	Array   Kind = "array"  // a JSON array that grows
	Lines   Kind = "ndjson" // a JSON value a line
	Packets Kind = "aws"    // the messages of a binary event stream
	Whole   Kind = "json"   // one body
)

// Grows says whether a response of the kind comes piece by piece.
func (k Kind) Grows() bool { return cut[k] != nil }

// A Format is a format of responses as its clients know it.
type Format struct {
	// Name is that of the API.
	Name string
	// speaks says whether a frame of a stream is of this format, as far as its members tell.
	speaks func(frame object) bool
	// begin begins to make one message of a stream.
	begin func() folder
	// framed checks what its clients ask of the framing of events; nil: nothing.
	framed func(sse []byte)
	// whole is the message in a body, such that a folded one compares with it; nil: it is none.
	whole func(body object) (jsontext.Value, error)
	// acceptable checks what no accumulator does but agents and the API do.
	acceptable func(message jsontext.Value)
	// content is what a message says and asks for.
	content func(message jsontext.Value) []Block
}

// A folder makes one message of a stream, and stumbles where a client would. name is "" for a frame without one. A result may be whole
// and have an error: what a client may overlook.
type folder interface {
	take(name string, data []byte)
	result() (jsontext.Value, error)
}

// A stumble is why a client cannot read on. It is thrown, and caught where a response is folded or checked.
type stumble struct{ error }

// stumbled is one with a reason, and stumblef throws it.
func stumbled(format string, args ...any) stumble { return stumble{fmt.Errorf(format, args...)} }

func stumblef(format string, args ...any) { panic(stumbled(format, args...)) }

// caught is why something stumbles; nil: it does not.
func caught(do func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stumble:
			err = r.error
		default:
			panic(r)
		}
	}()
	do()
	return nil
}

// within has what stumbles say where.
func within(where string, do func()) {
	if err := caught(do); err != nil {
		stumblef("%s: %w", where, err)
	}
}

// parse reads a JSON value, or stumbles. what is its name.
func parse[T any](v []byte, what string) (parsed T) {
	if err := json.Unmarshal(v, &parsed, lenient); err != nil {
		stumblef("%s: %w", what, err)
	}
	return parsed
}

// written is a value in JSON.
func written(v any) jsontext.Value {
	text, err := json.Marshal(v, lenient)
	if err != nil {
		stumblef("fold %T: %w", v, err)
	}
	return text
}

// all are the formats that are known. What one of them speaks, no later one does.
var all = []*Format{&Responses, &Messages, &Chat, &Gemini, &Ollama, &Converse}

// Why a response makes no message. A response that is wrong in another way has another error.
var (
	ErrFailed     = errors.New("the response is an error of the API")
	ErrUnfinished = errors.New("the response does not come to its end")
	ErrMarked     = errors.New("[DONE] comes before the end of the response")
)

// lenient parses JSON as clients do. It writes strings as they were, since half a character may have its other half elsewhere, and
// members in the order of their names: what a dialect finds in a folded message may depend on their order.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true),
	json.Deterministic(true))

// An object is a JSON object by the names of its members.
type object map[string]jsontext.Value

// A Message is what a client has when it has read a response.
type Message struct {
	Format *Format
	// JSON is the message as the API sends it in one body. What compares as equal means the same; see Difference.
	JSON jsontext.Value
}

// Check fails if an agent would not accept the message, or the API would not take it back.
func (m *Message) Check() error { return caught(func() { m.Format.acceptable(m.JSON) }) }

// Read makes one message of a response in the canonical framing and checks it. The message is nil if the response is an error, or in no
// format that is known.
func Read(body []byte, kind Kind) (*Message, error) {
	m, err := Fold(body, kind)
	if err != nil || m == nil {
		return nil, err
	}
	return m, m.Check()
}

// Fold is Read without the check.
func Fold(body []byte, kind Kind) (*Message, error) {
	if kind.Grows() {
		m, err := foldFrames(body, kind)
		if errors.Is(err, ErrFailed) {
			return nil, nil
		}
		return m, err
	}
	var o object
	if json.Unmarshal(body, &o, lenient) != nil {
		return nil, nil
	}
	for _, f := range all {
		if text, err := f.wholeOf(o); err != nil || text != nil {
			return &Message{f, text}, err
		}
	}
	return nil, nil
}

// foldFrames makes one message of a response that grows.
func foldFrames(body []byte, kind Kind) (*Message, error) {
	list, err := cut[kind](body)
	if err != nil {
		return nil, err
	}
	f := formatOf(list)
	switch {
	case f == nil && kind == Events:
		f = &Messages // whose streams may begin with what says nothing
	case f == nil:
		return nil, nil
	}
	return f.Fold(body, kind)
}

// Fold makes one message of a response that is known to be of the format. It fails with ErrFailed if it is an error.
func (f *Format) Fold(body []byte, kind Kind) (*Message, error) {
	if !kind.Grows() {
		var o object
		if err := json.Unmarshal(body, &o, lenient); err != nil {
			return nil, fmt.Errorf("the body: %w", err)
		}
		text, err := f.wholeOf(o)
		if err == nil && text == nil {
			err = ErrFailed
		}
		return &Message{f, text}, err
	}
	if kind == Events && f.framed != nil {
		if err := caught(func() { f.framed(body) }); err != nil {
			return nil, err
		}
	}
	list, err := cut[kind](body)
	if err != nil && !errors.Is(err, ErrUnfinished) && !errors.Is(err, ErrFailed) {
		return nil, err
	}
	folder := f.begin()
	for i, e := range list {
		err := caught(func() { folder.take(e.name, e.data) })
		if errors.Is(err, ErrFailed) && slices.ContainsFunc(list[i+1:], event.says) {
			err = errors.New("the stream goes on after its failure")
		}
		if err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	m := &Message{Format: f}
	if stumbled := caught(func() { m.JSON, err = folder.result() }); stumbled != nil {
		err = stumbled
	}
	return m, err
}

// wholeOf is the message in a body; nil: it is none.
func (f *Format) wholeOf(body object) (message jsontext.Value, err error) {
	if stumbled := caught(func() { message, err = f.whole(body) }); stumbled != nil {
		return nil, stumbled
	}
	return message, err
}

// Check fails if a response, or the beginning of one, is not what a client can read and an agent would accept. It says whether the
// response came to its end, as a message or as an error.
func (f *Format) Check(body []byte, kind Kind) (ended bool, err error) {
	if len(body) == 0 {
		return false, nil
	}
	m, err := f.Fold(body, kind)
	switch {
	case errors.Is(err, ErrFailed):
		return true, nil
	case errors.Is(err, ErrUnfinished):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, m.Check()
}

// formatOf is the format of a response that grows; nil if none speaks so.
func formatOf(list []event) *Format {
	for _, e := range list {
		var frame object
		if json.Unmarshal(e.data, &frame, lenient) != nil {
			continue
		}
		for _, f := range all {
			if f.speaks(frame) {
				return f
			}
		}
	}
	return nil
}

// joined appends one JSON string to another as they are written, so that halves of a character join.
func joined(a, b jsontext.Value) jsontext.Value {
	if len(a) < 2 {
		return b
	}
	return append(a[:len(a)-1:len(a)-1], b[1:]...)
}

// text is a JSON string's text; "" for what is none.
func text(v jsontext.Value) string {
	var s string
	if json.Unmarshal(v, &s, lenient) != nil {
		return ""
	}
	return s
}
