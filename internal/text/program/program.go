// Package program is what weir knows of programs: their options, their subcommands and what they do with their words. It is data. The
// packages beside it ask: shell for the commands that a program runs, fileuse for files, address for hosts, deed for other deeds.
//
// To add a program, add an Entry to the table of its kind (files named after kinds, such as wrappers.go). Names lists its names.
// Options lists its options, as Options describes: only those with a value are necessary, but each flag that is listed saves doubt.
// Subs has its subcommands, which are entries as well and inherit the options. Lookup and Entry.Read then do the rest. A program
// that several packages know has one entry, with all its options.
package program

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// An Entry is a program or a subcommand of one.
type Entry struct {
	// Names are its names, separated by blanks, in lower case for programs.
	Names string
	// Options lists its options. A name of one letter is written with one dash, a longer name with two, or with one if the program
	// does so. Names of the same option are joined by commas: "r,R,recursive". Signs at the end say which values it takes:
	//	none  no value: it is a flag
	//	:     a value
	//	<     the name of a file that is read
	//	>     the name of a file that is written
	//	/     the name of the folder that it works in
	//	@     a host or URL
	//	$     a text that a shell runs
	//	%     the name of a file with code that it loads
	//	!     the program to run
	//	;     SQL
	//	?     a value only in the same word, or none
	//	*     the rest of the line, a command
	// Two signs are two values, as in "arg::".
	Options string
	Style   Style
	// Subs are its subcommands. They inherit the options.
	Subs []Entry
	// Runs says how it runs the command in its operands, if it does.
	Runs *Runs
	// Files says what it does to the files in its operands, if it does the same to all.
	Files *Files
	// Hosts says how it writes hosts.
	Hosts Hosts

	parent *Entry
	once   sync.Once
	set    *optionSet
	subs   map[string]*Entry
}

// A Style says how a program writes its options.
type Style uint8

const (
	// Stops: the options end at the first operand. Programs with subcommands always do so.
	Stops Style = 1 << iota
	// Dashed: long names have one dash, and letters are not joined.
	Dashed
	// Slashed: options may begin with a slash, as on Windows.
	Slashed
	// Folds: the case of the options and subcommands does not count.
	Folds
	// Verbs: the first operand is a subcommand, where the options end, even if none is listed.
	Verbs
	// Undashed: the first word may be letters without a dash. Their values follow in the order of the letters.
	Undashed
	// Undivided: two dashes do not end the options, but are an error.
	Undivided
	// Launches: its work is to run the commands that its options name, such as those of a build or a test.
	Launches
)

// tables are all entries.
var tables = [][]*Entry{
	wrappers, toolWrappers, placeWrappers, shells, launchers, loaders, workLoaders, managers, builders, interpreters, editors, readers,
	writers, disks, remote, containers, versionControl, microsoft, system,
}

// index finds the entries by name; names are the names, sorted.
var (
	index = map[string]*Entry{}
	names []string
)

func init() {
	for _, table := range tables {
		for _, e := range table {
			for name := range strings.FieldsSeq(e.Names) {
				index[name] = e
			}
		}
	}
	addClients()
	names = slices.Sorted(maps.Keys(index))
}

// Names are the names of all known programs, sorted.
func Names() []string { return names }

// Unknown is the entry of a program of which nothing is known.
var Unknown = &Entry{}

// Lookup returns the entry of a program and the name by which it is known, or Unknown. It ignores the folder and the case of the name, the
// suffixes of Windows, a version, as in python3.12, and the letter that GNU programs have before their name on other systems.
func Lookup(path string) (*Entry, string) {
	if e := index[path]; e != nil {
		return e, path
	}
	name := Name(path)
	for _, try := range [...]string{name, strings.TrimPrefix(name, "g"), strings.TrimRight(name, "0123456789.-")} {
		if e := index[try]; e != nil {
			return e, try
		}
	}
	return Unknown, name
}

// WithoutVersion removes the version that runners of packages take after the name of a program: eslint@9, black@latest.
func WithoutVersion(name string) string {
	i := strings.LastIndexByte(name, '@')
	if i <= 0 || i+1 == len(name) {
		return name
	}
	switch version := name[i+1:]; version {
	case "latest", "next", "canary", "beta", "alpha", "rc", "nightly", "stable", "dev":
		return name[:i]
	default:
		version = strings.TrimPrefix(strings.TrimLeft(version, "^~<>="), "v")
		if version != "" && version[0] >= '0' && version[0] <= '9' {
			return name[:i]
		}
		return name
	}
}

// Name returns the name of a program without folder, case, suffix and version.
func Name(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 && i+1 < len(path) {
		path = path[i+1:]
	}
	name := WithoutVersion(lower(path))
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		switch name[i:] {
		case ".exe", ".com", ".cmd", ".bat":
			return name[:i]
		}
	}
	return name
}

// lower lowers the case of a text but leaves bytes that are no text as they are.
func lower(s string) string {
	if utf8.ValidString(s) {
		return strings.ToLower(s)
	}
	out := []byte(s)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c | 0x20
		}
	}
	return string(out)
}

// options returns the compiled options, with those of the programs above.
func (e *Entry) options() *optionSet {
	e.once.Do(e.compile)
	return e.set
}

// Sub returns the subcommand of that name, or nil.
func (e *Entry) Sub(name string) *Entry {
	e.once.Do(e.compile)
	if e.Style&Folds != 0 {
		name = lower(name)
	}
	return e.subs[name]
}

// Is reports whether it has the name.
func (e *Entry) Is(name string) bool {
	for known := range strings.FieldsSeq(e.Names) {
		if known == name {
			return true
		}
	}
	return false
}

// Takes reports whether an option of it takes a value of one of these kinds.
func (e *Entry) Takes(signs string) bool { return strings.ContainsAny(e.options().signs, signs) }

// subsNamed returns the subcommands that a word could be.
func (e *Entry) subsNamed(word string) []*Entry {
	if sub := e.Sub(word); sub != nil {
		return []*Entry{sub}
	}
	if utf8.ValidString(word) || len(word) == 1 {
		return nil
	}
	var out []*Entry
	for i := range e.Subs {
		for name := range strings.FieldsSeq(e.Subs[i].Names) {
			if couldBe(word, name) {
				out = append(out, &e.Subs[i])
				break
			}
		}
	}
	return out
}

// couldBe reports whether a word with unknown parts could be a name: what is known of it stands in the name, in that order.
func couldBe(word, name string) bool {
	for i := 0; i < len(word); {
		if word[i] >= utf8.RuneSelf {
			i++
			continue
		}
		end := i
		for end < len(word) && word[end] < utf8.RuneSelf {
			end++
		}
		if end == len(word) && i > 0 {
			return strings.HasSuffix(name, word[i:])
		}
		at := strings.Index(name, word[i:end])
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		name = name[at+end-i:]
		i = end
	}
	return name == "" || word[len(word)-1] >= utf8.RuneSelf
}

func (e *Entry) compile() {
	e.set = newOptionSet(e.Options, e.Style)
	if e.parent != nil {
		e.set.inherit(e.parent.options())
	}
	if len(e.Subs) > 0 {
		e.subs = map[string]*Entry{}
	}
	for i := range e.Subs {
		sub := &e.Subs[i]
		sub.parent = e
		sub.Style |= e.Style &^ (Stops | Verbs | Undivided)
		for name := range strings.FieldsSeq(sub.Names) {
			e.subs[name] = sub
		}
	}
}
