package openaichat

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
)

func goesOn() error { return dialect.Malformed("the response goes on after its end") }

func nameless() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeMalformed, Reason: "The call has no name that can be read."}
}

// late is the fault of a call that comes after its choice has ended.
func late() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeMalformed, Reason: "The call came after the end of its turn."}
}
