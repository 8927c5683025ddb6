package shell

import (
	"regexp"
	"slices"
	"strings"
)

// interpreter reads the code given to a language's program. Only commands in literal strings are found: what the code
// computes is not followed, and its use is ordinary, so it is not a command of which nothing is known.
func interpreter(r *reader, c invocation) value {
	named := false
	for i, arg := range c.args {
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			if i == 0 || !codeOption(c.args[i-1]) {
				named = named || arg != "-"
				if code, ok := r.file(arg); ok && i == 0 {
					r.codes(code, c)
				}
			}
			continue
		}
		if arg == "-m" || codeOption(arg) {
			named = true
		}
		if codeOption(arg) && i+1 < len(c.args) {
			r.codes(value{c.args[i+1]}, c)
		} else if len(arg) > 2 && arg[1] != '-' {
			// The code may follow its option in the same word.
			r.codes(value{arg[2:]}, c)
		} else if _, code, ok := strings.Cut(arg, "="); ok {
			r.codes(value{code}, c)
		}
	}
	if !named && c.pipes.in != nil {
		if slices.Contains(c.pipes.in, anyWords) {
			r.noteUnknown()
		}
		r.codes(c.pipes.in, c)
	}
	return unknownValue
}

// codeOption reports whether the word after an option is code, as after -c, -e and clusters such as -lane.
func codeOption(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return slices.Contains([]string{"--eval", "--print", "--execute", "--run"}, arg)
	}
	return len(arg) > 1 && arg[0] == '-' && strings.ContainsRune("ceErpB", rune(arg[len(arg)-1]))
}

var (
	// starters are the calls by which languages run commands, up to their first argument.
	starters = regexp.MustCompile(`(?i)\b(?:system|popen\d*|exec[a-z]*|spawn[a-z]*|posix_spawn[a-z]*|shell_exec|passthru|proc_open|` +
		`check_output|check_call|subprocess\.\w+|getoutput|getstatusoutput|startfile|sh\.\w+|backtick|os\.execute|io\.popen|` +
		`do shell script|call|run|command|open)\s*\(?\s*[\[({]?\s*`)
	// backquoted commands of perl, ruby and php.
	backquoted = regexp.MustCompile("(?s)`([^`]*)`|(?:\\bqx|%x)\\s*[{(\\[/|!]([^})\\]/|!]*)[})\\]/|!]")
	// literals separated by commas, plus signs or dots.
	literalText = regexp.MustCompile(`(?s)^(?:\b[rRbBfFuU]{1,2})?(?:"""(.*?)"""|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|` + "`((?:[^`\\\\]|\\\\.)*)`" + `)`)
)

// codes reads the commands in the literals of code.
func (r *reader) codes(code value, c invocation) {
	for _, text := range code {
		if !r.spendBytes(len(text)) {
			return
		}
		for _, at := range starters.FindAllStringIndex(text, -1) {
			r.callArguments(text[at[1]:], c)
		}
		if c.name == "perl" || c.name == "ruby" || c.name == "php" {
			for _, found := range backquoted.FindAllStringSubmatch(text, -1) {
				r.text(found[1]+found[2], newScope(c.scope), pipes{})
			}
		}
	}
}

// callArguments reads the literals that a call begins with: the first as a text, all of them as a command.
func (r *reader) callArguments(code string, c invocation) {
	const maxLiterals = 64
	var literals []string
	joined := false
	for range maxLiterals {
		found := literalText.FindStringSubmatchIndex(code)
		if found == nil {
			break
		}
		text := ""
		for group := 2; group < len(found); group += 2 {
			if found[group] >= 0 {
				text = unescapeANSI(code[found[group]:found[group+1]])
			}
		}
		if joined {
			literals[len(literals)-1] += text
		} else {
			literals = append(literals, text)
		}
		code = code[found[1]:]
		rest := strings.TrimLeft(code, " \t\r\n+.,[(")
		joined = !strings.Contains(code[:len(code)-len(rest)], ",")
		code = rest
	}
	if len(literals) == 0 {
		return
	}
	r.text(literals[0], newScope(c.scope), pipes{})
	if len(literals) > 1 {
		r.run(literals, newScope(c.scope), pipes{})
	}
}

var awkPipes = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline|\|&?\s*"((?:[^"\\]|\\.)*)"`)

// awk reads the commands in the literals of a program for awk.
func awk(r *reader, c invocation) value {
	for _, arg := range c.args {
		r.codes(value{arg}, c)
		for _, found := range awkPipes.FindAllStringSubmatch(arg, -1) {
			r.text(unescapeANSI(found[1]+found[2]), newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

// editor reads the commands given to an editor that hand a text to the shell.
func editor(r *reader, c invocation) value {
	var codes []string
	for i, arg := range c.args {
		if text, ok := strings.CutPrefix(arg, "+"); ok {
			codes = append(codes, text)
		}
		if i > 0 && slices.Contains([]string{"-c", "--cmd", "-S", "--eval", "-eval", "-e"}, c.args[i-1]) {
			codes = append(codes, arg)
		}
	}
	if c.name == "ed" || c.name == "ex" || slices.Contains(c.args, "-es") || slices.Contains(c.args, "-s") {
		for _, text := range c.pipes.in {
			codes = append(codes, strings.Split(text, "\n")...)
		}
	}
	for _, code := range codes {
		if _, text, ok := strings.Cut(code, "!"); ok {
			r.text(text, newScope(c.scope), pipes{})
		}
		r.codes(value{code}, c)
	}
	return unknownValue
}

var clientEscapes = regexp.MustCompile(`(?m)(?:^|[;\s])(?:\\!|\.shell|\.system|system|shell|!)\s+(\S[^\n]*)`)

// client reads the commands of database clients and debuggers that hand a text to the shell.
func client(r *reader, c invocation) value {
	for i, arg := range c.args {
		if arg == "--args" && c.name == "gdb" || arg == "--" && c.name == "lldb" {
			r.run(c.args[i+1:], newScope(c.scope), pipes{})
		}
	}
	for _, text := range append(slices.Clone(c.args), c.pipes.in...) {
		for _, found := range clientEscapes.FindAllStringSubmatch(text, -1) {
			r.text(strings.TrimRight(found[1], "; "), newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}
