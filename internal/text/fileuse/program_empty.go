package fileuse

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
)

// A file that is emptied, or filled with noise, has lost its contents as one that is removed has.

// silent reports a command that outputs nothing, or only noise, so that a redirection of its output empties the file.
func silent(c shell.Command) bool {
	last := c.Words[len(c.Words)-1].Text
	switch c.Words[0].Text {
	case ":", "true":
		return len(c.Words) == 1
	case "echo":
		return len(c.Words) == 2 && last == "-n"
	case "printf":
		return len(c.Words) == 2 && last == "" && c.Words[1].Known
	case "cat", "head":
		return isNoise(last)
	case "dd":
		return slices.ContainsFunc(c.Words, func(w shell.Word) bool { return isNoise(strings.TrimPrefix(w.Text, "if=")) })
	}
	return false
}

// copied reads tee, which writes its input to files.
func copied(l line) {
	args := l.read()
	l.each(Writes, texts(args, 0), false)
	if l.noise && !l.may(args, "a") {
		l.each(Removes, texts(args, 0), false)
	}
}

// isNoise reports a device that has nothing, zeros, or random bytes.
func isNoise(path string) bool {
	switch path {
	case "/dev/null", "/dev/zero", "/dev/urandom", "/dev/random":
		return true
	}
	return false
}

// cutOff reads truncate.
func cutOff(l line) {
	args := l.read()
	l.each(Writes, texts(args, 0), false)
	for _, size := range args.Values("s") {
		if strings.Trim(size, "0") == "" {
			l.each(Removes, texts(args, 0), false)
		}
	}
}

// allocated reads fallocate, which writes zeros over parts of a file, or takes them out of it.
func allocated(l line) {
	args := l.read()
	l.each(Writes, texts(args, 0), false)
	if l.may(args, "p", "z", "c") {
		l.each(Removes, texts(args, 0), false)
	}
}

// deletesAll matches a script of sed that deletes every line.
var deletesAll = regexp.MustCompile(`^\s*(?:1,\$|/(?:\.\*?|\^)?/)?\s*d\s*;?\s*$`)
