package setup

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// setJSON replaces a value, or adds a member at the end of its object.
func setJSON(data []byte, s step) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}" + newlineOf(data))
	}
	root, err := readJSON(data)
	if err != nil {
		return nil, err
	}
	style := styleOf(data, &root)
	v, known := findJSON(&root, s.path)
	if known == len(s.path) {
		text := style.render(s.value, lineIndent(data, v.StartOffset))
		return spliced(data, splice{v.StartOffset, v.EndOffset, text}), nil
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, notATable(s.path[:known])
	}
	value := s.value
	for i := len(s.path) - 1; i > known; i-- {
		value = map[string]any{s.path[i]: value}
	}
	return insertMember(data, docObject{object, v}, style, member{s.path[known], value}), nil
}

// A docObject is an object in a document.
type docObject struct {
	object *hujson.Object
	value  *hujson.Value // the object as a value
}

// A member is a member to be added.
type member struct {
	name  string
	value any
}

// insertMember adds a member after the last one. In an object without members it comes after the comments.
func insertMember(data []byte, at docObject, style jsonStyle, m member) []byte {
	members := at.object.Members
	brace := at.value.EndOffset - 1
	if len(members) == 0 {
		return insertFirst(data, at, style, m)
	}
	last := members[len(members)-1].Value
	if !breaksLines(at.object) {
		flat := style.flat()
		text := flat.comma() + flat.member(m, "")
		if last.AfterExtra == nil {
			return spliced(data, splice{last.EndOffset, last.EndOffset, text})
		}
		comma := last.EndOffset + len(last.AfterExtra)
		return spliced(data, splice{comma, comma, text}) // the trailing comma stays at the end
	}
	indent := memberIndent(data, at, style)
	text := style.newline + indent + style.member(m, indent)
	// The new line comes after comments that follow the last member, and before the white space ahead of the brace.
	end := brace - len(at.object.AfterExtra) + len(bytes.TrimRight(at.object.AfterExtra, " \t\r\n"))
	if last.AfterExtra != nil {
		return spliced(data, splice{end, end, text + ","})
	}
	return spliced(data, splice{last.EndOffset, last.EndOffset, ","}, splice{end, end, text})
}

// insertFirst adds a member to an object without any.
func insertFirst(data []byte, at docObject, style jsonStyle, m member) []byte {
	brace := at.value.EndOffset - 1
	extra := at.object.AfterExtra
	if style.compact && !bytes.Contains(extra, []byte("\n")) {
		return spliced(data, splice{brace, brace, style.member(m, "")})
	}
	style.compact = false
	outer := lineIndent(data, at.value.StartOffset)
	indent := outer + style.unit
	kept := bytes.TrimRight(extra, " \t\r\n")
	end := brace - len(extra) + len(kept)
	return spliced(data, splice{end, brace, style.newline + indent + style.member(m, indent) + style.newline + outer})
}

// breaksLines says that an object has its members on separate lines.
func breaksLines(object *hujson.Object) bool {
	for i := range object.Members {
		if bytes.Contains(object.Members[i].Name.BeforeExtra, []byte("\n")) {
			return true
		}
	}
	return bytes.Contains(object.AfterExtra, []byte("\n"))
}

// memberIndent returns the indentation of the members of an object.
func memberIndent(data []byte, at docObject, style jsonStyle) string {
	for i := range at.object.Members {
		name := at.object.Members[i].Name
		if bytes.Contains(name.BeforeExtra, []byte("\n")) {
			return lineIndent(data, name.StartOffset)
		}
	}
	return lineIndent(data, at.value.StartOffset) + style.unit
}

// removeJSON removes a member from its object, with its comma, and with its line if nothing else is on it.
func removeJSON(data []byte, s step) ([]byte, error) {
	root, err := readJSON(data)
	if err != nil {
		return nil, err
	}
	parent, known := findJSON(&root, s.path[:len(s.path)-1])
	object, ok := parent.Value.(*hujson.Object)
	if known != len(s.path)-1 || !ok {
		return nil, errors.New("it does not exist")
	}
	i := memberOf(object, s.path[len(s.path)-1])
	if i < 0 {
		return nil, errors.New("it does not exist")
	}
	m := object.Members[i]
	cut := splice{start: m.Name.StartOffset, end: m.Value.EndOffset}
	last := i == len(object.Members)-1
	var all []splice
	switch {
	case !last || m.Value.AfterExtra != nil: // its own comma is removed
		comma := m.Value.EndOffset + len(m.Value.AfterExtra)
		if len(bytes.TrimSpace(m.Value.AfterExtra)) == 0 {
			cut.end = comma + 1
		} else {
			all = append(all, splice{start: comma, end: comma + 1}) // a comment between them stays
		}
	case i > 0: // it has no comma, and the comma before it would be left over
		before := object.Members[i-1].Value
		comma := before.EndOffset + len(before.AfterExtra)
		all = append(all, splice{start: comma, end: comma + 1})
	}
	if len(object.Members) == 1 && len(bytes.TrimSpace(data[parent.StartOffset+1:cut.start])) == 0 &&
		len(bytes.TrimSpace(data[cut.end:parent.EndOffset-1])) == 0 {
		return spliced(data, splice{start: parent.StartOffset + 1, end: parent.EndOffset - 1}), nil
	}
	return spliced(data, append(all, widened(data, cut, last))...), nil
}

// widened extends a cut to its whole line if nothing else is on the line. Otherwise it extends the cut to blanks: to those before
// it if the member is the last, else to those after it.
func widened(data []byte, cut splice, last bool) splice {
	start := lineStart(data, cut.start)
	end := lineEnd(data, cut.end)
	if len(bytes.TrimSpace(data[start:cut.start])) == 0 && len(bytes.TrimSpace(data[cut.end:end])) == 0 && start > 0 && end < len(data) {
		return splice{start: start, end: end}
	}
	for last && cut.start > start && isBlank(data[cut.start-1]) {
		cut.start--
	}
	for !last && cut.end < len(data) && isBlank(data[cut.end]) {
		cut.end++
	}
	return cut
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// A jsonStyle is the layout of a document.
type jsonStyle struct {
	newline string
	unit    string // of indentation
	compact bool   // everything is on one line
	tight   bool   // no blanks after colons and commas
}

func styleOf(data []byte, root *hujson.Value) jsonStyle {
	object := root.Value.(*hujson.Object) // readJSON has checked this
	style := jsonStyle{newline: newlineOf(data), unit: "  "}
	if len(object.Members) == 0 {
		return style
	}
	first := object.Members[0]
	style.compact = !breaksLines(object)
	style.tight = len(first.Value.BeforeExtra) == 0
	if !style.compact {
		outer := lineIndent(data, root.StartOffset)
		inner := memberIndent(data, docObject{object, root}, style)
		if unit, ok := strings.CutPrefix(inner, outer); ok && unit != "" {
			style.unit = unit
		}
	}
	return style
}

// flat returns the style for a single line.
func (s jsonStyle) flat() jsonStyle {
	s.compact = true
	return s
}

func (s jsonStyle) comma() string {
	if s.tight {
		return ","
	}
	return ", "
}

func (s jsonStyle) member(m member, indent string) string {
	colon := ": "
	if s.tight {
		colon = ":"
	}
	return string(hujson.String(m.name)) + colon + s.render(m.value, indent)
}

// render returns the text of a value that begins on a line with that indentation.
func (s jsonStyle) render(v any, indent string) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return string(hujson.Float(v))
	case plainNumber:
		return string(v)
	case string:
		return string(hujson.String(v))
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			parts[i] = s.flat().render(element, "")
		}
		return "[" + strings.Join(parts, s.comma()) + "]"
	case map[string]any:
		return s.renderMap(v, indent)
	}
	panic("a value that is not canonical") // canonical returns only these types
}

func (s jsonStyle) renderMap(m map[string]any, indent string) string {
	if len(m) == 0 {
		return "{}"
	}
	parts := make([]string, 0, len(m))
	inner := indent + s.unit
	for _, key := range sortedKeys(m) {
		parts = append(parts, s.member(member{key, m[key]}, inner))
	}
	if s.compact {
		return "{" + strings.Join(parts, s.comma()) + "}"
	}
	return "{" + s.newline + inner + strings.Join(parts, ","+s.newline+inner) + s.newline + indent + "}"
}
