package fileuse

import (
	"regexp"
	"slices"
	"strings"
)

// streamEditor reads sed. Its script is no file but may name some, and -i changes the files.
func streamEditor(l line) {
	args := l.read()
	l.optionFiles(args)
	scripts, skip, deed := args.Values("e"), 0, Reads
	given := sure(args, "e", "f")
	if l.may(args, "i") {
		deed = Writes
		// Some systems need a word after -i, mostly an empty one.
		if words := texts(args, 0); len(words) > 0 && words[0] == "" && (given || len(words) > 2) {
			skip++
		}
	}
	if !given {
		scripts = append(scripts, args.Operand(skip)...)
		if !l.may(args, "e", "f") {
			skip++
		}
	}
	l.sedScript(strings.Join(scripts, "\n"))
	l.each(deed, texts(args, skip), false)
	if deed == Writes && len(scripts) == 1 && deletesAll.MatchString(scripts[0]) {
		l.each(Removes, texts(args, skip), false)
	}
	for _, suffix := range args.Values("i") {
		for _, file := range texts(args, skip) {
			l.use(Writes, backup(file, suffix))
		}
	}
}

// backup returns the name of the copy of a file that sed makes before it changes the file.
func backup(file, suffix string) string {
	folder, name := file[:strings.LastIndexByte(file, '/')+1], file[strings.LastIndexByte(file, '/')+1:]
	if !strings.Contains(suffix, "*") {
		suffix = "*" + suffix
	}
	if suffix = strings.ReplaceAll(suffix, "*", name); strings.Contains(suffix, "/") {
		return suffix
	}
	return folder + suffix
}

// sedScript notes the files that the commands r and w, and the flag w, of a script name.
func (f *finder) sedScript(script string) {
	for {
		script = strings.TrimLeft(script, " \t\n;{}0123456789,$!~+")
		if script == "" {
			return
		}
		switch script[0] {
		case '/':
			script = afterSigns(script[1:], '/', 1)
		case '\\':
			script = afterSigns(script[min(2, len(script)):], script[min(1, len(script)-1)], 1)
		case 's', 'y':
			if len(script) < 2 {
				return
			}
			rest := strings.TrimLeft(afterSigns(script[2:], script[1], 2), "gpiImMe0123456789")
			if script[0] == 's' && strings.HasPrefix(rest, "w") {
				rest = f.sedFile(Writes, rest)
			}
			script = rest
		case 'r', 'R':
			script = f.sedFile(Reads, script)
		case 'w', 'W':
			script = f.sedFile(Writes, script)
		case 'a', 'i', 'c', ':', 'b', 't', 'T', '#', 'e':
			_, script, _ = strings.Cut(script, "\n")
		default:
			script = script[1:]
		}
	}
}

// sedFile notes the file after a command letter, up to the end of the line, and returns what follows.
func (f *finder) sedFile(deed Deed, script string) (rest string) {
	file, rest, _ := strings.Cut(script[1:], "\n")
	f.use(deed, strings.TrimSpace(file))
	return rest
}

// afterSigns returns the text after the n-th sign that is not escaped by a backslash.
func afterSigns(s string, sign byte, n int) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case sign:
			if n--; n == 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}

// awkFiles match the files that code of awk writes or reads.
var awkFiles = regexp.MustCompile(`(>>?|<)\s*"((?:[^"\\]|\\.)*)"`)

// patternScanner reads awk. Its code names files after redirection signs.
func patternScanner(l line) {
	args := l.read()
	l.planned(args)
	if slices.Contains(args.Values("i"), "inplace") {
		l.each(Writes, texts(args, 1), false)
	}
	code := args.Values("e")
	if !sure(args, "f", "E", "e") {
		code = append(code, args.Operand(0)...)
	}
	for _, text := range code {
		for _, found := range awkFiles.FindAllStringSubmatch(text, -1) {
			deed := Writes
			if found[1] == "<" {
				deed = Reads
			}
			l.use(deed, found[2])
		}
	}
}
