package shell

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// These bound the patterns with character classes, and the texts that they are compared with.
const (
	maxClassPattern = 64
	maxClassText    = 512
)

// classMatcher compiles the pattern of an expansion that has ? or a class of characters, such as ${x//[0-9]/}. Other patterns are
// compared without it.
func classMatcher(word *syntax.Word) (*regexp.Regexp, bool) {
	if word == nil {
		return nil, false
	}
	text := word.Lit()
	if !strings.ContainsAny(text, "?[") || len(text) > maxClassPattern || strings.ContainsAny(text[:1], "#%") {
		return nil, false
	}
	expression, err := pattern.Regexp(text, 0)
	if err != nil {
		return nil, false
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return nil, false
	}
	compiled.Longest()
	return compiled, true
}

// removeMatch removes what a pattern matches at one end.
func (r *reader) removeMatch(text string, matcher *regexp.Regexp, op syntax.ParExpOperator) string {
	if len(text) > maxClassText || !r.spendBytes(len(text)*len(text)) {
		return anyWords
	}
	whole := func(part string) bool {
		at := matcher.FindStringIndex(part)
		return at != nil && at[0] == 0 && at[1] == len(part)
	}
	small := op == syntax.RemSmallPrefix || op == syntax.RemSmallSuffix
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	for i := range len(text) + 1 {
		length := i
		if !small {
			length = len(text) - i
		}
		if prefix && whole(text[:length]) {
			return text[length:]
		}
		if !prefix && whole(text[len(text)-length:]) {
			return text[:len(text)-length]
		}
	}
	return text
}

// replaceMatch replaces what a pattern matches, once or everywhere.
func (r *reader) replaceMatch(text string, matcher *regexp.Regexp, with string, all bool) string {
	if len(text) > maxClassText || !r.spendBytes(len(text)*(1+len(with))) {
		return anyWords
	}
	done := false
	return matcher.ReplaceAllStringFunc(text, func(found string) string {
		if found == "" || done && !all {
			return found
		}
		done = true
		return with
	})
}
