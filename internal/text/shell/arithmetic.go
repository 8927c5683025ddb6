package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxExpression bounds the size of an arithmetic or test expression that is searched for substitutions: its tree may be as deep as
// the expression is long.
const maxExpression = 64 << 10

// nested reads the substitutions inside an expression.
func (r *reader) nested(node syntax.Node, from, to syntax.Pos, s *scope) {
	r.walk(node, from, to, s, false)
}

// computed is nested for an expression that the shell evaluates as arithmetic.
func (r *reader) computed(node syntax.Node, from, to syntax.Pos, s *scope) {
	r.walk(node, from, to, s, true)
}

// walk reads the substitutions inside an expression. If it is computed, the shell also computes the values of variables and quoted
// texts, and expands subscripts in them: x='a[$(ls)]'; echo $((x)) runs ls.
func (r *reader) walk(node syntax.Node, from, to syntax.Pos, s *scope, computes bool) {
	if to.Offset()-from.Offset() > maxExpression {
		r.noteUnknownAs(TooLong)
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
		case *syntax.BinaryTest:
			if comparesNumbers(n.Op) {
				r.computed(n.X, from, to, s)
				r.computed(n.Y, from, to, s)
				return false
			}
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
				r.computed(n.X, from, to, s)
				return false
			}
		case *syntax.SglQuoted:
			if computes {
				r.compute(n.Value, s, 0)
			}
		case *syntax.Lit:
			if computes {
				r.compute(n.Value, s, 0)
			}
		}
		return r.spend(1)
	})
}

func comparesNumbers(op syntax.BinTestOperator) bool {
	switch op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return true
	}
	return false
}

// maxComputed bounds how long a chain of variables that name each other is followed.
const maxComputed = 8

// compute reads a text as arithmetic does: subscripts in it are expanded, and names in it mean their values.
func (r *reader) compute(text string, s *scope, depth int) {
	if depth > maxComputed || !r.spendBytes(len(text)) {
		return
	}
	if strings.ContainsAny(text, "[`") || strings.Contains(text, "$(") {
		r.substitutionsIn(text, s)
	}
	for name := range strings.FieldsFuncSeq(text, notInName) {
		v, set := s.get(name)
		if !set || !syntax.ValidName(name) {
			continue
		}
		for _, texts := range append([][]string{v.text}, v.lists...) {
			for _, inner := range texts {
				if strings.Contains(inner, "[") || syntax.ValidName(inner) {
					r.compute(inner, s, depth+1)
				}
			}
		}
	}
}

func notInName(c rune) bool {
	return c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
}

// subscripts reads the subscripts in names of variables that a builtin gets.
func (r *reader) subscripts(names []string, s *scope) {
	for _, name := range names {
		if strings.Contains(name, "[") {
			r.compute(name, s, 0)
		}
	}
}

// condition reads test and [. Their -v names a variable, and some shells compute the numbers that they compare.
func condition(r *reader, c invocation) value {
	for i, arg := range c.args {
		switch arg {
		case "-v", "-R":
			r.subscripts(c.args[i+1:min(len(c.args), i+2)], c.scope)
		case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
			r.subscripts(c.args[max(0, i-1):min(len(c.args), i+2)], c.scope)
		}
	}
	return value{""}
}

// letWords reads let if the parser takes it for a program.
func letWords(r *reader, c invocation) value {
	for _, arg := range c.args {
		r.compute(arg, c.scope, 0)
	}
	return value{""}
}

// arithmetic reads an arithmetic expression, which may run substitutions and set variables.
func (r *reader) arithmetic(expr syntax.ArithmExpr, from, to syntax.Pos, s *scope) {
	if expr == nil {
		return
	}
	r.computed(expr, from, to, s)
	if to.Offset()-from.Offset() > maxExpression || !assigns(expr) {
		return
	}
	syntax.Walk(expr, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Word:
			// Every variable counts as set: it is not worth finding out which one is.
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
