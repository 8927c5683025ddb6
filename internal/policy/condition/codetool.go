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
	if name == "" {
		name = f.framework()
	}
	return name, true
}

// frameworks are the words in names of tools and servers that say in which language code is.
var frameworks = strings.Fields(`rails ruby irb activerecord elixir tidewave phoenix livebook iex laravel tinker artisan php perl
	lua nrepl clojure`)

// framework is the language that the name of the tool or its server says; "": none.
func (f *Facts) framework() string {
	words := strings.FieldsFunc(strings.ToLower(f.As.Tool+" "+f.As.Server), func(r rune) bool { return r < 'a' || r > 'z' })
	for _, word := range words {
		if slices.Contains(frameworks, word) {
			return word
		}
	}
	return ""
}
