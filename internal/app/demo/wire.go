package demo

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A wire is a format in which the model speaks.
type wire interface {
	name() string
	path() string
	// framing is that of its streams.
	framing() frame.Framing
	// request is the body of a request that asks a question.
	request(question string) string
	// script is the stream of the n-th scene.
	script(s scene, n int) []emission
	// reader returns what understands a stream.
	reader() reader
}

// An emission is one frame that the model sends, and what the screen says of it.
type emission struct {
	frame string
	says  string
}

// A reader understands one stream, frame by frame, as an agent's SDK would.
type reader interface {
	read(root strictjson.Value) []news
}

// news is something that an agent learns from a frame. One field is set.
type news struct {
	text string
	call string // a whole call: its name and arguments
	stop string
}

// newsOf reads a frame; what is not JSON brings no news.
func newsOf(r reader, f frame.Frame) []news {
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil {
		return nil
	}
	return r.read(doc.Root())
}

func quote(s string) string { return string(strictjson.AppendString(nil, s)) }

func textAt(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	text, _ := m.Text()
	return text
}
