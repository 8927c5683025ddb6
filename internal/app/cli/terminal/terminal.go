// Package terminal is what weir does otherwise where a person looks on: colours, and a line that says how far it is.
package terminal

import (
	"io"
	"os"
)

// Is says whether somebody looks at what is written.
func Is(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// WantsColours says that an output is a terminal, and that its user has not asked for plain text: NO_COLOR in the environment, set to
// anything, does.
func WantsColours(out io.Writer) bool { return Is(out) && os.Getenv("NO_COLOR") == "" }
