package deed

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A row is one deed of a program: the words and options that say it.
type row struct {
	verb Verb
	kind string
	// certainty is that of a line that fits.
	certainty truth.Value
	words     []wordPattern
	needs     []optionPattern
	some      []someWord // words that must be somewhere, or must not
	raw       bool       // words that ask for help or for a dry run may belong to another command
	ends      bool       // no operand follows
	up        bool       // the last operand is not on this machine
}

// A wordPattern is what one operand must be.
type wordPattern struct {
	globs []string
	many  bool // any number of words that are no verbs of reading
}

// An optionPattern is an option that must be there, or must not.
type optionPattern struct {
	names  []string
	values []string // globs; none: its presence is enough
	not    bool
}

type someWord struct {
	globs []string
	not   bool
}

// The knowledge of package program, compiled when it is first needed.
var compiled = sync.OnceValue(func() (t struct {
	rows     map[string][]row
	families map[string][]family
	letters  map[string]string
},
) {
	t.rows, t.families, t.letters = map[string][]row{}, map[string][]family{}, map[string]string{}
	for _, table := range program.DeedTables() {
		var names []string
		raw := false
		for text := range strings.Lines(joinedRows.Replace(table)) {
			fields := strings.Fields(text)
			switch {
			case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
			case fields[0] == "@" || fields[0] == "@raw":
				raw = fields[0] == "@raw"
				names = names[:0]
				for _, name := range fields[1:] {
					if letters, ok := strings.CutPrefix(name, ":"); ok {
						for _, known := range names {
							t.letters[known] += letters
						}
						continue
					}
					names = append(names, name)
				}
			default:
				r := newRow(fields)
				r.raw = raw
				for _, name := range names {
					if begin, ok := strings.CutSuffix(name, "*"); ok {
						verb, _, _ := strings.Cut(begin, "-")
						t.families[verb] = append(t.families[verb], family{begin, r})
						continue
					}
					t.rows[name] = append(t.rows[name], r)
				}
			}
		}
	}
	return t
})

// joinedRows joins the lines of a row.
var joinedRows = strings.NewReplacer("\n|", "|", "\n+", " ")

// knownNames are the programs of the tables.
var knownNames = sync.OnceValue(func() []string {
	names := map[string]bool{}
	for name := range compiled().rows {
		names[name] = true
	}
	for name := range hostRows() {
		names[name] = true
	}
	for name := range handlers {
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names))
})

// A family is a row of all programs whose names begin alike.
type family struct {
	begin string
	row   row
}

// rowsOf are the rows of a program: its own, and those of the families that it is of.
func rowsOf(name string) []row {
	rows := compiled().rows[name]
	verb, _, ok := strings.Cut(name, "-")
	if !ok {
		return rows
	}
	for _, f := range compiled().families[verb] {
		if strings.HasPrefix(name, f.begin) {
			rows = append(slices.Clip(rows), f.row)
		}
	}
	return rows
}

func valueLetters(name string) string { return compiled().letters[name] }

// newRow compiles a line of a table: the verb, the kind, and what must be there.
func newRow(fields []string) row {
	r := row{verb: Verb(fields[0]), certainty: truth.Yes}
	kind, doubtful := strings.CutSuffix(fields[1], "?")
	if r.kind = kind; doubtful {
		r.certainty = truth.Maybe
	}
	for _, field := range fields[2:] {
		text, not := strings.CutPrefix(field, "!")
		switch {
		case field == "**":
			r.words = append(r.words, wordPattern{many: true})
		case field == "$":
			r.ends = true
		case field == ">up":
			r.up = true
		case strings.HasPrefix(text, "~"):
			r.some = append(r.some, someWord{alternatives(text[1:]), not})
		case strings.HasPrefix(text, "-") && len(text) > 1:
			names, values, _ := strings.Cut(text, "=")
			o := optionPattern{names: strings.Split(names, "|"), not: not}
			if values != "" {
				o.values = alternatives(values)
			}
			r.needs = append(r.needs, o)
		default:
			r.words = append(r.words, wordPattern{globs: alternatives(text)})
		}
	}
	return r
}

// alternatives splits a pattern, and fills in the verbs that many programs share.
func alternatives(text string) (out []string) {
	for part := range strings.SplitSeq(strings.ToLower(text), "|") {
		if verbs, ok := program.SharedVerbs[part]; ok {
			out = append(out, strings.Fields(verbs)...)
			continue
		}
		out = append(out, part)
	}
	return out
}

// match says whether the line does what the row says.
func (r *row) match(l *line) truth.Value {
	a := min(r.operands(l), r.certainty)
	if a == truth.No || len(l.items) == 1 && strings.EqualFold(l.items[0].word.Text, "--version") {
		return truth.No
	}
	for i := range r.needs {
		a = min(a, r.needs[i].match(l))
	}
	for i := range r.some {
		if a != truth.No {
			a = min(a, r.some[i].match(l))
		}
	}
	if a != truth.No && !r.raw && l.has(dryRuns...) == truth.Yes && l.has("--no-dry-run") == truth.No {
		return truth.No
	}
	if a != truth.No && r.up && !l.uploads() {
		return truth.No
	}
	return a
}

// dryRuns are the options with which programs only say what they would do.
var dryRuns = []string{"--dry-run", "--dryrun", "--help", "--what-if", "-WhatIf", "--just-print", "--simulate"}

// readVerbs are words after which no deed follows.
var readVerbs = func() map[string]bool {
	set := map[string]bool{}
	for verb := range strings.FieldsSeq(program.SharedVerbs["%read"]) {
		set[verb] = true
	}
	return set
}()

// operands compares the words of the row with the operands in every reading.
func (r *row) operands(l *line) truth.Value {
	if len(r.words) == 0 && !r.ends {
		return truth.Yes
	}
	// could and sure have the number of words that are matched so far, as a set; sure without any doubt. Plain is sure where each word
	// that may be a value is an operand.
	could, sure, plain := r.skip(1), r.skip(1), r.skip(1)
	full := uint32(1) << len(r.words)
	for _, it := range l.items {
		if !r.ends && could&full != 0 {
			break
		}
		if it.option || it.taken {
			continue
		}
		if plain&full == 0 || r.ends {
			plain = r.step(plain, it, truth.Yes)
		}
		c, s := r.step(could, it, truth.Maybe), r.step(sure, it, truth.Yes)
		if it.value {
			c |= could
			s = sure // it counts as a value
		}
		could, sure = c, s
		if could == 0 {
			return truth.No
		}
	}
	switch {
	case sure&full != 0 && (r.verb != noVerb || plain&full != 0): // what takes deeds away must do so in every reading
		return truth.Yes
	case could&full != 0:
		return truth.Maybe
	}
	return truth.No
}

// said is how many operands of a line the row reads: they say what is done, and not to what.
func (r *row) said(l *line) (count int) {
	at, full := r.skip(1), uint32(1)<<len(r.words)
	for _, it := range l.items {
		if at&full != 0 {
			break
		}
		if it.option || it.value {
			continue
		}
		at = r.step(at, it, truth.Maybe)
		count++
	}
	if at&full == 0 {
		return 0
	}
	return count
}

// skip adds the states after patterns that match no word.
func (r *row) skip(at uint32) uint32 {
	for i := range r.words {
		if r.words[i].many && at&(1<<i) != 0 {
			at |= 1 << (i + 1)
		}
	}
	return at
}

// noVerb is the verb of a row that says that a line has no deed.
const noVerb Verb = "none"

// step reads one operand.
func (r *row) step(at uint32, it item, least truth.Value) (next uint32) {
	for i := range r.words {
		if at&(1<<i) == 0 {
			continue
		}
		if r.words[i].many {
			if !readVerbs[it.word.Text] {
				next |= 1 << i
			}
			continue
		}
		a := matchAny(r.words[i].globs, it.word)
		if a >= least {
			next |= 1 << (i + 1)
		}
		if a == truth.Maybe && it.word.AnyNumber() && least == truth.Maybe {
			next |= 1 << i
		}
	}
	return r.skip(next)
}

// match says whether the option is there.
func (o *optionPattern) match(l *line) truth.Value {
	a := truth.No
	if len(o.values) == 0 {
		a = l.has(o.names...)
	} else {
		for _, v := range l.values(o.names...) {
			a = max(a, matchSaid(o.values, v))
		}
	}
	if o.not {
		return truth.Yes - a
	}
	return a
}

// matchSaid is matchAny for a word that may be anything else: one of which not even the beginning is known says nothing.
func matchSaid(globs []string, w shell.Word) truth.Value {
	if text := saidText(w); text == "" && !w.Known || text != "" && text[0] == unknown {
		return truth.No
	}
	return matchAny(globs, w)
}

func (s *someWord) match(l *line) truth.Value {
	a := truth.No
	for i := 0; i < len(l.items) && a != truth.Yes; i++ {
		a = max(a, matchSaid(s.globs, l.items[i].word))
	}
	if s.not {
		return truth.Yes - a
	}
	return a
}
