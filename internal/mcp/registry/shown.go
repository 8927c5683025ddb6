package registry

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Match says whether a tool that a request shows to a model is a certain tool of a server: one of the constants.
type Match uint8

// The matches.
const (
	Another Match = iota // it is certainly another tool
	Same                 // it has the same description or arguments
	Untold               // there is not enough to decide
)

// Match compares what a request shows with a definition. Clients pass on descriptions whole, cut, or with their own text around
// them, and rewrite schemas; so it is enough if either the description or the schema agrees.
func (d *Definition) Match(s call.Definition) Match {
	if s.Provider {
		return Another
	}
	texts := compareTexts(d.Description, s.Description)
	shapes, telling := compareShapes(shapeOf(d.InputSchema), shapeOf(s.Schema))
	switch {
	case texts == Same, shapes == Same && (texts == Untold || telling):
		return Same
	case texts == Another, shapes == Another:
		return Another
	}
	return Untold
}

// minPart is how many bytes of one description must be in the other for the two to count as the same.
const minPart = 20

func compareTexts(a, b string) Match {
	a, b = flat(a), flat(b)
	if a == "" || b == "" {
		return Untold
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b || len(a) >= minPart && strings.Contains(b, a) {
		return Same
	}
	return Another
}

// flat returns a text without what clients change: white space, case, and the mark at the position where it was cut off.
func flat(text string) string {
	return strings.TrimRight(toolname.Fold(strings.Join(strings.Fields(text), " ")), " .…")
}

// A shape is what a schema says about the arguments of a tool, by their names; nil: unknown.
type shape map[string]argument

type argument struct{ kind, description string }

// shapeOf reads the properties of a schema.
func shapeOf(schema jsontext.Value) shape {
	var doc strictjson.Doc
	if schema == nil || doc.Parse(schema) != nil {
		return nil
	}
	properties, err := doc.Root().Member("properties")
	if err != nil {
		return nil
	}
	s := shape{}
	for name, value := range properties.Members() {
		text, ok := name.Text()
		if !ok {
			return nil
		}
		description, _ := value.Member("description")
		said, _ := description.Text()
		s[text] = argument{kindOf(value), flat(said)}
	}
	return s
}

// kindOf is the type of an argument, in lower case and without null; "": it has none, or several.
func kindOf(v strictjson.Value) string {
	typ, err := v.Member("type")
	if err != nil {
		return ""
	}
	kinds := []strictjson.Value{typ}
	if typ.Kind() == strictjson.Array {
		kinds = slices.Collect(typ.Elems())
	}
	found := ""
	for _, k := range kinds {
		switch text, _ := k.Text(); {
		case strings.EqualFold(text, "null"):
		case found != "":
			return ""
		default:
			found = strings.ToLower(text)
		}
	}
	return found
}

// compareShapes compares the arguments of a server's tool with those that a request shows. Clients may leave out types and
// descriptions of arguments, but add none. A match is telling unless it is a single argument without a description: many tools take
// a path.
func compareShapes(theirs, shown shape) (match Match, telling bool) {
	if theirs == nil || shown == nil || len(theirs)+len(shown) == 0 {
		return Untold, false
	}
	if len(theirs) != len(shown) {
		return Another, false
	}
	telling = len(theirs) > 1
	for name, a := range theirs {
		s, is := shown[name]
		if !is || s.kind != "" && a.kind != "" && s.kind != a.kind || s.description != "" && s.description != a.description {
			return Another, false
		}
		telling = telling || s.description != ""
	}
	return Same, telling
}
