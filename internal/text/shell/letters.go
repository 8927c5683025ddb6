package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// letters are a set of options of one letter or digit.
type letters struct{ low, high uint64 }

const half = 64

func (l *letters) add(c byte) {
	if c < half {
		l.low |= 1 << c
	} else {
		l.high |= 1 << (c - half)
	}
}

func (l *letters) addAll(more letters) {
	l.low |= more.low
	l.high |= more.high
}

// without returns the letters that are not among others.
func (l letters) without(others letters) letters {
	return letters{l.low &^ others.low, l.high &^ others.high}
}

func (l letters) empty() bool { return l.low|l.high == 0 }

func isOptionLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// optionNames maps the options of a program to letters: its long names, and letters that mean another letter or several.
type optionNames map[string]letters

// namesFor returns the options of a program, and of its subcommand, the first word that is no option. An option means its first letter.
func namesFor(e *program.Entry, args []string) optionNames {
	sub := ""
	if i := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") }); i >= 0 {
		if known := e.Sub(args[i]); known != nil {
			e, sub = known, args[i]
		}
	}
	names := optionNames{}
	e.Synonyms(func(name string, same []string) {
		var set letters
		for _, other := range same {
			if len(other) == 1 && isOptionLetter(other[0]) {
				set.add(other[0])
				names[name] = set
				return
			}
		}
	})
	if sub == "branch" {
		for letter, meaning := range map[string]string{"D": "df", "M": "mf", "C": "cf"} {
			var set letters
			set.add(meaning[0])
			set.add(meaning[1])
			names[letter] = set // git branch -D is -d -f
		}
	}
	return names
}

// letter returns what a letter means, which is mostly itself.
func (names optionNames) letter(c byte) letters {
	if set, ok := names[string([]byte{c})]; ok {
		return set
	}
	var set letters
	set.add(c)
	return set
}

// long returns what a long name means. Programs accept shortened names.
func (names optionNames) long(name string) (set letters, exact, ok bool) {
	if set, ok := names[name]; ok && len(name) > 1 {
		return set, true, true
	}
	for full, meaning := range names {
		if len(full) > 1 && strings.HasPrefix(full, name) {
			set.addAll(meaning)
			ok = true
		}
	}
	return set, false, ok
}
