// Package database finds what commands ask of databases: the statements that they give to clients such as psql, and the commands of
// tools that reset or drop a whole database. It says whether the database is on this machine.
package database

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/sqltext"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A Request is what a command asks of a database.
type Request struct {
	// Statements are what it asks for. One without a kind could be anything.
	Statements []sqltext.Statement
	// Certain says that these are all, and that they are read in the only way.
	Certain bool
	// Local says whether the database is on this machine, or one for tests.
	Local truth.Value
	// Disposable says that names or statements say that the database is one for tests or development.
	Disposable bool
}

// Find returns what the commands ask of databases. Commands that start no client of a database ask nothing. Size is that of the text with
// the commands: of statements that are much longer in all, because commands repeat them, the rest could be anything.
func Find(commands []shell.Command, size int) []Request {
	const least, times = 1 << 16, 4
	f := finder{fuel: least + times*size, commands: commands}
	var out []Request
	var outer *shell.Command // the last command on this machine: it runs the contained ones that follow it
	for i := range commands {
		c := &commands[i]
		if !c.Contained && !c.Away && len(c.Folders) > 0 {
			outer = c
		}
		switch {
		case c.Unread:
			out = append(out, Request{Statements: []sqltext.Statement{{}}, Local: truth.Maybe})
		case len(c.Folders) > 0: // not only another spelling of a command before it
			out = append(out, f.requestsOf(c, outer)...)
		}
	}
	return out
}

// requestsOf reads one command. A tool may be started by an interpreter, as with python manage.py.
func (f *finder) requestsOf(c, outer *shell.Command) []Request {
	words := make([]string, len(c.Words))
	for i, w := range c.Words {
		words[i] = w.Text
	}
	if client := program.LookupClient(words[0]); client != nil {
		return f.requests(client, words[1:], c, outer)
	}
	if !launchers[strings.TrimRight(program.Name(words[0]), "0123456789.")] {
		return nil
	}
	var out []Request
	for _, o := range (&program.Entry{}).Read(words[1:]).Operands() {
		if client := program.LookupClient(o.Text); o.First == 0 && client != nil {
			out = append(out, f.requests(client, words[o.At+2:], c, outer)...)
		}
	}
	return out
}

// launchers are the programs that run a tool which their first operand names.
var launchers = wordList("python py pypy php ruby node nodejs bun deno yarn pnpm npm composer tsx ts-node symfony")

// requests reads a client's arguments.
func (f *finder) requests(client *program.Client, args []string, c, outer *shell.Command) []Request {
	line := client.Entry().Read(args)
	if client.Idle != "" && line.Has(strings.Fields(client.Idle)...) == truth.Yes {
		return nil
	}
	a := asked{finder: f, client: client, line: line, command: c, certain: c.Words[0].Known}
	a.tasks()
	a.given()
	a.models(outer)
	if len(a.statements) == 0 {
		return nil
	}
	a.ownFiles()
	return []Request{{a.statements, a.certain, a.local(outer), a.disposable()}}
}

// A finder counts the bytes of statements that may still be read.
type finder struct {
	fuel     int
	commands []shell.Command
}

// asked collects what a command asks of a database.
type asked struct {
	*finder
	client     *program.Client
	line       *program.Line
	command    *shell.Command
	statements []sqltext.Statement
	certain    bool
	texts      []string // of the statements
}

// given adds the statements that are in options, operands, files and the input.
func (a *asked) given() {
	if a.client.Language == "" {
		return
	}
	sure := false // a statement is surely given, so that the input is not read
	options, scripts := a.line.Signed(';'), a.line.Signed('<')
	for _, g := range options {
		a.text(g.Value)
		sure = sure || g.Sure
	}
	for _, g := range scripts {
		a.script(g.Value)
		sure = sure || g.Sure
	}
	if a.operands() || sure {
		return
	}
	for _, w := range a.command.Input {
		a.text(w.Text)
	}
	a.made()
	if len(options)+len(scripts)+len(a.command.Input)+len(a.statements) == 0 && a.client.Tasks == "" {
		a.unknown() // it asks a person
	}
}

// operands adds the statements among the operands.
func (a *asked) operands() bool {
	from := a.client.Statements
	if a.client.Language == program.Mongo {
		// Further operands are scripts.
		for _, o := range a.line.Operands() {
			if o.Last >= a.client.Target && (strings.HasSuffix(o.Text, ".js") || o.First >= a.client.Target) {
				a.script(o.Text)
			}
		}
		return false
	}
	for _, o := range a.line.Operands() {
		// The script of sqlplus has @ before it.
		if name, ok := strings.CutPrefix(o.Text, "@"); ok && from == 0 && a.client.Target > 0 {
			a.script(name)
		}
	}
	if from == 0 {
		return false
	}
	operands := a.line.Operands()
	words := make([]string, len(operands))
	for i, o := range operands {
		words[i] = o.Text
	}
	some := false
	for i, o := range operands {
		switch {
		case o.Last < from-1:
			continue
		case a.client.Language == program.SQL:
			a.text(o.Text)
		case o.First == 0:
			a.certain = a.certain && o.Sure
			a.redis(words[i:])
		}
		some = true
	}
	return some
}

// script adds the statements of a file, if the text wrote it.
func (a *asked) script(name string) {
	texts, known := a.command.Input, name == "-" || name == "/dev/stdin"
	for _, s := range a.command.Scripts {
		if s.Name == name {
			texts, known = s.Texts, true
		}
	}
	if !known || len(texts) == 0 {
		a.unknown()
		return
	}
	for _, w := range texts {
		a.text(w.Text)
	}
}

// unknown adds a statement that could be anything.
func (a *asked) unknown() { a.statements = append(a.statements, sqltext.Statement{}) }

// filler replaces an unknown part inside a statement.
const filler = "weir_unknown"

// text adds the statements of a text. An unknown part makes it uncertain; where a statement begins, it could be anything.
func (a *asked) text(text string) {
	if a.fuel -= len(text); a.fuel < 0 {
		a.unknown()
		return
	}
	if !utf8.ValidString(text) {
		a.certain = false
		text = strings.TrimSpace(strings.ToValidUTF8(text, filler))
		for part := range strings.SplitSeq(text, ";") {
			if strings.HasPrefix(strings.TrimSpace(part), filler) {
				a.unknown()
				break
			}
		}
		if text == filler {
			return
		}
	}
	a.texts = append(a.texts, text)
	a.included(text)
	var found []sqltext.Statement
	certain := true
	switch a.client.Language {
	case program.Redis:
		for line := range strings.Lines(text) {
			if words := strings.Fields(line); len(words) > 0 {
				a.redis(words)
			}
		}
		return
	case program.Mongo:
		found, certain = mongoStatements(text)
	default:
		found, certain = sqltext.Statements(text)
		if trimmed := strings.TrimSpace(text); len(found) == 0 && trimmed != "" && a.client.Tasks == "" {
			found = []sqltext.Statement{{Kind: "OTHER"}}
			if trimmed[0] == '\\' || trimmed[0] == '.' {
				found[0].Kind = "SHOW" // a command of the client that shows something or changes how it does
			}
		}
	}
	a.certain = a.certain && certain
	a.statements = append(a.statements, found...)
}

// includes are the commands of clients that read a script.
var includes = []string{`\i `, `\ir `, `\include `, `\include_relative `, `\. `, ".read ", "source ", "SOURCE ", "@", "start ", "START "}

// included adds the scripts that a text of statements names.
func (a *asked) included(text string) {
	if a.client.Language != program.SQL {
		return
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, command := range includes {
			if name, ok := strings.CutPrefix(line, command); ok {
				a.script(strings.TrimRight(name, "; "))
			}
		}
	}
}

// tasks adds what the commands of a tool do.
func (a *asked) tasks() {
	for row := range strings.Lines(a.client.Tasks) {
		words, kind, _ := strings.Cut(row, "=")
		holds := a.task(strings.Fields(words))
		if strings.TrimSpace(row) == "" || holds == truth.No {
			continue
		}
		a.certain = a.certain && holds == truth.Yes
		kind, bare := strings.CutSuffix(strings.TrimSpace(kind), " without WHERE")
		a.statements = append(a.statements, sqltext.Statement{Kind: kind, NoWhere: bare})
	}
}

// task says whether the line is that command.
func (a *asked) task(words []string) truth.Value {
	holds := truth.Yes
	position := 0
	for _, word := range words {
		names := strings.Split(strings.TrimLeft(word, "~-!"), "|")
		var one truth.Value
		switch word[0] {
		case '-':
			one = a.line.Has(names...)
		case '!':
			one = opposite(a.line.Has(names...))
		case '~':
			one = operandIn(a.line, names, func(program.Operand) bool { return true })
		default:
			one = operandIn(a.line, names, func(o program.Operand) bool { return o.First <= position && position <= o.Last })
			position++
		}
		holds = min(holds, one)
	}
	return holds
}

func opposite(v truth.Value) truth.Value {
	switch v {
	case truth.Yes:
		return truth.No
	case truth.No:
		return truth.Yes
	}
	return truth.Maybe
}

// operandIn says whether one of the operands that fit has one of the names.
func operandIn(line *program.Line, names []string, fits func(program.Operand) bool) truth.Value {
	best := truth.No
	for _, o := range line.Operands() {
		if !fits(o) {
			continue
		}
		switch {
		case !utf8.ValidString(o.Text):
			best = max(best, truth.Maybe)
		case !slices.ContainsFunc(names, func(name string) bool { return named(o.Text, name) }):
		case o.Sure && o.First == o.Last:
			return truth.Yes
		default:
			best = max(best, truth.Maybe)
		}
	}
	return best
}

// named says whether a word is a name, which may end in *.
func named(word, name string) bool {
	begin, open := strings.CutSuffix(name, "*")
	return strings.EqualFold(word, name) || open && len(word) >= len(begin) && strings.EqualFold(word[:len(begin)], begin)
}
