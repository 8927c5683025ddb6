package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxExpression bounds the size of an arithmetic or test expression that is searched for substitutions: its tree may
// be as deep as it is long.
const maxExpression = 64 << 10

// nested reads the substitutions inside an expression.
func (r *reader) nested(node syntax.Node, from, to syntax.Pos, s *scope) {
	if to.Offset()-from.Offset() > maxExpression {
		r.noteUnknown()
		return
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			r.substitute(n, s)
			return false
		case *syntax.ProcSubst:
			r.process(n, s)
			return false
		}
		return r.spend(1)
	})
}

// arithmetic reads an arithmetic expression, which may run substitutions and set variables.
func (r *reader) arithmetic(expr syntax.ArithmExpr, from, to syntax.Pos, s *scope) {
	if expr == nil {
		return
	}
	r.nested(expr, from, to, s)
	if to.Offset()-from.Offset() > maxExpression {
		return
	}
	if !assigns(expr) {
		return
	}
	syntax.Walk(expr, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Word:
			// Which of the variables is set does not matter enough to tell.
			if name := n.Lit(); syntax.ValidName(name) {
				s.setText(name, value{oneWord})
			}
		}
		return true
	})
}

// assigns reports whether an expression sets variables at all.
func assigns(expr syntax.ArithmExpr) bool {
	found := false
	syntax.Walk(expr, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryArithm:
			switch n.Op {
			case syntax.Eql, syntax.Neq, syntax.Leq, syntax.Geq:
			default:
				found = found || strings.HasSuffix(n.Op.String(), "=")
			}
		case *syntax.UnaryArithm:
			found = found || n.Op == syntax.Inc || n.Op == syntax.Dec
		}
		return !found
	})
	return found
}

// assign reads x=y, x+=y, x=(…) and x[i]=y.
func (r *reader) assign(a *syntax.Assign, s *scope) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	old, set := s.get(name)
	switch {
	case a.Array != nil:
		r.assignArray(a, s)
	case a.Index != nil:
		r.nested(a.Index, a.Index.Pos(), a.Index.End(), s)
		r.assignElement(a, old, s)
	case a.Naked:
	default:
		v := r.single(a.Value, s)
		if a.Append {
			if !set || old.lists != nil {
				old = unknownVariable
			}
			v = r.concat(old.text, v)
		}
		s.setText(name, v)
		r.hook(name, v, s)
	}
}

func (r *reader) assignArray(a *syntax.Assign, s *scope) {
	name := a.Name.Value
	list := []string{}
	if a.Append {
		list = []string{anyWords}
		if old, _ := s.get(name); len(old.lists) == 1 {
			list = slices.Clone(old.lists[0])
		}
	}
	for _, elem := range a.Array.Elems {
		if elem.Index != nil {
			r.nested(elem.Index, elem.Index.Pos(), elem.Index.End(), s)
			list = append(list, anyWords)
		}
		if elem.Value == nil {
			continue
		}
		ways := r.phrases([]*syntax.Word{elem.Value}, s)
		if len(ways) == 1 {
			list = append(list, ways[0]...)
		} else {
			list = append(list, anyWords)
		}
	}
	s.set(name, array(list))
}

// assignElement sets one element of an array. Elements set in order are followed.
func (r *reader) assignElement(a *syntax.Assign, old variable, s *scope) {
	v := r.single(a.Value, s)
	word, _ := a.Index.(*syntax.Word)
	var list []string
	if len(old.lists) == 1 {
		list = slices.Clone(old.lists[0])
	}
	if word != nil && len(v) == 1 && !a.Append && v[0] != anyWords && word.Lit() == itoa(len(list)) && len(old.lists) < 2 {
		s.set(a.Name.Value, array(append(list, v[0])))
		return
	}
	s.set(a.Name.Value, array([]string{anyWords}))
}

// declare reads declare, local, export, readonly, typeset and nameref.
func (r *reader) declare(clause *syntax.DeclClause, s *scope) {
	reference := clause.Variant.Value == "nameref"
	for _, a := range clause.Args {
		if a.Naked && a.Name == nil && a.Value != nil {
			for _, text := range r.single(a.Value, s) {
				name, v, ok := strings.Cut(text, "=")
				switch {
				case strings.HasPrefix(text, "-") && strings.Contains(text, "n"):
					reference = true
				case hasHole(name):
					s.setText(name, unknownValue)
				case ok:
					s.setText(name, value{v})
					r.hook(name, value{v}, s)
				}
			}
			continue
		}
		r.assign(a, s)
		if reference && a.Name != nil {
			s.set(a.Name.Value, unknownVariable)
		}
	}
}

// hooks are variables whose value some program runs as a command.
var hooks = wordSet(`PAGER MANPAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_SSH
	GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_PROXY_COMMAND RSYNC_RSH BROWSER LESSOPEN LESSCLOSE
	PROMPT_COMMAND PS0 PS1 PS2 PS4 BASH_ENV ENV MAKEFLAGS TAR_OPTIONS`)

// hook reads the value of a variable that is run as a command. An unknown one is that of ordinary use.
func (r *reader) hook(name string, texts value, s *scope) {
	if !hooks[name] {
		return
	}
	for _, text := range texts {
		switch {
		case hasHole(text):
		case strings.HasPrefix(name, "PS"), name == "BASH_ENV", name == "ENV", name == "MAKEFLAGS", name == "TAR_OPTIONS":
			r.substitutionsIn(text, s)
		default:
			r.text(strings.TrimPrefix(text, "|"), newScope(s), pipes{})
		}
	}
}

// substitutionsIn reads what a text that is expanded, but not run, would run.
func (r *reader) substitutionsIn(text string, s *scope) {
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		r.text(": \""+strings.ReplaceAll(text, `"`, `\"`)+"\"", newScope(s), pipes{})
	}
}
