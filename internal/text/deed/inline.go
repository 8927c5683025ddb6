package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	codetext "github.com/weir-gate/weir/internal/text/code"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// inlineKind is the kind of deed, and the host, of code in an option or in the input of an interpreter that is not plain. Like
// computedKind it is looked for by name only.
const inlineKind = "inline"

// An evaluator is an interpreter, as far as its code stands in the command.
type evaluator struct {
	language *codetext.Language
	letter   string   // of the option that code follows, also as the last of several
	options  []string // its long options for code
	verbs    []string // its subcommands for code; those of a program that runs others come before the option
	input    bool     // without a file it runs its input
}

// evaluators are the interpreters whose code plain code may be.
var evaluators = map[string]*evaluator{
	"python": {language: codetext.Python, letter: "c", input: true},
	"pypy":   {language: codetext.Python, letter: "c", input: true},
	"py":     {language: codetext.Python, letter: "c", input: true},
	"node":   {language: codetext.JavaScript, letter: "ep", options: []string{"--eval", "--print"}, input: true},
	"nodejs": {language: codetext.JavaScript, letter: "ep", options: []string{"--eval", "--print"}, input: true},
	"tsx":    {language: codetext.JavaScript, letter: "ep", options: []string{"--eval", "--print"}},
	"bun":    {language: codetext.JavaScript, letter: "ep", options: []string{"--eval", "--print"}},
	"deno":   {language: codetext.JavaScript, verbs: []string{"eval"}},
	"ruby":   {language: codetext.Ruby, letter: "e", input: true},
	"php":    {language: codetext.PHP, letter: "rBRE"},
	"elixir": {language: codetext.Elixir, letter: "e", options: []string{"--eval", "--rpc-eval"}},
	"iex":    {language: codetext.Elixir, letter: "e", options: []string{"--eval", "--rpc-eval"}},
	"mix":    {language: codetext.Elixir, letter: "e", options: []string{"--eval"}, verbs: []string{"eval"}},
}

// inline notes code in the words or in the input of an interpreter, unless it is plain.
func (f *finder) inline(l *line) {
	name := strings.TrimRight(l.name, "0123456789.")
	if name == "invoke-expression" && len(l.items) > 0 && l.items[0].word.Text == "-S" {
		name = "iex" // which is also the shell of Elixir
	}
	e := evaluators[name]
	if e == nil {
		return
	}
	sources, named := e.sources(l)
	if !named && e.input && !l.asksVersion() {
		if sources = l.c.Input; len(sources) == 0 {
			sources = []shell.Word{{}} // what it reads is not known
		}
	}
	for _, source := range sources {
		if !source.Known || !codetext.Plain(source.Text, e.language) {
			from := end{host: address.Host{Name: inlineKind}}
			f.addOf(l, Deed{Verb: RunsFetched, Kind: inlineKind, Certainty: truth.Yes, hosts: []end{from}})
			return
		}
	}
}

// asksVersion reports a line whose options only ask what the program is.
func (l *line) asksVersion() bool {
	return len(l.items) == 1 && hasWord(l.words(), "--version", "-version", "-V", "-VV", "-v", "--help", "-h", "--v8-options")
}

// words are all words after the program.
func (l *line) words() []shell.Word { return l.c.Words[1:] }

// sources are the words with code. It reports whether the code is in words or in a file that is named.
func (e *evaluator) sources(l *line) (out []shell.Word, named bool) {
	for i, it := range l.items {
		text := it.word.Text
		long, value, has := strings.Cut(text, "=")
		switch {
		case slices.Contains(e.options, long) && has:
			out = append(out, shell.Word{Text: value, Known: it.word.Known})
		case i > 0 && e.codeOption(l.items[i-1].word.Text), i > 0 && slices.Contains(e.verbs, l.items[i-1].word.Text):
			out = append(out, it.word)
		case text == "-" || strings.HasPrefix(text, "-"):
			named = named || e.letter == "c" && text == "-m" || long == "--test" || long == "--run"
			if at := strings.IndexAny(text[1:], e.letter); at >= 0 && at+2 < len(text) && text[1] != '-' {
				out = append(out, it.word.From(at+2)) // code that follows its option in the same word
			}
		default:
			named = true
		}
	}
	return out, named || len(out) > 0
}

// codeOption reports an option that is followed by code.
func (e *evaluator) codeOption(text string) bool {
	if slices.Contains(e.options, text) {
		return true
	}
	return len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.IndexByte(e.letter, text[len(text)-1]) >= 0 &&
		strings.Trim(text[1:], "abcdefghijklmnopqrstuvwxyzBEISWO") == ""
}
