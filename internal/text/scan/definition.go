package scan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A Definition is what a server says about one of its tools. Missing parts are not scanned.
type Definition struct {
	Server, Name, Title, Description string
	// InputSchema, OutputSchema, Annotations, Meta, and Other, which has all other members, are JSON values; nil: there is none.
	InputSchema, OutputSchema, Annotations, Meta, Other []byte
}

// Definition scans a tool's whole definition: every name, text and value that a model may see.
func (s *Scanner) Definition(d Definition) []Finding {
	b := batch{scanner: s}
	how := reading{self: d.Name}
	b.name("/name", d.Name)
	b.scan("/title", d.Title, how)
	b.scan("/description", d.Description, how)
	for _, part := range d.parts() {
		b.json(part.where, part.raw, how)
	}
	return sorted(b.findings)
}

// A part is one of the JSON values of a definition.
type part struct {
	where string
	raw   []byte
}

func (d Definition) parts() []part {
	return []part{
		{"/inputSchema", d.InputSchema},
		{"/outputSchema", d.OutputSchema},
		{"/annotations", d.Annotations},
		{"/_meta", d.Meta},
		{"", d.Other},
	}
}

// ResultJSON scans every text of a JSON value that a tool returned, such as structured content.
func (s *Scanner) ResultJSON(where string, raw []byte) []Finding {
	b := batch{scanner: s}
	b.json(where, raw, reading{result: true})
	return sorted(b.findings)
}

// name scans the name of a tool or a parameter: its wording, and every character that is not what it looks like.
func (b *batch) name(where, name string) {
	if folded := fold(name); falseName(name, folded.text) {
		b.add(Finding{
			"unicode.homoglyph", High, where, inert.Text(name, maxExcerpt),
			"a name that looks like " + inert.Name(folded.text, 64) + " and is another",
		})
	}
	b.scan(where, spoken(name), reading{})
}

// falseName says that a name imitates another: it has invisible characters, or letters of other scripts among Latin letters or
// instead of all of them. A word of another script is an ordinary name.
func falseName(name, folded string) bool {
	if isPlain(name) || !disguised(name) {
		return false
	}
	return isPlain(folded) || strings.ContainsFunc(name, isLatin) ||
		strings.ContainsFunc(name, func(r rune) bool { return isStyled(r) || !inert.Visible(r) })
}

// minSpoken is the least length of a name that may be a sentence.
const minSpoken = 16

// spoken is a name as a sentence, because models read the words in it.
func spoken(name string) string {
	if len(name) < minSpoken {
		return name
	}
	return strings.NewReplacer("_", " ", "-", " ").Replace(name)
}

// json scans the names and strings of a JSON value.
func (b *batch) json(where string, raw []byte, how reading) {
	if len(raw) == 0 {
		return
	}
	var doc strictjson.Doc
	if err := doc.Parse(raw); err != nil {
		b.add(Finding{"scan.unreadable", High, where, "", fmt.Sprintf("not strict json: %v", err)})
		return
	}
	b.value(where, doc.Root(), how)
}

func (b *batch) value(where string, v strictjson.Value, how reading) {
	switch v.Kind() {
	case strictjson.String:
		b.scan(where, string(v.AppendText(nil)), how)
	case strictjson.Array:
		var joined []string
		i := 0
		for e := range v.Elems() {
			b.value(where+"/"+strconv.Itoa(i), e, how)
			if e.Kind() == strictjson.String {
				joined = append(joined, string(e.AppendText(nil)))
			}
			i++
		}
		b.together(where, joined, how)
	case strictjson.Object:
		for name, value := range v.Members() {
			key := string(name.AppendText(nil))
			at := where + "/" + pointerEscaper.Replace(key)
			if how.result {
				b.scan(at, spoken(key), how)
			} else {
				b.name(at, key)
			}
			b.value(at, value, how)
		}
	}
}

// together scans the strings of an array as one text: a sentence may be split over them.
func (b *batch) together(where string, texts []string, how reading) {
	if len(texts) < 2 {
		return
	}
	known := map[string]bool{}
	for _, f := range b.findings {
		known[f.Rule] = known[f.Rule] || strings.HasPrefix(f.Where, where)
	}
	all := batch{scanner: b.scanner}
	all.scan(where, strings.Join(texts, " "), how)
	for _, f := range all.findings {
		if !known[f.Rule] {
			b.add(f)
		}
	}
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// jsonTexts are the strings of a JSON value, with the names of its members; none if it is not strict.
func jsonTexts(where string, raw []byte) (list []Content) {
	var doc strictjson.Doc
	if len(raw) == 0 || doc.Parse(raw) != nil {
		return nil
	}
	var walk func(at string, v strictjson.Value)
	walk = func(at string, v strictjson.Value) {
		if v.Kind() == strictjson.String {
			list = append(list, Content{at, string(v.AppendText(nil))})
		}
		i := 0
		for e := range v.Elems() {
			walk(at+"/"+strconv.Itoa(i), e)
			i++
		}
		for name, value := range v.Members() {
			walk(at+"/"+pointerEscaper.Replace(string(name.AppendText(nil))), value)
		}
	}
	walk(where, doc.Root())
	return list
}
