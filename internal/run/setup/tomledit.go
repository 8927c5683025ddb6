package setup

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// setTOML replaces a value, or adds a key to its table, in the form that the table has: in braces, as dotted keys or under a
// header. A table that does not exist gets a header.
func setTOML(data []byte, s step) ([]byte, error) {
	entries, err := readTOML(data)
	if err != nil {
		return nil, tomlError(err)
	}
	text, err := renderTOML(s.value)
	if err != nil {
		return nil, err
	}
	d := tomlDocument{data: data, entries: entries, newline: newlineOf(data)}
	for _, e := range entries {
		if e.kind == listHeader && slices.Equal(e.path, s.path) {
			data, err := removeTOML(data, s)
			if err != nil {
				return nil, err
			}
			return setTOML(data, s)
		}
		if e.kind == keyValue && hasPrefix(s.path, e.path) && (e.inline || len(e.path) == len(s.path)) {
			return setIn(data, e, s.path, text), nil
		}
	}
	for n := len(s.path) - 1; n > 0; n-- {
		if out, done := d.addBelow(s.path, n, text); done {
			return out, nil
		}
	}
	if len(s.path) > 1 {
		return d.addTable(s.path, len(data), text), nil
	}
	return d.addToRoot(s.path, text), nil
}

// setIn sets a value in an entry whose path is the beginning of its path.
func setIn(data []byte, e tomlEntry, path []string, text string) []byte {
	if len(e.path) == len(path) {
		return spliced(data, splice{e.valueStart, e.end, text})
	}
	for _, inner := range e.entries {
		if hasPrefix(path, inner.path) && (inner.inline || len(inner.path) == len(path)) {
			return setIn(data, inner, path, text)
		}
	}
	pair := dotted(path[len(e.path):]) + " = " + text
	if len(e.entries) == 0 {
		open := e.valueStart + 1
		return spliced(data, splice{open, open, " " + pair + " "})
	}
	end := e.entries[len(e.entries)-1].end
	return spliced(data, splice{end, end, ", " + pair})
}

// A tomlDocument is a document to which keys are added.
type tomlDocument struct {
	data    []byte
	entries []tomlEntry
	newline string
}

// addBelow adds a value to the table of the first n keys of its path, if the document defines that table.
func (d tomlDocument) addBelow(path []string, n int, text string) ([]byte, bool) {
	table := path[:n]
	lastDotted, lastBelow, header := -1, -1, -1
	for i, e := range d.entries {
		if !hasPrefix(e.path, table) {
			continue
		}
		lastBelow = i
		switch {
		case e.kind == tableHeader && len(e.path) == n:
			header = i
		case e.kind == keyValue && len(e.table) < n && len(e.path) > n:
			lastDotted = i
		}
	}
	switch {
	case header >= 0 && n == len(path)-1:
		last := header
		for last+1 < len(d.entries) && d.entries[last+1].kind == keyValue {
			last++
		}
		return d.addLine(last, dotted(path[n:])+" = "+text), true
	case lastDotted >= 0:
		context := len(d.entries[lastDotted].table)
		return d.addLine(lastDotted, dotted(path[context:])+" = "+text), true
	case lastBelow >= 0:
		return d.addTable(path, lineEnd(d.data, d.entries[lastBelow].end), text), true
	}
	return nil, false
}

// addLine adds a line after the line of an entry.
func (d tomlDocument) addLine(after int, line string) []byte {
	e := d.entries[after]
	at := lineEnd(d.data, e.end)
	text := lineIndent(d.data, e.start) + line + d.newline
	if !bytes.HasSuffix(d.data[:at], []byte("\n")) {
		text = d.newline + text
	}
	return spliced(d.data, splice{at, at, text})
}

// addTable adds a header, and a key under it.
func (d tomlDocument) addTable(path []string, at int, text string) []byte {
	last := len(path) - 1
	block := "[" + dotted(path[:last]) + "]" + d.newline + dotted(path[last:]) + " = " + text + d.newline
	before := d.data[:at]
	switch {
	case len(bytes.TrimSpace(before)) == 0:
	case !bytes.HasSuffix(before, []byte("\n")):
		block = d.newline + d.newline + block
	default:
		block = d.newline + block
	}
	return spliced(d.data, splice{at, at, block})
}

// addToRoot adds a key before all headers.
func (d tomlDocument) addToRoot(path []string, text string) []byte {
	line := dotted(path) + " = " + text
	last := -1
	for last+1 < len(d.entries) && d.entries[last+1].kind == keyValue {
		last++
	}
	if last >= 0 {
		return d.addLine(last, line)
	}
	text = line + d.newline
	if first := bytes.TrimSpace(d.data[:lineEnd(d.data, 0)]); len(first) > 0 {
		text += d.newline
	}
	return spliced(d.data, splice{0, 0, text})
}

// removeTOML removes everything at a path: lines of the document, or keys in braces.
func removeTOML(data []byte, s step) ([]byte, error) {
	found := false
	for {
		entries, err := readTOML(data)
		if err != nil {
			return nil, tomlError(err)
		}
		cuts := cutsOf(data, entries, s.path)
		if len(cuts) == 0 {
			break
		}
		found = true
		data = spliced(data, cuts...)
	}
	if !found {
		return nil, errors.New("it does not exist")
	}
	return data, nil
}

// cutsOf returns the lines to remove, and one key of each table in braces: after each removal the other keys have new positions.
func cutsOf(data []byte, entries []tomlEntry, path []string) []splice {
	var cuts []splice
	for _, e := range entries {
		switch {
		case hasPrefix(e.path, path):
			cut := splice{start: lineStart(data, e.start), end: lineEnd(data, e.end)}
			if e.kind != keyValue {
				cut.start = withBlankLine(data, cut.start)
			}
			cuts = append(cuts, cut)
		case e.inline && hasPrefix(path, e.path):
			if cut, ok := cutIn(e, path); ok {
				cuts = append(cuts, cut)
			}
		}
	}
	return cuts
}

// withBlankLine extends a cut by one empty line before it.
func withBlankLine(data []byte, start int) int {
	if start == 0 {
		return 0
	}
	if before := lineStart(data, start-1); before > 0 && len(bytes.TrimSpace(data[before:start])) == 0 {
		return before
	}
	return start
}

// cutIn returns what to remove from a table in braces, including the comma.
func cutIn(e tomlEntry, path []string) (splice, bool) {
	for i, inner := range e.entries {
		switch {
		case hasPrefix(inner.path, path):
			switch {
			case i+1 < len(e.entries):
				return splice{start: inner.start, end: e.entries[i+1].start}, true
			case i > 0:
				return splice{start: e.entries[i-1].end, end: inner.end}, true
			}
			return splice{start: inner.start, end: inner.end}, true
		case inner.inline && hasPrefix(path, inner.path):
			return cutIn(inner, path)
		}
	}
	return splice{}, false
}

// dotted returns a key of several parts.
func dotted(path []string) string {
	parts := make([]string, len(path))
	for i, key := range path {
		parts[i] = tomlKey(key)
	}
	return strings.Join(parts, ".")
}
