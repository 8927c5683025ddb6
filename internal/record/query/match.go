package query

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// Matcher returns a function that says whether a filter selects an entry, as a store does it. Rows and limit do not count.
func (f Filter) Matcher() func(*record.Entry) bool {
	matches := f.named()
	var nots []func(*record.Entry) bool
	for _, n := range f.Nots() {
		if n.Conditions() > 0 {
			nots = append(nots, n.named())
		}
	}
	words := Words(f.Text)
	return func(e *record.Entry) bool {
		return matches(e) && (len(words) == 0 || HasWords(e.Text, words)) && !slices.ContainsFunc(nots, func(not func(*record.Entry) bool) bool { return not(e) })
	}
}

// Conditions is how many conditions on names and on Blocked a filter has, without those of Not.
func (f Filter) Conditions() int {
	n := 0
	for _, c := range f.comparisons() {
		if c.value != "" {
			n++
		}
	}
	for _, there := range []bool{f.IDBegin != "", f.Server != "", f.Tool != "", f.Blocked != nil, len(f.Types) > 0} {
		if there {
			n++
		}
	}
	return n
}

// named is Matcher without Not.
func (f Filter) named() func(*record.Entry) bool {
	server, tool := newPattern(f.Server), newPattern(f.Tool)
	server.notEmpty = true
	texts := slices.DeleteFunc(f.comparisons(), func(c comparison) bool { return c.value == "" })
	for i, c := range texts {
		texts[i].value = c.column(c.value)
	}
	return func(e *record.Entry) bool {
		for _, c := range texts {
			if c.of(e) != c.value {
				return false
			}
		}
		return f.within(e) && begins(e.CallID, f.IDBegin) && server.matches(e.Server) && tool.matches(e.Tool)
	}
}

// comparisons are the conditions on texts that are compared as they are; one without a value is no condition.
func (f Filter) comparisons() []comparison {
	return []comparison{
		{f.CallID, ColumnText, func(e *record.Entry) string { return e.CallID }},
		{f.WireID, ColumnText, func(e *record.Entry) string { return e.WireID }},
		{f.RequestID, record.Name, func(e *record.Entry) string { return e.RequestID }},
		{f.ResponseID, record.Name, func(e *record.Entry) string { return e.ResponseID }},
		{f.Session, ColumnText, func(e *record.Entry) string { return e.Session }},
		{f.Key, record.Name, func(e *record.Entry) string { return e.Key }},
		{f.Employee, record.Name, func(e *record.Entry) string { return e.Employee }},
		{f.Code, ColumnText, func(e *record.Entry) string { return e.Code }},
		{f.Rule, ColumnText, func(e *record.Entry) string { return e.Rule }},
		{f.Team, record.Name, func(e *record.Entry) string { return e.Team }},
		{f.Model, record.Name, func(e *record.Entry) string { return e.Model }},
		{f.Provider, record.Name, func(e *record.Entry) string { return e.Provider }},
		{f.Org, record.Name, func(e *record.Entry) string { return e.Org }},
		{f.Verdict, ColumnText, func(e *record.Entry) string { return e.Verdict }},
		{string(f.Type), ColumnText, func(e *record.Entry) string { return string(e.Type) }},
		{f.Surface, ColumnText, func(e *record.Entry) string { return e.Surface }},
	}
}

// begins says whether an id begins with a text, and Beyond is a text that comes after all that do: stores look between the two.
func begins(id, with string) bool { return with == "" || id >= ColumnText(with) && id < Beyond(with) }

// Beyond returns a text that comes after all texts that begin with another.
func Beyond(begin string) string { return ColumnText(begin) + "\U0010ffff" }

// A comparison is a condition on one column.
type comparison struct {
	value  string
	column func(string) string // how the column holds a text
	of     func(*record.Entry) string
}

// within checks the conditions that are not on a text.
func (f *Filter) within(e *record.Entry) bool {
	switch {
	case f.Blocked != nil && *f.Blocked != e.Blocked,
		len(f.Types) > 0 && !slices.Contains(f.Types, e.Type),
		!f.Since.IsZero() && e.Micros < f.Since.UnixMicro(),
		!f.Until.IsZero() && e.Micros >= f.Until.UnixMicro(),
		f.NoCanaries && (e.Provider == call.CanaryProvider || e.Rule == call.CanaryRule):
		return false
	}
	return true
}

// A pattern is a name as policies compare it, with stars for any run of characters.
type pattern struct {
	pieces   []string // nil: any name
	notEmpty bool     // a name without stars is never that of nothing
}

func newPattern(text string) pattern {
	if text == "" {
		return pattern{}
	}
	return pattern{pieces: FoldedPieces(text)}
}

func (p pattern) matches(name string) bool {
	if p.pieces == nil {
		return true
	}
	name = Folded(name)
	if len(p.pieces) == 1 {
		return name == p.pieces[0] && !(p.notEmpty && name == "")
	}
	last := len(p.pieces) - 1
	rest, ok := strings.CutPrefix(name, p.pieces[0])
	if !ok {
		return false
	}
	if rest, ok = strings.CutSuffix(rest, p.pieces[last]); !ok {
		return false
	}
	for _, piece := range p.pieces[1:last] {
		if _, rest, ok = strings.Cut(rest, piece); !ok {
			return false
		}
	}
	return true
}
