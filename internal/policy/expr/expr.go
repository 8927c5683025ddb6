// Package expr evaluates conditions on a call that are written in CEL, the Common Expression Language.
package expr

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
)

// An Expression is a compiled expression. It is safe for concurrent use.
type Expression struct {
	program cel.Program
	reads   reads
}

// Input has the values that an expression can name.
type Input struct {
	Tool    string            // tool
	Server  string            // server: the MCP server's id, or ""
	Args    any               // args: the arguments, as maps, slices, strings, bools, int64, float64 and nil
	Actor   map[string]string // actor: org, team, employee, key, session
	Session string            // session
}

// These are the bounds of an expression.
const (
	maxLength = 10_000    // characters of its text
	maxDepth  = 50        // nesting
	maxCost   = 1_000_000 // the cost of one evaluation in CEL's units: about one for each step and each value
)

// environment has the names for expressions. It is created when the first is compiled.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable("tool", cel.StringType),
		cel.Variable("server", cel.StringType),
		cel.Variable("args", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("actor", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("session", cel.StringType),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(maxLength),
		cel.ParserRecursionLimit(maxDepth),
		cel.ASTValidators(cel.ValidateRegexLiterals(), cel.ValidateDurationLiterals(), cel.ValidateTimestampLiterals()),
	)
})

// Compile compiles an expression and checks its types. Its result must be true or false.
func Compile(source string) (*Expression, error) {
	env, err := environment()
	if err != nil {
		return nil, fmt.Errorf("set up CEL: %w", err)
	}
	ast, issues := env.Compile(source)
	if err := issues.Err(); err != nil {
		return nil, errors.New(firstProblem(err.Error()))
	}
	if ast.OutputType() != cel.BoolType {
		return nil, fmt.Errorf("it is of type %s, not true or false", ast.OutputType())
	}
	program, err := env.Program(ast, cel.CostLimit(maxCost), cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return &Expression{program: program, reads: readsOf(ast.NativeRep().Expr())}, nil
}

// firstProblem is the first line of CEL's errors, without the file name, because there is no file.
func firstProblem(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text = strings.TrimPrefix(text, "ERROR: ")
	if place, rest, ok := strings.Cut(strings.TrimPrefix(text, "<input>:"), ": "); ok && strings.HasPrefix(text, "<input>:") {
		return "at " + place + ": " + rest
	}
	return text
}

// Eval evaluates the expression. It fails if the expression does: for a missing member, for types that do not fit, or if it exceeds
// its bound.
func (e *Expression) Eval(in Input) (bool, error) {
	got, _, err := e.program.Eval(map[string]any{
		"tool": in.Tool, "server": in.Server, "args": in.Args, "actor": in.Actor, "session": in.Session,
	})
	if err != nil {
		return false, fmt.Errorf("evaluate: %w", err)
	}
	held, ok := got.Value().(bool)
	if !ok {
		return false, errors.New("evaluate: the expression is not true or false")
	}
	return held, nil
}
