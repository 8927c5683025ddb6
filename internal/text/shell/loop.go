package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// loop reads a body often enough to know every state that a round of it could see.
func (r *reader) loop(s *scope, body func(*scope)) {
	const rounds = 2
	for range rounds {
		round := newScope(s)
		body(round)
		changed := false
		for name, v := range round.vars {
			old, _ := s.get(name)
			if joined := old.join(v); !joined.equal(old) {
				s.set(name, joined)
				changed = true
			}
		}
		if !changed || r.spent {
			return
		}
	}
	last := newScope(s)
	body(last)
	for name, v := range last.vars {
		if old, _ := s.get(name); !old.join(v).equal(old) {
			s.set(name, unknownVariable)
		}
	}
	body(newScope(s))
}

func (r *reader) forLoop(clause *syntax.ForClause, s *scope, p pipes) value {
	name, values := "", []value{unknownValue}
	printed := unknownValue
	switch loop := clause.Loop.(type) {
	case *syntax.WordIter:
		name = loop.Name.Value
		values = r.iterated(loop, s)
		if p.want {
			printed = r.loopOutput(clause, loop, s, p)
		}
	case *syntax.CStyleLoop:
		for _, expr := range []syntax.ArithmExpr{loop.Init, loop.Cond, loop.Post} {
			if expr != nil {
				r.arithmetic(expr, loop.Lparen, loop.Rparen, s)
			}
		}
	}
	gathered := r.gathered(clause, s, p)
	r.loops++
	for _, some := range values {
		if name != "" {
			s.setText(name, some)
		}
		r.loop(s, func(s *scope) {
			if name != "" {
				s.setText(name, some)
			}
			r.stmts(clause.Do, s, pipes{in: p.in, from: p.from, made: p.made})
		})
	}
	r.loops--
	for name, v := range gathered {
		s.set(name, v)
	}
	return printed
}

// gathered returns the variables to which a loop over known words adds a part in each round, with what they hold in the end. All else
// that the loop could see is read in another way.
func (r *reader) gathered(clause *syntax.ForClause, s *scope, p pipes) map[string]variable {
	const most = 32 // words
	loop, ok := clause.Loop.(*syntax.WordIter)
	if !ok || !loop.InPos.IsValid() || r.loops > 0 {
		return nil
	}
	names := addedTo(clause.Do)
	if len(names) == 0 {
		return nil
	}
	ways := r.phrases(loop.Items, s)
	if len(ways) != 1 || len(ways[0]) > most || slices.ContainsFunc(ways[0], hasHole) {
		return nil
	}
	round := newScope(s)
	for name := range names {
		if _, set := s.get(name); !set {
			round.setText(name, value{""})
		}
	}
	r.loops++
	for _, word := range ways[0] {
		round.setText(loop.Name.Value, value{word})
		r.stmts(clause.Do, round, pipes{in: p.in, from: p.from, made: p.made})
	}
	r.loops--
	out := map[string]variable{}
	for name := range names {
		if v, set := round.get(name); set {
			out[name] = v
		}
	}
	return out
}

// addedTo returns the variables to which statements add something: l+=x, and l="$l x". What leaves the loop early adds no more.
func addedTo(stmts []*syntax.Stmt) map[string]bool {
	names := map[string]bool{}
	whole := true
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(node syntax.Node) bool {
			switch n := node.(type) {
			case *syntax.CallExpr:
				if len(n.Args) > 0 {
					first := n.Args[0].Lit()
					whole = whole && first != "break" && first != "continue" && first != "return" && first != "exit"
				}
			case *syntax.Assign:
				if n.Name == nil || n.Value == nil {
					break
				}
				if n.Append || readsVariable(n.Value, n.Name.Value) {
					names[n.Name.Value] = true
				}
			}
			return true
		})
	}
	if !whole {
		return nil
	}
	return names
}

// readsVariable reports a word with the value of a variable in it.
func readsVariable(w *syntax.Word, name string) (found bool) {
	syntax.Walk(w, func(node syntax.Node) bool {
		if p, ok := node.(*syntax.ParamExp); ok && p.Param != nil && p.Param.Value == name {
			found = true
		}
		return !found
	})
	return found
}

// loopOutput returns what a loop over known words prints, if the words come in one order and there are not too many.
func (r *reader) loopOutput(clause *syntax.ForClause, loop *syntax.WordIter, s *scope, p pipes) value {
	const most = 512 // words
	ways := r.phrases(loop.Items, s)
	if !loop.InPos.IsValid() || len(ways) != 1 || len(ways[0]) > most || r.loops > 0 || slices.ContainsFunc(ways[0], hasHole) {
		return unknownValue
	}
	out, opened := value{""}, r.redirects
	r.loops++
	for _, word := range ways[0] {
		round := newScope(s)
		r.redirects = slices.Clone(opened)
		round.setText(loop.Name.Value, value{word})
		out = r.concat(out, r.stmts(clause.Do, round, pipes{in: p.in, from: p.from, made: p.made, want: true}))
		if r.spent || slices.ContainsFunc(out, anyNumber) {
			out = unknownValue
			break
		}
	}
	r.loops--
	r.redirects = opened
	return out
}

// iterated returns the possible values of a loop variable, in rounds of as many values as are followed at once. Inside another loop
// there is only one round.
func (r *reader) iterated(loop *syntax.WordIter, s *scope) []value {
	const maxRounds = 8
	var fields []string
	if loop.InPos.IsValid() {
		for _, words := range r.phrases(loop.Items, s) {
			fields = append(fields, words...)
		}
	} else {
		for _, args := range s.args() {
			fields = append(fields, args...)
		}
	}
	if len(fields) == 0 {
		return []value{{""}}
	}
	rounds := maxRounds
	if r.loops > 0 {
		rounds = 1
	}
	var values value
	for _, field := range fields {
		if !slices.Contains(values, field) {
			values = append(values, field)
		}
		if len(values) > rounds*maxAlternatives {
			return []value{unknownValue}
		}
	}
	return slices.Collect(slices.Chunk(values, maxAlternatives))
}
