package dialect

import (
	"cmp"
	"slices"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A TextKind says what a text means to the person or the model that reads it.
type TextKind uint8

// The kinds. Members that a format's table of Fields does not name are Elsewhere: an unknown member counts as text until the table
// says that it is not.
const (
	NotText   TextKind = iota // ids, types, names, signed or encrypted data, and the arguments of calls
	Answer                    // what the model says, as text or as the transcript of its voice
	Reasoning                 // what the model thinks, or a summary of that
	Refusal                   // why the model does not answer, in its own words
	Output                    // the result of a tool that the provider ran
	Citation                  // what the model quotes: sources, their titles and addresses, passages of its own answer
	Prompt                    // what the client has sent, repeated
	Failure                   // what went wrong, in the provider's words
	Echo                      // not a string: a value that repeats other texts, such as tokens or a trace; drop it whole
	Elsewhere                 // a string in a member that the format does not have
	textKinds                 // the number of kinds
)

// A Channel identifies one text of a response. All pieces of a text, and its repetitions, have the same channel.
type Channel struct {
	Kind     TextKind
	Response int // of a bundle
	Choice   int // or candidate; -1: none
	Item     int // a content block, an output item; -1: none
	Part     int // of an item
	Nth      int // among the texts of one kind there, if there may be several
}

// A Span is the position of a text, or a piece of one, in a frame.
type Span struct {
	Channel
	// Start and End are the position of the JSON value, quotes included, in the data that Rewrite gets: see Reading.Frame. The text is
	// the string without its quotes and escapes. A character may be cut in two halves; the second half is in the channel's next piece.
	Start, End int
	// Again says that the value is the whole text of its channel so far, and not a further piece. For the first span of a channel it
	// may be true or false.
	Again bool
}

// Fields are a format's table of the members of one object.
type Fields []Field

// A Field says what a member is.
type Field struct {
	Name string
	// Kind is the kind of every string in it, at any depth. NotText is also used for members that the dialect handles itself.
	Kind TextKind
	// Part distinguishes texts of one kind in the same object; 0: the part that was set with At.
	Part int
	// Except are names of members that are not text, at any depth.
	Except Documented
	// In are the members of the object in this member, or of the objects in its array. Members that they do not name are of Kind, or
	// of Elsewhere if Kind is NotText.
	In Fields
}

// NotTexts returns fields for members that are not text.
func NotTexts(names ...string) (fields Fields) {
	for _, name := range names {
		fields = append(fields, Field{Name: name})
	}
	return fields
}

// And returns these fields and more.
func (f Fields) And(more ...Field) Fields { return append(slices.Clip(f), more...) }

func (f Fields) find(name strictjson.Value) *Field {
	for i := range f {
		if name.Is(f[i].Name) {
			return &f[i]
		}
	}
	return nil
}

// Texts collects the spans of a frame. Its buffer is reused for each frame. The zero Texts is ready to use.
type Texts struct {
	spans []Span
	at    Channel
	next  [textKinds]int
	again bool
}

// keptSpans is the largest capacity of a buffer that is reused for the next frame.
const keptSpans = 1 << 10

// Begin is called before the texts of a frame are added.
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

// Again says whether the next texts repeat their whole channel: see Span.Again.
func (t *Texts) Again(again bool) { t.again = again }

// Next returns the number of the next text of a kind. SetNext changes it, for texts that are counted over several frames.
func (t *Texts) Next(kind TextKind) int { return t.next[kind] }

// SetNext sets the number that Next returns.
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

// Add adds every string in v, at any depth, except for members named in except and for the data of objects of type base64. For an
// Echo it adds the value itself.
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

// Finish returns the spans of the frame, in order, as positions in the data after the sieve's edits. They are valid until the next
// frame.
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

// move turns sorted spans into positions in the data after the sieve's edits. Spans in removed parts are dropped.
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
