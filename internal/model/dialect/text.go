package dialect

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A TextKind says what a text is to the person or the model that reads it.
type TextKind uint8

// The kinds. All that a format's table of Fields does not name is Elsewhere: an unknown member is text until somebody says that
// it is not.
const (
	NotText   TextKind = iota // ids, types, names, what is signed or encrypted, and the arguments of calls
	Answer                    // what the model says, as text or as the transcript of its voice
	Reasoning                 // what it thinks, or a summary of that
	Refusal                   // why it does not answer, in its own words
	Output                    // what a tool gave that the provider ran
	Citation                  // what the model quotes: sources, their titles and addresses, passages of its own answer
	Prompt                    // what the client has sent, said again
	Failure                   // what went wrong, in the provider's words
	Echo                      // not a string: a value that spells other texts once more, like tokens or a trace; drop it whole
	Elsewhere                 // a string in a member that the format does not have
	textKinds                 // how many there are
)

// A Channel is one text of a response. What comes in several pieces comes on one channel, and so does what is said again.
type Channel struct {
	Kind     TextKind
	Response int // of a bundle
	Choice   int // or candidate; -1: of none
	Item     int // a content block, an output item; -1: of none
	Part     int // of an item
	Nth      int // among the texts of one kind there, where it may have several
}

// A Span is where a frame has a text, or a piece of one.
type Span struct {
	Channel
	// Start and End are where the JSON value stands in the data that Rewrite gets: see Reading.Frame. The quotes are in it. The text
	// is the string without its quotes and escapes. A character may be cut in two halves, the second of which comes in
	// the channel's next piece.
	Start, End int
	// Again says that the value is the whole text of its channel so far, in place of what was said before, and not a further
	// piece. Of a text that was not said before it may be either.
	Again bool
}

// Fields are a format's table of the members of an object.
type Fields []Field

// A Field says what a member is.
type Field struct {
	Name string
	// Kind is that of every string in it, at any depth. NotText also stands for what the dialect looks at by itself.
	Kind TextKind
	// Part tells texts of one kind apart that stand in one object; 0: the part that was set with At.
	Part int
	// Except are names of members that are not text, at any depth.
	Except Documented
	// In are the members of the object that the member is, or of those in its array. What they do not name is of Kind, or Elsewhere.
	In Fields
}

// NotTexts are members that are not text.
func NotTexts(names ...string) (fields Fields) {
	for _, name := range names {
		fields = append(fields, Field{Name: name})
	}
	return fields
}

// And are these members and others.
func (f Fields) And(more ...Field) Fields { return append(slices.Clip(f), more...) }

func (f Fields) find(name strictjson.Value) *Field {
	for i := range f {
		if name.Is(f[i].Name) {
			return &f[i]
		}
	}
	return nil
}

// Texts collects the spans of a frame. Its buffer serves one frame after the other. The zero Texts is ready to use.
type Texts struct {
	spans []Span
	at    Channel
	next  [textKinds]int
	again bool
}

// keptSpans bounds the buffer that is kept for the next frame.
const keptSpans = 1 << 10

// Begin is called before a frame is looked at.
func (t *Texts) Begin() {
	if t.spans = t.spans[:0]; cap(t.spans) > keptSpans {
		t.spans = nil
	}
	t.Outside()
	t.again = false
}

// At says to which response, choice, item and part the next texts belong. Texts of one kind are counted from here.
func (t *Texts) At(place Channel) { t.at, t.next = place, [textKinds]int{} }

// Outside says that the next texts belong to no choice and no item.
func (t *Texts) Outside() { t.At(Channel{Choice: -1, Item: -1}) }

// Again says whether the next texts are said again.
func (t *Texts) Again(again bool) { t.again = again }

// Next is the number of the next text of a kind, and SetNext makes it another: for texts that are counted over several frames.
func (t *Texts) Next(kind TextKind) int { return t.next[kind] }

// SetNext sets what Next returns.
func (t *Texts) SetNext(kind TextKind, nth int) { t.next[kind] = nth }

// Object adds the texts of an object.
func (t *Texts) Object(v strictjson.Value, fields Fields) { t.object(v, fields, Elsewhere) }

func (t *Texts) object(v strictjson.Value, fields Fields, rest TextKind) {
	for name, m := range v.Members() {
		field := fields.find(name)
		if field == nil {
			t.Add(m, rest, nil)
			continue
		}
		at, next := t.at, t.next
		if field.Part != 0 {
			t.at.Part = field.Part
			t.next = [textKinds]int{}
		}
		if field.In != nil {
			t.inside(m, field)
		} else {
			t.Add(m, field.Kind, field.Except)
		}
		if field.Part != 0 {
			t.at, t.next = at, next
		}
	}
}

// inside adds the texts of a member whose own members are known.
func (t *Texts) inside(v strictjson.Value, f *Field) {
	rest := f.Kind
	if rest == NotText {
		rest = Elsewhere
	}
	switch v.Kind() {
	case strictjson.Object:
		t.object(v, f.In, rest)
	case strictjson.Array:
		for elem := range v.Elems() {
			t.inside(elem, f)
		}
	default:
		t.Add(v, rest, nil)
	}
}

// Add adds every string in v, at any depth, but for members with names that are excepted and for the data of objects that
// say that they are in base64. Of an Echo it adds the value itself.
func (t *Texts) Add(v strictjson.Value, kind TextKind, except Documented) {
	k := v.Kind()
	switch {
	case kind == NotText:
	case k == strictjson.String, kind == Echo && k > strictjson.Null:
		t.add(v, kind)
	case k == strictjson.Array:
		for elem := range v.Elems() {
			t.Add(elem, kind, except)
		}
	case k == strictjson.Object:
		typ, _ := v.Member("type")
		binary := typ.Is("base64")
		for name, m := range v.Members() {
			if !except.Has(name) && !(binary && name.Is("data")) {
				t.Add(m, kind, except)
			}
		}
	}
}

func (t *Texts) add(v strictjson.Value, kind TextKind) {
	s := Span{Channel: t.at, Again: t.again}
	s.Kind, s.Nth = kind, t.next[kind]
	t.next[kind]++
	s.Start, s.End = v.Span()
	t.spans = append(t.spans, s)
}

// Finish returns the spans of the frame, in their order, for the data that the sieve leaves. They are valid until the next frame.
func (t *Texts) Finish(s *Sieve) []Span {
	byStart := func(a, b Span) int { return cmp.Compare(a.Start, b.Start) }
	if !slices.IsSortedFunc(t.spans, byStart) {
		slices.SortFunc(t.spans, byStart)
	}
	if len(s.edits) > 0 {
		t.spans = s.move(t.spans)
	}
	return t.spans
}

// move puts spans, which are in their order, where they are in the data that the sieve leaves. What was left out has none.
func (s *Sieve) move(spans []Span) []Span {
	edits := slices.SortedFunc(slices.Values(s.edits), func(a, b strictjson.Edit) int { return cmp.Compare(a.Start, b.Start) })
	i, shift := 0, 0
	moved := func(offset int) int {
		for ; i < len(edits) && edits[i].End <= offset; i++ {
			shift += len(edits[i].New) - (edits[i].End - edits[i].Start)
		}
		return offset + shift
	}
	kept := spans[:0]
	for _, span := range spans {
		start := moved(span.Start)
		if i < len(edits) && edits[i].Start <= span.Start && span.End <= edits[i].End {
			continue
		}
		span.Start, span.End = start, moved(span.End)
		kept = append(kept, span)
	}
	return kept
}
