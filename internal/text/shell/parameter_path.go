package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// pathVariables are variables whose values begin with a slash on every system that has them.
var pathVariables = wordSet("HOME PWD OLDPWD PATH SHELL BASH TMPDIR MANPATH XDG_RUNTIME_DIR")

// firstSlash returns the slash if an expansion such as ${HOME:0:1} takes only the first character of a path.
func (r *reader) firstSlash(slice *syntax.Slice, texts value, s *scope) value {
	offset, ok1 := r.integer(slice.Offset, s)
	length, ok2 := r.integer(slice.Length, s)
	if ok1 && ok2 && offset == 0 && length == 1 {
		return value{"/"}
	}
	return texts
}

// transformed applies an operator such as ${x@U}.
func transformed(texts value, op string) value {
	switch op {
	case "P":
		return mapKnown(texts, func(t string) string {
			if strings.ContainsAny(t, "$`\\!") {
				return anyWords
			}
			return t
		})
	case "E":
		return mapKnown(texts, unescapeANSI)
	case "U":
		return mapKnown(texts, strings.ToUpper)
	case "L":
		return mapKnown(texts, strings.ToLower)
	}
	return unknownValue
}

// above returns the folder above another, as in ${PWD%/*}.
func above(texts value, op syntax.ParExpOperator, pattern string) (value, bool) {
	steps := strings.Count(pattern, "/*")
	folders := steps > 0 && len(pattern) <= maxClassPattern && pattern == strings.Repeat("/*", steps)
	if len(texts) != 1 || op != syntax.RemSmallSuffix || !folders {
		return nil, false
	}
	switch texts[0] {
	case hereWord, hereWords, homeWord, homeWords:
		return value{quoteHoles.Replace(texts[0]) + strings.Repeat("/..", steps)}, true
	}
	return nil, false
}

// firstCut reports a pattern that leaves only the first character of a path, as in ${PATH%%u*}.
func firstCut(op syntax.ParExpOperator, pattern string) bool {
	letter := len(pattern) == 2 && pattern[1] == '*' && pattern[0] != '/'
	return op == syntax.RemLargeSuffix && (letter || pattern == "[!/]*" || pattern == "[^/]*")
}
