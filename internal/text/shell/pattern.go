package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/glob"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A Pattern names commands. The zero Pattern names none.
type Pattern struct {
	glob  string // the program folded, * for both wildcards
	whole bool   // compare the whole command, not the program alone
	path  bool   // compare the program as written, with its folder
	first string // the first word
	lead  string // what the glob has before its first wildcard

	options  *optionPattern // the pattern with its options separated; nil: it matches only as written
	bare     *Pattern       // the pattern without the folder of its program; nil: it has none
	found    bool           // the folder of its program may be one in which programs are looked for
	readings []Pattern      // the pattern without options before the subcommand, as commands are also read
}

// NewPattern compiles a glob in which * and % match any run of characters. A glob without a blank is compared with the program
// alone: "rm" names every rm. A glob with blanks is compared with the whole command, its words joined by one blank: "git push*". A
// <word> matches one word that is a plain name: "git push origin <word>" names no command with an option or a second branch. A
// glob whose program has a slash is compared with the program as written; else the folder does not count. The case of a program
// does not count, that of arguments does. Options match in any order and grouping, and in their long form as far as that is known:
// "rm -rf *" is also rm -fr x, rm -r -f x and rm x --force --recursive.
func NewPattern(glob string) Pattern {
	words := strings.Fields(strings.ReplaceAll(clean(glob), "%", "*"))
	if len(words) == 0 {
		return Pattern{}
	}
	p := Pattern{whole: len(words) > 1, path: strings.Contains(words[0], "/")}
	words[0] = fold(words[0])
	if p.path {
		bare := NewPattern(strings.Join(words, " ")[strings.LastIndex(words[0], "/")+1:])
		p.bare, p.found = &bare, isSearched(words[0])
	}
	p.readings = readingsOf(words)
	for i := range words {
		words[i] = withWords(words[i])
	}
	p.first = words[0]
	p.glob = strings.Join(words, " ")
	p.lead = p.glob
	if i := strings.IndexAny(p.glob, "*"+wordRest); i >= 0 {
		p.lead = strings.TrimSuffix(p.glob[:i], wordFirst)
	}
	p.options = newOptionPattern(words)
	return p
}

// Runs says whether the command is one that the pattern names. A hole matches every text that it could be. An unknown word could be
// any text, except an option with blanks in it. File names filled in by the shell are no options.
func (c Command) Runs(p Pattern) truth.Value {
	if p.glob == "" {
		return truth.No
	}
	answer := truth.No
	for _, program := range c.programs(p) {
		if p.other(program) {
			continue
		}
		answer = max(answer, p.matchText(c, program))
		if answer != truth.Yes && p.options != nil && match(p.first, program) != truth.No {
			answer = max(answer, p.options.match(c, program))
		}
	}
	if p.path && answer == truth.No && (p.found || c.altered&otherPath != 0) && !strings.ContainsAny(c.Path.Text, `/\`) {
		// The search path may resolve a bare name to the program.
		answer = min(truth.Maybe, c.Runs(*p.bare))
	}
	return answer
}

// matchText compares the text of a command, under the given name of its program, with the glob.
func (p Pattern) matchText(c Command, program string) truth.Value {
	switch {
	case !p.whole:
		return match(p.glob, program)
	case !c.known():
		return match(p.glob, joinWords(program, c.Words[1:]))
	case !p.begins(program, c.Words[1:]):
		return truth.No
	default:
		return matchKnown(p.glob, joinWords(program, c.Words[1:]))
	}
}

// known says that nothing of the command is a hole.
func (c Command) known() bool {
	return !slices.ContainsFunc(c.Words, func(w Word) bool { return !w.Known }) && c.Path.Known
}

// begins is a quick check of the beginning of a command without holes: a long word of it need not be copied for most patterns.
func (p Pattern) begins(program string, args []Word) bool {
	lead, word := p.lead, program
	for {
		if len(lead) <= len(word) {
			return strings.HasPrefix(word, lead)
		}
		if lead[:len(word)] != word || lead[len(word)] != ' ' || len(args) == 0 {
			return false
		}
		lead, word, args = lead[len(word)+1:], args[0].Text, args[1:]
	}
}

// isSearched reports the path of a program that the search path may lead to: it is in a folder for programs, or it is one program of a
// folder that may be in the search path. Of a relative folder, or of all programs of some folder, nobody expects that.
func isSearched(path string) bool {
	slash := strings.LastIndexByte(path, '/')
	folder, name := path[:max(slash, 1)], path[slash+1:]
	rooted := strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "*/")
	return rooted && (!hasWildcard(withWords(name)) || program.UsualFolder(folder))
}

// readingsOf returns the pattern of these words without options before the subcommand, in the ways in which a command is also read.
func readingsOf(words []string) (out []Pattern) {
	entry, name := program.Lookup(words[0])
	if len(words) < 2 || !strings.HasPrefix(words[1], "-") && !strings.HasPrefix(words[1], "+") ||
		len(entry.Subs) == 0 && entry.Style&program.Verbs == 0 {
		return nil
	}
	args := words[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "+") { // cargo +nightly
		args = args[1:]
		out = append(out, NewPattern(strings.Join(append([]string{name}, args...), " ")))
	}
	for _, start := range entry.Read(args).Starts() {
		if start > 0 && len(out) < maxStarts {
			out = append(out, NewPattern(strings.Join(append([]string{name}, args[start:]...), " ")))
		}
	}
	return out
}

// other is a quick check that a program is not the pattern's. A program whose name has a blank in it could match more than the
// first word.
func (p Pattern) other(program string) bool {
	return program != p.first && !hasHole(program) && !hasWildcard(p.first) && !strings.Contains(program, " ")
}

// programs returns the spellings of the program that the pattern is compared with.
func (c Command) programs(p Pattern) []string {
	if p.path {
		written := strings.ReplaceAll(fold(c.Path.Text), `\`, "/")
		if !c.Path.Known {
			return []string{written}
		}
		spellings := []string{written}
		clean := path.Clean(written)
		if clean != written {
			spellings = append(spellings, clean)
		}
		if strings.Contains(written, "/") && !strings.ContainsAny(written[:1], "./~") && !strings.HasPrefix(clean, "..") {
			spellings = append(spellings, "./"+clean) // it begins in the folder, as ./ says
		}
		return spellings
	}
	name := fold(c.Words[0].Text)
	if short := strings.TrimSuffix(name, ".exe"); short != name {
		return []string{name, short}
	}
	return []string{name}
}

// joinWords returns a command as one text, under the given name of its program.
func joinWords(program string, args []Word) string {
	return joinSome(program, args, func(int) bool { return true })
}

// joinSome is joinWords for some of the arguments.
func joinSome(program string, args []Word, some func(i int) bool) string {
	size := len(program)
	for _, word := range args {
		size += 1 + len(word.Text)
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(program)
	for i, word := range args {
		if !some(i) {
			continue
		}
		if word.Text == anyWords {
			b.WriteString(moreWords)
			continue
		}
		b.WriteByte(' ')
		b.WriteString(word.Text)
	}
	return b.String()
}

// match compares a pattern with a text that may have holes.
func match(pattern, text string) truth.Value {
	if !hasHole(text) {
		return matchKnown(pattern, text)
	}
	could := newTrack(pattern)
	if !could.follow(text, (*track).fill) {
		return truth.No
	}
	must := newTrack(pattern)
	if must.follow(text, (*track).keepStars) {
		return truth.Yes
	}
	return truth.Maybe
}

// matchKnown is match for a text without holes.
func matchKnown(pattern, text string) truth.Value {
	matches := glob.Match
	if strings.Contains(pattern, wordFirst) {
		matches = func(pattern, text string) bool { return newTrack(pattern).follow(text, nil) }
	}
	if matches(pattern, text) {
		return truth.Yes
	}
	return truth.No
}
