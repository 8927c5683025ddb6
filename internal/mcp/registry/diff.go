package registry

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A Difference is one member in which two definitions differ.
type Difference struct {
	// Path is a JSON pointer from the definition, as MCP names its members: /inputSchema/properties/path/description.
	Path   string         `json:"path"`
	Before jsontext.Value `json:"before,omitzero"` // canonical; nil: it was missing
	After  jsontext.Value `json:"after,omitzero"`  // canonical; nil: it is missing now
	// Words is the difference between two texts; nil: Before and After are not both texts.
	Words []Words `json:"words,omitzero"`
	// Noted says that the member is not part of the hash.
	Noted bool `json:"noted,omitzero"`
}

// Diff returns all differences of two definitions, ordered by how much the members matter to a model.
func Diff(before, after Definition) []Difference {
	var d differ
	d.text("/name", before.Name, after.Name)
	d.text("/title", before.Title, after.Title)
	d.text("/description", before.Description, after.Description)
	d.json("/inputSchema", before.InputSchema, after.InputSchema)
	d.json("/outputSchema", before.OutputSchema, after.OutputSchema)
	d.json("/annotations", before.Annotations, after.Annotations)
	d.noted = true
	d.json("/_meta", before.Meta, after.Meta)
	d.json("", before.Other, after.Other)
	return d.found
}

// A differ collects differences.
type differ struct {
	found []Difference
	noted bool
}

func (d *differ) add(path string, before, after []byte) {
	d.found = append(d.found, Difference{Path: path, Before: bytes.Clone(before), After: bytes.Clone(after), Noted: d.noted})
}

// text compares two texts; an empty text counts as missing.
func (d *differ) text(path, before, after string) {
	if before == after {
		return
	}
	literal := func(text string) []byte {
		if text == "" {
			return nil
		}
		return appendString(nil, text)
	}
	d.add(path, literal(before), literal(after))
	if before != "" && after != "" {
		d.found[len(d.found)-1].Words = compareWords(before, after)
	}
}

// json compares two canonical values; nil counts as missing. If path is "", it compares the members of two objects.
func (d *differ) json(path string, before, after []byte) {
	if bytes.Equal(before, after) {
		return
	}
	if path == "" { // a missing object has no members
		before, after = orEmpty(before), orEmpty(after)
	}
	var was, is strictjson.Doc
	if before == nil || after == nil || was.Parse(before) != nil || is.Parse(after) != nil {
		d.add(path, before, after)
		return
	}
	d.value(path, was.Root(), is.Root())
}

func orEmpty(object []byte) []byte {
	if object == nil {
		return []byte("{}")
	}
	return object
}

// value compares two values. Both are canonical, so equal values have equal bytes, and members are sorted.
func (d *differ) value(path string, before, after strictjson.Value) {
	if bytes.Equal(before.Raw(), after.Raw()) {
		return
	}
	switch kind := before.Kind(); {
	case kind != after.Kind():
		d.add(path, before.Raw(), after.Raw())
	case kind == strictjson.Object:
		d.object(path, before, after)
	case kind == strictjson.Array:
		d.array(path, before, after)
	default:
		d.add(path, before.Raw(), after.Raw())
		if was, ok := before.Text(); ok {
			is, _ := after.Text() // of the same kind
			d.found[len(d.found)-1].Words = compareWords(was, is)
		}
	}
}

// object walks over the members of both at once.
func (d *differ) object(path string, before, after strictjson.Value) {
	was, is := membersOf(before), membersOf(after)
	for len(was) > 0 || len(is) > 0 {
		order := 0
		switch {
		case len(was) == 0:
			order = 1
		case len(is) == 0:
			order = -1
		default:
			order = compareUTF16(was[0].name, is[0].name)
		}
		switch {
		case order < 0:
			d.add(pointer(path, was[0].name), was[0].value.Raw(), nil)
			was = was[1:]
		case order > 0:
			d.add(pointer(path, is[0].name), nil, is[0].value.Raw())
			is = is[1:]
		default:
			d.value(pointer(path, was[0].name), was[0].value, is[0].value)
			was, is = was[1:], is[1:]
		}
	}
}

func membersOf(object strictjson.Value) []member {
	out := make([]member, 0, object.Len())
	for name, value := range object.Members() {
		text, _ := name.Text() // in canonical JSON all names are texts
		out = append(out, member{text, value})
	}
	return out
}

// array compares element by element, without the common beginning and end, so that an added or removed element does not make all
// others differ.
func (d *differ) array(path string, before, after strictjson.Value) {
	was, is := elementsOf(before), elementsOf(after)
	first := 0
	for first < min(len(was), len(is)) && bytes.Equal(was[first].Raw(), is[first].Raw()) {
		first++
	}
	was, is = was[first:], is[first:]
	for len(was) > 0 && len(is) > 0 && bytes.Equal(was[len(was)-1].Raw(), is[len(is)-1].Raw()) {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	for i := range max(len(was), len(is)) {
		at := pointer(path, strconv.Itoa(first+i))
		switch {
		case i >= len(was):
			d.add(at, nil, is[i].Raw())
		case i >= len(is):
			d.add(at, was[i].Raw(), nil)
		default:
			d.value(at, was[i], is[i])
		}
	}
}

func elementsOf(array strictjson.Value) []strictjson.Value {
	out := make([]strictjson.Value, 0, array.Len())
	for e := range array.Elems() {
		out = append(out, e)
	}
	return out
}

// pointer is a JSON pointer to a member.
func pointer(path, name string) string {
	return path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
