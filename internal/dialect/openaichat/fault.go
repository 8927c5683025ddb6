package openaichat

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
)

// malformed is why the rest of a response cannot be delivered.
func malformed(reason string) error {
	return &dialect.Refused{Code: call.CodeMalformed, Reason: reason}
}

func ambiguous() error {
	return malformed("a member on the way to a call is given twice or in another case")
}

func goesOn() error { return malformed("the response goes on after its end") }

func oversize() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeArgsOversize, Reason: "Its arguments are larger than weir's bound."}
}

func notObject() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeArgsUnreadable, Reason: "Its arguments are not one strict JSON object."}
}

func cutShort() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeCutShort, Reason: "The response ended before the call was complete."}
}

func nameless() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeMalformed, Reason: "The call has no name that can be read."}
}

// late is the fault of a call that comes after its choice has ended.
func late() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeMalformed, Reason: "The call came after the end of its turn."}
}
