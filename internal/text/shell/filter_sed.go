package shell

import (
	"regexp"
	"slices"
	"strings"
)

// edited applies a script of sed that only replaces: s and y commands without addresses.
func edited(text, script string, extended bool) (string, bool) {
	const maxCommands = 32
	for range maxCommands {
		script = strings.TrimLeft(script, " \t\n;")
		if script == "" {
			return text, true
		}
		if len(script) < 2 || script[0] != 's' && script[0] != 'y' || isOptionLetter(script[1]) {
			return "", false
		}
		command := script[0]
		from, rest, ok1 := cutDelimited(script[2:], script[1])
		to, rest, ok2 := cutDelimited(rest, script[1])
		flags := rest[:len(rest)-len(strings.TrimLeft(rest, "gpiI0123456789"))]
		script = rest[len(flags):]
		if !ok1 || !ok2 || strings.Trim(flags, "giI") != "" || script != "" && !strings.ContainsAny(script[:1], " ;\n") {
			return "", false
		}
		var ok bool
		if command == 'y' {
			text, ok = transliterated(text, from, to)
		} else {
			text, ok = replacedLines(text, from, to, flags, extended)
		}
		if !ok {
			return "", false
		}
	}
	return "", false
}

// transliterated replaces characters by those at the same position of another list.
func transliterated(text, from, to string) (string, bool) {
	old, next := []rune(from), []rune(to)
	if len(old) != len(next) || len(old) > maxClassText || strings.Contains(from+to, `\`) {
		return "", false
	}
	return strings.Map(func(char rune) rune {
		if i := slices.Index(old, char); i >= 0 {
			return next[i]
		}
		return char
	}, text), true
}

// cutDelimited returns the text before a delimiter that is not escaped, and what follows it.
func cutDelimited(s string, delimiter byte) (part, rest string, ok bool) {
	rest = afterDelimiters(s, delimiter, 1)
	cut := len(s) - len(rest) - 1
	if cut < 0 || s[cut] != delimiter {
		return "", "", false
	}
	return strings.ReplaceAll(s[:cut], `\`+string(delimiter), string(delimiter)), rest, true
}

// replacedLines replaces in every line, once or, with the flag g, everywhere.
func replacedLines(text, from, to, flags string, extended bool) (string, bool) {
	expression := from
	if !extended {
		expression = basicExpression.Replace(from)
	}
	if strings.ContainsAny(flags, "iI") {
		expression = "(?i)" + expression
	}
	matcher, err := regexp.Compile(expression)
	if err != nil || len(expression) > maxClassText || strings.Contains(to, `\`) && strings.Trim(to, `\`) == "" {
		return "", false
	}
	matcher.Longest()
	template := replacement(to)
	return everyLine(text, func(line string) string {
		var out []byte
		end := 0
		for _, at := range matcher.FindAllStringSubmatchIndex(line, -1) {
			out = append(out, line[end:at[0]]...)
			out = matcher.ExpandString(out, template, line, at)
			end = at[1]
			if !strings.Contains(flags, "g") || len(out) > maxFiltered {
				break
			}
		}
		return string(out) + line[end:]
	}), true
}

// basicExpression swaps the signs whose meaning a backslash changes in the other kind of expressions.
var basicExpression = strings.NewReplacer(`\\`, `\\`, `\(`, `(`, `\)`, `)`, `\{`, `{`, `\}`, `}`, `\+`, `+`, `\?`, `?`, `\|`, `|`,
	`(`, `\(`, `)`, `\)`, `{`, `\{`, `}`, `\}`, `+`, `\+`, `?`, `\?`, `|`, `\|`)

// replacement returns the right side of an s command as a template of Go: & and \1 are what was found.
func replacement(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '$':
			out.WriteString("$$")
		case c == '&':
			out.WriteString("${0}")
		case c == '\\' && i+1 < len(text):
			i++
			switch next := text[i]; {
			case next >= '0' && next <= '9':
				out.WriteString("${" + string(next) + "}")
			case next == 'n':
				out.WriteByte('\n')
			case next == 't':
				out.WriteByte('\t')
			case next == '$':
				out.WriteString("$$")
			default:
				out.WriteByte(next)
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}
