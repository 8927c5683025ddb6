package fileuse

import (
	"maps"
	"slices"
	"strings"
)

// A program notes what a program does to files.
type program func(line)

// programs are the known programs, by name.
var programs = map[string]program{}

// programOrder are their names, sorted.
var programOrder []string

func init() {
	for _, table := range []map[string]program{
		readers(), writers(), removers(), movers(), archivers(), senders(), patchers(), interpreters(),
		hosts(), formatters(), microsoft(),
	} {
		for names, p := range table {
			for _, name := range strings.Fields(names) {
				programs[name] = p
			}
		}
	}
	programOrder = slices.Sorted(maps.Keys(programs))
}

// programNames returns the known programs that a word, without its folder, could mean.
func programNames(word string) []string {
	name := strings.ToLower(word)
	if hasMark(word) {
		return wildNames(word)
	}
	name = strings.TrimSuffix(name, ".exe")
	if programs[name] == nil {
		name = strings.TrimPrefix(name, "g") // the name of GNU programs on other systems
	}
	if programs[name] == nil {
		name = strings.TrimRight(strings.ToLower(word), "0123456789.-") // python3.12
	}
	if programs[name] == nil {
		return nil
	}
	return []string{name}
}

// wildNames returns the known programs that a shell pattern could match.
func wildNames(word string) []string {
	e := newElement(word)
	if e.unknown() || e.deep || !e.hasLiteral() && e.wildOnly() {
		return nil
	}
	var out []string
	for _, name := range programOrder {
		if e.covers(element{text: name}, perhaps) {
			out = append(out, name)
		}
	}
	return out
}

// A plan describes programs that do the same to each operand, as most do.
type plan struct {
	options string
	deed    Deed
	skip    int    // leading operands that are no files
	unless  string // options with which there are no such operands
	tree    string // options with which everything below counts; "*": always
	only    string // options without which nothing is done
	never   string // options with which nothing is done
	last    Deed   // what is done to the last of several operands, if hasLast
	hasLast bool
	here    bool // without operands it uses the current folder, if everything below counts
	dashed  bool

	optionsOnly bool // operands are no files
}

// program makes a program of a plan.
func (p plan) program() program {
	o := newOptions(p.options)
	o.dashed = p.dashed
	unless, trees, only, never := strings.Fields(p.unless), strings.Fields(p.tree), strings.Fields(p.only), strings.Fields(p.never)
	return func(l line) {
		args := o.parse(l.args)
		if len(only) > 0 && !args.has(only...) || args.has(never...) {
			return
		}
		l.files(o, args)
		operands := args.operands
		if p.optionsOnly {
			return
		}
		if skip := p.skip; skip > 0 && !args.has(unless...) {
			operands = operands[min(skip, len(operands)):]
		}
		tree := p.tree == "*" || len(trees) > 0 && (l.loose || args.has(trees...))
		if p.here && tree && len(operands) == 0 {
			operands = []string{"."}
		}
		for i, operand := range operands {
			deed := p.deed
			if p.hasLast && i == len(operands)-1 && i > 0 {
				deed = p.last
			}
			l.note(deed, operand, tree)
		}
	}
}

// each notes the same deed to several files.
func (f *finder) each(deed Deed, paths []string, tree bool) {
	for _, path := range paths {
		f.note(deed, path, tree)
	}
}
