package dialect

import "github.com/weir-gate/weir/internal/call"

// Refused says why a call or the rest of a response cannot be delivered. Its text has no bytes of the upstream.
type Refused struct {
	Code   string
	Reason string
}

func (r *Refused) Error() string { return r.Code + ": " + r.Reason }

// Malformed is the refusal of a response that cannot be read, or can be read in more than one way.
func Malformed(reason string) *Refused { return &Refused{Code: call.CodeMalformed, Reason: reason} }

// Ambiguous is the refusal of a response in which a member on the path to a call could be read differently by clients.
func Ambiguous() *Refused {
	return Malformed("a member on the way to a call is given twice or in another case")
}

// Oversize is the fault of a call whose arguments are larger than the bound.
func Oversize() *Refused {
	return &Refused{Code: call.CodeArgsOversize, Reason: "Its arguments are larger than weir's bound."}
}

// NotObject is the fault of a call whose arguments are not one strict JSON object.
func NotObject() *Refused {
	return &Refused{Code: call.CodeArgsUnreadable, Reason: "Its arguments are not one strict JSON object."}
}

// CutShort is the fault of a call that was never completed.
func CutShort() *Refused {
	return &Refused{Code: call.CodeCutShort, Reason: "The response ended before the call was complete."}
}
