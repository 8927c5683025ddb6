package scan

import "strings"

// A word is a word of a folded text, or a literal, with its concepts.
type word struct {
	start, end int32 // in the folded text
	sentence   int32
	concept
}

// maxWord is the length of the longest word with a meaning, split or not.
const maxWord = 24

// minSpelled is how many single letters make a word: shorter words are also beginnings of longer ones.
const minSpelled = 5

// A lexer splits a folded text into words.
type lexer struct {
	text     string
	words    []word
	sentence int32
	spelled  int // how many of the last words are adjacent single letters
}

// lex splits a folded text into words.
func lex(text string) []word {
	l := lexer{text: text, words: make([]word, 0, len(text)/6+1)}
	for i := 0; i < len(text); {
		if n := l.literal(i); n > 0 {
			i += n
			continue
		}
		if !isLetter(text[i]) {
			l.sign(i)
			i++
			continue
		}
		i = l.word(i)
	}
	return l.words
}

// literal adds the literals that begin at i, and returns how many bytes they take.
func (l *lexer) literal(i int) int {
	if i > 0 && isLetter(l.text[i]) && isLetter(l.text[i-1]) {
		return 0
	}
	var longest literal
	for _, c := range literals[l.text[i]] {
		if len(c.text) > len(longest.text) && strings.HasPrefix(l.text[i:], c.text) && (!c.word || !l.letterAt(i+len(c.text))) {
			longest = c
		}
	}
	if longest.text == "" {
		return 0
	}
	end := i + len(longest.text)
	if longest.concept&address != 0 {
		for end < len(l.text) && !isBlank(l.text[end]) {
			end++
		}
	}
	l.add(i, end, longest.concept)
	return end - i
}

func (l *lexer) letterAt(i int) bool { return i < len(l.text) && isLetter(l.text[i]) }

// sign reads a character that belongs to no word.
func (l *lexer) sign(i int) {
	c := l.text[i]
	switch {
	case c == '.' || c == '!' || c == '?' || c == ';':
		if i+1 == len(l.text) || isBlank(l.text[i+1]) {
			l.sentence++
		}
	case c == '\n' && i+1 < len(l.text) && (l.text[i+1] == '\n' || l.text[i+1] == '-' || l.text[i+1] == '*'):
		l.sentence++
	}
}

// word reads the word at i, and returns its end.
func (l *lexer) word(i int) int {
	end, ident, at := i, false, false
	for end < len(l.text) {
		c := l.text[end]
		inside := end+1 < len(l.text) && isLetter(l.text[end+1]) && end > i
		if !isLetter(c) && (!inside || (c != '_' && c != '\'' && c != '@')) {
			break
		}
		ident = ident || c == '_'
		at = at || c == '@'
		end++
	}
	piece := l.text[i:end]
	switch {
	case at:
		for end < len(l.text) && (isLetter(l.text[end]) || l.text[end] == '.' || l.text[end] == '-') &&
			(l.text[end] != '.' || l.letterAt(end+1)) {
			end++
		}
		l.add(i, end, address)
	case ident:
		l.add(i, end, nameMeaning(piece))
	default:
		l.add(i, end, meaning(piece))
		l.join(i, end)
	}
	return end
}

// nameMeaning is the meaning of a name with underscores: that it is a name, and whether it mentions secrets.
func nameMeaning(name string) concept {
	c := ident
	for part := range strings.SplitSeq(name, "_") {
		c |= meaning(part) & (secret | secretFile)
	}
	return c
}

// meaning looks a word up, also with digits replaced by the letters that they look like.
func meaning(w string) concept {
	if len(w) > maxWord {
		return 0
	}
	w = strings.TrimSuffix(w, "'s")
	if c, ok := vocabulary[w]; ok {
		return c
	}
	if strings.ContainsAny(w, "013457") && strings.ContainsFunc(w, func(r rune) bool { return 'a' <= r && r <= 'z' }) {
		if c, ok := vocabulary[digitsAsI.Replace(w)]; ok {
			return c
		}
		return vocabulary[digitsAsL.Replace(w)]
	}
	return 0
}

var (
	digitsAsI = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t")
	digitsAsL = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t")
)

// join looks for words that were split: in two by a sign, or into single letters by anything.
func (l *lexer) join(start, end int) {
	n := len(l.words)
	if n < 2 {
		l.spelled = min(end-start, 1)
		return
	}
	before := l.words[n-2]
	near := start-int(before.end) == 1
	if near && before.concept == 0 && l.words[n-1].concept == 0 && !isBlank(l.text[start-1]) && end-int(before.start) <= maxWord+1 {
		if c := vocabulary[l.text[before.start:before.end]+l.text[start:end]]; c != 0 {
			l.words = append(l.words[:n-2], word{before.start, int32(end), l.sentence, c})
			l.spelled = 0
			return
		}
	}
	if end-start != 1 {
		l.spelled = 0
		return
	}
	if !near || before.end-before.start != 1 {
		l.spelled = 0
	}
	l.spelled++
	if l.spelled >= minSpelled && l.spelled <= maxWord {
		l.spell(end)
	}
}

// spell looks up the word that the last single letters spell.
func (l *lexer) spell(end int) {
	n := len(l.words)
	var b strings.Builder
	run := l.words[n-l.spelled:]
	for _, w := range run {
		b.WriteByte(l.text[w.start])
	}
	if c := vocabulary[b.String()]; c != 0 {
		l.words = append(l.words[:n-l.spelled], word{run[0].start, int32(end), l.sentence, c})
		l.spelled = 0
	}
}

func (l *lexer) add(start, end int, c concept) {
	l.words = append(l.words, word{int32(start), int32(end), l.sentence, c})
}

// isLetter says that a byte belongs to words: letters, digits, and everything in other scripts.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c >= 0x80
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
