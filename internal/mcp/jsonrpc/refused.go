package jsonrpc

import (
	"errors"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A Refused is a message that cannot be passed on, as an error. It says what its sender, or who waits for it, is to be told.
type Refused struct {
	Code   Code   // for an error response
	Reason string // one line, without a byte of the message
	// Kind and ID are the message's, as far as they can be told; else Unknown and zero. A Request that has an ID can be
	// answered; who asked what a Response answers waits in vain if it is not told.
	Kind Kind
	ID   ID
	// Batch is shared by what came in one array; nil: the message came by itself, or is itself an array.
	Batch *Batch

	cause error
	// foreign says that the text has nothing of a message: it is the line of a log, perhaps.
	foreign bool
}

// Error returns the reason.
func (r *Refused) Error() string { return "message refused: " + r.Reason }

// Unwrap returns the cause, so that one can ask for the errors of package strictjson.
func (r *Refused) Unwrap() error { return r.cause }

// refuse returns why the text raw, that of one object, cannot be passed on.
func refuse(raw []byte, cause error) *Refused {
	var seen outline
	seen.write(raw)
	return seen.refuse(cause)
}

// refuse returns why the text that was seen cannot be passed on.
func (o *outline) refuse(cause error) *Refused {
	r := &Refused{
		Code: CodeInvalidRequest, Reason: cause.Error(), Kind: o.kind(), ID: o.id, cause: cause, foreign: !o.speaks(),
	}
	switch {
	case errors.Is(cause, strictjson.ErrSyntax):
		r.Code, r.Reason = CodeParse, "it is not strict JSON: "+cause.Error()
	case errors.Is(cause, strictjson.ErrBounds):
		r.Reason = "it is too large to be read: " + cause.Error()
	}
	return r
}
