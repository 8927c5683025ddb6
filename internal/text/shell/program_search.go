package shell

import (
	"slices"
	"strings"
)

var xargsOptions = newOptions(`0 a: d: E: e i I: J: L: l n: o P: p r R: S: s: t x arg-file: delimiter: eof max-lines: max-args: max-procs:
	max-chars: replace interactive null no-run-if-empty open-tty verbose exit process-slot-var: show-limits`)

// xargs runs a command with words of its input.
func xargs(r *reader, c invocation) value {
	line := xargsOptions.read(c.args)
	mark := ""
	for _, name := range []string{"I", "J", "replace", "i"} {
		if line.has(name) {
			mark = "{}"
			if given := line.values[name][0]; given != "" {
				mark = given
			}
		}
	}
	words := []string{anyWords}
	if len(c.pipes.in) == 1 && !hasHole(c.pipes.in[0]) && !line.has("a", "arg-file", "d", "delimiter", "0", "null") {
		words = strings.Fields(strings.NewReplacer(`'`, "", `"`, "", `\`, "").Replace(c.pipes.in[0]))
	} else if listed, ok := listedWords(c.pipes.in); ok {
		words = listed
	}
	for _, start := range line.starts {
		fields := slices.Clone(c.args[start:])
		if len(fields) == 0 {
			continue
		}
		if mark == "" {
			r.run(append(fields, words...), newScope(c.scope), pipes{})
			continue
		}
		if len(words) > maxAlternatives {
			words = []string{strings.Join(words, " ")}
		}
		for _, word := range words {
			r.run(replaceMark(fields, mark, word), newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

// replaceMark replaces a mark by a text in each field.
func replaceMark(fields []string, mark, with string) []string {
	out := make([]string, len(fields))
	for i, field := range fields {
		out[i] = strings.ReplaceAll(field, mark, quoteHoles.Replace(with))
	}
	return out
}

var parallelOptions = newOptions(`j: P: k 0 a: d: I: S: X m n: N: L: q r t u v jobs: keep-order arg-file: colsep: C: delimiter: dry-run
	joblog: load:
	results: retries: sshlogin: timeout: tag halt: bar progress eta will-cite no-notice quote pipe ungroup line-buffer lb`)

// parallel runs a text for each of its arguments, or its arguments as texts.
func parallel(r *reader, c invocation) value {
	line := parallelOptions.read(c.args)
	words := line.operands(c.args)
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
		args = []string{anyWords}
	}
	for _, mark := range []string{"{.}", "{/}", "{//}", "{/.}", "{#}", "{%}"} {
		text = strings.ReplaceAll(text, mark, `"$_"`)
	}
	if !strings.Contains(text, "{}") {
		return r.withArgs(text, args, c.scope, pipes{})
	}
	inner := newScope(c.scope)
	if len(args) > 1 {
		args = []string{anyWords}
	}
	inner.setArgs(args)
	return r.text(strings.ReplaceAll(text, "{}", `"$1"`), inner, pipes{})
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
				r.giveUp()
				return unknownValue
			}
			end := i + 1
			for end < len(c.args) && c.args[end] != ";" && (c.args[end] != "+" || c.args[end-1] != "{}") {
				end++
			}
			for _, file := range found(c.args[:i]) {
				r.run(replaceMark(c.args[i+1:end], "{}", file), newScope(c.scope), pipes{})
			}
			i = end
		}
	}
	if !prints(c.args) {
		return unknownValue
	}
	return value{strings.Join(found(c.args), "\n") + "\n"}
}

// foundFile is a name that find fills in. It begins with the start folder of the search.
const foundFile = "./" + oneWord

// findFast reads fd. Its options -x and -X run the rest of the line.
func findFast(r *reader, c invocation) value {
	for i, arg := range c.args {
		if arg == "-x" || arg == "-X" || arg == "--exec" || arg == "--exec-batch" {
			fields := replaceMark(c.args[i+1:], "{}", foundFile)
			if slices.Equal(fields, c.args[i+1:]) {
				fields = append(fields, foundFile)
			}
			r.run(fields, newScope(c.scope), pipes{})
			break
		}
		if text, ok := strings.CutPrefix(arg, "--exec="); ok {
			r.text(text, newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}
