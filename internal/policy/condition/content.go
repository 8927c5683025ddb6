package condition

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
)

// contentParams are where tools that write files have what they write.
var contentParams = strings.Fields(`content contents new_string newString new_str new_source file_text text body edits input patch
	patchText diff code_edit codeEdit new_text newText new_content newContent replacement code_content CodeContent ReplacementChunks`)

// contentCommands are the commands that a file would run which the call writes: those of a script, of code in its language, and of the
// lines of other files. What cannot be parsed is no command: most of a file is none.
func (f *Facts) contentCommands(v *argument.Value) (found []shell.Command) {
	if v == &f.args {
		for i := range f.args.Members {
			if m := &f.args.Members[i]; isParam(contentParams, m.Name) {
				found = shell.Append(found, f.contentCommands(&m.Value))
			}
		}
		return shell.Append(found, f.replacements())
	}
	v.EachText(func(text string) {
		for _, part := range partsOf(text, f.writtenFile()) {
			found = shell.Append(found, readContent(part))
		}
	})
	return shell.WithoutUnread(found)
}

func isParam(params []string, name string) bool {
	return slices.ContainsFunc(params, func(param string) bool { return strings.EqualFold(param, name) })
}

// isContent says that a value is what a tool writes to a file, or all arguments of such a tool.
func (f *Facts) isContent(v *argument.Value) bool {
	if !f.patches() && !isParam([]string{"new_source"}, memberOf(&f.args, v)) {
		return false
	}
	return v == &f.args || isParam(contentParams, memberOf(&f.args, v))
}

// A part is text that is written to a file of a name.
type part struct{ name, text string }

// partsOf are what a text writes to files: a patch names several, any other text goes to the file of the call.
func partsOf(text, name string) (parts []part) {
	files := fileuse.PatchedFiles(text)
	for _, file := range files {
		if strings.TrimSpace(file.Added) != "" {
			parts = append(parts, part{file.Path, file.Added})
		}
	}
	if len(files) == 0 {
		parts = []part{{name, text}}
	}
	return parts
}

// requestShell matches code that runs what a request brings, so that whoever reaches the page has a shell.
var requestShell = regexp.MustCompile(`(?i)(?:\b(?:system|exec|execSync|execFile|spawn|passthru|shell_exec|popen|proc_open|` +
	`pcntl_exec|eval|assert|check_output|getoutput|subprocess\.\w+|create_function|Process\.Start|ProcessBuilder|unsafe|IO\.popen|` +
	`Open3\.\w+)\s*\(|` + "`" + `)` +
	`[^;\n]{0,120}?(?:\$_(?:REQUEST|GET|POST|COOKIE|SERVER|FILES)\s*\[|\brequest\.(?:getParameter|getHeader|args|form|values|data|` +
	`json|GET|POST|query_params|cookies|headers|QueryString|Item)\b|\brequest\s*[\[(]\s*["']|` +
	`\b(?:req|request|ctx|c|q|r)\.(?:query|body|params)\b|` +
	`\bRequest\.(?:QueryString|Form|Params)|\bparams\[|php://input|\br\.(?:FormValue|URL\.Query)\b)`)

// requestVariable matches a variable that is set to what a request of PHP brings, and runsVariable what runs one.
var (
	requestVariable = regexp.MustCompile(`(\$\w{1,32})\s*=\s*(?:base64_decode\()?\s*\$_(?:REQUEST|GET|POST|COOKIE)\s*\[`)
	runsVariable    = regexp.MustCompile(`\b(?:system|exec|passthru|shell_exec|popen|proc_open|eval|assert)\s*\(\s*(\$\w{1,32})\b`)
)

// runsRequest reports code of PHP that runs a variable with what a request brings.
func runsRequest(text string) bool {
	const most = 64
	brought := map[string]bool{}
	for _, found := range requestVariable.FindAllStringSubmatch(text, most) {
		brought[found[1]] = true
	}
	for _, found := range runsVariable.FindAllStringSubmatch(text, most) {
		if brought[found[1]] {
			return true
		}
	}
	return false
}

// listensAsShell is the command that such code amounts to.
const listensAsShell = "nc -l -p 80 -e /bin/sh"

// readContent reads one text that is written to a file.
func readContent(p part) []shell.Command {
	found := shell.Append(readCode(p), shell.Read(lines(meansByText(p)), shell.Start{}))
	if !isProse(p.name) && (requestShell.MatchString(p.text) || runsRequest(p.text)) {
		found = shell.Append(found, shell.Read(listensAsShell, shell.Start{}))
	}
	return found
}

// isProse reports the name of a file with words for people.
func isProse(name string) bool {
	return slices.Contains([]string{".md", ".txt", ".rst", ".adoc"}, strings.ToLower(path.Ext(name)))
}

// readCode finds the commands of a text by the language of its file.
func readCode(p part) []shell.Command {
	name, text := p.name, p.text
	ending := strings.ToLower(path.Ext(name))
	language := contentLanguages[ending]
	switch {
	case follows(name):
		return toldCommands(text)
	case isProse(name):
		return nil // words for people
	case strings.HasPrefix(text, "#!"):
		language = interpreter(text)
	}
	if language != "" {
		return shell.ReadCode(text, language, shell.Start{})
	}
	return shell.Read(embedded(text)+lines(meantBy(p)), shell.Start{})
}

// lines are the commands of a list that a shell parses, each on its own line. They are read together, as flows between them count.
func lines(commands []string) string {
	var out strings.Builder
	for _, command := range commands {
		if isCommandLine(command) {
			out.WriteString(command + "\n")
		}
	}
	return out.String()
}

// interpreter is the program that the first line of a script names.
func interpreter(script string) string {
	first, _, _ := strings.Cut(script, "\n")
	words := strings.Fields(strings.TrimPrefix(first, "#!"))
	for _, word := range words {
		if name := path.Base(word); name != "env" && !strings.HasPrefix(name, "-") {
			return strings.TrimRight(name, "0123456789.")
		}
	}
	return ""
}

// writtenFile is the name of the file that the call writes.
func (f *Facts) writtenFile() string {
	for i := range f.args.Members {
		if m := &f.args.Members[i]; m.Value.Kind == '"' && isParam(strings.Fields(pathNames), m.Name) {
			return strings.ReplaceAll(m.Value.Text, `\`, "/")
		}
	}
	return ""
}

// contentLanguages are the languages of files that are read as code, by their endings.
var contentLanguages = map[string]string{
	".py": "python", ".pth": "python", ".ipynb": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
	".ts": "javascript", ".tsx": "javascript", ".jsx": "javascript", ".mts": "javascript", ".cts": "javascript", ".jsp": "java",
	".java": "java", ".groovy": "java", ".kts": "java", ".phtml": "php", ".php": "php", ".rb": "ruby", ".pl": "perl",
	".go": "go", ".lua": "lua", ".ps1": "powershell", ".sh": "sh", ".bash": "sh", ".zsh": "sh",
}

// embedded returns the lines of a file that may be commands, without what files of builds have around them: names, dashes of lists,
// quotes, the + of a patch. Each line is a command of its own, so that one which does not parse does not hide the others.
func embedded(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "+"))
		isRemoved := strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "- ") // of a patch
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || isRemoved {
			continue
		}
		line = strings.TrimPrefix(line, "- ")
		for _, key := range []string{"RUN ", "CMD ", "ENTRYPOINT ", "run: ", "script: ", "command: ", "@"} {
			line = strings.TrimPrefix(line, key)
		}
		if _, value, ok := strings.Cut(line, `": "`); ok { // a member of JSON
			line = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value[:max(strings.LastIndexByte(value, '"'), 0)])
		} else if _, value, ok := strings.Cut(line, ": "); ok && !strings.Contains(line[:len(line)-len(value)], " |") {
			line = strings.Trim(value, `"'`)
		}
		if isCommandLine(line) {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// isCommandLine reports lines that a shell parses, so that one that it does not parse is left out.
func isCommandLine(line string) bool {
	return !slices.ContainsFunc(shell.Read(line, shell.Start{}), func(c shell.Command) bool { return c.Unread })
}
