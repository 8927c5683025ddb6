package program

// Runs says that a program runs the command in its operands. Its options end at the first operand.
type Runs struct {
	Skip    int    // operands before the command
	Assigns bool   // x=y may come before the command
	Text    bool   // the words are joined and run by a shell
	Words   string // options with which they are not joined
	Bare    bool   // without a command it is a shell that reads its input
	Either  bool   // a single word is run by a shell
	Each    bool   // every operand is a text that a shell runs
	Dashes  bool   // words before -- are not the command
	Only    bool   // there is a command only after --
	Verb    string // a word that may come before the command
	Prefix  string // may end a word before the program, such as dev: in dev:ls
	Where   Place
}

// A Place is where a command runs.
type Place uint8

const (
	// Here: on this machine, with its files.
	Here Place = iota
	// Contained: in a container, which has other files.
	Contained
	// Remote: on another machine.
	Remote
	// Clustered: in a container on other machines.
	Clustered
)
