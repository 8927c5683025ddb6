package registry

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Definition is a server's definition of one of its tools. Its JSON is canonical: the same definition has the same bytes,
// whatever order, white space and escapes the server chose. Do not write to these bytes.
//
// An optional member that is null, or an empty text, counts as missing.
type Definition struct {
	Server       string         `json:"server"` // the id of the server, exactly
	Name         string         `json:"name"`   // exactly
	Title        string         `json:"title,omitzero"`
	Description  string         `json:"description,omitzero"`
	InputSchema  jsontext.Value `json:"input_schema,omitzero"`  // an object, true or false; nil: none
	OutputSchema jsontext.Value `json:"output_schema,omitzero"` // likewise
	Annotations  jsontext.Value `json:"annotations,omitzero"`   // an object; nil: none
	// Meta and Other are not part of the hash: servers put versions, icons and times there, and a person trusts the texts and schemas
	// that a model gets. Changes of them are noted.
	Meta  jsontext.Value `json:"meta,omitzero"`  // an object; nil: none
	Other jsontext.Value `json:"other,omitzero"` // an object with all other members; nil: there are none
}

// Reasons for which an entry of a list of tools is not a definition. Errors wrap one of these, or an error of strictjson.
var (
	// ErrDefinition says that a member has the wrong type.
	ErrDefinition = errors.New("not a definition of a tool")
	// ErrName says that a tool has no name, or an invisible one.
	ErrName = errors.New("a tool without a visible name")
	// ErrBounds says that something is over a bound of the registry.
	ErrBounds = errors.New("over a bound of the registry")
)

// A BoundError says what is over which bound. It wraps ErrBounds.
type BoundError struct {
	What  string // a text for the thing that is counted
	Got   int
	Limit int
}

// Error returns a text without words of the server.
func (e *BoundError) Error() string {
	return fmt.Sprintf("%s: %d, and the bound is %d", e.What, e.Got, e.Limit)
}

// Unwrap returns ErrBounds.
func (e *BoundError) Unwrap() error { return ErrBounds }

// Bounds limit how much of a server's tools is read and remembered.
type Bounds struct {
	Definition int // bytes of one definition as it is sent; 0: 256 KiB
	Depth      int // how deep it may nest; 0: 64
	Name       int // bytes of a name; 0: 1,024
	Tools      int // tools that a server may offer at once; 0: 4,096
	// Known is how many tools of one server are remembered, including tools that it no longer offers; 0: 16,384. No tool is forgotten
	// to make room: otherwise a server could make weir forget a tool.
	Known   int
	Size    int // bytes of the remembered definitions of one server, pinned ones included; 0: 32 MiB
	Servers int // servers that are remembered; 0: 1,024
}

// orDefault returns b with defaults for its zero fields.
func (b Bounds) orDefault() Bounds {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&b.Definition, 256 << 10},
		{&b.Depth, 64},
		{&b.Name, 1 << 10},
		{&b.Tools, 4 << 10},
		{&b.Known, 16 << 10},
		{&b.Size, 32 << 20},
		{&b.Servers, 1 << 10},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return b
}

// ownMembers are the members of a tool that a Definition has fields for.
var ownMembers = []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"}

// Read reads one entry of the result of a server's tools/list. It must be strict JSON that all readers read the same: names that
// are given twice are refused at any depth, and the names of the tool's own members in another case, too. No error contains a byte
// of the entry.
func (b Bounds) Read(server string, entry []byte) (Definition, error) {
	b = b.orDefault()
	if len(entry) > b.Definition {
		return Definition{}, &BoundError{"bytes of a tool's definition", len(entry), b.Definition}
	}
	doc := strictjson.Doc{Limits: strictjson.Limits{Depth: b.Depth}}
	switch err := doc.Parse(entry); {
	case errors.Is(err, strictjson.ErrBounds):
		return Definition{}, fmt.Errorf("%w: a tool's definition: %w", ErrBounds, err)
	case err != nil:
		return Definition{}, fmt.Errorf("read a tool's definition: %w", err)
	}
	if doc.Root().Kind() != strictjson.Object {
		return Definition{}, fmt.Errorf("%w: the entry is no object", ErrDefinition)
	}
	r := definitionParser{root: doc.Root()}
	d := Definition{
		Server:       server,
		Name:         r.text("name"),
		Title:        r.text("title"),
		Description:  r.text("description"),
		InputSchema:  r.json("inputSchema", strictjson.Object, strictjson.Bool),
		OutputSchema: r.json("outputSchema", strictjson.Object, strictjson.Bool),
		Annotations:  r.json("annotations", strictjson.Object),
		Meta:         r.json("_meta", strictjson.Object),
		Other:        r.other(),
	}
	switch {
	case r.err != nil:
		return Definition{}, r.err
	case toolname.Fold(d.Name) == "":
		return Definition{}, ErrName
	case len(d.Name) > b.Name:
		return Definition{}, &BoundError{"bytes of a tool's name", len(d.Name), b.Name}
	}
	return d, nil
}

// A definitionParser parses the members of one entry, and remembers the first error.
type definitionParser struct {
	root strictjson.Value
	err  error
}

// member returns a member of the tool itself; null counts as missing.
func (r *definitionParser) member(name string) strictjson.Value {
	v, err := r.root.Member(name)
	if err != nil {
		r.fail(name, err)
	}
	if v.Kind() == strictjson.Null {
		return strictjson.Value{}
	}
	return v
}

func (r *definitionParser) text(name string) string {
	v := r.member(name)
	if v.Kind() == strictjson.Missing {
		return ""
	}
	if v.Kind() != strictjson.String {
		r.fail(name, ErrDefinition)
		return ""
	}
	text, ok := v.Text()
	if !ok {
		r.fail(name, strictjson.ErrSurrogate)
	}
	return text
}

// json returns the canonical form of a member that must be of one of the kinds.
func (r *definitionParser) json(name string, kinds ...strictjson.Kind) jsontext.Value {
	v := r.member(name)
	if v.Kind() == strictjson.Missing {
		return nil
	}
	if !slices.Contains(kinds, v.Kind()) {
		r.fail(name, ErrDefinition)
		return nil
	}
	out, err := appendCanonical(nil, v)
	if err != nil {
		r.fail(name, err)
		return nil
	}
	return out
}

// other returns the members without a field of their own, as an object.
func (r *definitionParser) other() jsontext.Value {
	var rest []member
	for name, value := range r.root.Members() {
		text, ok := name.Text()
		if !ok {
			r.fail("another member", strictjson.ErrSurrogate)
			return nil
		}
		if !slices.Contains(ownMembers, text) {
			rest = append(rest, member{text, value})
		}
	}
	if len(rest) == 0 {
		return nil
	}
	out, err := appendMembers(nil, rest)
	if err != nil {
		r.fail("another member", err)
		return nil
	}
	return out
}

func (r *definitionParser) fail(name string, err error) {
	if r.err == nil {
		r.err = fmt.Errorf("read %s of a tool: %w", name, err)
	}
}

// size is the number of bytes of the definition.
func (d *Definition) size() int {
	return len(d.Name) + len(d.Title) + len(d.Description) + len(d.InputSchema) + len(d.OutputSchema) + len(d.Annotations) +
		len(d.Meta) + len(d.Other)
}
