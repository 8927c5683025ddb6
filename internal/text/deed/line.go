package deed

import (
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// An item is one word of a line, in its possible roles.
type item struct {
	word   shell.Word
	option bool // it is an option
	value  bool // it may be the value of the option before it
	taken  bool // it surely is
	loose  bool // it is an option, or the value of an option before it that is not known
	// letters are those of options that take a value, where it stands.
	letters string
}

// A line is a command with its words. Where it is not known whether a word is the value of an option, it may be both.
type line struct {
	c     *shell.Command
	name  string
	items []item

	named   []string // what names returned
	ends    []end    // where it connects
	sending bool     // it was noted as sending
	doubt   bool     // its program is only one of those that it could be
}

// newLine reads a command under the name of its program.
func newLine(c *shell.Command, name string) *line {
	l := &line{c: c, name: programName(name), items: make([]item, len(c.Words)-1)}
	entry, _ := program.Lookup(l.name)
	letters := lettersOf(entry, l.name)
	ended := false
	for i, word := range c.Words[1:] {
		it := item{word: word, letters: letters}
		text := word.Text
		if i > 0 && l.items[i-1].option {
			takes := takesNext(entry, l.items[i-1].word.Text, letters)
			it.taken, it.value = takes == truth.Yes && !l.items[i-1].loose, takes != truth.No
		}
		switch {
		case ended || it.taken:
		case text == "--":
			ended, it.option, it.value = true, true, false
		case len(text) > 1 && text[0] == '-':
			it.option, it.value, it.loose = true, false, it.value
		case entry != nil && entry.Sub(text) != nil:
			entry = entry.Sub(text)
			letters = lettersOf(entry, l.name)
		}
		l.items[i] = it
	}
	return l
}

// lettersOf are the letters of options that take a value: of the entry of a program, or of the tables if it has none.
func lettersOf(entry *program.Entry, name string) string {
	if entry == nil {
		return valueLetters(name)
	}
	if known, ok := entryLetters.Load(entry); ok {
		return known.(string)
	}
	var out strings.Builder
	for c := byte('0'); c <= 'z'; c++ {
		if isLetter(c) && takesValue(entry, "-"+string(c)) == truth.Yes {
			out.WriteByte(c)
		}
	}
	entryLetters.Store(entry, out.String())
	return out.String()
}

// entryLetters has the result of lettersOf for each entry.
var entryLetters sync.Map

// takesValue says whether the word after an option is its value, as far as the entry knows.
func takesValue(entry *program.Entry, option string) truth.Value {
	for _, o := range entry.Read([]string{option, "w"}).Operands() {
		switch {
		case o.At != 1:
		case o.Sure:
			return truth.No
		default:
			return truth.Maybe
		}
	}
	return truth.Yes
}

// takesNext says whether an option takes the next word.
func takesNext(entry *program.Entry, option, letters string) truth.Value {
	switch {
	case option == "--" || strings.Contains(option, "=") || strings.HasPrefix(option, "--no-"):
		return truth.No
	case entry != nil:
		if takes := takesValue(entry, option); takes != truth.Maybe || !flags[option] {
			return takes
		}
		return truth.No
	case flags[option]:
		return truth.No
	case option[1] != '-' && letters != "":
		if at := strings.IndexAny(option[1:], letters); at >= 0 {
			if at+2 == len(option) {
				return truth.Yes
			}
			return truth.No
		}
	}
	return truth.Maybe
}

// flags are the options that take a value in no program that has deeds.
var flags = wordSet(`--yes --assume-yes --debug --verbose --quiet --silent --force --json --recursive --all --interactive --non-interactive
	--batch --dry-run --help --version --global --local --system --user --privileged --insecure --auto-approve -auto-approve --prod --public
	--delete --prune --mirror --rm -it -ti -rf -fr -y -q`)

// programName is the name by which a program is looked up.
func programName(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	for _, suffix := range []string{".exe", ".cmd", ".bat", ".com"} {
		if short, ok := strings.CutSuffix(name, suffix); ok {
			return short
		}
	}
	return name
}

// module is the line of the module that python runs, or nil.
func (l *line) module() *line {
	if strings.TrimRight(l.name, "0123456789.") != "python" && l.name != "py" {
		return nil
	}
	for i, it := range l.items {
		if it.option && strings.HasSuffix(it.word.Text, "m") && len(it.word.Text) < 4 && i+1 < len(l.items) {
			words := l.c.Words[i+2:] // the program is not an item
			c := *l.c
			c.Words = words
			return newLine(&c, words[0].Text)
		}
	}
	return nil
}

// names are the words that could name the target or the environment of a deed: operands and values of options, also those after an
// equals sign.
func (l *line) names() []string {
	if l.named != nil {
		return l.named
	}
	l.named = []string{}
	add := func(text string) {
		l.named = append(l.named, text)
		if _, v, ok := strings.Cut(text, "="); ok {
			l.named = append(l.named, v)
		}
	}
	for i, it := range l.items {
		if i > 0 && isNumberOption(l.items[i-1].word.Text) && holed(it.word.Text) {
			continue // a number that is not known is no name
		}
		add(it.word.Text)
	}
	for _, set := range l.c.Assigns {
		add(set.Text)
	}
	return l.named
}

// isNumberOption reports an option whose value is the number of a process.
func isNumberOption(option string) bool {
	return strings.EqualFold(option, "-id") || strings.EqualFold(option, "-pid") || strings.EqualFold(option, "/pid")
}

// operands are the words that could be operands.
func (l *line) operands() (out []shell.Word) {
	for _, it := range l.items {
		if !it.option && !it.taken {
			out = append(out, it.word)
		}
	}
	return out
}

// sure are the words that surely are operands.
func (l *line) sure() (out []shell.Word) {
	for _, it := range l.items {
		if !it.option && !it.value {
			out = append(out, it.word)
		}
	}
	return out
}

// first returns every word that could be the first operand.
func (l *line) first() (out []shell.Word) {
	for _, it := range l.items {
		if it.option || it.taken {
			continue
		}
		out = append(out, it.word)
		if !it.value {
			break
		}
	}
	return out
}

// has says whether the line has one of the options, written as in the tables.
func (l *line) has(names ...string) truth.Value {
	for _, it := range l.items {
		if !it.option {
			continue
		}
		if it.word.Text == "--" {
			break
		}
		for _, name := range names {
			if isOption(it.word.Text, name, it.letters) {
				return truth.Yes
			}
		}
	}
	return truth.No
}

// minPrefix is how many letters of a long option must be written.
const minPrefix = 3

// isOption reports whether a word has an option: a long one, possibly shortened, or a letter among others.
func isOption(word, name, letters string) bool {
	switch {
	case strings.HasPrefix(name, "--") || len(name) > 2:
		given, v, attached := strings.Cut(strings.ToLower(word), "=")
		if attached && (v == "false" || v == "no" || v == "none" || v == "0") {
			return false
		}
		given, name = strings.TrimLeft(given, "-"), strings.TrimLeft(strings.ToLower(name), "-")
		return given == name || word[1] == '-' && len(given) >= minPrefix && given != ownOption && strings.HasPrefix(name, given)
	case word[1] == '-':
		return false
	}
	for i := 1; i < len(word); i++ {
		if word[i] == name[1] {
			return true
		}
		if strings.IndexByte(letters, word[i]) >= 0 || !isLetter(word[i]) {
			return false
		}
	}
	return false
}

// ownOption begins as --extra-index-url does, but is an option of uv and pdm of its own.
const ownOption = "extra"

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// values are the values that one of the options could have.
func (l *line) values(names ...string) (out []shell.Word) {
	for i, it := range l.items {
		if !it.option || it.word.Text == "--" {
			continue
		}
		for _, name := range names {
			v, next, ok := valueOf(it.word, name, it.letters)
			switch {
			case !ok:
			case !next:
				out = append(out, v)
			case i+1 < len(l.items):
				out = append(out, l.items[i+1].word)
			}
		}
	}
	return out
}

// valueOf returns the value of an option in its word, or says that it is the next word.
func valueOf(word shell.Word, name, letters string) (v shell.Word, next, ok bool) {
	text := word.Text
	if strings.HasPrefix(name, "--") || len(name) > 2 {
		given, _, attached := strings.Cut(text, "=")
		sign := "="
		if !attached && len(name) > 2 && name[1] != '-' { // -Name:value
			given, _, attached = strings.Cut(text, ":")
			sign = ":"
		}
		if !isOption(given, name, letters) {
			return v, false, false
		}
		if attached {
			return after(word, strings.Index(text, sign)+1), false, true
		}
		return v, true, true
	}
	if text[1] == '-' {
		return v, false, false
	}
	for i := 1; i < len(text); i++ {
		if text[i] == name[1] {
			if i+1 == len(text) {
				return v, true, true
			}
			return after(word, i+1), false, true
		}
		if strings.IndexByte(letters, text[i]) >= 0 || !isLetter(text[i]) {
			break
		}
	}
	return v, false, false
}

// after is the rest of a word.
func after(word shell.Word, from int) shell.Word { return word.From(from) }
