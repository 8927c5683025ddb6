package program

import (
	"slices"
	"strings"
)

// valueSigns are the signs of options with a value.
const valueSigns = ":</>@$%!;?*"

// An option is one option of a program, under all its names.
type option struct {
	names []string
	signs string
}

// takesNext reports an option whose value is the next word.
func (o *option) takesNext() bool { return o.signs != "" && o.signs != "?" && o.signs != "*" }

func (o *option) named(names []string) bool {
	return slices.ContainsFunc(o.names, func(name string) bool { return slices.Contains(names, name) })
}

// An optionSet is the options of a program.
type optionSet struct {
	style  Style
	byName map[string]*option
	exact  map[string][]longName // the same, as a list of one
	long   []longName            // of more than one letter, sorted; they may be shortened
	signs  string                // of all options
}

type longName struct {
	name string
	*option
}

func newOptionSet(list string, style Style) *optionSet {
	set := &optionSet{style: style, byName: map[string]*option{}, exact: map[string][]longName{}}
	for word := range strings.FieldsSeq(list) {
		text := strings.TrimRight(word, valueSigns)
		if text == "" { // a sign is the name
			text = word[:1]
		}
		o := &option{names: strings.Split(text, ","), signs: word[len(text):]}
		for _, name := range o.names {
			set.byName[name] = o
		}
	}
	set.sort()
	return set
}

// Synonyms calls do with each name of an option and all names that mean the same.
func (e *Entry) Synonyms(do func(name string, same []string)) {
	for name, o := range e.options().byName {
		do(name, o.names)
	}
}

// inherit adds the options of the program above. Its own options come first.
func (set *optionSet) inherit(above *optionSet) {
	for name, o := range above.byName {
		if set.byName[name] == nil {
			set.byName[name] = o
		}
	}
	set.sort()
}

func (set *optionSet) sort() {
	set.long, set.signs = set.long[:0], ""
	for name, o := range set.byName {
		set.exact[name] = []longName{{name, o}}
		for i := range len(o.signs) {
			if strings.IndexByte(set.signs, o.signs[i]) < 0 {
				set.signs += o.signs[i : i+1]
			}
		}
		if len(name) > 1 {
			set.long = append(set.long, longName{name, o})
		}
	}
	slices.SortFunc(set.long, func(a, b longName) int { return strings.Compare(a.name, b.name) })
}

// undashed turns the letters in the first word into options: their values follow in the order of the letters.
func (set *optionSet) undashed(words []string) []string {
	letters, rest := words[0], words[1:]
	var out []string
	for i := range min(len(letters), maxLetters) {
		letter := letters[i : i+1]
		out = append(out, "-"+letter)
		if o := set.byName[letter]; o != nil && o.takesNext() && len(rest) > 0 {
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	return append(out, rest...)
}

// maxLetters bounds the letters of a first word without a dash.
const maxLetters = 64

// shortened returns the options whose long names begin with a text.
func (set *optionSet) shortened(begin string) []longName {
	from, _ := slices.BinarySearchFunc(set.long, begin, func(l longName, begin string) int { return strings.Compare(l.name, begin) })
	end := from
	for end < len(set.long) && strings.HasPrefix(set.long[end].name, begin) {
		end++
	}
	return set.long[from:end]
}
