package code

import (
	"strings"
)

// imports evaluates an import: a name for a module, or for a function of one.
func (e *evaluator) imports() bool {
	if e.sign(1, "(") || e.sign(1, "=") || e.sign(1, ".") {
		return false
	}
	start := e.at
	fromFirst := e.is("from")
	var names [][2]string // a name and what it is called
	module := ""
	e.at++
	e.take("static")
	for i := 0; e.at < len(e.tokens) && i < maxDestructured; i++ {
		t := e.peek(0)
		if t.line && i > 0 && !e.sign(-1, ",") && e.language == Python || t.kind == 'p' && t.text == ";" {
			break
		}
		switch {
		case t.kind == 's':
			module = moduleName(t.text)
			e.at++
		case t.kind == 'n' && (t.text == "from" || t.text == "import"):
			if fromFirst && len(names) == 1 {
				module, names = names[0][0], nil
			}
			e.at++
		case t.kind == 'n' && t.text == "as" && len(names) > 0 && e.peek(1).kind == 'n':
			names[len(names)-1][1] = e.peek(1).text
			e.at += 2
		case t.kind == 'n':
			name := e.dotted()
			names = append(names, [2]string{name, name})
		case t.kind == 'p' && t.text == "*":
			if e.at++; module != "" {
				e.imported = more(e.imported, []string{module}, maxTaint)
			} else {
				names = append(names, [2]string{"", ""})
			}
		case t.kind == 'p' && (t.text == "," || t.text == "{" || t.text == "}" || t.text == "(" || t.text == ")"):
			e.at++
		default:
			i = maxDestructured
		}
		if module != "" && t.kind == 's' {
			break
		}
	}
	if fromFirst && module == "" {
		e.at = start + 1
		return true
	}
	for _, name := range names {
		full := name[0]
		if module != "" && !(e.language == JavaScript && (full == "" || isDefaultImport(e.tokens, start))) {
			full = module + "." + full
		} else if module != "" {
			full = module
		}
		if name[1] != full {
			e.set(name[1], value{names: []string{full}})
		}
	}
	return true
}

// isDefaultImport reports import x from "y".
func isDefaultImport(tokens []token, start int) bool {
	return start+2 < len(tokens) && tokens[start+1].kind == 'n' && tokens[start+2].text == "from"
}

// dotted takes a name with dots.
func (e *evaluator) dotted() string {
	var name strings.Builder
	for e.peek(0).kind == 'n' {
		name.WriteString(e.peek(0).text)
		e.at++
		if !e.sign(0, ".") || e.peek(1).kind != 'n' {
			break
		}
		name.WriteByte('.')
		e.at++
	}
	return name.String()
}

// moduleName is a module without the prefix of its kind.
func moduleName(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "node:"), "bun:")
	return strings.TrimSuffix(strings.ReplaceAll(name, "/", "."), ".js")
}
