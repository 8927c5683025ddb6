package shell

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// editorEscapes match the commands of editors that pass the rest of the line to a shell: :!ls, :r !ls, silent !ls, :term ls.
	editorEscapes = regexp.MustCompile(`(?:(?:^|[^A-Za-z!])|\bre?a?d?)!\s*([^!\s][^\n]*)|(?:^|[:\s|])te(?:rm|rminal)?!?\s+([^\n]*)`)
	// editorRemovals match how the scripts of editors remove files: a path, or a variable of the environment.
	editorRemovals = regexp.MustCompile(`\b(?:delete|vim\.fs\.rm|fs_unlink|fs_rmdir)\(\s*` +
		`(?:(?:vim\.fn\.)?(?:expand|fnamemodify|glob)\(\s*|vim\.fs\.normalize\(\s*)?` +
		`(?:["']([~$/.\w][^"'\n]*)["']|(?:\$|vim\.env\.)(\w+)|(?:vim\.fn|os)\.getenv\(["'](\w+)["']\))`)
	// editorOption matches an option that is followed by a command of the editor.
	editorOption = regexp.MustCompile(`^(?:-[a-zA-Z]*[cS]|--cmd|--eval|-eval|--execute|-e)$`)
)

// editor reads the commands of an editor that pass a text to the shell.
func editor(r *reader, c invocation) value {
	var codes []string
	for i, arg := range c.args {
		if text, ok := strings.CutPrefix(arg, "+"); ok {
			codes = append(codes, text)
		}
		if _, text, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "--") {
			codes = append(codes, text)
		}
		if i > 0 && editorOption.MatchString(c.args[i-1]) {
			codes = append(codes, arg)
			code, _ := r.file(arg)
			codes = append(codes, code...)
		}
	}
	if c.name == "ed" || c.name == "ex" || slices.Contains(c.args, "-es") || slices.Contains(c.args, "-s") {
		codes = append(codes, c.pipes.in...)
	}
	for _, code := range codes {
		if !r.spendBytes(len(code)) {
			break
		}
		for _, found := range editorEscapes.FindAllStringSubmatch(code, -1) {
			r.text(strings.TrimRight(found[1]+found[2], `"'`), newScope(c.scope), pipes{})
		}
		for _, found := range editorRemovals.FindAllStringSubmatch(code, maxActions) {
			path := found[1]
			if name := found[2] + found[3]; name != "" {
				path = "$" + name
			}
			r.text("rm -rf "+path, newScope(c.scope), pipes{})
		}
		r.codes(value{code}, c)
	}
	return unknownValue
}

// pager reads the commands of less and more: +!ls runs ls.
func pager(r *reader, c invocation) value {
	for _, arg := range c.args {
		if text, ok := strings.CutPrefix(arg, "+"); ok {
			if _, code, ok := strings.Cut(text, "!"); ok {
				r.text(code, newScope(c.scope), pipes{})
			}
		}
	}
	if c.pipes.in != nil && len(c.args) == 0 {
		return c.pipes.in
	}
	return unknownValue
}

var (
	// clientEscapes match the commands of database clients and debuggers that pass the rest of the line to a shell.
	clientEscapes = regexp.MustCompile(`(?m)(?:^|[;\s=])(?:\\!\s*|(?:\.shell|\.system|system|shell)\s+|!\s+)(\S[^\n]*)|^!([^\n]*)|` +
		`^(?:pipe|\|)\s[^\n|]*\|\s*([^\n]*)|\\(?:o|out|g|gx|w|write)\s*\|\s*([^\n]*)`)
	// clientPrograms match the programs that COPY and \copy start.
	clientPrograms = regexp.MustCompile(`(?i)\bprogram\s+'((?:[^']|'')*)'`)
)

// client reads the commands of database clients and debuggers that pass a text to the shell.
func client(r *reader, c invocation) value {
	if i := slices.Index(c.args, "--"); i >= 0 && c.name == "lldb" {
		r.run(c.args[i+1:], newScope(c.scope), pipes{})
	}
	r.optionTexts(c.line(), c)
	for _, text := range append(slices.Clone(c.args), c.pipes.in...) {
		if !r.spendBytes(len(text)) {
			break
		}
		for _, found := range clientEscapes.FindAllStringSubmatch(text, -1) {
			r.text(strings.TrimRight(strings.Join(found[1:], ""), "; "), newScope(c.scope), pipes{})
		}
		for _, found := range clientPrograms.FindAllStringSubmatch(text, -1) {
			r.text(strings.ReplaceAll(found[1], "''", "'"), newScope(c.scope), pipes{})
		}
		if c.name == "gdb" || c.name == "lldb" {
			r.codes(value{text}, c)
		}
	}
	return unknownValue
}
