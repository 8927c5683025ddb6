package shell

import (
	"regexp"
	"strings"
)

var (
	// toolStarters match the words of Tcl and expect that run the rest of their line.
	toolStarters = regexp.MustCompile(`(?m)(?:^|[;\[{\s])(?:spawn|exec|system|open)[ \t]+((?:-[a-zA-Z]+[ \t]+)*)([^;\n\]]*)`)
	toolQuotes   = strings.NewReplacer("{", "'", "}", "'")
)

// toolCommand reads Tcl and expect: code in an option, in a file or in the input.
func toolCommand(r *reader, c invocation) value {
	var codes value
	for i, arg := range c.args {
		if text, ok := optionValue("-c", c.args[i:]); ok {
			codes = append(codes, text)
		}
		if code, ok := r.file(arg); ok {
			codes = append(codes, code...)
		}
	}
	if c.pipes.in != nil {
		codes = append(codes, c.pipes.in...)
		if len(c.args) == 0 && hasHole(strings.Join(c.pipes.in, "")) {
			r.noteUnknown()
		}
	}
	for _, code := range codes {
		if !r.spendBytes(len(code)) {
			break
		}
		for _, found := range toolStarters.FindAllStringSubmatch(code, -1) {
			r.text(toolQuotes.Replace(strings.TrimPrefix(found[2], "|")), newScope(c.scope), pipes{})
		}
		r.codes(value{code}, c)
	}
	return unknownValue
}
