// Package code finds what short programs in scripting languages do to the machine: the commands that they start, and the files and
// connections that they open, written as the commands by which a shell would do the same.
//
// It knows no grammar. It cuts a text into tokens, as the language does, and evaluates what looks like an expression: strings and how
// they are joined, variables, calls and methods. Everything that it cannot compute is unknown. A table says what the functions mean
// (table.go).
package code

import (
	"regexp"
	"slices"
	"strings"
)

// These bytes in a text represent parts that are not known. They are never part of valid UTF-8, and the package shell uses the same.
const (
	Unknown = "\xfe" // any text
	Char    = "\xfd" // one character of a file name
	Run     = "\xfb" // a part of a file name
	Home    = "\xf9" // the user's folder
	Here    = "\xf5" // the folder where the code runs
	Tree    = "\xc1" // any path below a folder
)

// An Act is something that code does, written as a command.
type Act struct {
	// Words are a program and its arguments. If Shell is set, there is one word, a text for a shell.
	Words []string
	Shell bool
	// Power says that the shell is PowerShell.
	Power bool
	// From is a command whose output is the input of this one; nil: there is none.
	From []string
	// Piped says that its input is the output of the act before it, and Again that it is another spelling of that act.
	Piped, Again bool
	// Guess says that it may be no command at all.
	Guess bool
	// Loads says that the one word is a file with code that is loaded.
	Loads bool
	// Input is what the command reads, if HasInput.
	Input    string
	HasInput bool
}

// A Reading is what a text does.
type Reading struct {
	Acts []Act
	// Cut says that the text passed a bound, so that there may be more.
	Cut bool
}

// These are the bounds of one reading.
const (
	maxActs         = 1 << 13
	maxDepth        = 100     // nested groups
	maxTexts        = 8       // alternatives of a value
	maxText         = 1 << 16 // bytes of a value
	maxItems        = 1 << 10 // elements of a list
	maxNested       = 6       // code in code
	baseSteps       = 1 << 20 // for a text of any size
	stepsPerByte    = 16
	bytesPerStep    = 16 // bytes of values that cost one step
	passes          = 3
	lookAhead       = 16 // tokens
	maxTaint        = 16 // files or addresses that a value could come from
	maxNames        = 4  // names that a value could have
	maxDestructured = 64
)

// runsLine matches the commands of Perl that run each line that is read, where they have no brackets: system$_ while<>.
var runsLine = regexp.MustCompile(`\b(?:system|exec)\s*\$_\b`)

// wholeEnvironment matches all variables of the environment in Perl, whose functions need no brackets either.
var wholeEnvironment = regexp.MustCompile(`%(?:::|\{)?ENV\b`)

// awaits match the objects by which PowerShell gets what others send, and evaluatesText that it runs a text.
var (
	awaits        = regexp.MustCompile(`(?i)\b(?:TcpListener|HttpListener|UdpClient|NamedPipeServerStream)\b`)
	evaluatesText = regexp.MustCompile(`(?i)\b(?:iex|invoke-expression)\b|scriptblock\]::create`)
)

// Read finds what a text in a language does. The text may have parts that are not known.
func Read(text string, l *Language) Reading {
	e := newEvaluator(text, l)
	e.source(text)
	e.shells = e.shells || l == Perl && runsLine.MatchString(text)
	e.sent.env = e.sent.env || l == Perl && wholeEnvironment.MatchString(text)
	if l.power && awaits.MatchString(text) && evaluatesText.MatchString(text) {
		e.sockets, e.shells = append(e.sockets, socket{host: Unknown, port: Unknown, listens: true}), true
	}
	e.pass = passes - 1
	e.readsArguments(text)
	e.finish()
	e.guess(text)
	e.mentioned(text)
	e.powerShell(text)
	return Reading{Acts: e.acts, Cut: e.cut}
}

func newEvaluator(text string, l *Language) *evaluator {
	return &evaluator{
		language: l, steps: baseSteps + stepsPerByte*len(text),
		vars: map[string]value{}, functions: map[string][]string{}, seen: map[string]struct{}{},
	}
}

// source evaluates a text: first what variables it sets, which may be after the calls that use them, then what it does.
func (e *evaluator) source(text string) {
	tokens := lex(text, e.language)
	outer, pass := e.cursor, e.pass
	for e.pass = range passes {
		e.cursor = cursor{text: text, tokens: tokens}
		e.block("")
		if e.nested > 0 && pass < passes-1 {
			break
		}
	}
	e.cursor, e.pass = outer, pass
}

// collecting reports that variables are collected, and nothing is done yet.
func (e *evaluator) collecting() bool { return e.pass < passes-1 }

// spend takes steps, and reports whether there were enough.
func (e *evaluator) spend(n int) bool {
	if e.steps -= n; e.steps < 0 {
		e.cut = true
	}
	return !e.cut
}

// act notes a command for all texts that its words could be.
func (e *evaluator) act(words ...[]string) {
	for _, line := range product(words) {
		e.note(Act{Words: line})
	}
}

// note adds an act once.
func (e *evaluator) note(a Act) {
	if e.collecting() || e.cut {
		return
	}
	key := strings.Join(a.Words, "\x00") + "\x01" + strings.Join(a.From, "\x00") + "\x01" + a.Input
	if a.Shell {
		key += "\x02"
	}
	_, known := e.seen[key]
	if known && !e.language.power || !e.spend(1+len(key)/bytesPerStep) {
		return // the acts of PowerShell are the input of others, so they are not left out
	}
	e.seen[key] = struct{}{}
	if len(e.acts) >= maxActs {
		e.cut = true
		return
	}
	e.acts = append(e.acts, a)
}

// product returns the lines that alternatives of words could make, but not all of many.
func product(words [][]string) [][]string {
	lines := [][]string{nil}
	for _, texts := range words {
		if len(texts) == 0 {
			texts = []string{Unknown}
		}
		if len(lines)*len(texts) > maxTexts {
			texts = []string{texts[0], Unknown}[:1+min(1, len(texts)-1)]
			if len(lines)*len(texts) > 2*maxTexts {
				texts = []string{Unknown}
			}
		}
		var next [][]string
		for _, line := range lines {
			for _, text := range texts {
				next = append(next, append(slices.Clone(line), text))
			}
		}
		lines = next
	}
	return lines
}
