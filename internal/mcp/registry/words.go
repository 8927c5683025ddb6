package registry

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Words are a part of a text that stayed the same or was replaced. Same and Removed of all parts together are the text before; Same
// and Added are the text after.
type Words struct {
	Same    string `json:"same,omitzero"`
	Removed string `json:"removed,omitzero"`
	Added   string `json:"added,omitzero"`
}

// maxSteps limits the work of a comparison: if it would take more, everything between the first and the last difference counts as
// one difference.
const maxSteps = 1 << 20

// compareWords compares two texts word by word.
func compareWords(before, after string) []Words {
	was, is := splitWords(before), splitWords(after)
	first := 0
	for first < min(len(was), len(is)) && was[first] == is[first] {
		first++
	}
	last := 0
	for last < min(len(was), len(is))-first && was[len(was)-1-last] == is[len(is)-1-last] {
		last++
	}
	var c wordComparison
	c.same(was[:first]...)
	c.between(was[first:len(was)-last], is[first:len(is)-last])
	c.same(was[len(was)-last:]...)
	return c.words()
}

// splitWords splits a text into words and the parts between them.
func splitWords(text string) []string {
	var out []string
	start, before := 0, -1
	for i, r := range text {
		class := classOf(r)
		if i > start && (class != before || class == other) {
			out = append(out, text[start:i])
			start = i
		}
		before = class
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// The classes of characters. Characters of the first two classes form runs; each other character is separate.
const (
	letter = iota
	blank
	other
)

func classOf(r rune) int {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r), r == '_':
		return letter
	case unicode.IsSpace(r):
		return blank
	}
	return other
}

// A wordComparison joins words to runs. Each run has either words that stayed, or words that did not.
type wordComparison struct{ runs []wordRun }

type wordRun struct{ same, removed, added []byte }

func (c *wordComparison) words() []Words {
	out := make([]Words, len(c.runs))
	for i, r := range c.runs {
		out[i] = Words{Same: string(r.same), Removed: string(r.removed), Added: string(r.added)}
	}
	return out
}

// run returns the run that the next words belong to.
func (c *wordComparison) run(same bool) *wordRun {
	n := len(c.runs)
	if n == 0 || (len(c.runs[n-1].same) > 0) != same {
		c.runs = append(c.runs, wordRun{})
		n++
	}
	return &c.runs[n-1]
}

func (c *wordComparison) same(words ...string) {
	for _, w := range words {
		r := c.run(true)
		r.same = append(r.same, w...)
	}
}

func (c *wordComparison) replace(removed, added []string) {
	for _, w := range removed {
		r := c.run(false)
		r.removed = append(r.removed, w...)
	}
	for _, w := range added {
		r := c.run(false)
		r.added = append(r.added, w...)
	}
}

// weight is how much it counts that a word stayed. Blanks and signs count little, because they are in every text.
func weight(word string) int32 {
	first, _ := utf8.DecodeRuneInString(word) // all characters of a word have one class
	if classOf(first) == letter {
		return 4
	}
	return 1
}

// between compares two texts that differ at both ends, by the common words, in the same order, with the largest weight.
func (c *wordComparison) between(was, is []string) {
	if len(was)*len(is) > maxSteps || len(was) == 0 || len(is) == 0 {
		c.replace(was, is)
		return
	}
	// common[i][j] is the weight of the words that was[i:] and is[j:] have in common.
	width := len(is) + 1
	common := make([]int32, (len(was)+1)*width)
	for i, w := range slices.Backward(was) {
		for j, x := range slices.Backward(is) {
			if w == x {
				common[i*width+j] = common[(i+1)*width+j+1] + weight(w)
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(was) && j < len(is) {
		switch {
		case was[i] == is[j]:
			c.same(was[i])
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			c.replace(was[i:i+1], nil)
			i++
		default:
			c.replace(nil, is[j:j+1])
			j++
		}
	}
	c.replace(was[i:], is[j:])
}
