package shell

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// tar reads the options of tar that run a command.
func tar(r *reader, c invocation) value {
	line := c.line()
	for _, action := range line.Values("checkpoint-action") {
		if text, ok := strings.CutPrefix(action, "exec="); ok {
			r.text(text, apartScope(c.scope), pipes{})
		}
	}
	c.pipes = pipes{}
	return known(r, c)
}

// makeFile reads a makefile that comes from the input, and --eval.
func makeFile(r *reader, c invocation) value {
	line := c.line()
	for _, text := range line.Values("eval", "E") {
		r.recipes(text, c)
	}
	for _, name := range line.Values("f") {
		code, ok := r.file(name)
		if isStdin(name) && c.pipes.in != nil {
			code, ok = c.pipes.in, true
		}
		for _, text := range code {
			if ok {
				r.recipes(text, c)
			}
		}
	}
	for _, name := range []string{"Makefile", "makefile", "GNUmakefile"} {
		for _, text := range r.files[name] {
			r.recipes(text, c)
		}
	}
	for _, arg := range c.args {
		name, text, ok := strings.Cut(arg, "=")
		switch {
		case !ok:
		case name == "SHELL":
			r.text(text, newScope(c.scope), pipes{})
		case name == ".SHELLFLAGS":
			r.text("sh "+text, newScope(c.scope), pipes{})
		case strings.Contains(text, "$(shell "):
			r.recipes(text, c)
		default:
			r.hook(strings.TrimRight(name, ":?+"), value{text}, c.scope)
		}
	}
	return unknownValue
}

// recipes reads the lines of a makefile that a shell would run.
func (r *reader) recipes(text string, c invocation) {
	if hasHole(text) {
		r.noteUnknown()
	}
	for _, line := range strings.Split(text, "\n") {
		_, inline, isRule := strings.Cut(line, ";")
		switch {
		case strings.HasPrefix(line, "\t"):
			line = strings.TrimLeft(line, "\t @-+")
			r.text(recipe(line), newScope(c.scope), pipes{})
		case isRule:
			r.text(recipe(strings.TrimLeft(inline, "\t @-+")), newScope(c.scope), pipes{})
		}
		if _, code, ok := strings.Cut(line, "$(shell "); ok {
			code, _, _ = strings.Cut(code, ")")
			r.text(code, newScope(c.scope), pipes{})
		}
		if _, code, ok := strings.Cut(line, "!="); ok {
			r.text(code, newScope(c.scope), pipes{})
		}
	}
}

// makeVariables match the variables of make, which a shell writes with other brackets.
var makeVariables = regexp.MustCompile(`\$\((\w+)\)`)

// recipe is a line of a recipe as the shell gets it. The variables of the environment are variables of make.
func recipe(line string) string {
	const most = 1 << 16
	if len(line) < most {
		line = makeVariables.ReplaceAllString(line, "$${$1}")
	}
	return strings.ReplaceAll(line, "$$", "$")
}

// sed reads the e command and the e flag of sed, which run a command.
func sed(r *reader, c invocation) value {
	line := c.line()
	scripts := line.Values("e")
	if line.Has("e", "f") != truth.Yes {
		scripts = append(scripts, line.Operand(0)...)
	}
	for _, script := range scripts {
		r.sedScript(script, c)
	}
	files := len(line.Operands())
	if len(line.Values("e")) == 0 {
		files-- // the script
	}
	if line.Has("i") != truth.No {
		r.insertedLines(scripts, line.Operands()[max(0, len(line.Operands())-max(0, files)):])
	}
	if len(scripts) == 0 || files > 0 || line.Has("f", "i", "n", "s", "z") != truth.No {
		return unknownValue
	}
	return r.filtered(c, func(text string) (string, bool) {
		return edited(text, strings.Join(scripts, ";"), line.Has("E") == truth.Yes)
	})
}

// sedInserts match the commands of sed that add a line.
var sedInserts = regexp.MustCompile(`(?m)(?:^|[;{}0-9$/!])\s*[aic](?:\\\n?)?\s*([^\n]+)`)

// insertedLines notes the lines that sed adds to files.
func (r *reader) insertedLines(scripts []string, files []program.Operand) {
	for _, script := range scripts {
		if !r.search(script) {
			return
		}
		for _, found := range sedInserts.FindAllStringSubmatch(script, maxActions) {
			for _, file := range files[:min(len(files), maxAlternatives)] {
				r.write(target{file.Text, true}, value{found[1] + "\n"})
			}
		}
	}
}

func (r *reader) sedScript(script string, c invocation) {
	for script != "" {
		script = strings.TrimLeft(script, " \t\n;{}0123456789,$!~+")
		if script == "" {
			return
		}
		switch script[0] {
		case '/':
			script = afterDelimiters(script[1:], '/', 1)
		case '\\':
			if len(script) < 2 {
				return
			}
			script = afterDelimiters(script[2:], script[1], 1)
		case 's', 'y':
			if len(script) < 2 {
				return
			}
			rest := afterDelimiters(script[2:], script[1], 2)
			flags := rest[:len(rest)-len(strings.TrimLeft(rest, "gpiImMe0123456789"))]
			if script[0] == 's' && strings.Contains(flags, "e") {
				r.noteUnknown()
			}
			script = rest[len(flags):]
		case 'e':
			text, rest, _ := strings.Cut(script[1:], "\n")
			if text == "" {
				r.noteUnknown()
			}
			r.text(text, newScope(c.scope), pipes{})
			script = rest
		case 'a', 'i', 'c', 'r', 'w', 'R', 'W', ':', 'b', 't', 'T', '#':
			_, script, _ = strings.Cut(script, "\n")
		default:
			script = script[1:]
		}
	}
}

// afterDelimiters returns the text after the n-th delimiter that is not escaped by a backslash.
func afterDelimiters(s string, delimiter byte, n int) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case delimiter:
			if n--; n == 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}
