package strictjson

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// An Edit says that the bytes from Start to End of a document become New.
type Edit struct {
	Start, End int
	New        []byte
}

// Splice returns a copy of data with the edits made and every other byte unchanged. The edits may come in any order; if several
// insert at the same position, the first comes first.
//
// Splice panics if edits overlap or lie outside data. Edits are made from the values of one document, so this is a bug in the
// program and no fault of the input.
func Splice(data []byte, edits ...Edit) []byte {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	size := len(data)
	for _, e := range sorted {
		size += len(e.New) - (e.End - e.Start)
	}
	out := make([]byte, 0, max(size, 0))
	kept := 0
	for _, e := range sorted {
		if e.Start < kept || e.End < e.Start || e.End > len(data) {
			panic("strictjson: edits overlap or lie outside the document")
		}
		out = append(out, data[kept:e.Start]...)
		out = append(out, e.New...)
		kept = e.End
	}
	return append(out, data[kept:]...)
}

// Replace returns the edit that puts the JSON text in place of the value. It panics if the value is missing: there is no position
// for the text.
func (v Value) Replace(text []byte) Edit {
	if v.doc == nil {
		panic("strictjson: a missing value cannot be replaced")
	}
	start, end := v.Span()
	return Edit{start, end, text}
}

// SetMember returns the edit that gives the object's member of that name the JSON text as its value, or adds the
// member at the end of the object. It fails with ErrAmbiguous in the same cases as Member, and with ErrNotObject if v is not an
// object.
//
// In one Splice at most one member may be added to an empty object.
func (v Value) SetMember(name string, text []byte) (Edit, error) {
	if v.Kind() != Object {
		return Edit{}, ErrNotObject
	}
	member, err := v.Member(name)
	if err != nil {
		return Edit{}, err
	}
	if member.Kind() != Missing {
		return member.Replace(text), nil
	}
	var added []byte
	if v.Len() > 0 {
		added = append(added, ',')
	}
	added = AppendString(added, name)
	added = append(added, ':')
	added = append(added, text...)
	_, end := v.Span()
	return Edit{end - 1, end - 1, added}, nil
}

// RemoveElems returns the edits that remove from an array the elements that remove picks, with the right commas. The
// elements that stay may be edited in the same Splice.
func (v Value) RemoveElems(remove func(i int, elem Value) bool) []Edit {
	var edits []Edit
	run := newRemoval()
	i := 0
	for elem := range v.Elems() {
		start, end := elem.Span()
		edits = run.next(edits, start, end, remove(i, elem))
		i++
	}
	return run.end(edits)
}

// RemoveMembers returns the edits that remove from an object the members that remove picks, with the right commas. The
// members that stay may be edited in the same Splice.
func (v Value) RemoveMembers(remove func(name, value Value) bool) []Edit {
	var edits []Edit
	run := newRemoval()
	for name, value := range v.Members() {
		start, _ := name.Span()
		_, end := value.Span()
		edits = run.next(edits, start, end, remove(name, value))
	}
	return run.end(edits)
}

// A removal goes through the elements or members of a container and removes some of them, with the right commas.
type removal struct {
	keptEnd int // the end of the last item that stays
	from    int // the start of the first item to remove after it
	lastEnd int // the end of the last item
}

const nothing = -1

func newRemoval() *removal { return &removal{keptEnd: nothing, from: nothing} }

// next handles the next item, which is removed or stays.
func (r *removal) next(edits []Edit, start, end int, removed bool) []Edit {
	switch {
	case removed && r.from == nothing:
		r.from = start
	case !removed:
		// The comma after the removed items is removed with them.
		if r.from != nothing {
			edits = append(edits, Edit{Start: r.from, End: start})
		}
		r.from, r.keptEnd = nothing, end
	}
	r.lastEnd = end
	return edits
}

// end is called after the last item.
func (r *removal) end(edits []Edit) []Edit {
	if r.from == nothing {
		return edits
	}
	// No item follows, so the comma before is removed instead, if there is one.
	from := r.from
	if r.keptEnd != nothing {
		from = r.keptEnd
	}
	return append(edits, Edit{Start: from, End: r.lastEnd})
}

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r < ' ' || r == '\u2028' || r == '\u2029':
			// Some programs treat these two separators as line ends.
			dst = append(dst, '\\', 'u', hex[r>>12&0xF], hex[r>>8&0xF], hex[r>>4&0xF], hex[r&0xF])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
