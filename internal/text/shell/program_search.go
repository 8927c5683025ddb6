package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// unquoted removes the quotes that xargs reads.
var unquoted = strings.NewReplacer(`'`, "", `"`, "", `\`, "")

// xargs runs a command with words of its input.
func xargs(r *reader, c invocation) value {
	line := c.line()
	marks := line.Values("I", "J", "i")
	if line.Has("i") != truth.No {
		marks = append(marks, "{}")
	}
	in, known := c.pipes.in, line.Has("a") == truth.No
	for _, name := range line.Values("a") {
		if text, ok := r.file(name); ok {
			in, known = text, true
		}
		c.pipes.from = joined(c.pipes.from, r.readsNames(name, c))
	}
	words, lines := xargsInput(line, in, known)
	for _, start := range r.starts(line) {
		fields := slices.Clone(c.args[start:])
		if line.Has("I", "J", "i") != truth.Yes {
			for _, batch := range batches(words, line) {
				r.run(slices.Concat(fields, batch), newScope(c.scope), pipes{made: c.pipes.from})
			}
		}
		if len(marks) > 0 && len(lines) > maxAlternatives {
			lines = []string{strings.Join(lines, " ")}
		}
		for _, mark := range marks {
			for _, word := range lines {
				r.runMarked(fields, mark, word, c, pipes{made: c.pipes.from})
			}
		}
	}
	return unknownValue
}

// xargsInput returns the words that xargs reads, and the lines, of which each replaces a mark. It may be known what it reads.
func xargsInput(line *program.Line, in value, known bool) (words, lines []string) {
	words = []string{anyWords}
	known = known && len(in) == 1 && line.Has("d") == truth.No
	partly := known && hasHole(in[0]) && !onlyHome(in[0])
	known = known && !partly
	switch {
	case known && line.Has("0") == truth.Yes:
		words = slices.DeleteFunc(strings.Split(in[0], "\x00"), func(s string) bool { return s == "" })
	case known && line.Has("0") == truth.No:
		text := quoteHoles.Replace(unquoted.Replace(in[0]))
		for each := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' }) {
			lines = append(lines, strings.TrimLeft(each, " \t"))
		}
		return strings.Fields(text), lines
	default:
		listed, ok := listedWords(in)
		switch {
		case ok:
			words = listed
		case partly && line.Has("0") == truth.No:
			words = strings.Fields(in[0]) // what is unknown stays so in its words
		}
	}
	return words, words
}

// batches splits the words of xargs into those of its single commands. If it could be another split, all words are one more.
func batches(words []string, line *program.Line) [][]string {
	if len(words) < 2 || line.Has("n", "L", "l") == truth.No {
		return [][]string{words}
	}
	size := 0
	if given := line.Values("n"); len(given) == 1 && line.Has("n") == truth.Yes && line.Has("L", "l") == truth.No {
		size, _ = strconv.Atoi(given[0])
	}
	if size < 1 || len(words)/size > maxActions {
		return [][]string{words, {anyWords}}
	}
	return slices.Collect(slices.Chunk(words, size))
}

// readsNames notes that a file is read whose lines become words of commands.
func (r *reader) readsNames(name string, c invocation) []int {
	return r.within(func() { r.noteIn([]string{"cat", "--", name}, newScope(c.scope), pipes{}) })
}

// foundName is the variable by which a text for a shell has what is not wholly known and replaces a mark.
const foundName = "_found"

// runMarked runs a command in which a text replaces a mark. A shell parses its text anew: a variable is there for the names of files.
func (r *reader) runMarked(fields []string, mark, with string, c invocation, p pipes) {
	inner := newScope(c.scope)
	isFile := strings.Contains(with, fileRun) || strings.Contains(with, treeRun) // any other text may be code
	if !isFile || !slices.ContainsFunc(fields, func(field string) bool { return textShells[programName(field)] }) {
		r.run(replaceMark(fields, mark, with), inner, p)
		return
	}
	inner.setText(foundName, value{with})
	out := make([]string, len(fields))
	for i, field := range fields {
		if out[i] = strings.ReplaceAll(field, mark, "${"+foundName+"}"); field == mark {
			out[i] = quoteHoles.Replace(with)
		}
	}
	r.run(out, inner, p)
}

// textShells are the shells that read a text after -c.
var textShells = wordSet("sh bash zsh dash ksh ash")

// replaceMark replaces a mark by a text in each field.
func replaceMark(fields []string, mark, with string) []string {
	out := make([]string, len(fields))
	for i, field := range fields {
		out[i] = strings.ReplaceAll(field, mark, quoteHoles.Replace(with))
	}
	return out
}

// parallel runs a text for each of its arguments, or its arguments as texts.
func parallel(r *reader, c invocation) value {
	line := c.line()
	for _, name := range line.Values("a") {
		c.pipes.in = r.contents(value{name})
		c.pipes.from = joined(c.pipes.from, r.readsNames(name, c))
	}
	starts := r.starts(line)
	if len(starts) == 0 {
		return r.parallelWords(nil, c)
	}
	out := unknownValue
	for _, start := range starts {
		out = r.parallelWords(c.args[start:], c)
	}
	return out
}

func (r *reader) parallelWords(words []string, c invocation) value {
	var args []string
	given := false
	if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, ":::") }); i >= 0 {
		given = true
		for _, word := range words[i:] {
			if !strings.HasPrefix(word, ":::") {
				args = append(args, word)
			}
		}
		if slices.ContainsFunc(words[i:], func(w string) bool { return strings.HasPrefix(w, "::::") }) {
			for _, name := range args[:min(len(args), maxAlternatives)] {
				c.pipes.from = joined(c.pipes.from, r.readsNames(name, c))
			}
			args = []string{anyWords}
		}
		words = words[:i]
	}
	text := strings.Join(words, " ")
	switch {
	case text == "" && given:
		for _, arg := range args {
			r.text(arg, newScope(c.scope), pipes{})
		}
		return unknownValue
	case text == "" && c.pipes.in != nil:
		return r.texts(c.pipes.in, newScope(c.scope), pipes{})
	case !given:
		args = parallelInput(c.pipes.in)
	}
	for _, mark := range []string{"{.}", "{/}", "{//}", "{/.}", "{#}", "{%}"} {
		text = strings.ReplaceAll(text, mark, `"$_"`)
	}
	if !strings.Contains(text, "{}") {
		return r.withArgs(text, args, c.scope, pipes{made: c.pipes.from})
	}
	text = strings.ReplaceAll(text, "{}", `"$1"`)
	out := unknownValue
	for _, arg := range args {
		inner := newScope(c.scope)
		inner.setArgs([]string{arg})
		out = r.text(text, inner, pipes{made: c.pipes.from})
	}
	return out
}

// parallelInput returns the lines of the input, one for each command.
func parallelInput(in value) []string {
	if listed, ok := listedWords(in); ok && len(listed) <= maxActions {
		return listed
	}
	if len(in) == 1 && (!hasHole(in[0]) || onlyHome(in[0])) && strings.Count(in[0], "\n") <= maxActions {
		return strings.FieldsFunc(quoteHoles.Replace(in[0]), func(c rune) bool { return c == '\n' })
	}
	return []string{anyWords}
}

// maxActions bounds the commands that one search runs.
const maxActions = 64

// find reads the actions of find that run commands.
func find(r *reader, c invocation) value {
	actions := 0
	for i := 0; i < len(c.args); i++ {
		switch c.args[i] {
		case "-delete":
			r.note([]string{"find", "-delete"})
		case "-exec", "-execdir", "-ok", "-okdir":
			if actions++; actions > maxActions {
				r.giveUp(TooLong)
				return unknownValue
			}
			end := i + 1
			for end < len(c.args) && c.args[end] != ";" && (c.args[end] != "+" || c.args[end-1] != "{}") {
				end++
			}
			for _, file := range found(c.args[:i]) {
				r.runMarked(c.args[i+1:end], "{}", file, c, pipes{})
			}
			i = end
		}
	}
	if !prints(c.args) {
		return unknownValue
	}
	return value{strings.Join(found(c.args), "\n") + "\n"}
}

// findFast reads fd. Its options -x and -X run the rest of the line.
func findFast(r *reader, c invocation) value {
	line := c.line()
	for _, option := range line.Signed('*') {
		if option.Value != "" {
			r.text(option.Value, newScope(c.scope), pipes{})
			continue
		}
		given := c.args[option.At+1:]
		for _, file := range foundFast(c.entry.Read(c.args[:option.At])) {
			fields := replaceMark(given, "{}", file)
			if slices.Equal(fields, given) {
				fields = append(fields, file)
			}
			r.run(fields, newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

// foundFast returns the possible results of fd, as those of find with the same meaning.
func foundFast(line *program.Line) []string {
	var args, tests []string
	for i, operand := range line.Operands() {
		switch {
		case i > 0:
			args = append(args, operand.Text)
		case operand.Text == "." || operand.Text == "":
		case line.Has("g") == truth.Yes:
			tests = append(tests, "-name", operand.Text)
		default:
			tests = append(tests, "-regex", operand.Text)
		}
	}
	args = append(args, line.Values("search-path")...)
	for _, depth := range line.Values("d") {
		tests = append(tests, "-maxdepth", depth)
	}
	if extensions := line.Values("e"); len(extensions) == 1 {
		tests = append(tests, "-name", "*."+extensions[0])
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	return found(append(args, tests...))
}
