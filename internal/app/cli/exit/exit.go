// Package exit defines weir's exit codes.
package exit

import "errors"

// The exit codes.
const (
	Failed = 1   // the command did its work and the result is negative, or something failed
	Usage  = 2   // the command line, a policy or a configuration is wrong; nothing was started
	Pipe   = 141 // whoever read the output has stopped; what a shell says of a program that SIGPIPE ended
)

// A failure carries the exit code of an error.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }

func (f failure) Unwrap() error { return f.err }

// With gives an error its exit code.
func With(code int, err error) error { return failure{code, err} }

// Code returns the exit code of an error.
func Code(err error) int {
	if f, ok := errors.AsType[failure](err); ok {
		return f.code
	}
	return Failed
}

// WrongInput marks an error as caused by the user's input.
func WrongInput(err error) error {
	if err == nil {
		return nil
	}
	return With(Usage, err)
}

// ErrSilent ends a command without an error message: its output has already said everything.
var ErrSilent = errors.New("")
