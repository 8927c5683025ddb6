package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/text/truth"
)

func itoa(n int) string { return strconv.Itoa(n) }

// fileKey is the cleaned name of a file, the same for all spellings. An unknown part counts as the same if it is written the same.
func fileKey(name string) string {
	if hasHole(name) {
		name = quoteHoles.Replace(name)
		name = strings.TrimPrefix(name, hereWord+"/")
	}
	return path.Clean(name)
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// simple reads a simple command with all possible words.
func (r *reader) simple(call *syntax.CallExpr, s *scope, p pipes) value {
	inner := s
	if len(call.Args) > 0 && len(call.Assigns) > 0 {
		// Words are expanded before the assignments, but eval and functions see the assignments.
		inner = newScope(s)
	}
	before := len(r.noted)
	r.feeds = p.from
	ways := r.phrases(call.Args, s)
	if r.powerSets(call.Args, ways, s) {
		return value{""}
	}
	if words, ok := windowsWords(call.Args); ok && isCmdlet(fold(call.Args[0].Lit())) {
		ways = r.phrases(words, s) // no other shell has such a command
	} else if ok {
		ways = append(ways, r.phrases(words, s)...)
	}
	if words, ok := powerWords(call.Args, s); ok {
		ways = append(ways, r.phrases(words, s)...)
	}
	for _, fields := range ways {
		if emptied, ok := withoutUnset(fields); ok && len(ways) < maxPhrases {
			ways = append(slices.Clip(ways), emptied)
		}
	}
	var assigns []Word
	for _, a := range call.Assigns {
		r.assign(a, inner)
		assigns = append(assigns, assigned(a, inner)...)
	}
	if len(call.Args) == 0 {
		return value{""}
	}
	p.made = joined(p.made, r.noted[before:])
	if inner != s {
		defer func() { s.follow(inner) }()
	}
	var out value
	for _, fields := range ways {
		if r.spent {
			return unknownValue
		}
		r.assigns = assigns
		if len(ways) == 1 {
			return r.run(fields, inner, p)
		}
		branch := newScope(inner)
		out = union(out, r.run(fields, branch, p))
		inner.mayBe(branch)
	}
	return out
}

// withoutUnset returns a command as it is if variables that the text never sets are empty, where they stand inside a word, as in
// r${x}m -r${x}f. In other positions such variables mostly have a value.
func withoutUnset(fields []string) (out []string, changed bool) {
	if len(fields) == 0 || !slices.ContainsFunc(fields, hasHole) {
		return nil, false
	}
	out = slices.Clone(fields)
	base := strings.LastIndexByte(fields[0], '/') + 1
	out[0] = fields[0][:base] + dropUnset(fields[0][base:], eitherSide)
	hidden := out[0] != fields[0]
	for i, field := range fields[1:] {
		out[i+1] = dropUnset(field, bothSides)
		if hidden {
			out[i+1] = dropUnset(field, eitherSide)
		}
		changed = changed || out[i+1] != field
	}
	return out, changed || hidden
}

func eitherSide(before, after byte) bool { return isWordByte(before) || isWordByte(after) }

func bothSides(before, after byte) bool {
	return isWordByte(before) && before != '-' && isWordByte(after) && after != '-'
}

// isWordByte reports a letter, a digit or a dash.
func isWordByte(c byte) bool { return isOptionLetter(c) || c == '-' }

// dropUnset removes the holes of unset variables whose neighbours are as given. Beyond the ends of a text there is a zero byte.
func dropUnset(field string, between func(before, after byte) bool) string {
	if !hasHole(field) || anyNumber(field) {
		return field
	}
	text := joinHoles(field)
	isUnset := func(c byte) bool { return c == unsetWords[0] || c == unsetWord[0] }
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		before, after := byte(0), byte(0)
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		if i+1 < len(text) {
			after = text[i+1]
		}
		if !isUnset(text[i]) || !between(before, after) {
			out = append(out, text[i])
		}
	}
	if len(out) == len(text) {
		return field
	}
	return string(out)
}

// assigned returns what a variable was just set to, as NAME=value.
func assigned(a *syntax.Assign, s *scope) (out []Word) {
	if a.Name == nil {
		return nil
	}
	v, _ := s.get(a.Name.Value)
	for _, text := range v.text {
		out = append(out, newWord(a.Name.Value+"="+text))
	}
	return out
}

// joined returns both lists as one, without copying if one is empty.
func joined(a, b []int) []int {
	if len(a) == 0 {
		return slices.Clip(b)
	}
	return append(slices.Clip(a), b...)
}

// run reads a command with expanded words, and returns its output.
func (r *reader) run(fields []string, s *scope, p pipes) (out value) {
	if len(fields) == 0 {
		return value{""}
	}
	for i, field := range fields {
		if hasHole(field) {
			fields[i] = joinHoles(field)
		}
	}
	if len(fields) > 1 && r.familiar(fields[0]).modules {
		fields = splitModule(fields)
	}
	r.noteIn(fields, s, p)
	out = unknownValue
	r.deeper(func() { out = r.dispatch(fields, s, p) })
	return out
}

func (r *reader) dispatch(fields []string, s *scope, p pipes) value {
	program := fields[0]
	if anyNumber(program) {
		// It may expand to no word.
		r.run(fields[1:], newScope(s), p)
		return unknownValue
	}
	if text, ok := r.aliases[program]; ok {
		delete(r.aliases, program) // an alias is not expanded inside itself
		r.withArgs(text, fields[1:], s, p)
		r.aliases[program] = text
	}
	if len(r.copies) > 0 {
		if original, ok := r.copies[fileKey(program)]; ok && original != program {
			r.run(append([]string{original}, fields[1:]...), s, p)
		}
	}
	if strings.Contains(program, "/") {
		if text, ok := r.file(program); ok {
			r.script(text, program, fields[1:], s, p)
		}
	}
	r.foundInPath(fields, s, p)
	if f := r.functions[program]; f != nil {
		return r.call(f, fields[1:], s, p)
	}
	known := r.familiar(program)
	name := known.name
	c := invocation{name: name, path: program, args: fields[1:], scope: s, pipes: p}
	if !known.holes {
		c.entry, c.name = known.entry, known.called
		return r.handleKnown(c)
	}
	if !allHole(name) && knownLetters(name) <= longestName {
		for _, known := range knownNames {
			if match(known, name) != truth.No {
				c.name = known
				r.handle(c)
			}
		}
	}
	return unknownValue
}

// foundInPath reads a program that the text wrote to a folder in which it has programs looked for.
func (r *reader) foundInPath(fields []string, s *scope, p pipes) {
	name := fields[0]
	if len(r.files) == 0 || hasHole(name) || strings.Contains(name, "/") {
		return
	}
	folders, set := s.get("PATH")
	for _, text := range folders.text[:min(len(folders.text), maxAlternatives)] {
		for _, folder := range strings.SplitN(text, ":", maxAlternatives) {
			if !set || folder == "" || hasHole(strings.ReplaceAll(folder, hereWord, "")) {
				continue
			}
			if script, ok := r.files[fileKey(folder+"/"+name)]; ok {
				r.script(script, name, fields[1:], s, p)
			}
		}
	}
}

// knownLetters returns the least number of letters in a name with holes.
func knownLetters(name string) int {
	n := 0
	for i := range len(name) {
		if !isHole(name[i]) || name[i] == oneChar[0] {
			n++
		}
	}
	return n
}

// withArgs reads a text to which a program adds words.
func (r *reader) withArgs(text string, args []string, s *scope, p pipes) value {
	if text == "" {
		return r.run(args, s, p)
	}
	inner := newScope(s)
	inner.setArgs(args)
	return r.text(text+` "$@"`, inner, p)
}

// script reads a text as a script with arguments, in its own shell.
func (r *reader) script(code value, name string, args []string, s *scope, p pipes) value {
	inner := newScope(s)
	inner.setArgs(args)
	inner.shell = name
	for _, text := range code {
		if hasHole(text) || r.spent {
			continue
		}
		if _, ok := r.parser.parse(clean(text)); !ok && !isPowerShell(text) {
			r.noteUnread(r.parser.doubt(clean(text))) // the shell may be able to read it
		}
	}
	return r.texts(code, inner, p)
}
