package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxBraces     = 64  // braces in one word
	maxBraceWords = 256 // words that one word becomes
)

// braces returns the words that a word with braces becomes. Beyond the bounds it is one unknown word.
func (r *reader) braces(word *syntax.Word) []*syntax.Word {
	open := 0
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			open += strings.Count(lit.Value, "{")
		}
	}
	if open == 0 {
		return []*syntax.Word{word}
	}
	if open > maxBraces {
		return []*syntax.Word{unknownWord()}
	}
	// The tree is used again, so it must not change.
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), word.Parts...)}
	if !syntax.SplitBraces(split) {
		return []*syntax.Word{word}
	}
	out, ok := r.braceWords(split.Parts)
	if !ok {
		return []*syntax.Word{unknownWord()}
	}
	words := make([]*syntax.Word, 0, len(out))
	for _, parts := range out {
		if !isBlank(parts) {
			words = append(words, &syntax.Word{Parts: parts})
		}
	}
	return words
}

// isBlank reports the parts of a word that is left out, as the last one of {sh,}: it has neither text nor quotes.
func isBlank(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if lit, ok := part.(*syntax.Lit); !ok || lit.Value != "" {
			return false
		}
	}
	return true
}

// unknownWord is a word that expands to anything.
func unknownWord() *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "_"}}}}
}

// braceWords returns the parts of each word that parts with braces become, unless there are too many.
func (r *reader) braceWords(parts []syntax.WordPart) ([][]syntax.WordPart, bool) {
	out := [][]syntax.WordPart{nil}
	for _, part := range parts {
		options := [][]syntax.WordPart{{part}}
		if brace, ok := part.(*syntax.BraceExp); ok {
			if options, ok = r.braceOptions(brace); !ok {
				return nil, false
			}
		}
		if len(out)*len(options) > maxBraceWords || !r.spend(len(out)*len(options)) {
			return nil, false
		}
		next := make([][]syntax.WordPart, 0, len(out)*len(options))
		for _, word := range out {
			for _, option := range options {
				next = append(next, append(append([]syntax.WordPart(nil), word...), option...))
			}
		}
		out = next
	}
	return out, true
}

func (r *reader) braceOptions(brace *syntax.BraceExp) ([][]syntax.WordPart, bool) {
	if brace.Sequence {
		return sequence(brace)
	}
	var options [][]syntax.WordPart
	for _, elem := range brace.Elems {
		words, ok := r.braceWords(elem.Parts)
		if options = append(options, words...); !ok || len(options) > maxBraceWords {
			return nil, false
		}
	}
	return options, true
}

// sequence returns the elements of {a..z} or {1..10..2}.
func sequence(brace *syntax.BraceExp) ([][]syntax.WordPart, bool) {
	from, to, step := brace.Elems[0].Lit(), brace.Elems[1].Lit(), 1
	if len(brace.Elems) > 2 {
		step, _ = strconv.Atoi(brace.Elems[2].Lit())
	}
	step = max(step, -step, 1)
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	show := strconv.Itoa
	if err1 != nil || err2 != nil {
		if len(from) != 1 || len(to) != 1 {
			return nil, false
		}
		first, last = int(from[0]), int(to[0])
		show = func(n int) string { return string(rune(n)) }
	} else if strings.HasPrefix(strings.TrimLeft(from, "+-"), "0") && len(from) > 1 {
		return nil, false // padded with zeros
	}
	const far = 1 << 30
	if first > far || first < -far || last > far || last < -far || step > far {
		return nil, false
	}
	if (max(first, last)-min(first, last))/step >= maxBraceWords {
		return nil, false
	}
	var out [][]syntax.WordPart
	sign := 1
	if first > last {
		sign = -1
	}
	for n := first; sign*n <= sign*last; n += sign * step {
		out = append(out, []syntax.WordPart{&syntax.SglQuoted{Value: show(n)}})
	}
	return out, true
}
