package bodies

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/redact"
)

// Streams carry a text in pieces of a few characters, one in each frame, so a secret in it is nowhere whole. The pieces at the same
// path in each frame, with the same index, are one text. Indexes and ids may be wrong, and parts of one text may have several
// indexes. So the pieces at the same path with any index are searched as one text, too.

// A part is a JSON document that is a frame, or is in a frame.
type part struct {
	start int // in the body
	doc   *strictjson.Doc
}

// A piece is the text between the quotes of a string of a part, with its escapes.
type piece struct {
	start, end int // in the body
}

// inPieces finds secrets that are spread over the frames of a stream. The finding in the first piece of a secret has its name, and
// so gets the token. The findings in the other pieces have no name.
func (h hider) inPieces(body string) (found []redact.Finding) {
	parts := partsOf(body)
	if len(parts) < 2 {
		return nil
	}
	all := texts{seed: maphash.MakeSeed(), exact: map[pathHash]*text{}, loose: map[pathHash]*text{}}
	for _, p := range parts {
		all.collect(p, p.doc.Root(), spot{})
	}
	for _, t := range all.inOrder() {
		found = append(found, h.join(body, t.pieces)...)
	}
	return found
}

// join searches pieces as one text.
func (h hider) join(body string, pieces []piece) (found []redact.Finding) {
	if len(pieces) < 2 {
		return nil
	}
	var joined strings.Builder
	for _, p := range pieces {
		joined.WriteString(body[p.start:p.end])
	}
	at := 0 // where the next piece begins in the joined text
	rest := h.locate(joined.String())
	for _, p := range pieces {
		end := at + p.end - p.start
		for len(rest) > 0 && rest[0].End <= at {
			rest = rest[1:]
		}
		for _, f := range rest {
			if f.Start >= end {
				break
			}
			own := redact.Finding{Name: f.Name, Start: p.start + max(0, f.Start-at), End: p.start + min(end, f.End) - at}
			if f.Start < at {
				own.Name = ""
			}
			found = append(found, own)
		}
		at = end
	}
	return found
}

// partsOf returns the documents of a body: one on each line, after the field name of an event, or the elements of the array that
// the body is. A body that is one object has no pieces.
func partsOf(body string) []part {
	if whole := strings.TrimLeft(body, " \t\r\n\ufeff"); strings.HasPrefix(whole, "[") {
		if parts := elements(body, len(body)-len(whole)); parts != nil {
			return parts
		}
	}
	var parts []part
	at := 0
	for line := range strings.Lines(body) {
		text := strings.TrimPrefix(line, "data:")
		if trimmed := strings.TrimLeft(text, " "); strings.HasPrefix(trimmed, "{") {
			p := part{start: at + len(line) - len(trimmed), doc: &strictjson.Doc{}}
			if p.doc.Parse([]byte(strings.TrimRight(trimmed, "\r\n"))) == nil {
				parts = append(parts, p)
			}
		}
		at += len(line)
	}
	return parts
}

// elements are the elements of an array at a position of a body; nil: there is no array.
func elements(body string, at int) []part {
	var array strictjson.Doc
	if array.Parse([]byte(body[at:])) != nil {
		return nil
	}
	parts := []part{}
	for elem := range array.Root().Elems() {
		start, end := elem.Span()
		p := part{start: at + start, doc: &strictjson.Doc{}}
		if p.doc.Parse([]byte(body[at+start:at+end])) == nil {
			parts = append(parts, p)
		}
	}
	return parts
}

// A pathHash is the path of a text in the frames that carry it, as a digest of its names and numbers. Names may be long and many, so
// they are not stored for each text.
type pathHash uint64

// A spot is the path of a text with the indexes on it, and without.
type spot struct{ exact, loose pathHash }

// A text is the pieces at one path.
type text struct {
	pieces []piece
	loose  pathHash // of an exact path
}

// texts are the texts of a body.
type texts struct {
	seed         maphash.Seed
	exact, loose map[pathHash]*text
	order        []*text // the exact texts, in the order of their first pieces
}

// in is a path inside of another path.
func (t *texts) in(outer pathHash, name []byte) pathHash {
	return outer*0x9e3779b97f4a7c15 + pathHash(maphash.Bytes(t.seed, name)) + 1
}

// collect adds the strings of a value. Members beside a text that name the item of the text are part of its exact path.
func (t *texts) collect(p part, v strictjson.Value, at spot) {
	switch v.Kind() {
	case strictjson.String:
		if start, end := v.Span(); end-start > len(`""`) {
			t.add(at, piece{p.start + start + 1, p.start + end - 1})
		}
	case strictjson.Array:
		for elem := range v.Elems() {
			at.exact = t.in(at.exact, nil)
			t.collect(p, elem, at)
		}
	case strictjson.Object:
		for name, value := range v.Members() {
			if isItem(name) && value.Len() == 0 {
				at.exact = t.in(at.exact, value.Raw())
			}
		}
		for name, value := range v.Members() {
			t.collect(p, value, spot{t.in(at.exact, name.Raw()), t.in(at.loose, name.Raw())})
		}
	}
}

func (t *texts) add(at spot, p piece) {
	exact := t.exact[at.exact]
	if exact == nil {
		exact = &text{loose: at.loose}
		t.exact[at.exact], t.order = exact, append(t.order, exact)
	}
	exact.pieces = append(exact.pieces, p)
	loose := t.loose[at.loose]
	if loose == nil {
		loose = &text{}
		t.loose[at.loose] = loose
	}
	loose.pieces = append(loose.pieces, p)
}

// inOrder are the texts, each once: a loose text with the same pieces as an exact text is left out.
func (t *texts) inOrder() []*text {
	all := slices.Clone(t.order)
	for _, exact := range t.order {
		loose := t.loose[exact.loose]
		if loose != nil && len(loose.pieces) > len(exact.pieces) {
			all = append(all, loose)
		}
		delete(t.loose, exact.loose)
	}
	return all
}

// isItem says whether a member of this name says which of several items a frame belongs to.
func isItem(name strictjson.Value) bool {
	raw := name.Raw()
	return name.Is("item_id") || bytes.HasSuffix(raw, []byte(`index"`)) || bytes.HasSuffix(raw, []byte(`Index"`))
}
