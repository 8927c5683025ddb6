package shell

// A PieceKind says what is known of a piece of a word.
type PieceKind uint8

const (
	// Literal: the text itself.
	Literal PieceKind = iota
	// Unknown: any text.
	Unknown
	// Unset: any text, or none because the variable is unset.
	Unset
	// Home: the path of the user's folder.
	Home
	// Here: the path of the folder where the call runs.
	Here
	// AnyRun: any run of characters of a file name, for *.
	AnyRun
	// AnyChar: one character of a file name, for ?.
	AnyChar
	// Below: any path below a folder, as the result of a search.
	Below
	// Secret: any text, a secret of the environment.
	Secret
)

// A Piece is a part of a word, with what is known of it.
type Piece struct {
	Kind PieceKind
	Text string // of a Literal
}

var pieceKinds = map[byte]PieceKind{
	anyWords[0]: Unknown, oneWord[0]: Unknown, oneChar[0]: AnyChar, fileRun[0]: AnyRun, homeWords[0]: Home, homeWord[0]: Home,
	unsetWords[0]: Unset, unsetWord[0]: Unset, hereWords[0]: Here, hereWord[0]: Here, treeRun[0]: Below,
	secretWord[0]: Secret,
}

// Pieces splits a word. An empty word has none.
func (w Word) Pieces() []Piece {
	var out []Piece
	start := 0
	for i := range len(w.marked) {
		if !isHole(w.marked[i]) {
			continue
		}
		if i > start {
			out = append(out, Piece{Literal, w.marked[start:i]})
		}
		out = append(out, Piece{Kind: pieceKinds[w.marked[i]]})
		start = i + 1
	}
	if start < len(w.marked) {
		out = append(out, Piece{Literal, w.marked[start:]})
	}
	return out
}

// AnyNumber reports whether the word could be any number of words, including none.
func (w Word) AnyNumber() bool { return anyNumber(w.marked) }

// From returns the rest of a word, from an index in its text.
func (w Word) From(i int) Word { return newWord(w.marked[i:]) }

// Until returns the beginning of a word, up to an index in its text.
func (w Word) Until(i int) Word { return newWord(w.marked[:i]) }
