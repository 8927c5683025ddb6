// Package wire has what weir's own models and clients need to use a format: it writes requests and responses, and parses responses.
// Tests use it to write the responses of their models, so it must not depend on the dialects that they test.
package wire

import (
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Kit writes and parses one format. Each format has one, for simulated models: the demo's model, and the canary.
type Kit struct {
	// Request returns a client's request for a turn: the path after the address of the API, and the body.
	Request func(t Turn, streamed bool) (path, body string)
	// Framing is the framing of streams.
	Framing frame.Framing
	// Stream returns a turn as frames, and Whole as one body.
	Stream func(Turn) Steps
	Whole  func(Turn) string
	// Marks are texts in every response with a call, and in no other. The first is in bodies and in streams.
	Marks []string
	// Reader returns a function that parses the frames of one stream, as a client does. It reports a call when all of its arguments
	// have arrived.
	Reader func() func(frame strictjson.Value) []News
}

// A Turn is a client's request and the model's response.
type Turn struct {
	Model   string
	Prompt  string
	ID      string // of the response
	Stored  bool   // the provider stores the response, if it can
	In, Out int    // the tokens that it cost
	Blocks  []Block
}

// Calls says whether there is a call in the turn.
func (t Turn) Calls() bool {
	for _, b := range t.Blocks {
		if b.Tool != "" {
			return true
		}
	}
	return false
}

// stop returns the reason for the end of the turn.
func (t Turn) stop(called, said string) string {
	if t.Calls() {
		return called
	}
	return said
}

// A Block is a text, or a call.
type Block struct {
	Tool   string   // "": it is a text
	ID     string   // of the call, in formats that have one
	Pieces []string // of the text, or of the arguments: one JSON object
	// Thought says that the text is a thought. Signature is the signature of the thought, or of the call after it.
	Thought   bool
	Signature string
}

// Text returns a text that comes in these pieces.
func Text(pieces ...string) Block { return Block{Pieces: pieces} }

// Call returns a call whose arguments come in these pieces.
func Call(tool string, pieces ...string) Block { return Block{Tool: tool, Pieces: pieces} }

// Whole returns the text, or the arguments, in one piece.
func (b Block) Whole() string { return strings.Join(b.Pieces, "") }

// News is what a reader learns from a frame.
type News struct {
	Text string
	Tool string // of a call that begins, or that is complete if Args is set, too
	Args string // more of the arguments of the call
	Stop string // why the turn ends
}

// A Step is one frame of a stream.
type Step struct {
	News
	Type string // the frame's name in the framing; "": none
	Data string
}

// Steps are a stream.
type Steps []Step

// add puts a frame at the end.
func (s *Steps) add(n News, typ, data string) { *s = append(*s, Step{n, typ, data}) }

// Encode returns a step as bytes of the stream.
func (k *Kit) Encode(s Step) []byte {
	out, release := frame.Open(strings.NewReader(""), k.Framing, 0)
	defer release()
	return out.Append(nil, frame.Frame{Type: []byte(s.Type), Data: []byte(s.Data)})
}

// Bytes returns a whole stream as bytes.
func (k *Kit) Bytes(t Turn) (stream []byte) {
	for _, s := range k.Stream(t) {
		stream = append(stream, k.Encode(s)...)
	}
	return stream
}

// said returns the news of a text, if it is not empty.
func said(text string) []News {
	if text == "" {
		return nil
	}
	return []News{{Text: text}}
}

// An openCall is the part of a call that a reader has got so far.
type openCall struct{ tool, args string }

// end returns the news of a complete call, if there is one.
func (c *openCall) end() []News {
	if c.tool == "" {
		return nil
	}
	n := []News{{Tool: c.tool, Args: c.args}}
	*c = openCall{}
	return n
}

// quote returns s as a JSON string.
func quote(s string) string { return string(strictjson.AppendString(nil, s)) }

// textAt returns the text of a member; "": there is none.
func textAt(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	text, _ := m.Text()
	return text
}
