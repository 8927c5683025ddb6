package shell

import (
	"regexp"
	"slices"
	"strings"
)

// interpreter reads the code given to the interpreter of a language. Only commands in literal strings are found. Values that the
// code computes are not followed. Such code is common, so it does not count as a command of which nothing is known.
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
	if c.name == "deno" && len(c.args) > 1 && c.args[0] == "eval" {
		r.codes(value(c.args[1:]), c)
	}
	if !named && c.pipes.in != nil {
		if slices.ContainsFunc(c.pipes.in, anyNumber) {
			r.noteUnknown()
		}
		r.codes(c.pipes.in, c)
	}
	return unknownValue
}

// codeOption reports whether the word after an option is code: after -c, -e and clusters such as -lane.
func codeOption(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return slices.Contains([]string{"--eval", "--print", "--execute", "--run"}, arg)
	}
	return len(arg) > 1 && arg[0] == '-' && strings.ContainsRune("ceErpB", rune(arg[len(arg)-1]))
}

var (
	// starters are the calls by which languages run commands, up to their first argument.
	starters = regexp.MustCompile(`(?i)\b(?:system|popen\d*|exec[a-z]*|spawn[a-z]*|posix_spawn[a-z]*|shell_exec|` +
		`passthru|proc_open|capture\w*|` +
		`check_output|check_call|subprocess\.\w+|getoutput|getstatusoutput|startfile|sh\.\w+|backtick|os\.execute|io\.popen|` +
		`do (?:shell )?script|(?:call|start|make)-process|(?:async-)?shell-command[a-z-]*|pipeline|call|run|command|open)\s*\(?\s*[\[({]?\s*\*?`)
	// backquoted commands of perl, ruby and php.
	backquoted = regexp.MustCompile("(?s)`([^`]*)`|(?:\\bqx|%x)\\s*[{(\\[/|!]([^})\\]/|!]*)[})\\]/|!]")
	// handles come before the command in some calls: a file handle in perl, a mode in python.
	handles = regexp.MustCompile(`^(?:(?:my\s+)?\$\w+|[A-Z]\w*|(?:os\.)?P_\w+)\s*,\s*`)
	// codeName matches a name in the position of a literal.
	codeName = regexp.MustCompile(`^[$@]?([A-Za-z_]\w*)\s*(?:[,);\]}]|$)`)
	// wordLists match the word lists of perl and ruby, and quotedLetters their strings.
	wordLists     = regexp.MustCompile(`(?s)(?:\bqw|%w)\s*(?:\(([^)]*)\)|\{([^}]*)\}|\[([^\]]*)\]|<([^>]*)>|/([^/]*)/|\|([^|]*)\||!([^!]*)!)`)
	quotedLetters = regexp.MustCompile(`(?s)(?:\bqq?|%q)(?:\s*\(([^)]*)\)|\s*\{([^}]*)\}|\s*\[([^\]]*)\]|\s*<([^>]*)>|` +
		`/([^/]*)/|\|([^|]*)\||!([^!]*)!)`)
)

// codes reads the commands in the literals of code.
func (r *reader) codes(code value, c invocation) {
	for _, text := range code {
		if !r.search(text) {
			return
		}
		lettered := c.name == "perl" || c.name == "ruby"
		if lettered {
			text = plainQuotes(text)
		}
		for _, at := range starters.FindAllStringIndex(text, -1) {
			r.callArguments(text, at[1], c)
		}
		if lettered || c.name == "php" {
			for _, found := range backquoted.FindAllStringSubmatch(text, -1) {
				r.text(found[1]+found[2], newScope(c.scope), pipes{})
			}
		}
	}
}

// plainQuotes rewrites the lists and strings of perl and ruby as other languages write them.
func plainQuotes(code string) string {
	inside := func(whole string, form *regexp.Regexp) string {
		return strings.Join(form.FindStringSubmatch(whole)[1:], "")
	}
	code = wordLists.ReplaceAllStringFunc(code, func(whole string) string {
		words := strings.Fields(inside(whole, wordLists))
		for i, word := range words {
			words[i] = "'" + strings.ReplaceAll(word, "'", `\'`) + "'"
		}
		return strings.Join(words, ", ")
	})
	return quotedLetters.ReplaceAllStringFunc(code, func(whole string) string {
		return "'" + strings.ReplaceAll(inside(whole, quotedLetters), "'", `\'`) + "'"
	})
}

// callArguments reads the literals that a call begins with: the first as a text, all of them as a command.
func (r *reader) callArguments(text string, from int, c invocation) {
	code := text[from:]
	for range 2 {
		code = code[len(handles.FindString(code[:min(len(code), maxCodeName)])):]
	}
	literals := r.leadingLiterals(code)
	if len(literals) == 0 {
		if found := codeName.FindStringSubmatch(code[:min(len(code), maxCodeName)]); found != nil {
			literals = r.assignedLiterals(text, found[1])
		}
	}
	if len(literals) > 1 && (literals[0] == "-|" || literals[0] == "|-") {
		literals = literals[1:] // the mode with which perl opens a pipe
	}
	if len(literals) == 0 {
		return
	}
	r.text(strings.Trim(literals[0], "| "), newScope(c.scope), pipes{})
	if len(literals) > 1 {
		r.run(literals, newScope(c.scope), pipes{})
	}
}

// leadingLiterals returns the string literals that code begins with. Commas separate them; plus signs and dots join them.
func (r *reader) leadingLiterals(code string) []string {
	const maxLiterals = 64
	var literals []string
	joined := false
	for range maxLiterals {
		inside, size := literalText(code)
		if !r.spendBytes(size) || size == 0 || inside == nil {
			break
		}
		text := unescapeANSI(*inside)
		if joined {
			literals[len(literals)-1] += text
		} else {
			literals = append(literals, text)
		}
		code = code[size:]
		rest := strings.TrimLeft(code, " \t\r\n+.,[(")
		joined = !strings.Contains(code[:len(code)-len(rest)], ",")
		code = rest
	}
	return literals
}

// literalText returns the text inside the string literal that code begins with, and the length of that literal. An unclosed literal
// has no inside.
func literalText(code string) (inside *string, size int) {
	start := 0
	for start < 2 && start < len(code) && strings.IndexByte("rRbBfFuU", code[start]) >= 0 {
		start++
	}
	if start == len(code) || strings.IndexByte("\"'`", code[start]) < 0 {
		return nil, 0
	}
	if rest, ok := strings.CutPrefix(code[start:], `"""`); ok {
		if end := strings.Index(rest, `"""`); end >= 0 {
			text := rest[:end]
			return &text, start + end + 6
		}
	}
	for i := start + 1; i < len(code); i++ {
		switch code[i] {
		case '\\':
			i++
		case code[start]:
			text := code[start+1 : i]
			return &text, i + 1
		}
	}
	return nil, len(code)
}

const (
	maxCodeName     = 64  // bytes of a name that is searched for
	maxAssignSearch = 256 // positions where a name may be set
)

// assignedLiterals returns the literals that code assigns to a name the first time.
func (r *reader) assignedLiterals(code, name string) []string {
	for range maxAssignSearch {
		i := strings.Index(code, name)
		if i < 0 || !r.spendBytes(i) {
			return nil
		}
		code = code[i+len(name):]
		rest := strings.TrimLeft(code, " \t")
		if v, ok := strings.CutPrefix(strings.TrimPrefix(rest, ":"), "="); ok {
			if literals := r.leadingLiterals(strings.TrimLeft(v, " \t[(")); len(literals) > 0 {
				return literals
			}
		}
	}
	return nil
}

var awkPipes = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline|\|&?\s*"((?:[^"\\]|\\.)*)"`)

// awk reads the commands in the literals of an awk program.
func awk(r *reader, c invocation) value {
	var programs []string
	for i, arg := range c.args {
		programs = append(programs, arg)
		for _, option := range []string{"-f", "--file", "-i", "--include"} {
			if name, ok := optionValue(option, c.args[i:]); ok {
				code, _ := r.file(name)
				programs = append(programs, code...)
			}
		}
	}
	for _, program := range programs {
		r.codes(value{program}, c)
		for _, found := range awkPipes.FindAllStringSubmatch(program, -1) {
			r.text(unescapeANSI(found[1]+found[2]), newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}
