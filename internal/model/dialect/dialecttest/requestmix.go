package dialecttest

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/weir-gate/weir/internal/strictjson"
)

// MixRequests makes a body of pieces of others: strict JSON, with values and members where they do not belong, given twice or
// in another case.
func MixRequests(r *rand.Rand, bodies [][]byte) []byte {
	body := pick(r, bodies)
	for range 1 + r.IntN(4) {
		body = mix(r, body, pick(r, bodies))
	}
	return body
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// pieces are the values of a body, and the members of its objects.
type pieces struct {
	values  []strictjson.Value
	members []member
}

type member struct{ name, value strictjson.Value }

func takeRequestApart(doc *strictjson.Doc, body []byte) (p pieces) {
	if doc.Parse(body) != nil {
		return pieces{}
	}
	var walk func(v strictjson.Value)
	walk = func(v strictjson.Value) {
		p.values = append(p.values, v)
		for elem := range v.Elems() {
			walk(elem)
		}
		for name, value := range v.Members() {
			p.members = append(p.members, member{name, value})
			walk(value)
		}
	}
	walk(doc.Root())
	return p
}

// mix makes one change to a body, with a piece of another.
func mix(r *rand.Rand, body, other []byte) []byte {
	var doc, otherDoc strictjson.Doc
	own, foreign := takeRequestApart(&doc, body), takeRequestApart(&otherDoc, other)
	if len(own.members) == 0 || len(foreign.members) == 0 {
		return body
	}
	m := pick(r, own.members)
	start, _ := m.name.Span()
	_, end := m.value.Span()
	raw := body[start:end]
	var edit strictjson.Edit
	switch r.IntN(6) {
	case 0: // another value
		edit = pick(r, own.values).Replace(pick(r, foreign.values).Raw())
	case 1: // another member
		f := pick(r, foreign.members)
		edit = strictjson.Edit{Start: start, End: start, New: join(f.name.Raw(), ":", f.value.Raw(), ",")}
	case 2: // the member twice
		edit = strictjson.Edit{Start: end, End: end, New: join([]byte(","), "", raw, "")}
	case 3: // the member in another case
		name := m.name.Raw()
		if i := r.IntN(len(name)); isLetter(name[i]) && !bytes.ContainsRune(name, '\\') {
			name = slices.Clone(name)
			name[i] ^= 'a' - 'A'
		}
		edit = m.name.Replace(name)
	case 4: // the member's value of another one
		edit = m.value.Replace(pick(r, foreign.members).value.Raw())
	default: // an element twice, or one of another list
		edit = moreElements(r, own, foreign)
	}
	return strictjson.Splice(body, edit)
}

// moreElements puts an element into a list of a body.
func moreElements(r *rand.Rand, own, foreign pieces) strictjson.Edit {
	list := pick(r, own.values)
	if list.Len() == 0 || list.Kind() != strictjson.Array {
		return strictjson.Edit{}
	}
	start, _ := list.Span()
	return strictjson.Edit{Start: start + 1, End: start + 1, New: join(pick(r, foreign.values).Raw(), ",", nil, "")}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func join(a []byte, between string, b []byte, after string) []byte {
	out := append(slices.Clone(a), between...)
	return append(append(out, b...), after...)
}
