package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/code"
	"github.com/weir-gate/weir/internal/text/program"
)

// languages are the languages of interpreters, by their names.
var languages = func() map[string]*code.Language {
	out := map[string]*code.Language{}
	for names, language := range map[string]*code.Language{
		"python pypy ipython bpython jython micropython":     code.Python,
		"node nodejs deno bun mongosh mongo tsx ts-node qjs": code.JavaScript,
		"ruby irb jruby truffleruby":                         code.Ruby,
		"perl":                                               code.Perl,
		"php":                                                code.PHP,
		"lua luajit":                                         code.Lua,
		"rscript r littler":                                  code.R,
		"julia":                                              code.Julia,
		"osascript":                                          code.AppleScript,
		"groovy groovysh java jshell scala scala-cli kotlin kotlinc swift": code.Java,
		"go": code.Go,
		"elixir erl guile ghc runghc clojure clj octave sbcl clisp ocaml raku rakudo nim racket csi chicken-csi gsi scheme mit-scheme ecl ccl " +
			"chez bb babashka janet hy fennel newlisp swipl prolog gprolog gforth matlab maxima gp gap gnuplot csharp dotnet-script amm dart " +
			"sage picolisp io crystal wolframscript lein boot spark-shell pyspark sparkr lfe gleam v rexx regina " +
			"rust-script evcxr rdmd fsi fsharpi gjs cling root tcc zx icon unicon escript zig odin": code.Any,
		"rails pry rake":     code.Ruby,
		"wp drush":           code.PHP,
		"awk gawk mawk nawk": code.Awk,
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = language
		}
	}
	return out
}()

// codePrograms are the programs that run code.
func codePrograms() map[string]handler {
	out := map[string]handler{}
	for name, language := range languages {
		switch {
		case name == "bun": // it has subcommands
		case language == code.Awk:
			out[name] = awk
		case language == code.Go:
			out[name] = goProgram
		default:
			out[name] = interpreter
		}
	}
	out["mshta"] = hypertext
	out["dotnet"] = dotnetTool
	return out
}

// languageOf is the language of an interpreter.
func languageOf(c invocation) *code.Language {
	language, ok := languages[c.name]
	switch {
	case !ok:
		return code.Any
	case language == code.AppleScript && slices.ContainsFunc(c.args, func(arg string) bool { return strings.EqualFold(arg, "JavaScript") }):
		return code.JavaScript
	}
	return language
}

// interpreter reads the code given to the interpreter of a language: in an option, in a file that the text wrote, or in its input.
// Values that the code computes are mostly unknown. Such code is common, so it does not count as a command of which nothing is known.
func interpreter(r *reader, c invocation) value {
	named := false
	python := languageOf(c) == code.Python
	for i, arg := range c.args {
		if python && i > 0 && (c.args[i-1] == "-W" || c.args[i-1] == "-X") {
			continue
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			if (i == 0 || !codeOption(c.args[i-1])) && (i == 0 || named || !takesNext(c, i-1)) {
				named = r.codeOperand(arg, named, c)
			}
			continue
		}
		if python && (strings.HasPrefix(arg, "-W") || strings.HasPrefix(arg, "-X")) {
			continue // their values may end like an option for code
		}
		if arg == "-m" && (i+1 == len(c.args) || !tracers[c.args[i+1]]) || codeOption(arg) {
			named = true
		}
		if arg == "-m" && i+1 < len(c.args) && (c.args[i+1] == "timeit" || c.args[i+1] == "cProfile") {
			r.codes(value(c.args[i+2:]), c)
		}
		if codeOption(arg) && i+1 < len(c.args) {
			r.codes(value{c.args[i+1]}, c)
			if text, ok := strings.CutPrefix(c.args[i+1], "!"); ok {
				r.codes(value{text}, c) // the debugger of Python takes code after the sign
			}
		} else if len(arg) > 2 && arg[1] != '-' {
			// The code may follow its option in the same word.
			r.codes(value{arg[2:]}, c)
		} else if _, source, ok := strings.Cut(arg, "="); ok {
			r.codes(value{source}, c)
		}
	}
	for i, arg := range c.args[:min(len(c.args), 2)] {
		if codeVerbs[c.name+" "+arg] {
			r.codes(value(c.args[i+1:]), c)
			named = named || i+1 < len(c.args)
		}
	}
	if c.name == "php" {
		r.phpSettings(c)
	} else {
		r.loadOptions(c)
	}
	if language := languageOf(c); language == code.Any {
		r.anyCodes(c)
		named = false // what is no code may be a subcommand
	}
	if !named && c.pipes.in != nil {
		if slices.ContainsFunc(c.pipes.in, anyNumber) {
			r.noteUnknown()
		}
		r.codes(c.pipes.in, c)
	}
	if python && c.pipes.want {
		return packageFolder(c.args)
	}
	return unknownValue
}

// tracers are the modules of Python that run a file with code.
var tracers = wordSet("trace pdb cProfile profile ipdb pudb runpy coverage debugpy viztracer scalene memory_profiler kernprof pyinstrument")

// codeOperand reads an operand of an interpreter: the first that is no subcommand names the file with the code. It reports whether one
// was named so far.
func (r *reader) codeOperand(arg string, named bool, c invocation) bool {
	if named {
		return true
	}
	if source, ok := code.DataURL(arg); ok {
		r.codes(value{source}, c)
		return true
	}
	source, written := r.file(arg)
	r.codes(source, c)
	return written || !isStdin(arg) && !runVerbs[arg] && !tracers[arg]
}

// runVerbs are the subcommands of interpreters that are followed by a file with code.
var runVerbs = wordSet("run e r script exec eval")

// takesNext reports an option, among the arguments, whose value is the next word.
func takesNext(c invocation, at int) bool {
	if c.entry == nil || c.entry == program.Unknown || !strings.HasPrefix(c.args[at], "--") {
		return false
	}
	return len(c.entry.Read([]string{c.args[at], "w"}).Operands()) == 0
}

// packageFolders match the code of Python that finds where its packages are.
var packageFolders = regexp.MustCompile(`getsitepackages|getusersitepackages|USER_SITE|purelib|platlib|user-site`)

// packageFolder is what Python prints, if that is the folder of its packages.
func packageFolder(args []string) value {
	const longest = 256
	for _, arg := range args {
		if len(arg) < longest && packageFolders.MatchString(arg) {
			return value{oneWord + "/site-packages"}
		}
	}
	return unknownValue
}

// codeVerbs are the subcommands that take code.
var codeVerbs = map[string]bool{
	"deno eval": true, "bun eval": true, "rails runner": true, "rails r": true, "wp eval": true, "drush ev": true, "drush php-eval": true,
	"drush php:eval": true, "crystal eval": true, "dotnet-script eval": true,
}

// phpSettings reads the settings of php that run a file before or after the script.
func (r *reader) phpSettings(c invocation) {
	for _, setting := range c.entry.Anywhere(c.args).Values("d") {
		key, file, _ := strings.Cut(setting, "=")
		file = strings.Trim(file, `"'`)
		switch {
		case key != "auto_prepend_file" && key != "auto_append_file" && key != "extension" && key != "zend_extension":
		case file == "php://input":
			r.codes(c.pipes.in, c)
		case strings.Contains(file, "://"):
			r.text("curl "+quotedWords([]string{file})+" | php", apartScope(c.scope), pipes{})
		default:
			source, _ := r.file(file)
			r.codes(source, c)
			r.loadedFile(file, c.scope)
		}
	}
}

// anyCodes reads the words of an interpreter of which only the name is known. Those with brackets and quotes may be code.
func (r *reader) anyCodes(c invocation) {
	read := 0
	for i, arg := range c.args {
		_, text, ok := strings.Cut(arg, "=")
		if !strings.HasPrefix(arg, "-") || !ok {
			text = arg
		}
		isCode := strings.ContainsAny(text, "(<!\"`") && strings.ContainsAny(text, " (\"")
		if isCode && (i == 0 || !codeOption(c.args[i-1])) && read < maxStranger {
			read++
			r.codes(value{text}, c)
		}
	}
}

// codeOption reports whether the word after an option is code: after -c, -e and clusters such as -lane.
func codeOption(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return slices.Contains([]string{"--eval", "--print", "--execute", "--run"}, arg)
	}
	if arg == "-eval" {
		return true
	}
	return len(arg) > 1 && arg[0] == '-' && strings.ContainsRune("ceErpB", rune(arg[len(arg)-1]))
}

// codes reads what code does.
func (r *reader) codes(sources value, c invocation) {
	language := languageOf(c)
	for _, source := range sources {
		if !r.search(source) {
			return
		}
		r.acts(code.Read(source, language), newScope(c.scope))
	}
}

// unknownPart is the variable by which unknownCode writes an unknown part of a text.
const unknownPart = "_"

// acts reads what code does as commands.
func (r *reader) acts(found code.Reading, s *scope) {
	r.inCode++
	defer func() { r.inCode-- }()
	var flow, in value // the output of the act before, and its input
	for _, act := range found.Acts {
		if r.spent {
			return
		}
		inner := newScope(s)
		inner.setText(unknownPart, value{oneWord})
		switch {
		case act.Again:
		case act.Piped:
			in = flow
		case act.HasInput:
			in = value{act.Input}
		default:
			in = nil
		}
		switch {
		case act.Guess && !startsKnown(act.Words[0]):
		case act.Loads:
			r.loadedFile(act.Words[0], inner)
		case act.From != nil:
			r.text(quotedWords(act.From)+" | "+quotedWords(act.Words), inner, pipes{})
		case act.Power:
			r.powerText(act.Words[0], inner, pipes{in: in})
		case act.Shell:
			r.text(codeHoles.Replace(act.Words[0]), inner, pipes{in: in})
		default:
			// A command may change the folder of those behind it.
			out := r.run(slices.Clone(act.Words), s, pipes{in: in, want: true})
			if flow = out; act.Piped && powerFilters[fold(act.Words[0])] {
				flow = in
			}
		}
	}
	if found.Cut {
		r.giveUp(TooLong)
	}
}

// startsKnown reports a text that begins with the name of a known program.
func startsKnown(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return isKnown(first)
}

// powerFilters output some of what they get.
var powerFilters = wordSet("where-object where ? sort-object sort select-object select get-unique tee-object")

// quotedWords writes words so that a shell reads them again.
func quotedWords(words []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = `"` + codeHoles.Replace(escape.Replace(word)) + `"`
	}
	return strings.Join(out, " ")
}

// goProgram reads the files that go runs, if the text wrote them.
func goProgram(r *reader, c invocation) value {
	for _, arg := range c.args {
		if c.args[0] != "run" {
			break
		}
		r.codes(r.given(arg, c), c)
	}
	return known(r, c)
}

// dotnetTool reads the scripts of F# and C# that dotnet runs, if the text wrote them or gives them as input.
func dotnetTool(r *reader, c invocation) value {
	if len(c.args) > 0 && (c.args[0] == "fsi" || c.args[0] == "script" || c.args[0] == "run" || c.args[0] == "csi") {
		named := false
		for i, arg := range c.args[1:] {
			if arg == "eval" {
				r.codes(value(c.args[i+2:]), invocation{name: "fsi", scope: c.scope})
				return unknownValue
			}
			source := r.given(arg, c)
			named = named || len(source) > 0
			r.codes(source, invocation{name: "fsi", scope: c.scope})
		}
		if !named && c.args[0] != "run" {
			r.codes(c.pipes.in, invocation{name: "fsi", scope: c.scope})
		}
	}
	return known(r, c)
}

// mixTask reads the code and the commands that mix of Elixir runs.
func mixTask(r *reader, c invocation) value {
	for i, arg := range c.args[:max(0, len(c.args)-1)] {
		switch arg {
		case "-e", "--eval", "eval":
			r.codes(value{c.args[i+1]}, c)
		case "cmd":
			r.run(slices.Clone(c.args[i+1:]), newScope(c.scope), pipes{})
		}
	}
	return known(r, c)
}

// awk reads awk programs: the first operand, and the files that the text wrote. The variables that arguments set are set before.
func awk(r *reader, c invocation) value {
	set, decoded := "", ""
	for _, arg := range c.args {
		if name, text, ok := strings.Cut(strings.TrimPrefix(arg, "-v"), "="); ok && isName(name) {
			set += "BEGIN{" + name + "=\"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + "\"}\n"
			decoded += "BEGIN{" + name + "=\"" + strings.ReplaceAll(text, `"`, `\"`) + "\"}\n"
		}
	}
	for i, arg := range c.args {
		r.codes(union(value{set + arg}, value{decoded + arg}), c) // awk decodes the escapes that it knows
		for _, option := range []string{"-f", "--file", "-i", "--include"} {
			if name, ok := optionValue(option, c.args[i:]); ok {
				source, _ := r.file(name)
				if isStdin(name) {
					source = c.pipes.in
				}
				r.codes(source, c)
			}
		}
	}
	return unknownValue
}

// isName reports a name that a variable can have.
func isName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !isNameRune(r) }) < 0
}
