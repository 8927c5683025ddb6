// Package wordset finds which of many words occur in a text, and which words every match of a regular expression contains.
package wordset

// A Set finds which of many words occur in a text, in one pass over it (Aho and Corasick). Case of ASCII letters does not count. It
// serves to exclude what cannot match: only a missing word proves something.
type Set struct {
	classes [256]uint8 // bytes that no word distinguishes share a class
	width   int32      // the number of classes
	next    []int32    // the state after a state and a class
	words   [][]int32  // by state: the indexes of the words that end in it
	Count   int        // of words
}

// maxStates bounds the size of an automaton. A larger one is not built, and every word counts as found.
const maxStates = 1 << 18

// New returns an automaton for words; nil if there are no words, one is empty, or there are too many.
func New(words []string) *Set {
	size := 1
	for _, w := range words {
		if size += len(w); w == "" {
			return nil
		}
	}
	if len(words) == 0 || size > maxStates {
		return nil
	}
	a := &Set{Count: len(words)}
	a.classify(words)
	a.next = make([]int32, a.width, size*int(a.width))
	a.words = make([][]int32, 1, size)
	for i, w := range words {
		a.insert(w, int32(i))
	}
	a.link()
	return a
}

// classify gives every byte of the words its own class, but the same class to upper and lower case, so there are fewer than 256.
// All other bytes have class 0.
func (a *Set) classify(words []string) {
	a.width = 1
	for _, w := range words {
		for i := range len(w) {
			if c := lower(w[i]); a.classes[c] == 0 {
				a.classes[c] = uint8(a.width)
				a.width++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.classes[c] = a.classes[lower(c)]
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// insert adds a word to the tree. State 0 is its root, so a transition of 0 means that there is none yet.
func (a *Set) insert(word string, place int32) {
	var state int32
	for i := range len(word) {
		at := state*a.width + int32(a.classes[word[i]])
		if a.next[at] == 0 {
			a.next[at] = int32(len(a.words))
			a.words = append(a.words, nil)
			a.next = append(a.next, make([]int32, a.width)...)
		}
		state = a.next[at]
	}
	a.words[state] = append(a.words[state], place)
}

// link fills in the transitions that are not in the tree. Each leads to the state of the longest suffix of the text so far that is
// in the tree.
func (a *Set) link() {
	fallback := make([]int32, len(a.words))
	var queue []int32
	for class := range a.width {
		if s := a.next[class]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		shorter := fallback[state]
		a.words[state] = append(a.words[state], a.words[shorter]...)
		for class := range a.width {
			at := state*a.width + class
			if s := a.next[at]; s != 0 {
				fallback[s] = a.next[shorter*a.width+class]
				queue = append(queue, s)
			} else {
				a.next[at] = a.next[shorter*a.width+class]
			}
		}
	}
}

// Find marks the words that occur in text. Its time does not depend on the number of occurrences.
func (a *Set) Find(text string, found []bool) {
	var state int32
	seen := make([]bool, len(a.words))
	for i := range len(text) {
		state = a.next[state*a.width+int32(a.classes[text[i]])]
		if seen[state] {
			continue
		}
		seen[state] = true
		for _, w := range a.words[state] {
			found[w] = true
		}
	}
}

// Each calls visit for every occurrence of every word in text.
func (a *Set) Each(text string, visit func(word int32)) {
	var state int32
	for i := range len(text) {
		state = a.next[state*a.width+int32(a.classes[text[i]])]
		for _, w := range a.words[state] {
			visit(w)
		}
	}
}
