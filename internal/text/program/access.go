package program

// An Access is what is done to a file.
type Access uint8

const (
	// Reads: its contents are printed, copied, archived, sent or run.
	Reads Access = iota
	// Writes: it is created, changed, replaced, or given other permissions. Removing it counts as well.
	Writes
	// Removes: it is removed or moved away.
	Removes
)

// Files says that the operands of a program are files, and what it does to them. The names of options are separated by blanks.
type Files struct {
	Access      Access
	Skip        int    // leading operands that are no files
	Unless      string // options with which there are no such operands
	Tree        string // options with which everything below counts; "*": always
	Only        string // options without which nothing is done
	Never       string // options with which nothing is done
	LastWritten bool   // the last of several operands is written
	Here        bool   // without operands it uses the current folder, if everything below counts
	OptionsOnly bool   // operands are no files
	Target      bool   // the last of several operands is a copy of the others, or their folder
	Single      bool   // only the first operand is a file
	Script      bool   // the same, and the options end there: the program runs that file
	Named       bool   // only words that look like a file are files
}
