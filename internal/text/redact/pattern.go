package redact

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// A pattern is a compiled Pattern.
type pattern struct {
	re *regexp.Regexp
	// next matches from the character before a position to the end of the first match after the position. The match is its group.
	next     *regexp.Regexp
	required string // a text that every match has; "": none is known
	rank     int
}

// newPattern compiles an expression.
func newPattern(expression string, rank int) (pattern, error) {
	re, err := regexp.Compile(expression)
	if err != nil {
		return pattern{}, fmt.Errorf("compile the expression: %w; RE2 syntax is meant, without look-around and back references", err)
	}
	if re.MatchString("") {
		return pattern{}, errors.New("the expression matches the empty text: make it demand at least one character")
	}
	next, err := regexp.Compile(`\A(?s:.)(?s:.*?)(` + expression + `)`)
	if err != nil {
		return pattern{}, fmt.Errorf("compile the expression for a search: %w; make it smaller", err)
	}
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return pattern{}, fmt.Errorf("read the expression: %w", err)
	}
	return pattern{re, next, requiredText(tree.Simplify()), rank}, nil
}

// A search for one match takes time linear in the bytes that it reads. But it may read to the end of the text to find a short
// match: with a.*b|a in a text of a's, every search does. So only the first searches are free. After them, the bytes that are read
// are counted.
const (
	uncounted = 16
	maxReads  = 16 // how often the whole text may be read after that
)

// find adds the matches in a text. If it would take too long to find all, the rest of the text is one match.
func (p *pattern) find(text string, found *[]match) {
	// Searching for a word is many times faster than running an expression.
	if !strings.Contains(text, p.required) {
		return
	}
	last := 0
	first := p.re.FindAllStringIndex(text, uncounted)
	for _, at := range first {
		last = p.add(at[0], at[1], found)
	}
	if len(first) < uncounted {
		return
	}
	for left := maxReads * len(text); last < len(text); {
		_, size := utf8.DecodeLastRuneInString(text[:last])
		r := countingReader{Reader: strings.NewReader(text[last-size:])}
		at := p.next.FindReaderSubmatchIndex(&r)
		if at == nil {
			return
		}
		start, end := at[2]+last-size, at[3]+last-size
		if left -= r.read; left < 0 {
			end = len(text)
		}
		if last = p.add(start, end, found); start == end {
			_, size := utf8.DecodeRuneInString(text[last:])
			last += size
		}
	}
}

// add adds a match that is not empty, and returns its end.
func (p *pattern) add(start, end int, found *[]match) int {
	if start < end {
		*found = append(*found, match{start, end, p.rank})
	}
	return end
}

// A countingReader counts the bytes that are read from it.
type countingReader struct {
	*strings.Reader
	read int
}

// ReadRune reads the next character.
func (r *countingReader) ReadRune() (rune, int, error) {
	c, size, err := r.Reader.ReadRune()
	r.read += size
	return c, size, err
}

// requiredText returns the longest text that every match of a simplified expression surely contains.
func requiredText(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		// The replacement character in an expression also matches bytes that are no UTF-8.
		if re.Flags&syntax.FoldCase == 0 && !slices.Contains(re.Rune, utf8.RuneError) {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredText(re.Sub[0])
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if text := requiredText(sub); len(text) > len(longest) {
				longest = text
			}
		}
		return longest
	}
	return ""
}
