package gemini

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
)

// Patterns for the names of functions in a message about a failed call.
var (
	// apiName finds functions of the request where the model writes calls as code or in its own notation.
	apiName = regexp.MustCompile(`default_api[.:]([\w\-.:/]+)`)
	// jsonName finds names in JSON.
	jsonName = regexp.MustCompile(`"name"\s*:\s*"([^"]+)"`)
	// calledName finds any other name with arguments.
	calledName = regexp.MustCompile(`([A-Za-z_][\w\-.:/]*)\s*[({]`)
)

// wrapperName is a function that the model puts around a call that it writes as code. It is ignored if there is such a call.
const wrapperName = "print"

// spellings returns the names that a name with possible prefixes could mean.
func spellings(name string) []string {
	list := []string{name}
	for i, c := range name {
		if strings.ContainsRune(".:/", c) && i+1 < len(name) {
			list = append(list, name[i+1:], name[:i])
		}
	}
	return list
}

// maxQuoted is how many names a message may have.
const maxQuoted = 16

// quoted returns the call that a candidate's message quotes; nil: none.
func quoted(reason, message string) *dialect.Slot {
	var names []string
	wrapped := false
	for _, find := range []*regexp.Regexp{apiName, jsonName, calledName} {
		for _, m := range find.FindAllStringSubmatch(message, maxQuoted+1) {
			if wrapped = wrapped || m[1] == wrapperName; m[1] != wrapperName {
				names = append(names, spellings(m[1])...)
			}
		}
	}
	if wrapped && len(names) == 0 {
		names = []string{wrapperName}
	}
	saysSo := reason == "MALFORMED_FUNCTION_CALL" || reason == "UNEXPECTED_TOOL_CALL"
	if len(names) == 0 && (!saysSo || strings.TrimSpace(message) == "") {
		return nil
	}
	s := dialect.NewSlot("", names...)
	s.Args, s.Ran, s.Done, s.Held = []byte(`{"message":`+dialect.Quote(message)+`}`), true, true, len(message)
	if len(names) == 0 || len(names) > maxQuoted {
		s.Names, s.Fault = []string{"functionCall"}, dialect.Malformed("A message quotes it so that its name cannot be told.")
	}
	return s
}
