package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// A step is one edit of a document.
type step struct {
	path   []string
	value  any // canonical
	remove bool
}

// An editor parses and edits documents of one format. Everything that is not edited stays the same byte for byte.
type editor struct {
	// parse returns the values of a document.
	parse func(data []byte) (map[string]any, error)
	// set adds or replaces a value.
	set func(data []byte, s step) ([]byte, error)
	// remove removes an existing value.
	remove func(data []byte, s step) ([]byte, error)
	// byLeaf says that tables are set key by key: set gets only empty maps, and replaces no map.
	byLeaf bool
}

func editorFor(f Format) (editor, error) {
	switch f {
	case JSON:
		return editor{parse: parseJSON, set: setJSON, remove: removeJSON}, nil
	case TOML:
		return editor{parse: parseTOML, set: setTOML, remove: removeTOML, byLeaf: true}, nil
	}
	return editor{}, fmt.Errorf("there is no format %q", string(f))
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// read returns the values of a document; an empty document has none.
func (e editor) read(data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if i := invalidUTF8(data); i >= 0 {
		return nil, errorAt(data, i, "the file is not valid UTF-8")
	}
	return e.parse(data)
}

// A document is a text and its values.
type document struct {
	data []byte
	root map[string]any
}

// open parses a document.
func (e editor) open(data []byte) (document, error) {
	root, err := e.read(data)
	return document{data, root}, err
}

// edit changes one value. If there is nothing to change, it returns the same bytes. The result has been parsed again, and has
// exactly the intended change.
func (e editor) edit(d document, s step) (document, error) {
	if len(s.path) == 0 {
		return document{}, errors.New("a setting needs a key")
	}
	meant, err := with(d.root, s)
	if err != nil {
		return document{}, err
	}
	old, had := lookup(d.root, s.path)
	if s.remove && !had || !s.remove && had && same(old, s.value) {
		return d, nil
	}
	body, marked := bytes.CutPrefix(d.data, byteOrderMark)
	if body, err = e.take(body, e.steps(d.root, s)); err != nil {
		return document{}, err
	}
	got, err := e.parse(body)
	if err == nil && e.byLeaf && !s.remove {
		if body, err = e.take(body, missingTables(got, s)); err == nil {
			got, err = e.parse(body)
		}
	}
	if err != nil || !(same(got, meant) || e.byLeaf && s.remove && same(withoutEmpty(got), withoutEmpty(meant))) {
		return document{}, fmt.Errorf("%s cannot be changed without touching other settings; change it by hand", pathText(s.path))
	}
	if marked {
		body = slices.Concat(byteOrderMark, body)
	}
	return document{body, got}, nil
}

// take applies steps one after the other.
func (e editor) take(data []byte, steps []step) (_ []byte, err error) {
	for _, s := range steps {
		if s.remove {
			data, err = e.remove(data, s)
		} else {
			data, err = e.set(data, s)
		}
		if err != nil {
			return nil, fmt.Errorf("change %s: %w", pathText(s.path), err)
		}
	}
	return data, nil
}

// missingTables returns steps that set the empty tables of a value that the document lacks. Such tables existed only through dotted
// keys or headers below them, and disappeared with these.
func missingTables(root map[string]any, s step) []step {
	table, ok := s.value.(map[string]any)
	if !ok {
		return nil
	}
	if _, found := lookup(root, s.path); !found && len(table) == 0 {
		return []step{s}
	}
	var all []step
	for _, key := range sortedKeys(table) {
		all = append(all, missingTables(root, step{path: below(s.path, key), value: table[key]})...)
	}
	return all
}

// steps returns the fewest edits that set a value. An existing table is changed key by key, so that comments in it stay.
func (e editor) steps(root map[string]any, s step) []step {
	current, found := lookup(root, s.path)
	if s.remove {
		if !found {
			return nil
		}
		return []step{s}
	}
	if found && same(current, s.value) {
		return nil
	}
	old, wasTable := current.(map[string]any)
	table, isTable := s.value.(map[string]any)
	if wasTable && isTable {
		return e.tableSteps(root, s, old, table)
	}
	if !e.byLeaf || !wasTable && !isTable {
		return []step{s}
	}
	var all []step
	if found {
		all = append(all, step{path: s.path, remove: true})
	}
	return append(all, leafSteps(s)...)
}

func (e editor) tableSteps(root map[string]any, s step, old, table map[string]any) []step {
	var all []step
	for _, key := range sortedKeys(old) {
		if _, stays := table[key]; !stays {
			all = append(all, step{path: below(s.path, key), remove: true})
		}
	}
	for _, key := range sortedKeys(table) {
		all = append(all, e.steps(root, step{path: below(s.path, key), value: table[key]})...)
	}
	return all
}

// leafSteps returns steps that set a new value key by key.
func leafSteps(s step) []step {
	table, ok := s.value.(map[string]any)
	if !ok || len(table) == 0 {
		return []step{s}
	}
	var all []step
	for _, key := range sortedKeys(table) {
		all = append(all, leafSteps(step{path: below(s.path, key), value: table[key]})...)
	}
	return all
}

// below returns a copy of a path with one more key.
func below(path []string, key string) []string {
	return append(slices.Clip(slices.Clone(path)), key)
}

// A splice replaces bytes of a text.
type splice struct {
	start, end int
	text       string
}

// spliced returns data after the splices, which must not overlap.
func spliced(data []byte, all ...splice) []byte {
	slices.SortStableFunc(all, func(a, b splice) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, s := range all {
		out = append(append(out, data[at:s.start]...), s.text...)
		at = s.end
	}
	return append(out, data[at:]...)
}

// A positionError is an error at a position in a document.
type positionError struct {
	line, column int
	message      string
}

func (e *positionError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.message) }

// errorAt returns an error at an offset.
func errorAt(data []byte, offset int, message string) error {
	before := data[:min(max(offset, 0), len(data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return &positionError{line: line, column: column, message: message}
}

// invalidUTF8 returns the offset of the first byte that is not valid UTF-8; -1: there is none.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// newlineOf returns how the lines of a text end.
func newlineOf(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart returns where the line of an offset begins.
func lineStart(data []byte, offset int) int { return bytes.LastIndexByte(data[:offset], '\n') + 1 }

// lineEnd returns where the next line begins, or the end of the text.
func lineEnd(data []byte, offset int) int {
	if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(data)
}

// lineIndent returns the white space at the beginning of the line of an offset.
func lineIndent(data []byte, offset int) string {
	start := lineStart(data, offset)
	end := start
	for end < len(data) && isBlank(data[end]) {
		end++
	}
	return string(data[start:end])
}
