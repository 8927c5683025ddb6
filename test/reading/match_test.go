package reading

import (
	"regexp"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/shell"
)

// A grade says how well a reading has what happened.
type grade int

const (
	unseen grade = iota
	blank        // only by a command of which not even the program is known
	partly       // by a command with unknown parts
	plain        // word by word
)

// The holes of words.
const (
	anyWords = '\xff'
	oneWord  = '\xfe'
	oneChar  = '\xfd'
	fileRun  = '\xfb'
)

// best returns how well the commands have one that was executed.
func best(commands []shell.Command, program string, args []string) grade {
	argv := strings.Join(append([]string{program}, args...), "\x00") + "\x00"
	out := unseen
	for _, c := range commands {
		out = max(out, gradeOf(c, argv))
	}
	return out
}

func gradeOf(c shell.Command, argv string) grade {
	if c.Unread {
		return blank
	}
	known := true
	var pattern strings.Builder
	pattern.WriteString("^")
	for _, w := range c.Words {
		known = known && w.Known
		pattern.WriteString(wordPattern(w.Text))
	}
	pattern.WriteString("$")
	switch {
	case !regexp.MustCompile(pattern.String()).MatchString(argv):
		return unseen
	case known:
		return plain
	case c.Words[0].Known:
		return partly
	}
	return blank
}

// wordPattern is the expression of the words that a word with holes could be, each with a NUL behind it.
func wordPattern(word string) string {
	if word == string([]byte{anyWords}) {
		return `(?s:(?:.*\x00)?)`
	}
	var b strings.Builder
	several := false
	from := 0
	for i := range len(word) {
		hole, ok := map[byte]string{anyWords: `(?s:.*)`, oneWord: `[^\x00]*`, oneChar: `[^\x00]`, fileRun: `[^\x00]*`}[word[i]]
		if !ok {
			continue
		}
		several = several || word[i] == oneChar || word[i] == fileRun
		b.WriteString(regexp.QuoteMeta(word[from:i]) + hole)
		from = i + 1
	}
	b.WriteString(regexp.QuoteMeta(word[from:]) + `\x00`)
	if several { // file names
		return "(?:" + b.String() + ")+"
	}
	return b.String()
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		text string
		argv []string
		want grade
	}{
		{"rm -f x", []string{"rm", "-f", "x"}, plain},
		{"/bin/rm -f x", []string{"rm", "-f", "x"}, plain},
		{"rm -f x", []string{"rm", "-f"}, unseen},
		{"rm -f x", []string{"rm", "-f", "x", "y"}, unseen},
		{"rm -f 'x y'", []string{"rm", "-f", "x", "y"}, unseen},
		{"rm -f $x", []string{"rm", "-f", "x", "y"}, partly},
		{"rm -f $x", []string{"rm", "-f"}, partly},
		{`rm -f "$x"`, []string{"rm", "-f", "x", "y"}, unseen},
		{"rm -f *.c", []string{"rm", "-f", "x.c", "y.c"}, partly},
		{"rm -f *.c", []string{"rm", "-f", "x.c", "y.h"}, unseen},
		{"rm -f ?.c", []string{"rm", "-f", "xy.c"}, unseen},
		{"$x -f", []string{"rm", "-f"}, blank},
		{"$(ls", []string{"rm", "-f"}, blank},
		{"ls", []string{"rm", "-f"}, unseen},
	} {
		if got := best(shell.Read(c.text, shell.Start{}), c.argv[0], c.argv[1:]); got != c.want {
			t.Errorf("%s as %q: grade %d, want %d", c.text, c.argv, got, c.want)
		}
	}
}
