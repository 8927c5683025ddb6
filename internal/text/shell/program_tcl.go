package shell

import (
	"regexp"
	"strings"
)

var (
	// toolStarters match the words of Tcl and expect that run the rest of their line.
	toolStarters = regexp.MustCompile(`(?m)(?:^|[;\[{\s])(?:spawn|exec|system|open)[ \t]+((?:-[a-zA-Z]+[ \t]+)*)([^;\n\]]*)`)
	// toolRemovals match how Tcl removes files, and toolSockets how it connects.
	toolRemovals = regexp.MustCompile(`\bfile[ \t]+delete[ \t]+(?:-force[ \t]+)?(?:--[ \t]+)?([^;\n\]]*)`)
	toolSockets  = regexp.MustCompile(`\bsocket[ \t]+(?:-async[ \t]+)?([\w.-]+)[ \t]+(\d+)`)
	// toolVariables match how it names variables of the environment.
	toolVariables = regexp.MustCompile(`\$(?:::)?env\((\w+)\)`)
	toolQuotes    = strings.NewReplacer("{", "'", "}", "'")
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
		code = toolVariables.ReplaceAllString(code, "$$${1}")
		for _, found := range toolStarters.FindAllStringSubmatch(code, -1) {
			r.text(toolQuotes.Replace(strings.TrimPrefix(found[2], "|")), newScope(c.scope), pipes{})
		}
		for _, found := range toolRemovals.FindAllStringSubmatch(code, maxActions) {
			r.text("rm -rf -- "+toolQuotes.Replace(found[1]), newScope(c.scope), pipes{})
		}
		for _, found := range toolSockets.FindAllStringSubmatch(code, maxActions) {
			words := []string{"nc", found[1], found[2]}
			if strings.Contains(code, "exec") || strings.Contains(code, "eval") {
				words = append(words[:1:1], "-e", "/bin/sh", found[1], found[2])
			}
			r.run(words, newScope(c.scope), pipes{})
		}
		r.codes(value{code}, c)
	}
	return unknownValue
}
