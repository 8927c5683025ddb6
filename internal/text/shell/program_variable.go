package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/text/truth"
)

// setParameters reads set, which may set the positional parameters.
func setParameters(_ *reader, c invocation) value {
	for i, arg := range c.args {
		switch {
		case arg == "--" || arg == "-":
			c.scope.setArgs(c.args[i+1:])
			return value{""}
		case arg == "-o" || arg == "+o" || strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "+"):
		case i > 0 && strings.HasSuffix(c.args[i-1], "o"):
		default:
			c.scope.setArgs(c.args[i:])
			return value{""}
		}
	}
	return value{""}
}

// shift drops the first of the positional parameters.
func shift(_ *reader, c invocation) value {
	lists := c.scope.args()
	if len(c.args) > 0 || len(lists) != 1 || len(lists[0]) == 0 || anyNumber(lists[0][0]) {
		c.scope.setArgs([]string{anyWords})
	} else {
		c.scope.setArgs(lists[0][1:])
	}
	return value{""}
}

// alias notes aliases and their texts.
func alias(r *reader, c invocation) value {
	for _, arg := range c.args {
		if name, text, ok := strings.Cut(arg, "="); ok {
			r.aliases[name] = text
		}
	}
	return value{""}
}

// hash reads hash -p, which gives a program another name.
func hash(r *reader, c invocation) value {
	line := c.line()
	for _, path := range line.Values("p") {
		for _, name := range line.Operands() {
			r.copies[fileKey(name.Text)] = path
		}
	}
	return value{""}
}

// copyProgram notes the new names of files: a copy of a program is that program.
func copyProgram(r *reader, c invocation) value {
	known(r, c)
	var operands []string
	for _, operand := range c.line().Operands() {
		operands = append(operands, operand.Text)
	}
	if len(operands) != 2 {
		return value{""}
	}
	from, to := operands[0], operands[1]
	if strings.HasSuffix(to, "/") || to == "." {
		to += "/" + baseName(from)
	}
	r.copies[fileKey(to)] = from
	if text := r.given(from, c); text != nil {
		r.write(target{name: to}, text)
	}
	return value{""}
}

// readVariables sets the variables of read from the input.
func readVariables(r *reader, c invocation) value {
	r.subscripts(c.args, c.scope)
	line := c.line()
	var names []string
	for _, operand := range line.Operands() {
		names = append(names, operand.Text)
	}
	for _, name := range line.Values("a") {
		c.scope.set(name, array(inputWords(c.pipes.in)))
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	if lines, ok := inputLines(c.pipes.in); ok && len(names) == 1 && !hasHole(names[0]) {
		c.scope.setText(names[0], lines)
		return value{""}
	}
	if slices.Contains(line.Values("d"), "") && len(names) == 1 && len(c.pipes.in) == 1 && !hasHole(names[0]) {
		c.scope.setText(names[0], c.pipes.in) // it reads all lines
		return value{""}
	}
	words := inputWords(c.pipes.in)
	for i, name := range names {
		switch {
		case hasHole(name):
		case len(words) > 0 && words[0] == anyWords, line.Has("d", "n", "N", "u") != truth.No:
			c.scope.setText(name, unknownValue)
		case i >= len(words):
			c.scope.setText(name, value{""})
		case i == len(names)-1:
			c.scope.setText(name, value{strings.Join(words[i:], " ")})
		default:
			c.scope.setText(name, value{words[i]})
		}
	}
	return value{""}
}

// readLines reads mapfile, which sets an array to the lines of its input.
func readLines(r *reader, c invocation) value {
	forgetVariables(r, c)
	line := c.line()
	for _, text := range line.Values("C") {
		r.eachLine(text, c)
	}
	names := line.Operands()
	name := "MAPFILE"
	if len(names) == 1 {
		name = names[0].Text
	}
	if len(names) > 1 || !syntax.ValidName(name) || len(c.pipes.in) != 1 || hasHole(c.pipes.in[0]) ||
		line.Has("d", "n", "O", "s", "u", "C") != truth.No {
		return value{""}
	}
	lines := strings.SplitAfter(strings.TrimSuffix(c.pipes.in[0], "\n"), "\n")
	if line.Has("t") != truth.No {
		for i := range lines {
			lines[i] = strings.TrimSuffix(lines[i], "\n")
		}
	}
	c.scope.set(c.scope.target(name), array(lines))
	return value{""}
}

// eachLine reads the text that mapfile runs with the number of each line and the line.
func (r *reader) eachLine(text string, c invocation) {
	lines := []string{anyWords}
	if len(c.pipes.in) == 1 && !hasHole(c.pipes.in[0]) && strings.Count(c.pipes.in[0], "\n") <= maxAlternatives {
		lines = strings.SplitAfter(strings.TrimSuffix(c.pipes.in[0], "\n"), "\n")
	}
	for i, line := range lines {
		r.withArgs(text, []string{itoa(i), line}, c.scope, pipes{made: c.pipes.from})
	}
}

// inputWords returns the words of the first line of an input.
func inputWords(in value) []string {
	if len(in) != 1 || hasHole(in[0]) {
		return []string{anyWords}
	}
	first, rest, _ := strings.Cut(in[0], "\n")
	if strings.TrimSpace(rest) != "" {
		// A loop would read the other lines.
		return []string{anyWords}
	}
	return strings.Fields(first)
}

// forgetVariables makes the named variables unknown.
func forgetVariables(r *reader, c invocation) value {
	r.subscripts(c.args, c.scope)
	for _, arg := range c.args {
		if !hasHole(arg) && syntax.ValidName(arg) {
			c.scope.set(arg, unknownVariable)
		}
	}
	return value{""}
}

// declareWords reads declarations that result from expansion, such as "$x" y=z.
func declareWords(r *reader, c invocation) value {
	r.subscripts(c.args, c.scope)
	for _, arg := range c.args {
		if name, text, ok := strings.Cut(arg, "="); ok && syntax.ValidName(name) {
			c.scope.setText(name, value{text})
			r.hook(name, value{text}, c.scope)
		}
	}
	return value{""}
}
