package jsonrpc

import (
	"errors"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A Refused is the error for a message that cannot be passed on. It has what its sender, or whoever waits for it, must be told.
type Refused struct {
	Code   Code   // for an error response
	Reason string // one line, without a byte of the message
	// Kind and ID are those of the message, as far as they are known; else Unknown and zero. A Request with an ID can get a response.
	// The side that waits for a Response must be told that it will not come.
	Kind Kind
	ID   ID
	// Batch is shared by the messages of one array; nil: the message was not in an array, or is itself an array.
	Batch *Batch

	cause error
	// foreign says that the text has no member of a message: it may be a line of a log.
	foreign bool
}

// Error returns the reason.
func (r *Refused) Error() string { return "message refused: " + r.Reason }

// Unwrap returns the cause, so that errors.Is finds the errors of package strictjson.
func (r *Refused) Unwrap() error { return r.cause }

// refuse returns why raw, the text of one object, cannot be passed on.
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
