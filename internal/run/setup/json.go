package setup

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/weir-gate/weir/internal/text/inert"
)

// mostNested is how deep a document may be nested; the parser is recursive.
const mostNested = 1000

// parseJSON parses JSON, which may have comments and trailing commas. An empty file is an object without members.
func parseJSON(data []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}, nil
	}
	root, err := readJSON(data)
	if err != nil {
		return nil, err
	}
	v, err := decodeJSON(data, &root)
	if err != nil {
		return nil, err
	}
	return v.(map[string]any), nil // readJSON has checked this
}

// readJSON returns the syntax tree of a document, which must be an object.
func readJSON(data []byte) (hujson.Value, error) {
	if i := tooDeep(data); i >= 0 {
		return hujson.Value{}, errorAt(data, i, "the file is nested too deep")
	}
	root, err := hujson.Parse(data)
	if err != nil {
		return hujson.Value{}, syntaxError(err)
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return hujson.Value{}, errorAt(data, root.StartOffset, "expected an object in braces")
	}
	return root, nil
}

// syntaxError extracts the position from an error of the parser.
func syntaxError(err error) error {
	const longest = 200
	var line, column int
	text := strings.TrimPrefix(err.Error(), "hujson: ")
	if n, scanErr := fmt.Sscanf(text, "line %d, column %d:", &line, &column); n == 2 && scanErr == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	return &positionError{line: line, column: column, message: inert.Text(text, longest)}
}

// tooDeep returns where a document is nested too deep; -1: nowhere.
func tooDeep(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(data[i:])
		case '{', '[':
			if depth++; depth > mostNested {
				return i
			}
		case '}', ']':
			depth--
		}
	}
	return -1
}

// commentLength returns how many bytes of a comment follow its first byte; 0: it is not a comment.
func commentLength(b []byte) int {
	end := -1
	switch {
	case bytes.HasPrefix(b, []byte("//")):
		end = bytes.IndexByte(b, '\n')
	case bytes.HasPrefix(b, []byte("/*")):
		if end = bytes.Index(b[2:], []byte("*/")); end >= 0 {
			end += 3
		}
	default:
		return 0
	}
	if end < 0 {
		return len(b) - 1
	}
	return end
}

// decodeJSON returns the canonical value of a syntax tree. A key that occurs twice is an error: programs disagree about which one
// counts.
func decodeJSON(data []byte, v *hujson.Value) (any, error) {
	switch t := v.Value.(type) {
	case *hujson.Object:
		all := make(map[string]any, len(t.Members))
		for i := range t.Members {
			key := memberName(&t.Members[i])
			if _, twice := all[key]; twice {
				return nil, errorAt(data, t.Members[i].Name.StartOffset, "the key "+inert.Name(key, 64)+" is there twice")
			}
			element, err := decodeJSON(data, &t.Members[i].Value)
			if err != nil {
				return nil, err
			}
			all[key] = element
		}
		return all, nil
	case *hujson.Array:
		list := make([]any, len(t.Elements))
		for i := range t.Elements {
			element, err := decodeJSON(data, &t.Elements[i])
			if err != nil {
				return nil, err
			}
			list[i] = element
		}
		return list, nil
	}
	return decodeLiteral(v.Value.(hujson.Literal)), nil
}

func memberName(m *hujson.ObjectMember) string { return textOf(m.Name.Value.(hujson.Literal)) }

// textOf returns the text of a string literal. Most have no escapes, and files can be large, so the common case is fast.
func textOf(l hujson.Literal) string {
	if bytes.IndexByte(l, '\\') < 0 {
		return string(l[1 : len(l)-1])
	}
	return l.String()
}

func decodeLiteral(l hujson.Literal) any {
	switch l.Kind() {
	case 'n':
		return nil
	case 't', 'f':
		return l.Bool()
	case '"':
		return textOf(l)
	}
	if n, err := strconv.ParseInt(string(l), 10, 64); err == nil && strconv.FormatInt(n, 10) == string(l) {
		return n
	}
	return plainNumber(l)
}

// findJSON follows a path as far as it exists. It returns the last value, and how many keys were followed.
func findJSON(root *hujson.Value, path []string) (*hujson.Value, int) {
	v := root
	for i, key := range path {
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			return v, i
		}
		m := memberOf(object, key)
		if m < 0 {
			return v, i
		}
		v = &object.Members[m].Value
	}
	return v, len(path)
}

// memberOf returns the index of a key in an object; -1: it is missing.
func memberOf(object *hujson.Object, key string) int {
	for i := range object.Members {
		if memberName(&object.Members[i]) == key {
			return i
		}
	}
	return -1
}
