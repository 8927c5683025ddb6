package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts reads consecutive statements and returns their output.
func (r *reader) stmts(list []*syntax.Stmt, s *scope, p pipes) value {
	out := value{""}
	for _, stmt := range list {
		if r.spent {
			return unknownValue
		}
		written := r.stmt(stmt, s, p)
		if p.want {
			out = r.concat(out, written)
		}
	}
	return out
}

// concat returns the possible texts of a followed by b.
func (r *reader) concat(a, b value) value {
	if len(a)*len(b) > maxAlternatives {
		return unknownValue
	}
	var out value
	for _, x := range a {
		for _, y := range b {
			if !r.spendBytes(len(x) + len(y)) {
				return unknownValue
			}
			out = append(out, x+y)
		}
	}
	return out
}

// stmt reads one statement with its redirections.
func (r *reader) stmt(stmt *syntax.Stmt, s *scope, p pipes) value {
	if stmt == nil || !r.spend(1) {
		return unknownValue
	}
	targets := r.redirections(stmt.Redirs, s, &p)
	outer := r.inputs
	_, simple := stmt.Cmd.(*syntax.CallExpr)
	r.inherit(simple)
	before := len(r.noted)
	out := r.command(stmt.Cmd, s, p)
	r.inputs = outer
	if len(r.coprocesses) > 0 {
		r.feedCoprocesses(stmt.Redirs, slices.Clip(r.noted[before:]), out)
	}
	if len(r.redirects) > 0 {
		// No command ran to take them, but the shell opens the files anyway.
		r.noteIn([]string{":"}, s, pipes{from: p.from})
	}
	for _, target := range targets {
		r.write(target, out)
		out = value{""}
	}
	return out
}

// inherit notes the connections of a command, and the files that a simple one reads as its input: what it runs has them as well.
func (r *reader) inherit(simple bool) {
	var inputs []Redirect
	for _, redirect := range r.redirects {
		if simple && redirect.Reads && !redirect.Writes || isConnection(redirect.File.Text) {
			inputs = append(inputs, redirect)
		}
	}
	if inputs != nil {
		r.inputs = inputs
	}
}

// isConnection reports a name by which a shell opens a connection.
func isConnection(name string) bool {
	return strings.HasPrefix(name, "/dev/tcp/") || strings.HasPrefix(name, "/dev/udp/")
}

func (r *reader) command(cmd syntax.Command, s *scope, p pipes) value {
	switch cmd := cmd.(type) {
	case nil:
		return value{""}
	case *syntax.CallExpr:
		return r.simple(cmd, s, p)
	case *syntax.Block:
		return r.stmts(cmd.Stmts, s, p)
	case *syntax.Subshell:
		return r.stmts(cmd.Stmts, newScope(s), p)
	case *syntax.BinaryCmd:
		return r.binary(cmd, s, p)
	case *syntax.IfClause:
		return r.choice(cmd, s, p)
	case *syntax.WhileClause:
		r.loop(s, func(s *scope) {
			r.stmts(cmd.Cond, s, pipes{in: p.in, from: p.from, made: p.made})
			r.stmts(cmd.Do, s, pipes{in: p.in, from: p.from, made: p.made})
		})
		return unknownValue
	case *syntax.ForClause:
		return r.forLoop(cmd, s, p)
	case *syntax.CaseClause:
		return r.cases(cmd, s, p)
	case *syntax.FuncDecl:
		r.define(cmd)
	case *syntax.TestDecl:
		return r.stmt(cmd.Body, s, p)
	case *syntax.ArithmCmd:
		r.arithmetic(cmd.X, cmd.Left, cmd.Right, s)
	case *syntax.LetClause:
		for _, expr := range cmd.Exprs {
			r.arithmetic(expr, cmd.Let, expr.End(), s)
		}
	case *syntax.TestClause:
		r.nested(cmd.X, cmd.Left, cmd.Right, s)
	case *syntax.DeclClause:
		r.declare(cmd, s)
	case *syntax.TimeClause:
		r.note([]string{"time"})
		return r.stmt(cmd.Stmt, s, p)
	case *syntax.CoprocClause:
		r.coprocessOf(cmd, s)
		return value{""}
	default:
		r.noteUnknown()
		return unknownValue
	}
	return value{""}
}

// coprocessOf reads a coprocess, and remembers its commands by the name of the array that has its open files.
func (r *reader) coprocessOf(cmd *syntax.CoprocClause, s *scope) {
	name := "COPROC"
	if cmd.Name != nil {
		name = cmd.Name.Lit()
	}
	made := r.within(func() { r.stmt(cmd.Stmt, slippedScope(s), pipes{in: unknownValue}) })
	if r.coprocesses == nil {
		r.coprocesses = map[string]coprocess{}
	}
	r.coprocesses[name] = coprocess{made, cmd.Stmt, s}
}

// A coprocess runs beside the rest of the text, and reads what that writes to it.
type coprocess struct {
	made  []int // its commands
	stmt  *syntax.Stmt
	scope *scope
}

// A link is a statement and the operator before it.
type link struct {
	op   syntax.BinCmdOperator
	stmt *syntax.Stmt
}

// chain flattens the left side of a list, which may be a million long, into its links.
func chain(cmd *syntax.BinaryCmd, pipe bool) (first *syntax.Stmt, rest []link) {
	isPipe := func(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }
	for {
		rest = append(rest, link{cmd.Op, cmd.Y})
		left, ok := cmd.X.Cmd.(*syntax.BinaryCmd)
		if !ok || isPipe(left.Op) != pipe || len(cmd.X.Redirs) > 0 {
			break
		}
		cmd = left
	}
	for i, j := 0, len(rest)-1; i < j; i, j = i+1, j-1 {
		rest[i], rest[j] = rest[j], rest[i]
	}
	return cmd.X, rest
}

func (r *reader) binary(cmd *syntax.BinaryCmd, s *scope, p pipes) value {
	if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
		return r.pipeline(cmd, s, p)
	}
	first, rest := chain(cmd, false)
	out := r.stmt(first, s, p)
	// A statement after && has run only if all before it did; a statement after || may see the state after any of them.
	current, states := newScope(s), newScope(s)
	for _, l := range rest {
		if r.spent {
			return unknownValue
		}
		if l.op == syntax.OrStmt {
			current = newScope(states)
		}
		written := r.stmt(l.stmt, current, p)
		if !r.spend(len(current.vars) + 1) {
			return unknownValue
		}
		states.mayBe(current)
		if p.want {
			out = union(out, r.concat(out, written))
		}
	}
	s.did(states)
	return out
}

// pipeline reads statements in which each reads the output of the one before. Each runs in its own shell, but some shells run the
// last one in theirs.
func (r *reader) pipeline(cmd *syntax.BinaryCmd, s *scope, p pipes) value {
	first, rest := chain(cmd, true)
	before := len(r.noted)
	flow := r.stmt(first, newScope(s), pipes{in: p.in, from: p.from, made: p.made, want: true})
	for i, l := range rest {
		if r.spent {
			return unknownValue
		}
		inner := newScope(s)
		last := i == len(rest)-1
		from := slices.Clip(r.noted[before:])
		before = len(r.noted)
		flow = r.stmt(l.stmt, inner, pipes{in: flow, from: from, want: !last || p.want})
		if last {
			s.mayBe(inner)
		}
	}
	return flow
}

func (r *reader) choice(clause *syntax.IfClause, s *scope, p pipes) value {
	out := value{""}
	tests := newScope(s)
	var ends, ran []*scope
	complete := false       // one of the branches runs
	const maxChanging = 128 // conditions that set variables: each is another scope to search
	changing := 0
	for ; clause != nil && !r.spent; clause = clause.Else {
		complete = !clause.ThenPos.IsValid()
		// Each condition runs before those that follow it.
		if len(tests.vars) > 0 {
			tests = newScope(tests)
			changing++
		}
		if changing > maxChanging {
			r.giveUp(TooLong)
		}
		r.stmts(clause.Cond, tests, pipes{in: p.in, from: p.from, made: p.made})
		branch := newScope(tests)
		out = union(out, r.stmts(clause.Then, branch, p))
		ends = append(ends, branch)
		ran = append(ran, tests, branch)
	}
	if !complete {
		ends = append(ends, tests)
	}
	for _, part := range ran {
		for name := range part.vars {
			v, _ := ends[0].get(name)
			for _, end := range ends[1:] {
				if !r.spend(1) {
					return unknownValue
				}
				w, _ := end.get(name)
				v = v.join(w)
			}
			s.set(name, v)
		}
	}
	return out
}

func (r *reader) cases(clause *syntax.CaseClause, s *scope, p pipes) value {
	out := value{""}
	r.single(clause.Word, s)
	after := newScope(s)
	for _, item := range clause.Items {
		for _, pattern := range item.Patterns {
			r.single(pattern, s)
		}
		branch := newScope(after)
		out = union(out, r.stmts(item.Stmts, branch, p))
		after.mayBe(branch)
	}
	s.did(after)
	return out
}

// define notes a function. Calls read its body with their arguments.
func (r *reader) define(decl *syntax.FuncDecl) {
	const maxBodies = 4
	names := decl.Names
	if decl.Name != nil {
		names = append(names, decl.Name)
	}
	if len(names) == 0 {
		r.noteUnknown()
	}
	for _, name := range names {
		f := r.functions[name.Value]
		if f == nil {
			f = &function{}
			r.functions[name.Value] = f
		}
		for _, body := range f.bodies {
			if body == decl.Body {
				return
			}
		}
		if len(f.bodies) == maxBodies {
			r.noteUnknown()
			return
		}
		f.bodies = append(f.bodies, decl.Body)
		if multiplies(name.Value, decl.Body) {
			r.noteIn([]string{forkBomb, name.Value}, r.outermost(), pipes{})
		}
	}
}

// forkBomb is the command that stands for a function that starts itself without end.
const forkBomb = "fork-bomb"

// multiplies reports a function that starts itself on both sides of a pipe, so that there are ever more of it.
func multiplies(name string, body *syntax.Stmt) (found bool) {
	calls := func(s *syntax.Stmt) bool {
		call, ok := s.Cmd.(*syntax.CallExpr)
		return ok && len(call.Args) > 0 && call.Args[0].Lit() == name
	}
	syntax.Walk(body, func(node syntax.Node) bool {
		if pipe, ok := node.(*syntax.BinaryCmd); ok && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
			found = found || calls(pipe.X) && calls(pipe.Y)
		}
		return !found
	})
	return found
}
