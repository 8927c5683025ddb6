// Package wire is what weir's own models and clients need to speak a format: how a turn is asked for, said and understood. Tests write what
// their models say by it, so it knows nothing of the dialects that they test.
package wire

import (
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Kit is how a format is spoken. Each format has one, for models that are played: that of the demo, and the canary.
type Kit struct {
	// Request is how a client asks for a turn: the path, which follows the address of the API, and the body.
	Request func(t Turn, streamed bool) (path, body string)
	// Framing is that of streams.
	Framing frame.Framing
	// Stream is a turn frame by frame, and Whole is it in one body.
	Stream func(Turn) Steps
	Whole  func(Turn) string
	// Marks stand in every response with a call, and in no other. The first stands in a body as well as in a stream.
	Marks []string
	// Reader returns what understands the frames of one stream, as a client does. Calls are news when all of their arguments are there.
	Reader func() func(frame strictjson.Value) []News
}

// A Turn is what a client asks for, and what the model says.
type Turn struct {
	Model   string
	Prompt  string
	ID      string // of the response
	Stored  bool   // the provider stores the response, if it is one that stores any
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

// stop is why the turn ends.
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
	// Thought says that the text is a thought. Signature is that of the thought, or of the call that it led to.
	Thought   bool
	Signature string
}

// Text is a text that comes in these pieces.
func Text(pieces ...string) Block { return Block{Pieces: pieces} }

// Call is a call whose arguments come in these pieces.
func Call(tool string, pieces ...string) Block { return Block{Tool: tool, Pieces: pieces} }

// Whole is the text, or the arguments, in one piece.
func (b Block) Whole() string { return strings.Join(b.Pieces, "") }

// News is what a frame tells those who understand it.
type News struct {
	Text string
	Tool string // of a call that begins, or that is whole if Args is there, too
	Args string // more of the arguments of the call
	Stop string // why the turn ends
}

// A Step is one frame of a stream.
type Step struct {
	News
	Type string // what the framing names the frame; "": nothing
	Data string
}

// Steps are a stream.
type Steps []Step

// add puts a frame at the end.
func (s *Steps) add(n News, typ, data string) { *s = append(*s, Step{n, typ, data}) }

// Encode is a step as it goes over the wire.
func (k *Kit) Encode(s Step) []byte {
	out, release := frame.Open(strings.NewReader(""), k.Framing, 0)
	defer release()
	return out.Append(nil, frame.Frame{Type: []byte(s.Type), Data: []byte(s.Data)})
}

// Bytes is all of a stream as it goes over the wire.
func (k *Kit) Bytes(t Turn) (stream []byte) {
	for _, s := range k.Stream(t) {
		stream = append(stream, k.Encode(s)...)
	}
	return stream
}

// said is the news that there is a text, if there is one.
func said(text string) []News {
	if text == "" {
		return nil
	}
	return []News{{Text: text}}
}

// An openCall is what a reader has of a call that is not over.
type openCall struct{ tool, args string }

// end is the news that the call is whole, if there is one.
func (c *openCall) end() []News {
	if c.tool == "" {
		return nil
	}
	n := []News{{Tool: c.tool, Args: c.args}}
	*c = openCall{}
	return n
}

// quote is s as a JSON string.
func quote(s string) string { return string(strictjson.AppendString(nil, s)) }

// textAt is the text of a member; "": there is none.
func textAt(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	text, _ := m.Text()
	return text
}
