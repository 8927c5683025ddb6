package condition

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
)

// codeParam is where tools that run code have it. It is not the code of a shell, unless the call says so.
const codeParam = "code"

// languageParams are where such tools name the language.
var languageParams = []string{"language", "lang", "runtime", "kernel", "interpreter"}

// appleTools run scripts that are not the code of a shell.
var appleTools = toolGlobs("*applescript* *osascript* *apple-script* *apple_script*")

// language says in which language a value is written, if it is code. Without a parameter for it, the language is not known.
func (f *Facts) language(v *argument.Value) (name string, isCode bool) {
	member := memberOf(&f.args, v)
	if strings.EqualFold(member, "script") && f.is(appleTools) {
		return "applescript", true
	}
	if !strings.EqualFold(member, codeParam) {
		return "", false
	}
	for i := range f.args.Members {
		m := &f.args.Members[i]
		if slices.ContainsFunc(languageParams, func(param string) bool { return strings.EqualFold(param, m.Name) }) {
			name += " " + m.Value.Text
		}
	}
	return name, true
}
