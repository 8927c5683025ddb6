package code

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// leading are the variables of the environment that lead agents. Others are set by every other script.
var leading = strings.Fields(program.GuardVariables + " " + program.AgentVariables)

// exports notes that a variable of the environment is set, if it leads agents.
func (e *evaluator) exports(name string, v value) {
	if name = strings.ToUpper(name); !slices.Contains(leading, name) {
		return
	}
	content := v.alternatives()
	if len(v.texts) == 0 {
		content = []string{""} // $null
	}
	for _, text := range content {
		e.note(Act{Words: []string{"export", name + "=" + text}})
	}
}

// unsets notes that a variable of the environment is taken away, or one of a copy of it, if it leads agents.
func (e *evaluator) unsets(name string) {
	if name = strings.ToUpper(name); slices.Contains(leading, name) {
		e.note(Act{Words: []string{"unset", name}})
	}
}

// setsVariable reads the functions that set a variable of the environment; PowerShell's third argument says that it stays set.
func setsVariable(e *evaluator, c invocation) value {
	for _, name := range c.arg(0).texts {
		name, to, assigns := strings.Cut(name, "=") // putenv('NAME=value'), putenv('NAME')
		switch {
		case assigns:
			e.exports(name, text(to))
		case c.count() == 1:
			e.unsets(name)
		case c.count() < 3:
			e.exports(name, c.arg(1))
		}
	}
	for _, scope := range c.arg(2).texts {
		if strings.EqualFold(scope, "machine") || strings.EqualFold(scope, "user") {
			e.act([]string{"setx"}, c.arg(0).alternatives(), c.arg(1).alternatives(), []string{"/M"})
		}
	}
	return value{}
}

// unsetsVariable reads the functions that take away a variable of the environment.
func unsetsVariable(e *evaluator, c invocation) value {
	for _, name := range c.arg(0).texts {
		e.unsets(name)
	}
	return value{}
}

// deleted reads what stands after del and delete: a variable of the environment, as a member.
func (e *evaluator) deleted() {
	end := e.at + 1
	for end < len(e.tokens) && end-e.at < maxDestructured && !e.tokens[end].line {
		end++
	}
	name, _ := memberName(e.tokens[e.at+1 : end])
	e.unsets(name[strings.LastIndexByte(name, '.')+1:])
}

// memberName is a name with its members, joined by dots, as far as the tokens are one: os.environ.HOME for os.environ["HOME"]. It is
// whole if all of them are.
func memberName(tokens []token) (_ string, whole bool) {
	var name strings.Builder
	for _, t := range tokens {
		switch {
		case t.kind == 'n' || t.kind == 's':
			name.WriteString(t.text)
		case t.kind == 'p' && (t.text == "." || t.text == "->" || t.text == "::" || t.text == "[" || t.text == "{"):
			name.WriteByte('.')
		case t.kind == 'p' && (t.text == "]" || t.text == "}"):
		default:
			return name.String(), false
		}
	}
	return name.String(), true
}
