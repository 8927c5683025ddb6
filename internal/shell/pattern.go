package shell

import (
	"path"
	"strings"
)

// A Pattern names commands. The zero Pattern names none.
type Pattern struct {
	glob  string // the program folded, * for both wildcards
	whole bool   // compares the whole command, not the program alone
	path  bool   // compares the program as written, with its folder
}

// NewPattern compiles a glob in which * and % stand for any run of characters. A glob without a blank is compared with
// the program alone: "rm" names every rm. One with blanks is compared with the whole command, its words joined by one
// blank: "git push*". A glob whose program has a slash is compared with the program as written; else the folder does
// not count. The case of a program does not count, that of arguments does.
func NewPattern(glob string) Pattern {
	words := strings.Fields(strings.ReplaceAll(clean(glob), "%", "*"))
	if len(words) == 0 {
		return Pattern{}
	}
	p := Pattern{whole: len(words) > 1, path: strings.Contains(words[0], "/")}
	words[0] = fold(words[0])
	p.glob = strings.Join(words, " ")
	return p
}

// Runs says whether the command is one that the pattern names. A hole matches what it could be: an unknown word could
// be any text, though not an option that has blanks in it, and file names filled in by the shell are no options.
func (c Command) Runs(p Pattern) Answer {
	if p.glob == "" {
		return No
	}
	answer := No
	for _, program := range c.programs(p) {
		text := program
		if p.whole {
			text = c.joined(program)
		}
		answer = max(answer, match(p.glob, text))
	}
	if p.path && answer == No && !strings.ContainsAny(c.Path.Text, `/\`) {
		// The search path may lead a bare name to the program.
		bare := Pattern{glob: p.glob[strings.LastIndex(firstWord(p.glob), "/")+1:], whole: p.whole}
		answer = min(Maybe, c.Runs(bare))
	}
	return answer
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// programs returns the spellings of the program that the pattern is compared with.
func (c Command) programs(p Pattern) []string {
	if p.path {
		written := fold(c.Path.Text)
		if !c.Path.Known || path.Clean(written) == written {
			return []string{written}
		}
		return []string{written, path.Clean(written)}
	}
	name := fold(c.Words[0].Text)
	if short := strings.TrimSuffix(name, ".exe"); short != name {
		return []string{name, short}
	}
	return []string{name}
}

// joined returns the command as one text, under the given name of its program.
func (c Command) joined(program string) string {
	var b strings.Builder
	b.WriteString(program)
	for _, word := range c.Words[1:] {
		if word.Text == anyWords {
			b.WriteString(moreWords)
			continue
		}
		b.WriteByte(' ')
		b.WriteString(word.Text)
	}
	return b.String()
}

// match compares a glob with a text that may have holes.
func match(glob, text string) Answer {
	if !hasHole(text) {
		if matchPieces(strings.Split(glob, "*"), text) {
			return Yes
		}
		return No
	}
	could := newTrack(glob)
	if !could.follow(text, (*track).fill) {
		return No
	}
	must := newTrack(glob)
	if must.follow(text, (*track).keepStars) {
		return Yes
	}
	return Maybe
}

// matchPieces compares a text with the pieces of a glob between its wildcards.
func matchPieces(pieces []string, s string) bool {
	last := len(pieces) - 1
	if last == 0 {
		return s == pieces[0]
	}
	s, ok := strings.CutPrefix(s, pieces[0])
	if !ok {
		return false
	}
	if s, ok = strings.CutSuffix(s, pieces[last]); !ok {
		return false
	}
	for _, piece := range pieces[1:last] {
		i := strings.Index(s, piece)
		if i < 0 {
			return false
		}
		s = s[i+len(piece):]
	}
	return true
}
