package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// These are the bounds of one reading. Beyond any of them the text gives a command of which nothing is known.
const (
	maxCommands = 1 << 16 // commands found
	maxDepth    = 64      // nested texts, functions and substitutions
	maxRedirect = 1 << 10 // redirections of one statement
	maxCode     = 1 << 19 // bytes of code and of PowerShell that are searched for commands
	baseFuel    = 1 << 20 // steps for a text of any size
	fuelPerByte = 3       // further steps for each byte of the text

	bytesPerStep  = 16 // bytes produced that cost one step
	bytesPerParse = 2  // bytes parsed that cost one step
	parseSteps    = 32 // the cost of beginning a text
	wordSteps     = 3  // the cost of a word of a command, for each command that wraps another
)

// pipes are the input of a command, and whether its output is used.
type pipes struct {
	in   value // nil: the input of weir's client, which is not part of the text
	from []int // the commands whose output the input is
	made []int // the commands whose output is in the words of the command
	want bool  // the output is used
}

// A reader follows a text as a shell would, and notes the commands. Where it cannot know which branch runs, it follows both.
type reader struct {
	from  value // the folders where the text begins to run; nil: where the call runs
	found []Command
	seen  map[string]int // the index of a command in found, by its key
	key   []byte         // the key of a command that is noted; its memory is used again
	noted []int          // the commands in the order in which they run, repeated ones too

	parser *parser
	fuel   int
	depth  int
	code   int  // bytes of code searched so far
	spent  bool // a bound was passed: nothing more is parsed

	functions  map[string]*function
	aliases    map[string]string
	gitAliases map[string]string    // what subcommands of git stand for
	files      map[string]value     // what the text wrote to files, by name
	names      map[string][]string  // the names of these files, by their last parts
	copies     map[string]string    // programs under new names
	familiars  map[string]*familiar // the programs that were looked up, by their paths
	last       *familiar            // the last of them
	integers   map[string]bool      // variables whose values are computed when they are set
	redirects  []Redirect           // of the current statement, until a command takes them
	inputs     []Redirect           // what the commands that the current one runs read as well
	assigns    []Word               // of the current statement, until a command takes them
	exported   []Word               // what the text set for all commands that follow
	streams    int                  // process substitutions so far
	feeds      []int                // the commands whose output the command that is read gets

	coprocesses map[string]coprocess // by the names of their arrays
	sinks       map[string]sink      // the commands that read what is written to a name

	temporaries int // files of mktemp so far
	backquotes  int // how many substitutions in backquotes the current text is in
	inCode      int // how many readings of code in some language the current text is in
	loops       int // nested loops over words that are being read
}

// A sink is what reads a file that stands for the input of commands, as >(sh) does.
type sink struct {
	stmts []*syntax.Stmt
	scope *scope
	from  []int
}

// A function is a name and all bodies that the text gives it.
type function struct {
	bodies []*syntax.Stmt
	called bool
	active int    // calls being read
	width  int    // the number of arguments of the innermost of them
	lost   bool   // nothing is known of its arguments
	base   *scope // the scope in which the outermost of them began
}

func newReader(size int) *reader {
	return &reader{
		seen:      map[string]int{},
		parser:    newParser(),
		fuel:      baseFuel + fuelPerByte*size,
		functions: map[string]*function{},
		aliases:   map[string]string{},
		files:     map[string]value{},
		names:     map[string][]string{},
		copies:    map[string]string{},
		familiars: map[string]*familiar{},
		integers:  map[string]bool{},
	}
}

// spend takes fuel and reports whether there was enough.
func (r *reader) spend(n int) bool {
	if r.spent {
		return false
	}
	if r.fuel -= n; r.fuel < 0 {
		r.giveUp(TooLong)
	}
	return !r.spent
}

// spendBytes takes fuel for bytes that were produced.
func (r *reader) spendBytes(n int) bool { return r.spend(n/bytesPerStep + 1) }

// search takes fuel for searching code. Beyond maxCode bytes it gives up.
func (r *reader) search(code string) bool {
	if r.code += len(code); r.code > maxCode {
		r.giveUp(TooLong)
	}
	return r.spendBytes(len(code))
}

// deeper runs do one nesting level deeper, or gives up.
func (r *reader) deeper(do func()) {
	if r.depth >= maxDepth {
		r.giveUp(TooDeep)
	}
	if r.spent {
		return
	}
	r.depth++
	do()
	r.depth--
}

// note adds another spelling of a command, once. It has no folder.
func (r *reader) note(fields []string) {
	if r.isNew([]byte(strings.Join(fields, "\x00"))) {
		r.found = append(r.found, newCommand(fields))
	}
}

// inputPrograms are the programs that use files named in their input, or take a password or code from there.
var inputPrograms = wordSet("apply_patch applypatch patch gpatch git remove-item ri clear-content clc rm del erase rd " +
	"rmdir get-content gc move-item mi cpio pax sort tar bsdtar zip rsync hurl sftp psftp ftp lftp smbclient kubectl oc k " +
	"cypher-shell surreal sudo sudo-rs su doas python python3 node ruby")

// noteIn adds a command that runs in a scope, once.
func (r *reader) noteIn(fields []string, s *scope, p pipes) {
	if !r.spend(wordSteps * len(fields)) {
		return
	}
	folders, redirects, assigns := s.folder(), r.redirects, r.assigns
	if r.redirects, r.assigns = nil, nil; len(redirects) == 0 {
		redirects = r.inputs
	}
	in := p.in
	program := r.familiar(fields[0])
	if !program.input {
		in = nil
	}
	variables := program.variables(s)
	key := joinTo(joinTo(r.key[:0], fields), folders)
	for _, redirect := range redirects {
		key = append(append(key, "\x00\x00"...), redirect.File.marked...)
	}
	for _, set := range assigns {
		key = append(append(key, "\x00\x00\x00"...), set.marked...)
	}
	key = joinTo(joinTo(key, in), variables)
	if s.slipped {
		key = append(key, "slipped"...)
	}
	if s.apart {
		key = append(key, "apart"...)
	}
	if program.client != nil && (s.away || s.contained) {
		key = append(key, "elsewhere"...)
	}
	altered := s.altered()
	if altered != 0 {
		key = append(key, "altered"...)
		key = append(key, byte(altered))
	}
	r.key = key
	if r.isNew(key) {
		c := newCommand(fields)
		c.Folders, c.Redirects, c.Contained, c.Away = newWords(folders), redirects, s.contained, s.away
		c.Slipped, c.Apart, c.altered = s.slipped, s.apart, altered
		c.Input, c.Assigns, c.Variables = newWords(in), append(slices.Clip(assigns), r.exported...), newWords(variables)
		if program.client != nil {
			c.Scripts = r.scriptsIn(fields[1:])
		}
		r.found = append(r.found, c)
	}
	r.feed(key, p)
}

// joinTo appends texts to a key, so that no two lists of texts give the same one.
func joinTo(key []byte, texts []string) []byte {
	for _, text := range texts {
		key = append(append(key, text...), 0)
	}
	return append(key, 0)
}

// feed notes that a command ran, and the commands whose output it used.
func (r *reader) feed(key []byte, p pipes) {
	i, ok := r.seen[string(key)]
	if !ok {
		return
	}
	r.noted = append(r.noted, i)
	c := &r.found[i]
	c.InputFrom, c.WordsFrom = r.fed(c.InputFrom, p.from), r.fed(c.WordsFrom, p.made)
}

// fed adds the commands whose output a command used when it ran again.
func (r *reader) fed(known, more []int) []int {
	if len(known) == 0 || len(more) == 0 || !r.spend(len(more)) {
		return joined(known, more)
	}
	for _, i := range more {
		if !slices.Contains(known[:min(len(known), maxAlternatives)], i) {
			known = append(slices.Clip(known), i)
		}
	}
	return known
}

// isNew reports whether a command is new, and remembers it.
func (r *reader) isNew(key []byte) bool {
	if !r.spendBytes(len(key)) {
		return false
	}
	if _, ok := r.seen[string(key)]; ok {
		return false
	}
	if len(r.found) >= maxCommands {
		r.giveUp(TooLong)
		return false
	}
	r.seen[string(key)] = len(r.found)
	return true
}

// finish reads the functions that the text never calls: something outside the text may call them.
func (r *reader) finish() {
	names := make([]string, 0, len(r.functions))
	for name := range r.functions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if f := r.functions[name]; !f.called {
			r.call(f, []string{anyWords}, r.outermost(), pipes{})
		}
	}
}

// text reads a shell text in a scope. It returns the output of the text if that is used.
func (r *reader) text(text string, s *scope, p pipes) value { return r.shellText(text, s, p, false) }

// shellText is text for a text that PowerShell surely reads, or that any shell may read.
func (r *reader) shellText(text string, s *scope, p pipes, power bool) (out value) {
	if text == "" || !r.spend(parseSteps+len(text)/bytesPerParse) {
		return value{""}
	}
	if plain := powerSigns.Replace(text); plain != text && (power || namesCmdlet.MatchString(text)) {
		text = plain
	}
	out = unknownValue
	r.deeper(func() {
		if hasHole(text) || strings.Contains(text, "\x00") {
			r.noteUnknown()
			if allHole(text) {
				return
			}
			text = codeHoles.Replace(text)
		}
		stmts, ok := r.parser.parse(clean(text))
		switch {
		case !ok && !power:
			r.unaccepted(text, s)
		case power || hasBlocks(text) || usesPower(text, stmts):
			if !ok {
				r.noteUnknownAs(Unparsed)
			}
			r.loosely(text, s)
		}
		out = r.stmts(stmts, s, p)
	})
	return out
}

// unaccepted reads a text that no grammar accepts as far as it goes. Inside another text it may be no shell text at all, such as a
// string in the code of some language. Then it says nothing about files.
func (r *reader) unaccepted(text string, s *scope) {
	if isPowerShell(text) {
		r.noteUnknownAs(Unparsed)
		r.loosely(text, s)
		return
	}
	if cmdSign.MatchString(text) {
		r.noteUnknownAs(Unparsed)
		r.windowsText(windowsAssigned(text), s)
		return
	}
	why := r.parser.doubt(clean(text))
	if r.depth == 1 {
		r.noteUnread(why)
		return
	}
	r.noteUnknownAs(why)
}

// texts reads each text that a value could be, with its words as positional parameters.
func (r *reader) texts(code value, s *scope, p pipes) value {
	out := value(nil)
	for _, text := range code {
		inner := newScope(s)
		out = union(out, r.text(text, inner, p))
		s.mayBe(inner)
	}
	if out == nil {
		return value{""}
	}
	return out
}

// call reads the body of a function.
func (r *reader) call(f *function, args []string, s *scope, p pipes) (out value) {
	const known, most = 2, 12 // nested calls whose arguments are followed, and those that may be if each has fewer than the one before
	if f.lost {
		return unknownValue
	}
	inner := newScope(s)
	inner.setArgs(args)
	shrinks := len(args) < f.width && f.active < most && !slices.ContainsFunc(args, anyNumber)
	width, lost := f.width, f.active >= known && !shrinks
	switch f.width, f.lost = len(args), lost; {
	case f.active == 0:
		f.base = s
	case lost:
		// A recursion may change values from call to call, and cannot be followed to its end.
		inner.setArgs([]string{anyWords})
		for at := s; at != nil && at != f.base; at = at.parent {
			for name := range at.vars {
				inner.set(name, unknownVariable)
			}
		}
	}
	f.called = true
	f.active++
	out = unknownValue
	r.deeper(func() {
		for i, body := range f.bodies {
			written := r.stmt(body, inner, p)
			if i == 0 {
				out = written
			} else {
				out = union(out, written)
			}
		}
	})
	f.active--
	f.width, f.lost = width, false
	delete(inner.vars, "@")
	s.did(inner)
	return out
}
