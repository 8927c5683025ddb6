package setup

import (
	"errors"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/weir-gate/weir/internal/text/inert"
)

// parseTOML parses TOML.
func parseTOML(data []byte) (map[string]any, error) {
	root := map[string]any{}
	if err := toml.Unmarshal(data, &root); err != nil {
		return nil, tomlError(err)
	}
	return root, nil
}

// tomlError extracts the position from an error of the parser.
func tomlError(err error) error {
	const longest = 200
	p := &positionError{line: 1, column: 1, message: inert.Text(err.Error(), longest)}
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		p.line, p.column = decode.Position()
	}
	return p
}

// A tomlKind is the kind of an expression of TOML: one of the constants.
type tomlKind int

const (
	keyValue    tomlKind = iota
	tableHeader          // [a.b]
	listHeader           // [[a.b]]
)

// A tomlEntry is one expression of a document: a header, or a key with its value.
type tomlEntry struct {
	kind  tomlKind
	path  []string // from the root
	table []string // the path to which the keys of the entry are relative
	// start and end are the position of the expression, without white space and comments around it.
	start, end int
	valueStart int // of a key with its value
	// inline says that the value is a table in braces; entries are its content.
	inline  bool
	entries []tomlEntry
}

// readTOML lists the expressions of a document in their order.
func readTOML(data []byte) ([]tomlEntry, error) {
	data = slices.Clip(data)
	p := &unstable.Parser{}
	p.Reset(data)
	var all []tomlEntry
	var table []string
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.KeyValue:
			all = append(all, keyValueEntry(data, node, table))
		case unstable.Table, unstable.ArrayTable:
			e := headerEntry(data, node)
			table = e.path
			all = append(all, e)
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	return all, nil
}

// headerEntry returns the entry of a header. The parser gives only the positions of its keys; the brackets are around them on the
// same line.
func headerEntry(data []byte, node *unstable.Node) tomlEntry {
	keys, first, last := keysOf(node.Key())
	e := tomlEntry{kind: tableHeader, path: keys, start: lineStart(data, first), end: last}
	if node.Kind == unstable.ArrayTable {
		e.kind = listHeader
	}
	for e.end < len(data) && data[e.end] != ']' {
		e.end++
	}
	for e.end < len(data) && data[e.end] == ']' {
		e.end++
	}
	return e
}

func keyValueEntry(data []byte, node *unstable.Node, table []string) tomlEntry {
	keys, _, last := keysOf(node.Key())
	e := tomlEntry{
		path: slices.Concat(table, keys), table: table,
		start: int(node.Raw.Offset), end: int(node.Raw.Offset + node.Raw.Length),
	}
	for e.valueStart = last; e.valueStart < e.end && (isBlank(data[e.valueStart]) || data[e.valueStart] == '='); {
		e.valueStart++
	}
	value := node.Value()
	if value.Kind != unstable.InlineTable {
		return e
	}
	e.inline = true
	for it := value.Children(); it.Next(); {
		if it.Node().Kind == unstable.KeyValue {
			e.entries = append(e.entries, keyValueEntry(data, it.Node(), e.path))
		}
	}
	return e
}

// keysOf returns the parts of a key, where the first begins and where the last ends.
func keysOf(it unstable.Iterator) (keys []string, first, last int) {
	first = -1
	for it.Next() {
		raw := it.Node().Raw
		if first < 0 {
			first = int(raw.Offset)
		}
		last = int(raw.Offset + raw.Length)
		keys = append(keys, string(it.Node().Data))
	}
	return keys, first, last
}
