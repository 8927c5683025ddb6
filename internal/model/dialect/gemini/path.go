package gemini

import (
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// Limits of paths and of the trees that they build.
const (
	maxPath     = 1 << 12
	maxSteps    = 64
	maxElements = 1 << 16
	maxNodes    = 1 << 16
	nodeSize    = 256 // about the memory of a node
)

// find finds or makes the node at a path such as $.a['b c'][0]; nil: the path is invalid, or leads to more than one node.
func (n *node) find(path string) *node {
	rest, ok := strings.CutPrefix(path, "$")
	if !ok || rest == "" || len(path) > maxPath {
		return nil
	}
	for steps := 0; rest != "" && n != nil; steps++ {
		if steps == maxSteps {
			return nil
		}
		switch {
		case strings.HasPrefix(rest, "['") || strings.HasPrefix(rest, `["`):
			var name string
			if name, rest, ok = cutQuoted(rest); !ok {
				return nil
			}
			n = n.member(name)
		case rest[0] == '[':
			digits, after, closed := strings.Cut(rest[1:], "]")
			i, err := strconv.Atoi(digits)
			if !closed || err != nil || strconv.Itoa(i) != digits {
				return nil
			}
			n, rest = n.element(i), after
		case rest[0] == '.':
			name := rest[1:]
			if end := strings.IndexAny(name, ".["); end >= 0 {
				name = name[:end]
			}
			if name == "" || name == "*" {
				return nil
			}
			n, rest = n.member(name), rest[1+len(name):]
		default:
			return nil
		}
	}
	return n
}

// cutQuoted cuts a name in brackets and quotes from the start of a path.
func cutQuoted(path string) (name, rest string, ok bool) {
	quote := path[1]
	body := []byte{'"'}
	for i := 2; i < len(path); i++ {
		switch c := path[i]; {
		case c == quote:
			if name, ok = unquote(append(body, '"')); !ok {
				return "", "", false
			}
			rest, ok = strings.CutPrefix(path[i+1:], "]")
			return name, rest, ok
		case c == '\\' && i+1 < len(path):
			// The escapes are those of JSON, and the escaped quote.
			if i++; path[i] != '\'' {
				body = append(body, '\\')
			}
			body = append(body, path[i])
		case c == '"':
			body = append(body, '\\', '"')
		default:
			body = append(body, c)
		}
	}
	return "", "", false
}

// unquote returns the text of a JSON string.
func unquote(literal []byte) (string, bool) {
	var doc strictjson.Doc
	if doc.Parse(literal) != nil {
		return "", false
	}
	return doc.Root().Text()
}

// member returns the member of that name; nil: n is not an object.
func (n *node) member(name string) *node {
	if n.kind == blankNode {
		n.kind, n.under = objectNode, map[string]*node{}
	}
	if n.kind != objectNode {
		return nil
	}
	if n.under[name] == nil {
		n.under[name] = &node{}
		n.names = append(n.names, name)
	}
	return n.under[name]
}

// element returns the element at i; nil: n is not an array. Elements come in order.
func (n *node) element(i int) *node {
	if n.kind == blankNode {
		n.kind = arrayNode
	}
	if n.kind != arrayNode || i < 0 || i > len(n.elems) || i >= maxElements {
		return nil
	}
	if i == len(n.elems) {
		n.elems = append(n.elems, &node{})
	}
	return n.elems[i]
}
