package fileuse

import (
	"regexp"
	"strings"
)

var sedOptions = newOptions("e: f< l: i? expression: file< line-length:")

// streamEditor reads sed. Its script is no file but may name some, and -i changes the files.
func streamEditor(l line) {
	args := sedOptions.parse(l.args)
	l.files(sedOptions, args)
	inPlace, scripts := args.has("i", "in-place"), args.values("e", "expression")
	hasScript := args.has("e", "f", "expression", "file")
	operands := args.operands
	// Some systems need a word after -i, mostly an empty one.
	if inPlace && len(operands) > 0 && operands[0] == "" && (hasScript || len(operands) > 2) {
		operands = operands[1:]
	}
	if !hasScript && len(operands) > 0 {
		scripts, operands = operands[:1], operands[1:]
	}
	l.sedScript(strings.Join(scripts, "\n"))
	deed := Reads
	if inPlace {
		deed = Writes
	}
	for _, operand := range operands {
		l.use(deed, operand)
	}
}

// sedScript notes the files that the commands r and w, and the flag w, of a script name.
func (f *finder) sedScript(script string) {
	for {
		script = strings.TrimLeft(script, " \t\n;{}0123456789,$!~+")
		if script == "" {
			return
		}
		switch script[0] {
		case '/':
			script = afterSigns(script[1:], '/', 1)
		case '\\':
			script = afterSigns(script[min(2, len(script)):], script[min(1, len(script)-1)], 1)
		case 's', 'y':
			if len(script) < 2 {
				return
			}
			rest := strings.TrimLeft(afterSigns(script[2:], script[1], 2), "gpiImMe0123456789")
			if script[0] == 's' && strings.HasPrefix(rest, "w") {
				rest = f.sedFile(Writes, rest)
			}
			script = rest
		case 'r', 'R':
			script = f.sedFile(Reads, script)
		case 'w', 'W':
			script = f.sedFile(Writes, script)
		case 'a', 'i', 'c', ':', 'b', 't', 'T', '#', 'e':
			_, script, _ = strings.Cut(script, "\n")
		default:
			script = script[1:]
		}
	}
}

// sedFile notes the file after a command letter, up to the end of the line, and returns what follows.
func (f *finder) sedFile(deed Deed, script string) (rest string) {
	file, rest, _ := strings.Cut(script[1:], "\n")
	f.use(deed, strings.TrimSpace(file))
	return rest
}

// afterSigns returns the text after the n-th sign that is not escaped by a backslash.
func afterSigns(s string, sign byte, n int) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case sign:
			if n--; n == 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}

var (
	awkPlan = plan{
		options: "F: v: f< file< assign: field-separator: E< exec< i< include< e: source:", skip: 1,
		unless: "f file E exec e source",
	}
	awkOptions = newOptions(awkPlan.options)
	awkFiles   = regexp.MustCompile(`(>>?|<)\s*"((?:[^"\\]|\\.)*)"`)
)

// patternScanner reads awk. Its code names files after redirection signs.
func patternScanner() program {
	operands := awkPlan.program()
	return func(l line) {
		operands(l)
		args := awkOptions.parse(l.args)
		code := args.values("e", "source")
		if len(code) == 0 && !args.has("f", "file", "E", "exec") && len(args.operands) > 0 {
			code = args.operands[:1]
		}
		for _, text := range code {
			for _, found := range awkFiles.FindAllStringSubmatch(text, -1) {
				deed := Writes
				if found[1] == "<" {
					deed = Reads
				}
				l.use(deed, found[2])
			}
		}
	}
}
