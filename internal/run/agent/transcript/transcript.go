// Package transcript reads the conversations that agents store on this machine, and finds the calls in them.
//
// Nothing of weir has to be installed for that: it shows what agents did before. All files are the work of others, so everything is
// bounded, and what cannot be read is counted and named, but ends nothing.
package transcript

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Call is a call of a tool in a transcript.
type Call struct {
	File string // that has it
	// Line is the number of its line, from 1; 0: the file has no lines that count. Row then names its entry, if it has a name.
	Line int
	Row  string

	Time    time.Time
	ID      string // the provider's, or the agent's
	Server  string // the MCP server; "": none, or only the tool's name says it
	Tool    string // as the model wrote it, without the server if Server has it
	Args    jsontext.Value
	Trouble string // why the arguments are not one strict JSON object; "": they are
	// Spellings are other ways to write the name.
	Spellings []string
	Ran       bool // the provider ran it
	Model     string
	Dir       string // the folder that the agent worked in; "": not known
	Side      bool   // a subagent made it
	Stopped   bool   // the agent's own permissions, or its user, refused it
}

// Agents are the names of the agents whose transcripts can be read.
func Agents() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// A kind is how one agent stores its transcripts.
type kind struct {
	name string
	// homes are the folders in which the agent stores things, the most likely first.
	homes func(around agent.Surroundings) []string
	// parts are the folders of a home that have transcripts.
	parts []string
	// skips are folders that have no transcripts, but may have very much else.
	skips []string
	// ours says whether a file of these folders is a transcript.
	ours func(path string) bool
	// parse reads a line, which may change what is known of the lines after it.
	parse func(s *scene, line []byte) (entry, error)
	// open reads a file that has no lines; nil, or false: the file has lines.
	open func(r *Reading, path string, yield func(Call) bool) (is, more bool)
}

var kinds = []kind{claudeKind, codexKind, geminiKind, openCodeKind}

// A scene is what is known of the lines of a file by earlier lines.
type scene struct {
	dir, model string
	side       bool
	servers    []string // that the agent's configuration has, for names that only those can divide
}

// An entry is what a line says.
type entry struct {
	calls []Call
	// results are the results of earlier calls.
	results []result
}

// A result says what became of a call.
type result struct {
	id      string
	stopped bool
}

// complete fills in what the scene says of a call, and checks its arguments.
func (s *scene) complete(c *Call) {
	if c.Dir == "" {
		c.Dir = s.dir
	}
	if c.Model == "" {
		c.Model = s.model
	}
	c.Side = c.Side || s.side
	if len(c.Args) == 0 {
		c.Args = jsontext.Value("{}")
	}
	_ = c.Args.Compact() // what cannot be parsed stays as it is, and is in trouble anyway
	if err := strictjson.CheckArguments(c.Args); err != nil {
		c.Trouble = err.Error()
	}
}

// CallsIn returns the calls in one line of a transcript of any agent.
func CallsIn(line []byte) ([]Call, error) {
	var first error
	for _, k := range kinds {
		s := &scene{}
		e, err := k.parse(s, line)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		for i := range e.calls {
			s.complete(&e.calls[i])
		}
		if len(e.calls) > 0 {
			return e.calls, nil
		}
	}
	return nil, first
}

func kindNamed(name string) (kind, bool) {
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if at < 0 {
		return kind{}, false
	}
	return kinds[at], true
}

// lenient reads what agents write: a text that was cut in the middle of a character is no reason to miss the call beside it. The
// arguments of calls are checked strictly.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

func decode(text []byte, into any) error { return json.Unmarshal(text, into, lenient) }

// What stands in the place of something else is left out: agents change their formats. These types read from the decoder itself, since
// transcripts are long.

// A word is a string.
type word string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (w *word) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*w = ""
	if d.PeekKind() != '"' {
		return d.SkipValue()
	}
	return json.UnmarshalDecode(d, (*string)(w))
}

// A yes is true, or not.
type yes bool

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (y *yes) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*y = d.PeekKind() == 't'
	return d.SkipValue()
}

// A list is the elements of an array.
type list[T any] []T

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (l *list[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = nil
	if d.PeekKind() != '[' {
		return d.SkipValue()
	}
	return json.UnmarshalDecode(d, (*[]T)(l))
}

// An object is what an object says.
type object[T any] struct{ is T }

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (o *object[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var zero T
	o.is = zero
	if d.PeekKind() != '{' {
		return d.SkipValue()
	}
	return json.UnmarshalDecode(d, &o.is)
}

// at parses a time as agents write it; zero: it is none.
func at(w word) time.Time {
	t, err := time.Parse(time.RFC3339, string(w))
	if err != nil {
		return time.Time{}
	}
	return t
}

// jsonString is a text as JSON.
func jsonString(s string) jsontext.Value {
	return strictjson.AppendString(nil, s)
}
