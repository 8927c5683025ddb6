package dialect

import "github.com/weir-gate/weir/internal/call"

// Refused says why a call or the rest of a response cannot be delivered. Its text holds nothing of the upstream's bytes.
type Refused struct {
	Code   string
	Reason string
}

func (r *Refused) Error() string { return r.Code + ": " + r.Reason }

// Malformed is what cannot be read, or not in one way only.
func Malformed(reason string) *Refused { return &Refused{Code: call.CodeMalformed, Reason: reason} }

// Ambiguous is a member on the way to a call that clients would read differently.
func Ambiguous() *Refused {
	return Malformed("a member on the way to a call is given twice or in another case")
}

// Oversize is the fault of a call whose arguments pass the bound.
func Oversize() *Refused {
	return &Refused{Code: call.CodeArgsOversize, Reason: "Its arguments are larger than weir's bound."}
}

// NotObject is the fault of a call whose arguments are not what arguments are.
func NotObject() *Refused {
	return &Refused{Code: call.CodeArgsUnreadable, Reason: "Its arguments are not one strict JSON object."}
}

// CutShort is the fault of a call that never became whole.
func CutShort() *Refused {
	return &Refused{Code: call.CodeCutShort, Reason: "The response ended before the call was complete."}
}
