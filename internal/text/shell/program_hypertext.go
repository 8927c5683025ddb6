package shell

import (
	"regexp"
	"strings"
)

// hypertext reads mshta, which runs the code of an address.
func hypertext(r *reader, c invocation) value {
	for _, arg := range c.args {
		if kind, source, ok := strings.Cut(arg, ":"); ok && (strings.EqualFold(kind, "javascript") || strings.EqualFold(kind, "vbscript")) {
			r.codes(value{source}, invocation{name: "node", scope: c.scope})
			r.hypertextText(source, c)
		}
	}
	return unknownValue
}

// hypertextText reads the commands that a script in an address starts.
func (r *reader) hypertextText(source string, c invocation) {
	if !r.search(source) {
		return
	}
	for _, found := range scriptRuns.FindAllStringSubmatch(strings.ReplaceAll(source, `""`, `"`), maxActions) {
		r.text(found[1], newScope(c.scope), pipes{})
	}
}

// scriptRuns match the commands that a script of Windows starts. Visual Basic needs no brackets around them.
var scriptRuns = regexp.MustCompile(`(?i)\.(?:Run|Exec|ShellExecute)[\s(]+["']([^"'\n]+)`)
