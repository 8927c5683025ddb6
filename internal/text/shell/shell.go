// Package shell finds the commands that a shell text would run.
package shell

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// A Word is one word of a command after quotes, escapes and expansions.
type Word struct {
	// Text is what is known of the word. An unknown part is a hole: a byte that is never part of valid UTF-8.
	Text string
	// Known reports that Text has no hole.
	Known bool

	marked string // Text, with holes that say more
}

// A Command is a program and its arguments. A command of which nothing is known has one word, and that is a hole.
type Command struct {
	// Path is the program as written.
	Path Word
	// Words are the program without its folder, and its arguments.
	Words []Word
	// Folders are where it could run. There are none if the command is only another spelling of one before it.
	Folders []Word
	// Redirects are the files that it reads or writes through redirections of the text.
	Redirects []Redirect
	// Input is what the command could read, as far as the text says. It is set only for programs whose input says what they do: those
	// that apply patches, PowerShell commands that take one file per line, and clients of databases.
	Input []Word
	// InputFrom and WordsFrom are the indexes, in the list of all commands, of those whose output it reads, and of those whose output
	// is in its words.
	InputFrom, WordsFrom []int
	// Assigns are the variables that are set for it alone, as NAME=value.
	Assigns []Word
	// Variables are what the text sets, as NAME=value, of the variables by which a client knows a database or a host.
	Variables []Word
	// Scripts are the files in the words of a client of a database that the text wrote before.
	Scripts []Script
	// Wrote is what the whole text writes to files, as far as it says. Only the first command of a text has it.
	Wrote []Script
	// Contained reports that it runs in a container, which has other files.
	Contained bool
	// Away reports that it runs on another machine.
	Away bool
	// Slipped reports that an option or a variable slips it into another program, which runs it beside its own work.
	Slipped bool
	// Apart reports that, in addition, that program has other work than to run programs of a project: it sorts, packs or fetches.
	Apart bool
	// Unread reports that this is no command, but represents text that could not be parsed.
	Unread bool

	doubt   Doubt      // why it is not known, if nothing is
	altered alteration // why it may be another command than it seems
}

// A Redirect is a file that the shell opens for a command.
type Redirect struct {
	File    Word
	Reads   bool
	Writes  bool
	Appends bool // it writes, and keeps what the file has
}

// String is the redirection for people, with an ellipsis for each unknown part.
func (r Redirect) String() string {
	sign := "<"
	switch {
	case r.Appends:
		sign = ">>"
	case r.Writes:
		sign = ">"
	}
	return sign + " " + showHoles(r.File.Text)
}

// A Script is a file that the text wrote, and what it could contain.
type Script struct {
	Name  string
	Texts []Word
}

// A Start is where commands begin to run. The zero value is the folder where the call runs.
type Start struct {
	// Folders are the possible folders; relative ones are below the folder where the call runs.
	Folders []string
	// Unknown reports that it could be any other folder too.
	Unknown bool
}

// Read returns every command that the text could run, in the order of their appearance: wrappers such as sudo and the commands that
// they wrap, both branches of a choice, functions and what they call. Parts that the text does not say, such as the output of a
// program, are holes. Text that no shell grammar accepts, that runs such output, or that passes a bound of this package gives a
// command of which nothing is known, in addition to those that could be parsed.
func Read(text string, from Start) []Command {
	return read(len(text), from, func(r *reader) { r.text(text, r.outermost(), pipes{}) })
}

// ReadArgv is Read for a command that is already split into words, such as ["bash", "-lc", "make"].
func ReadArgv(argv []string, from Start) []Command {
	size := 0
	fields := make([]string, len(argv))
	for i, arg := range argv {
		size += len(arg)
		fields[i] = clean(arg)
	}
	return read(size, from, func(r *reader) { r.run(fields, r.outermost(), pipes{}) })
}

// read runs do within the bounds for a text of that size.
func read(size int, from Start, do func(*reader)) (found []Command) {
	r := newReader(size)
	r.from = from.folder()
	// The parser is third-party code. If an odd text makes it panic, nothing is known of that text.
	defer func() {
		if recover() != nil {
			r.noteUnread(Unparsed)
			found = r.found
		}
	}()
	do(r)
	r.finish()
	if len(r.found) > 0 {
		r.found[0].Wrote = r.wrote()
	}
	return r.found
}

// unknown returns a command of which nothing is known.
func unknown() Command { return newCommand([]string{anyWords}) }

// newCommand makes a command of at least one field.
func newCommand(fields []string) Command {
	c := Command{Path: newWord(fields[0]), Words: make([]Word, len(fields))}
	c.Words[0] = newWord(program.WithoutVersion(baseName(fields[0])))
	for i, field := range fields[1:] {
		c.Words[i+1] = newWord(field)
	}
	return c
}

func newWord(text string) Word {
	if !hasHole(text) {
		return Word{Text: text, Known: true, marked: text}
	}
	if text == "/"+treeRun {
		return Word{Text: "/" + oneWord, marked: text}
	}
	return Word{Text: plainHoles.Replace(text), marked: text}
}

func newWords(texts []string) []Word {
	words := make([]Word, len(texts))
	for i, text := range texts {
		words[i] = newWord(text)
	}
	return words
}

// baseName removes the folder of a program, written with either kind of slash. A hole before a slash counts as a folder.
func baseName(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 && i+1 < len(path) {
		return path[i+1:]
	}
	return path
}

// programName is the name by which programs are looked up.
func programName(path string) string { return program.Name(path) }

// String formats the command for people, with an ellipsis for each unknown part.
func (c Command) String() string {
	texts := make([]string, len(c.Words))
	for i, word := range c.Words {
		texts[i] = word.Text
	}
	texts[0] = c.Path.Text
	return showHoles(strings.Join(texts, " "))
}
