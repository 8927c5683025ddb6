package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A Span is a range of bytes in a JSON document.
type Span struct{ Start, End int }

// A Redaction is what ReplaceJSON made of a document.
type Redaction struct {
	JSON []byte // the new document; the given one if nothing was replaced
	// Replaced are the secrets that were found and replaced. A Finding's position is that of the string literal in the given document.
	Replaced []Finding
	// Kept are the secrets that were found but could not be replaced without changing the document's shape: numbers, and names for
	// which no other name can be found. They are still in JSON, so a caller must not pass it on.
	Kept []Finding
}

// ReplaceJSON replaces secrets inside the strings of a JSON document, including the names of members. Escapes are decoded first.
// Numbers are searched as written and as whole numbers, but never replaced: another number would be another order to the tool. The
// name of a member says what its value is about. A secret that is spread over several consecutive strings, such as the lines of a
// key in an array, is replaced in each of them. Names stay unique in their object, whatever their case; if two would be equal, one
// gets a number. Every value keeps its type, and everything outside changed strings keeps its bytes.
//
// Only values and names inside one of the spans are searched; nil means all. It fails if the document is not JSON as package
// strictjson accepts it, or if a string to search has half a surrogate pair.
func (s *Set) ReplaceJSON(document []byte, within []Span) (Redaction, error) {
	var doc strictjson.Doc
	if err := doc.Parse(document); err != nil {
		return Redaction{}, fmt.Errorf("read the document to redact: %w", err)
	}
	if within == nil {
		within = []Span{{0, len(document)}}
	}
	e := editor{set: s, within: newExtents(within)}
	if err := e.value(doc.Root(), ""); err != nil {
		return Redaction{}, err
	}
	e.settle()
	e.result.JSON = document
	if len(e.edits) > 0 {
		e.result.JSON = strictjson.Splice(document, e.edits...)
	}
	return e.result, nil
}

// An editor collects the edits of one document.
type editor struct {
	set    *Set
	within extents
	pieces []piece // the strings that are values
	lists  []list
	edits  []strictjson.Edit
	result Redaction
}

// value searches a value and everything inside it. about is the name of the member that has the value.
func (e *editor) value(v strictjson.Value, about string) error {
	switch v.Kind() {
	case strictjson.String:
		if !e.within.contain(v.Span()) {
			return nil
		}
		text, ok := v.Text()
		if !ok {
			return fmt.Errorf("read a string to redact: %w", strictjson.ErrSurrogate)
		}
		e.pieces = append(e.pieces, piece{value: v, about: about, text: text})
	case strictjson.Number:
		if e.within.contain(v.Span()) {
			note(&e.result.Kept, v, e.findNumber(string(v.Raw()), about))
		}
	case strictjson.Array:
		first := len(e.pieces)
		for elem := range v.Elems() {
			if err := e.value(elem, about); err != nil {
				return err
			}
		}
		if n := len(e.pieces) - first; n > 1 && n <= v.Len() {
			e.lists = append(e.lists, list{about, first, len(e.pieces)})
		}
	case strictjson.Object:
		return e.object(v, about)
	}
	return nil
}

// findNumber returns the secrets in a number: as it is written, as a whole number, or with the leading zeros that a social security
// number loses as a number.
func (e *editor) findNumber(raw, about string) []Finding {
	const ssnLength = 9
	if found := e.set.find(raw, about); len(found) > 0 {
		return found
	}
	digits, ok := wholeNumber(raw)
	if ok {
		if found := e.set.find(digits, about); len(found) > 0 {
			return found
		}
	} else {
		digits = raw
	}
	if n := len(digits); n == ssnLength-1 || n == ssnLength-2 {
		return e.set.find(strings.Repeat("0", ssnLength-n)+digits, about)
	}
	return nil
}

// note adds findings with the position of the value that has them.
func note(to *[]Finding, v strictjson.Value, found []Finding) {
	start, end := v.Span()
	for _, f := range found {
		*to = append(*to, Finding{f.Name, start, end})
	}
}

// object searches the names and values of an object. about is the object's own name.
func (e *editor) object(v strictjson.Value, about string) error {
	var taken *names // made when a name must change
	label := labelOf(v, about)
	for name, value := range v.Members() {
		text, found, err := e.name(name)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			if taken == nil {
				taken = namesOf(v)
			}
			fresh := taken.take(replace(text, found))
			// A pattern may match even the number that makes a name unique.
			if len(e.set.Find(fresh)) == 0 {
				e.edits = append(e.edits, name.Replace(strictjson.AppendString(nil, fresh)))
				note(&e.result.Replaced, name, found)
			} else {
				note(&e.result.Kept, name, found)
			}
		}
		if err := e.value(value, aboutValue(name, label, len(found) > 0)); err != nil {
			return err
		}
	}
	return nil
}

// name returns the name of a member, and the secrets in it.
func (e *editor) name(v strictjson.Value) (string, []Finding, error) {
	if !e.within.contain(v.Span()) {
		return "", nil, nil
	}
	text, ok := v.Text()
	if !ok {
		return "", nil, fmt.Errorf("read a name to redact: %w", strictjson.ErrSurrogate)
	}
	return text, e.set.find(text, ""), nil
}

// aboutValue returns what is known about the value of a member: its name, or the label of the object if the name says nothing. A
// name that was replaced says nothing either: a token names what it replaced, not the value.
func aboutValue(name strictjson.Value, label string, replaced bool) string {
	text, ok := name.Text()
	switch {
	case !ok || replaced || strings.Contains(text, tokenStart):
		return ""
	case isValueName(text):
		return label
	}
	return text
}

// isValueName reports whether the name of a member says only that it has a value.
func isValueName(name string) bool {
	switch strings.ToLower(name) {
	case "value", "val", "values", "raw", "number":
		return true
	}
	return false
}

// labelOf returns what an object is about. It may say so in a member such as "name", as in the lists of headers that programs
// write. Otherwise it is the name of the object itself.
func labelOf(v strictjson.Value, about string) string {
	for name, value := range v.Members() {
		text, _ := name.Text()
		switch strings.ToLower(text) {
		case "name", "key", "header", "field", "type", "label":
			if label, ok := value.Text(); ok && value.Kind() == strictjson.String && label != "" && !strings.Contains(label, tokenStart) {
				return label
			}
		}
	}
	return about
}

// names are the names of an object's members.
type names struct {
	taken map[string]bool // folded
	next  map[string]int  // by folded name: the number to try next if the name is wanted again
}

// namesOf returns the names of an object.
func namesOf(v strictjson.Value) *names {
	n := &names{make(map[string]bool, v.Len()), map[string]int{}}
	for name := range v.Members() {
		n.taken[fold(string(name.AppendText(nil)))] = true
	}
	return n
}

// take returns the name, with a number if an equal name is already taken, and marks it as taken.
func (n *names) take(name string) string {
	fresh, base := name, fold(name)
	for n.taken[fold(fresh)] {
		number := max(n.next[base], 2)
		n.next[base] = number + 1
		fresh = name + "#" + strconv.Itoa(number)
	}
	n.taken[fold(fresh)] = true
	return fresh
}

// fold makes names that differ only in case equal.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// extents are spans in order that do not overlap.
type extents []Span

// newExtents sorts spans and merges those that overlap.
func newExtents(spans []Span) extents {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	merged := sorted[:0]
	for _, s := range sorted {
		if n := len(merged); n > 0 && s.Start < merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, s.End)
			continue
		}
		merged = append(merged, s)
	}
	return extents(merged)
}

// contain reports whether one of the spans contains the given one.
func (e extents) contain(start, end int) bool {
	after, _ := slices.BinarySearchFunc(e, start, func(s Span, start int) int { return cmp.Compare(s.Start, start+1) })
	return after > 0 && end <= e[after-1].End
}
