package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/code"
)

// ReadCode is Read for code in a language that a text names: by its name, that of an interpreter, or the name of a tool for it. If the
// text names none, the code is read in the languages that are usual. A text in the language of a shell is read as such.
func ReadCode(text, language string, from Start) []Command {
	found := strings.FieldsFunc(strings.ToLower(language), func(r rune) bool { return r < 'a' || r > 'z' })
	return read(len(text), from, func(r *reader) {
		s := r.outermost()
		text = clean(text)
		if rest, magic := cellMagic(text); magic != "" {
			text, found = rest, []string{magic}
		}
		text = lineMagics.ReplaceAllString(text, "$1!")
		for _, name := range found {
			switch {
			case slices.Contains([]string{"sh", "bash", "zsh", "shell", "shellscript", "terminal"}, name):
				r.text(text, s, pipes{})
				return
			case slices.Contains([]string{"powershell", "pwsh"}, name):
				r.powerText(text, s, pipes{})
				return
			case slices.Contains(dataLanguages, name):
				return
			}
			if l := languageNamed(name); l != nil && r.search(text) {
				r.acts(code.Read(text, l), s)
				return
			}
		}
		for _, l := range []*code.Language{code.Python, code.JavaScript} {
			if r.search(text) {
				r.acts(code.Read(text, l), s)
			}
		}
	})
}

// lineMagics match the words of a notebook that run the rest of their line, as ! does.
var lineMagics = regexp.MustCompile(`(?m)^([ \t]*)(?:%sx|%system|%%sx|%%system|!!)[ \t]*`)

// cellMagic returns the code of a cell of a notebook whose first line says another language, and that language.
func cellMagic(text string) (rest, language string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	words := strings.Fields(first)
	if len(words) == 0 || !strings.HasPrefix(words[0], "%%") {
		return "", ""
	}
	language = strings.ToLower(words[0][2:])
	switch language {
	case "script", "magic":
		if len(words) > 1 {
			language = strings.ToLower(words[1])
		}
	case "!", "sx", "system", "cmd", "shell":
		language = "sh"
	case "capture", "time", "timeit", "prun", "writefile", "file", "latex", "html", "markdown":
		return "", ""
	}
	return rest, language
}

// dataLanguages run no commands.
var dataLanguages = strings.Fields("sql html css json yaml toml xml markdown text plaintext")

// languageNamed returns the language that a word means.
func languageNamed(word string) *code.Language {
	switch word {
	case "js", "ts", "javascript", "typescript", "codemode", "browser", "playwright", "puppeteer":
		return code.JavaScript
	case "py", "jupyter", "notebook", "cell", "ipykernel":
		return code.Python
	case "applescript":
		return code.AppleScript
	case "rb", "activerecord":
		return code.Ruby
	case "tidewave", "phoenix", "livebook", "iex", "nrepl":
		return code.Any
	case "laravel", "tinker", "artisan":
		return code.PHP
	}
	if len(word) < 2 {
		return nil
	}
	return languages[word]
}
